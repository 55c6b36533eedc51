package ui

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/ui/control"
)

func TestMessagesAreSentAsItIsSet(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 40, Options{}, func(d *desk) {
		e := d.sends()
		d.press("alt+h")
		d.sees("send options for messages to Travel Desk", "as the card declares: streamed", "Sent by SendStreamingMessage.")
		d.press("l", "l", "j", "enter")
		d.write("image/png")
		d.press("enter", "j", "enter")
		d.write("2")
		d.press("enter", "j", "enter")
		d.write(`{"trace":"x"}`)
		d.press("enter", "j", "enter")
		d.write(`{"draft":true`)
		d.press("enter")
		d.sees("Line 1, column 14: this is not JSON: body ends inside")
		d.write("}")
		d.press("enter", "alt+h")
		d.sees("blocking · accepts image/png · history 2 · metadata (request")
		d.press("ctrl+t", "x", "enter")
		o := e.Sent[0].Options
		if !o.Config.Wait || o.Stream != a2a.False || *o.Config.HistoryLength != 2 || string(o.Config.Metadata) != `{"trace":"x"}` || string(e.Sent[0].Metadata) != `{"draft":true}` {
			t.Fatalf("sent options %+v with metadata %s, want those that were set", o, e.Sent[0].Metadata)
		}
		d.turnOver(e.Turns, "")
		d.press("ctrl+n", "y", "enter")
		if o := e.Sent[1].Options; !o.Config.Wait || e.Sent[1].Metadata != nil {
			t.Errorf("sent next options %+v with metadata %s, want the same options without metadata", o, e.Sent[1].Metadata)
		}
		d.model.goTo(control.Place{Agent: 2})
		d.send(nil)
		d.press("z", "enter")
		if o := e.Sent[2].Options; o.Config.Wait || o.Stream != a2a.Absent || o.Config.HistoryLength != nil {
			t.Errorf("sent options %+v to another agent, want the defaults", o)
		}
	})
}

func TestWhatADialectCannotSayIsFlaggedBeforeEnter(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 40, Options{}, func(d *desk) {
		d.sends()
		d.model.goTo(control.Place{Agent: 3}) // Old Clerk
		d.send(nil)
		d.press("alt+h", "l", "l", "j", "enter")
		d.write("text/plain")
		d.press("enter", "esc")
		d.sees("blocking · accepts text/plain ⚑ not in A2A 0.1: blocking, accepted types")
		d.model.goTo(control.Place{Agent: 1})
		d.send(nil)
		if strings.Contains(d.text(), "not in A2A") {
			t.Errorf("the options are flagged for another agent:\n%s", d.text())
		}
	})
}

func TestTheFinderSetsHowMessagesAreSent(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		e := d.sends()
		d.press("ctrl+p")
		d.write("Send non-blocking")
		d.press("enter")
		d.sees("messages are now answered at once", "→ non-blocking")
		d.write(`/metadata {"a":}`)
		d.press("enter")
		d.sees("Line 1, column 6: this is not JSON")
		d.write(`/metadata {"a":1}`)
		d.press("enter")
		d.sees("non-blocking · metadata (message)")
		d.model.goTo(control.Place{Agent: 2})
		d.send(nil)
		d.model.goTo(control.Place{Agent: 1})
		d.send(nil)
		d.sees("non-blocking · metadata (message)") // it stays with the draft
		d.press("x", "enter")
		if e.Sent[0].Options.Stream != a2a.False || e.Sent[0].Options.Config.Wait || string(e.Sent[0].Metadata) != `{"a":1}` {
			t.Errorf("sent options %+v with metadata %s, want non-blocking and {\"a\":1}", e.Sent[0].Options, e.Sent[0].Metadata)
		}
	})
}

func TestTheMetadataOfAPartIsSetAndMended(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		e := d.sends("a.txt")
		d.write("/attach a.txt")
		d.press("enter", "alt+p", "m")
		d.sees("metadata of a.txt")
		d.paste(`{"schema":`)
		d.press("alt+enter")
		d.sees("Line 1, column 11:")
		d.paste(`"x"}`)
		d.press("alt+enter")
		d.sees("the part has metadata", "text/plain · 5 B · metadata")
		d.press("alt+p")
		d.sees(`{"schema":"x"}`)
		d.press("esc", "enter")
		if got := string(e.Sent[0].Parts[0].Metadata); got != `{"schema":"x"}` {
			t.Errorf("got part metadata %s, want the schema", got)
		}
	})
}
