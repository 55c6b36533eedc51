package ui

import (
	"strings"
	"testing"
)

// The text has metadata, the message has extensions, and requests about tasks have metadata
// too.
func TestMetadataOfTheTextAndOfTasksAndExtensionsAreSet(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		e := d.sends()
		d.engine.Calls = nil
		d.press("alt+h", "j", "j", "j", "j", "j", "enter")
		d.write(`{"lang":"de"}`)
		d.press("enter", "j", "enter")
		d.write("https://x.example/a,bad\x7f")
		d.press("enter")
		d.sees("names no extension")
		d.press("ctrl+u")
		d.write("https://x.example/a https://x.example/b https://x.example/a")
		d.press("enter")
		d.sees("Sent as message.extensions", "/ext")
		d.press("j", "enter")
		d.write(`{"tenant":"t1"}`)
		d.press("enter")
		d.sees("requests about a task: ")
		d.press("esc")
		d.sees("metadata (text) · names 2 extensions")
		d.press("x", "enter")
		m := e.Sent[0]
		if string(m.Parts[0].Metadata) != `{"lang":"de"}` || strings.Join(m.Extensions, " ") != "https://x.example/a https://x.example/b" || m.Metadata != nil {
			t.Errorf("sent parts %+v with extensions %q, want the text's own metadata and both extensions", m.Parts, m.Extensions)
		}
		if got := strings.Join(d.engine.Calls, "\n"); strings.Count(got, "annotate") != 1 || !strings.Contains(got, `annotate 1 {"tenant":"t1"}`) {
			t.Errorf("got engine calls\n%s\nwant one annotate 1 with the tenant", got)
		}
		d.turnOver(e.Turns, "")
		d.press("ctrl+n", "y", "enter")
		if m := e.Sent[1]; m.Parts[0].Metadata != nil || m.Extensions != nil {
			t.Errorf("got next message %+v, want no metadata and no extensions", m)
		}
		d.press("alt+h", "j", "j", "j", "j", "j", "j", "j")
		d.sees(`{"tenant":"t1"}`)
		d.press("w")
		d.sees("metadata of requests about tasks")
		d.press("esc", "alt+h", "j", "j", "j", "j", "j", "j", "j", "d")
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != "annotate 1 " {
			t.Errorf("got last engine call %q, want the task metadata removed", got)
		}
	})
}
