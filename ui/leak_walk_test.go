package ui

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"parley/a2a"
	"parley/internal/pipetest"
	"parley/ui/control"
	"parley/ui/control/cards"
	"parley/ui/control/credentials"
	"parley/ui/control/lanes"
	"parley/ui/control/sendoptions"
	"parley/ui/control/tasks"
)

// No secret that a user entered is shown in any pane or sheet, in the title, on the clipboard,
// in a file or in the last lines, whatever an agent does with it.
func TestNoSecretLeavesTheWorkbench(t *testing.T) {
	t.Parallel()
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:the-passw0rd"))
	for name, c := range map[string]struct {
		said   []string // secrets that the agent repeats
		own    []string // secrets that it does not
		ref    func(agent string) string
		change func(o *a2a.Options)
		// refused is set where such an address is not opened.
		refused bool
	}{
		"bearer, headers, query and fragment": {
			said: []string{`bearer/0ne+ä"x&y`, "api-key-0ne-two", "plain words here", "second-word", "in-the-query-1"},
			own:  []string{"p4ss", "in-the-fragment"},
			ref:  func(agent string) string { return agent + "?x=in-the-query-1&ticket=p4ss#code=in-the-fragment" },
			change: func(o *a2a.Options) {
				o.Bearer, o.APIKey = `bearer/0ne+ä"x&y`, "api-key-0ne-two"
				o.Headers = []a2a.HeaderPair{{Name: "X-Team", Value: "plain words here"}, {Name: "X-Sig", Value: "first second-word"}}
			},
		},
		"basic, cookie and endpoint": {
			said: []string{"the-passw0rd", "crumbs-crumbs", "in-the-endpoint", base64.StdEncoding.EncodeToString([]byte("ann:the-passw0rd"))},
			ref:  func(agent string) string { return agent },
			change: func(o *a2a.Options) {
				o.Headers = []a2a.HeaderPair{{Name: "Authorization", Value: basic}, {Name: "Cookie", Value: "a=1; b=crumbs-crumbs"}}
				o.Pins.Endpoint = "%s/rpc?zone=in-the-endpoint"
			},
		},
		"password in the address": {
			said:    []string{"passw0rd-of-user"},
			ref:     func(agent string) string { return strings.Replace(agent, "://", "://me:passw0rd-of-user@", 1) },
			refused: true,
		},
		"token in the address": {
			said:    []string{"t0ken-as-user"},
			ref:     func(agent string) string { return strings.Replace(agent, "://", "://t0ken-as-user@", 1) },
			refused: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				agent, server := &parrot{said: c.said}, pipetest.At("127.0.0.1:8001")
				agent.Server = serveAt(t, server, agent.serve)
				ref := c.ref(agent.URL)
				d, journal, engine := newSpiedDesk(t, append(c.own, c.said...), Options{}, ref, func(ref string) a2a.Options {
					o := a2a.Options{UserAddresses: []string{ref}, UserAgent: "parley", Dial: pipetest.Dialer(server)}
					if c.change != nil {
						c.change(&o)
					}
					if e := o.Pins.Endpoint; e != "" {
						o.Pins.Endpoint = strings.ReplaceAll(e, "%s", agent.URL)
						o.UserAddresses = append(o.UserAddresses, o.Pins.Endpoint)
					}
					return o
				})
				if c.refused {
					d.sees("A name or password in a URL")
					d.sheets()
					d.wirePane()
					engine.Close()
					if err := journal.Close(); err != nil {
						t.Error(err)
					}
					d.files("run.jsonl")
					return
				}
				d.until("the card", func() bool { a := d.model.agent(); return a != nil && a.Card != nil })
				d.sheets()
				for _, mode := range []string{"hello", "pieces", "redirect", "401", "500", "page", "error", "nonsense", "broken"} {
					d.says(mode)
					d.press("f5", "esc")
				}
				hidden := d.hidden
				d.hidden = nil // text is visible while it is typed
				d.says("with " + c.said[0] + " and " + quote(c.said[0]))
				d.says("hello")
				d.hidden = hidden
				d.conversationPane()
				d.wirePane()
				d.sheets()
				d.focus(control.OnComposer)
				d.write("/export out.md")
				d.press("enter")
				d.until("the export", func() bool { _, err := os.Stat(filepath.Join(d.dir, "out.md")); return err == nil })
				for _, l := range d.model.tasks.Left() {
					d.look("the last lines", l.Says+" "+l.ID+" "+l.Ref)
				}
				engine.Close()
				d.settle()
				if err := journal.Close(); err != nil {
					t.Error(err)
				}
				d.files("run.jsonl", "history.jsonl", "out.md")
				if d.copied < 10 {
					t.Errorf("only %d texts were copied to the clipboard, want at least 10", d.copied)
				}
				t.Logf("%d frames, %d copies", len(d.seen), d.copied)
			})
		})
	}
}

