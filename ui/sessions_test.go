package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parley/a2a/lint"
	"parley/session/annotation"
	"parley/session/catalog"
	"parley/session/log"
	sessionsheet "parley/ui/control/sessions"
)

// recorded gives the desk a folder of recorded sessions, of which the newest was interrupted.
func (d *desk) recorded() {
	d.t.Helper()
	home := d.t.TempDir()
	dir := filepath.Join(home, "sessions")
	if err := os.Mkdir(dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
	for i, prompt := range []string{"Book a flight from London to Lisbon on 3 December", "Refund the hotel in Paris", "Write a haiku about protocols", "List my open invoices"} {
		path := filepath.Join(dir, fmt.Sprintf("202611%02d-14%02d07-ab12.jsonl", 19-i, 10+i))
		text := fmt.Sprintf(`{"parley":"session","version":1}
{"id":1,"kind":"note","time":"2026-11-19T14:10:07Z","note":{"type":"opening","attrs":{"agent":"1","ref":"http://desk.example"}}}
{"id":2,"kind":"note","time":"2026-11-19T14:10:08Z","note":{"type":"opened","attrs":{"agent":"1","ref":"http://desk.example","sentence":"There is no card."}}}
{"id":3,"exchange":3,"kind":"request","dir":"out","time":"2026-11-19T14:10:09Z","call":{"agent":1,"conversation":1,"turn":1,"op":"stream","dialect":"v1.0","binding":"JSONRPC"},"raw":%q}
{"id":4,"exchange":3,"kind":"response","dir":"in","time":"2026-11-19T14:10:10Z","head":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
{"id":5,"exchange":3,"kind":"event","dir":"in","time":"2026-11-19T14:10:%dZ","raw":%q}
`, `{"jsonrpc":"2.0","id":"r","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"`+prompt+`"}]}}}`, 20+i,
			"data: {\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":{\"statusUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_"+[]string{"WORKING", "COMPLETED", "FAILED", "COMPLETED"}[i]+"\"}}}}\n\n")
		if i > 0 {
			text += `{"id":6,"exchange":3,"kind":"end","time":"2026-11-19T14:10:59Z","end":{"reason":"ended"}}` + "\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			d.t.Fatal(err)
		}
		if i == 1 {
			for _, change := range []func(*annotation.Content) error{annotation.SetTitle("Refund fails"), annotation.SetTags([]string{"bug"}), annotation.SetPinned(true)} {
				if _, err := annotation.Open(path).Update(change); err != nil {
					d.t.Fatal(err)
				}
			}
		}
	}
	m := d.model
	getenv := m.opts.Getenv
	m.opts.Getenv = func(name string) string {
		if name == "HOME" {
			return home
		}
		return getenv(name)
	}
	m.opts.Sessions.Catalog = catalog.Open(dir, catalog.Options{Rules: func() log.Checker { return lint.New() }})
	m.controllers.sessions = newControllers(context.Background(), m).sessions
	d.renew()
	d.run(m.sessions.Load())
	d.settle()
}

// renew makes the sheets of changed controllers, with the keys that the user chose.
func (d *desk) renew() {
	m := d.model
	m.sheets = m.allSheets()
	m.remap()
}

func TestTheSessionsAreBrowsed(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.recorded()
		d.sees("interrupted: Book a flight", "browse 4 recorded sessions")
		d.press("alt+2")
		if d.model.screen.over != sessionsheet.SheetName {
			t.Fatalf("got sheet %q, want the sessions", d.model.screen.over)
		}
		d.sees("Refund fails #bug", "The session was interrupted", "Write a haiku")
		d.press("s")
		d.write("PARIS")
		d.press("enter")
		d.sees("1 of 4 sessions", "record 3", "Refund the hotel in Paris")
		d.press("esc", "esc")
		if d.model.screen.over != noOverlay {
			t.Errorf("got sheet %q after esc, want none", d.model.screen.over)
		}
		d.write("/sessions")
		d.press("enter")
		d.sees("Refund fails #bug")
	})
}
