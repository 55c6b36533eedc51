package interop

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/problem"
)

// The SDKs of 1.0 refuse a request without an extension that their card requires. A chosen
// extension is requested in the header that they read, and the SDK that confirms it reports it
// as active.
func TestARequiredExtensionIsAskedForOnceItIsChosen(t *testing.T) {
	const uri = "https://ext.example/consent/v1"
	for _, c := range []struct {
		module string
		says   bool // the answer names the active extensions
	}{{"a2a-go-2.4.0", false}, {"a2a-js-1.3.0", true}} {
		t.Run(c.module, func(t *testing.T) {
			t.Parallel()
			d := open(t, target{url: start(t, c.module, uri)})
			known := &d.state.Agent(d.agent).Extensions
			if !slices.Equal(known.Missing, []string{uri}) {
				t.Fatalf("got missing extensions %q, want the required one", known.Missing)
			}
			to := model.Target{Agent: d.agent, Conversation: d.engine.NewConversation(d.agent)}
			say := func(o model.SendOptions) *model.Turn {
				o.Stream = a2a.False
				return d.wait(d.engine.Send(to, &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("hello")}}, o))
			}
			refused := say(model.SendOptions{})
			if p := d.problem(refused); p == nil || p.Err == nil || p.Err.Name != "ExtensionSupportRequiredError" {
				t.Errorf("got problem %+v, want ExtensionSupportRequiredError\n%s", p, d.wire())
			}
			once := say(model.SendOptions{Extensions: []string{uri, "urn:nobody-knows"}})
			d.noProblem(once.ID)
			if p := d.problem(say(model.SendOptions{})); p == nil {
				t.Errorf("got the extension of one message in the next one\n%s", d.wire())
			}
			d.engine.SetExtensions(d.agent, []string{uri})
			turn := say(model.SendOptions{})
			d.noProblem(turn.ID)
			if len(known.Missing) != 0 || !slices.Equal(turn.Extensions.Requested, []string{uri}) {
				t.Errorf("got missing %q and requested %q, want none and the required one", known.Missing, turn.Extensions.Requested)
			}
			if c.says != slices.Contains(turn.Extensions.Active, uri) {
				t.Errorf("got active extensions %q\n%s", turn.Extensions.Active, d.wire())
			}
		})
	}
}

// checkExtendedCard requests the agent's extended card. It replaces the public card until that is
// restored, and messages work all the while.
func checkExtendedCard(t *testing.T, at target, s sdk) {
	d := open(t, at)
	a := d.state.Agent(d.agent)
	public := a.Card
	asked := d.engine.ExtendedCard(d.agent)
	d.until("the agent has answered", func() bool { return d.over[asked] })
	switch {
	case !s.has(a2a.OpExtendedCard), s.refused[a2a.OpExtendedCard] != "":
		if !a.Extended.Stands && (a.Card != public || a.Extended.Why == "") {
			t.Errorf("refused: got extended card %+v, want the public card with a reason\n%s", a.Extended, d.wire())
		}
	case !a.Extended.Stands || a.Card.Name != public.Name+", extended" || len(a.Extended.Changes) == 0 || a.Extended.Public != public:
		t.Errorf("got card %q, %+v, want the extended one\n%s", a.Card.Name, a.Extended, d.wire())
	}
	turn := d.wait(d.send(model.Target{}, "count 2", a2a.Absent))
	d.noProblem(turn.ID)
	stood := a.Extended.Stands
	d.engine.PublicCard(d.agent)
	d.until("public card again", func() bool { return !a.Extended.Stands })
	if stood && a.Card != public {
		t.Errorf("got card %q, want the public one\n%s", a.Card.Name, d.wire())
	}
}

// problem returns the first problem of a turn, nil if it has none.
func (d *harness) problem(t *model.Turn) *problem.Problem {
	for _, b := range t.Blocks {
		for _, e := range b.Entries {
			if e.Problem != nil {
				return e.Problem
			}
		}
	}
	return nil
}