// sheets opens every overlay and searches it.
func (d *spiedDesk) sheets() {
	d.t.Helper()
	for _, open := range []struct {
		key  string
		over control.SheetName
	}{{"f2", cards.SheetName}, {"f3", tasks.SheetName}, {"f4", noOverlay}, {"f5", credentials.SheetName}, {"f1", overHelp}, {"ctrl+p", overPalette}, {"ctrl+g", noOverlay}, {"alt+h", sendoptions.SheetName}, {"f6", lanes.SheetName}} {
		d.press(open.key)
		if open.over != noOverlay && d.model.screen.over != open.over {
			d.t.Fatalf("%s opened no sheet:\n%s", open.key, d.model.View().Content)
		}
		if open.over == overPalette {
			for _, words := range []string{"unpin", "pin", "agent", "Parrot", "http", "copy", "#3", "7", "task", "hello", "settings"} {
				d.write(words)
				d.press("down", "pgdown", "ctrl+u")
			}
		} else {
			for _, k := range []string{"y", "Y", "pgdown", "down", "enter", "right", "tab", "pgdown", "pgdown", "pgdown", "end"} {
				if d.model.screen.over != noOverlay {
					d.press(k)
				}
			}
		}
		for range 5 {
			if d.model.screen.over != noOverlay {
				d.press("esc")
			}
		}
		d.focus(control.OnComposer)
	}
}

// focus moves the focus to a pane.
func (d *spiedDesk) focus(at control.Focus) {
	d.t.Helper()
	for range 10 {
		if d.model.screen.at == at {
			return
		}
		d.press("tab")
	}
	d.t.Fatal("tab does not reach the pane")
}

func (d *spiedDesk) conversationPane() {
	d.focus(control.OnChat)
	d.press("g")
	for range 25 {
		d.press("y", "d", "H", "space", "j")
	}
	for d.model.screen.over != noOverlay {
		d.press("esc")
	}
	d.focus(control.OnChat)
	d.press("g", "V", "pgdown", "esc")
	d.focus(control.OnChat)
	d.press("w")
	d.focus(control.OnAgents)
	d.press("y", "c", "esc", "down", "up", "esc")
	d.focus(control.OnComposer)
	d.press("ctrl+n", "f8", "f9", "tab", "g", "y", "enter", "esc", "f9", "f8", "f9")
}

func (d *spiedDesk) wirePane() {
	d.focus(control.OnWire)
	d.press("g")
	events := 0
	for i := range d.model.state.Log.Len() {
		rec := &d.model.state.Log.At(a2a.RecordID(i + 1)).Record
		if rec.Kind == a2a.KindEvent {
			if events++; events > 8 && events%40 != 0 {
				continue
			}
		}
		d.model.panes.wire.Select(rec.ID)
		d.press("y", "d", "1", "y", "v", "2", "y", "x", "J", "3", "y", "J", "4", "y", "5", "y", "esc")
		d.focus(control.OnWire)
		for _, item := range []string{"c", "j", "r", "b"} {
			d.press("c", item)
			for d.model.screen.over != noOverlay {
				d.press("esc")
			}
		}
	}
	d.press("e", "pgdown", "esc", "s", "j", "j", "esc", "F", "y", "Y", "pgdown", "enter")
	for d.model.screen.over != noOverlay {
		d.press("esc")
	}
}

// files searches all files, which must have these names.
func (d *spiedDesk) files(wanted ...string) {
	names := map[string]bool{}
	_ = filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, err := os.ReadFile(path)
			if err != nil {
				d.t.Error(err)
			}
			d.look(filepath.Base(path), string(data))
			d.look("the name of a file", path)
			names[filepath.Base(path)] = true
		}
		return nil
	})
	for _, name := range wanted {
		if !names[name] {
			d.t.Errorf("file %s was not written: %v", name, names)
		}
	}
}
