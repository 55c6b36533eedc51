package ui

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

func TestAConversationIsRenamed(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.write("/rename Trip to London")
		d.press("enter")
		d.says("the conversation is now named Trip to London")
		d.write("/rename")
		d.press("enter")
		d.sees("rename conversation Book me a flight")
		d.press("ctrl+u")
		d.write("Holidays")
		d.press("enter")
		for _, want := range []string{`"Trip to London"`, `"Holidays"`} {
			if got := d.engine.CallsOf("conversation"); !slices.ContainsFunc(got, func(call string) bool { return strings.HasSuffix(call, want) }) {
				t.Errorf("got calls %q, want one with %s", got, want)
			}
		}
	})
}

// callsItself plays that the agent restarted with a card of another name.
func (d *desk) callsItself(name string) {
	id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	call := &a2a.Call{Agent: 1, Op: a2a.OpCard}
	body := []byte(`{"name":"` + name + `","url":"http://127.0.0.1:4711/a2a","protocolVersion":"1.0","skills":[],"capabilities":{}}`)
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: now}},
		{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Time: now, Raw: body}, Update: a2a.Decode(call, a2a.Input{Body: body, Status: 200})},
		{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Ended}}},
		{Record: a2a.Record{ID: id + 3, Kind: a2a.KindNote, Time: now, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{
			log.AttrAgent: "1", log.AttrRef: d.model.agent().Ref, log.AttrRecord: log.IDText(id + 1),
		}}}},
	}})
}

// An agent restarts under another name: the blocks of its old answers keep the old one.
func TestOldAnswersKeepTheNameOfTheirAgent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		heads := func(name string) int { return strings.Count(d.text(), "▌ "+name) }
		before := heads("Travel Desk")
		d.callsItself("Night Desk")
		if before == 0 || heads("Travel Desk") != before || heads("Night Desk") != 0 {
			t.Errorf("got %d blocks of the old name and %d of the new, want %d and none:\n%s", heads("Travel Desk"), heads("Night Desk"), before, d.text())
		}
		if !strings.Contains(d.rows()[0], "Night Desk") {
			t.Errorf("got a header without the name of now:\n%s", d.rows()[0])
		}
	})
}
