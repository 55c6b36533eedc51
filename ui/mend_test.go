package ui

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session"
	"parley/ui/palette"
)

// mendEngine can be told how to speak and takes requests.
type mendEngine struct {
	pinEngine
	rawEngine
}

func (e *mendEngine) Open(string) a2a.AgentID                                           { return 0 }
func (e *mendEngine) Reopen(a2a.AgentID)                                                {}
func (e *mendEngine) NewConversation(a2a.AgentID) a2a.ConversationID                    { return 0 }
func (e *mendEngine) Stop(a2a.TurnID)                                                   {}
func (e *mendEngine) Cancel(a2a.AgentID, string, a2a.ConversationID) (none a2a.TurnID)  { return none }
func (e *mendEngine) Send(session.Target, *a2a.Message, session.SendOptions) a2a.TurnID { return 0 }

func TestAnAgentOfUnknownSpeechIsHelped(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		e := &mendEngine{}
		d.model.opts.Engine = e
		a := d.model.agent()
		a.Phase, a.Problem = session.Failed, "Nobody speaks A2A 2.0 here."
		d.model.touch()
		d.send(nil)
		d.sees("Nobody speaks A2A 2.0 here.", "alt+1  pin a dialect")
		d.press("alt+1")
		if d.model.screen.over != overPalette {
			t.Fatalf("the finder is not open:\n%s", d.text())
		}
		d.sees("Pin dialect v1.0")
		d.press("enter")
		if e.pins.Dialect == "" {
			t.Error("nothing was pinned")
		}
		d.press("alt+2")
		if !slices.Equal(e.probed, []a2a.AgentID{a.ID}) {
			t.Errorf("probed %v", e.probed)
		}
		d.press("alt+3")
		d.sees("begin with", "GetTask")
		d.press("enter", "alt+enter")
		if len(e.sent) != 1 {
			t.Errorf("sent %v", e.sent)
		}
		at := slices.IndexFunc(d.model.entries(), func(e palette.Entry) bool { return e.Name == "Write a request" })
		if at < 0 || d.model.entries()[at].Why != "" {
			t.Error("the finder does not offer to write a request")
		}
	})
}
