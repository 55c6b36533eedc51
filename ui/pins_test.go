package ui

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/palette"
)

func named(all []palette.Entry, name string) int {
	return slices.IndexFunc(all, func(e palette.Entry) bool { return e.Name == name })
}

func TestWhatIsPinnedIsChosenInTheFinder(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.book(allFound)
		e := d.engine
		choose := func(name string) {
			t.Helper()
			all := d.model.entries()
			at := named(all, name)
			if at < 0 {
				t.Fatalf("the finder has no entry %q", name)
			}
			all[at].Value.(control.Command).Run()
		}
		choose("Pin dialect v0.3-rest")
		if e.Pinned.Dialect != a2a.V03 || e.Pinned.Binding != a2a.BindingREST {
			t.Errorf("got pins %+v, want dialect 0.3 and REST", e.Pinned)
		}
		choose("Pin dialect v0.3")
		if e.Pinned.Dialect != a2a.V03 || e.Pinned.Binding != "" {
			t.Errorf("got pins %+v, want dialect 0.3 and no binding", e.Pinned)
		}
		for _, typed := range []string{"pin endpoint http://h/rpc", "Pin tenant acme", "pin header X-Team: blue"} {
			c, ok := d.model.pins.Typed(typed)
			if !ok {
				t.Fatalf("Typed does not understand %q", typed)
			}
			c.Run()
		}
		d.press("enter") // in the field for the header's value
		if e.Pinned.Endpoint != "http://h/rpc" || e.Pinned.Tenant != "acme" || len(e.Pinned.Headers) != 1 || e.Pinned.Dialect != a2a.V03 {
			t.Errorf("got pins %+v, want endpoint, tenant, header and dialect", e.Pinned)
		}
		if strings.Contains(d.model.notices.shown.text, "blue") {
			t.Errorf("the notice shows the value of a header: %s", d.model.notices.shown.text)
		}
		for _, typed := range []string{"http://pin/x", "pin", "pin it down now", "pin endpoint h"} {
			before := e.Pinned.Endpoint
			if c, ok := d.model.pins.Typed(typed); ok && c.Why == "" {
				c.Run()
			}
			if e.Pinned.Endpoint != before {
				t.Errorf("%q: got endpoint %q, want %q unchanged", typed, e.Pinned.Endpoint, before)
			}
		}
		choose("Unpin everything: detection decides")
		if !e.Pinned.Empty() {
			t.Errorf("got pins %+v, want none", e.Pinned)
		}
		choose("Probe the agent again")
		if got := e.CallsOf("probe"); len(got) != 1 {
			t.Errorf("got probes %v, want one", got)
		}
	})
}

func TestAnAgentWithoutACardIsShownAsWhatItIs(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		rec := journal.NewRecorder(d.feed, nil)
		rec.Put(a2a.Record{Kind: a2a.KindNote, Time: d.clock, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{
			"agent": "1", "ref": "http://h.example/rpc",
			"profile": `{"Dialect":"v0.3","Binding":"JSONRPC","Endpoint":"http://h.example/rpc",
				"Evidence":[{"Field":"dialect","Value":"v0.3","Reason":"the probe tasks/get was answered","Confidence":1,"Record":1}]}`,
			"attempts": `[{"URL":"http://h.example/rpc","Record":1,"Status":200,"Probe":"tasks/get","Sentence":"knows the method."}]`,
		}}}, a2a.Update{})
		d.settle()
		d.sees("has no card and speaks A2A 0.3")
		d.press("ctrl+p", "esc")
		d.press("f2")
		d.settle()
		d.sees("Dialect and endpoint", "0.3 JSON-RPC", "(likely)", "tasks/get")
	})
}

func TestWhyThereIsNoCardIsSaidAsItWas(t *testing.T) {
	t.Parallel()
	for attempts, want := range map[string]string{
		`[{"URL":"http://h.example/card","Record":1,"Status":500,"Sentence":"failed."}]`:                                  "cannot deliver its card now (500)",
		`[{"URL":"http://h.example/card","Record":1,"Status":404,"Sentence":"nothing."}]`:                                 "has no card and",
		`[{"URL":"http://h.example/card","Record":1,"Status":200,"Sentence":"The card is torn.","Class":"card-invalid"}]`: "has an unreadable card",
		`[{"URL":"http://h.example/card","Record":1,"Status":500,"Sentence":"failed."},
			{"URL":"http://h.example/other","Record":2,"Status":200,"Sentence":"The card is torn.","Class":"card-invalid"}]`: "has an unreadable card",
	} {
		bubble(t, 100, 30, Options{}, func(d *desk) {
			rec := journal.NewRecorder(d.feed, nil)
			rec.Put(a2a.Record{Kind: a2a.KindNote, Time: d.clock, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{
				"agent": "1", "ref": "http://h.example/rpc",
				"profile":  `{"Dialect":"v0.3","Binding":"JSONRPC","Endpoint":"http://h.example/rpc"}`,
				"attempts": attempts,
			}}}, a2a.Update{})
			d.settle()
			d.sees(want)
		})
	}
}
