package model_test

import (
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
