package model_test

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

func TestTheUserNamesAConversation(t *testing.T) {
	p := sessiontest.NewTape()
	p.Ask(sessiontest.CallOf(a2a.OpStream, 1), "Write an essay")
	c := p.State.Turn(1).Conversation
	note := func(conv, name string) model.Change {
		r := a2a.Record{ID: a2a.RecordID(p.State.Log.Len() + 1), Kind: a2a.KindNote, Time: sessiontest.Epoch, Note: &a2a.Note{
			Type: log.NoteRenamed, Attrs: map[string]string{log.AttrAgent: "1", log.AttrConversation: conv, log.AttrName: name},
		}}
		return p.State.Apply(log.Item{Record: r})
	}
	version := c.Version
	if ch := note("1", "Tides"); c.Name() != "Tides" || c.Version <= version || !ch.Agents || ch.Conversation != 0 {
		t.Errorf("got name %q and change %+v, want the user's name, and nothing new to read", c.Name(), ch)
	}
	note("1", "")
	note("77", "nobody's")
	if c.Name() != "Write an essay" {
		t.Errorf("got name %q, want the words of the first message again", c.Name())
	}
}

// An agent restarts under another name: what it answered before keeps the name that its card had then.
func TestAnAnswerKeepsTheNameThatTheCardHadThen(t *testing.T) {
	p := sessiontest.NewTape()
	opens := func(name string) {
		call := &a2a.Call{Agent: 1, Op: a2a.OpCard, Dialect: a2a.V10}
		x := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call})
		body := p.Put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte(`{"name":"` + name + `","url":"http://h/","protocolVersion":"1.0","skills":[],"capabilities":{}}`)})
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{log.AttrAgent: "1", log.AttrRef: "http://h", log.AttrRecord: log.IDText(body)}}})
	}
	names := func(want ...string) {
		t.Helper()
		var got []string
		for _, c := range p.State.Agent(1).Conversations {
			for _, turn := range c.Turns {
				got = append(got, turn.AgentName())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got names %q, want %q", got, want)
		}
	}
	named := func(name string) {
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteNamed, Attrs: map[string]string{log.AttrAgent: "1", log.AttrName: name}}})
	}
	p.Ask(sessiontest.CallOf(a2a.OpStream, 1), "before the card")
	opens("Desk")
	p.Ask(sessiontest.CallOf(a2a.OpStream, 2), "to the desk")
	names("Desk", "Desk")
	opens("Desk")
	opens("Clerk")
	names("Desk", "Desk")
	p.Ask(sessiontest.CallOf(a2a.OpStream, 3), "to the clerk")
	names("Desk", "Desk", "Clerk")
	opens("Desk")
	opens("Third")
	names("Desk", "Desk", "Clerk")
	named("Mine")
	names("Mine", "Mine", "Mine")
	named("")
	other := sessiontest.CallOf(a2a.OpStream, 4)
	other.Conversation = 2
	p.Ask(other, "elsewhere")
	names("Desk", "Desk", "Clerk", "Third")
}
