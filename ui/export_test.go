package ui

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/ui/control"
	"parley/ui/control/activities"
)

func TestAConversationIsExportedToANewFile(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.write("/export")
		d.press("enter")
		d.sees("the conversation is empty")
		d.press("ctrl+c")
		d.book(allBooked)
		dir := d.model.opts.Dir
		for _, want := range []string{"conversation-book-me-a-flight.md", "conversation-book-me-a-flight (2).md"} {
			d.write("/export")
			d.press("enter")
			d.sees("saved ")
			data, err := os.ReadFile(filepath.Join(dir, want))
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			for _, part := range []string{"# Book me a flight\n", "## You, 2026-", "\nLondon\n", "## Travel Desk, task `34d8", "*submitted → working", "### itinerary.md", "| Flight"} {
				if !strings.Contains(text, part) {
					t.Errorf("export lacks %q:\n%s", part, text)
				}
			}
		}
		if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		for arg, want := range map[string]string{"sub": "sub/conversation-book-me-a-flight.md", "sub/talk.md": "sub/talk.md", filepath.Join(dir, "abs.md"): "abs.md"} {
			d.write("/export " + arg)
			d.press("enter")
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(want))); err != nil {
				t.Errorf("/export %s wrote no file: %v", arg, err)
			}
		}
		for name, says := range map[string]string{"talk.JSON": "not as .json", "sub/talk.pdf": "not as .pdf", "talk.md.pdf": "not as .pdf"} {
			d.write("/export " + name)
			d.press("enter")
			d.says("A conversation is exported as .html", says)
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
				t.Errorf("%s was written, want it refused", name)
			}
		}
		for name, begins := range map[string]string{"talk.html": "<!doctype html>", "talk.HAR": `{"log":`, "talk.otlp.json": `{"resourceSpans"`, "talk.sh": "#!/bin/sh"} {
			d.write("/export " + name)
			d.press("enter")
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(data), begins) || !strings.Contains(string(data), "SendStreamingMessage") {
				t.Errorf("/export %s: got %v, want a file that begins with %q", name, err, begins)
			}
		}
		for _, name := range []string{"talk.markdown", "talk.txt", "talk", "talk v1.2 of us"} {
			d.write("/export " + name)
			d.press("enter")
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Errorf("/export %s wrote no file: %v", name, err)
			}
		}
		d.write("/export nowhere/talk.md")
		d.press("enter")
		d.sees("The export failed")
	})
	bubble(t, 160, 40, Options{Name: "b"}, func(d *desk) { // a recording can be exported too
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("ctrl+p")
		d.write("Export the conversation to")
		d.press("enter", "m")
		d.sees("saved ")
		d.press("ctrl+p")
		d.write("html")
		d.press("enter")
		d.sees(".html")
	})
}

// exports chooses an export in the finder, and presses keys in its menus.
func (d *desk) exports(keys ...string) {
	d.press("ctrl+p")
	d.write("Export …")
	d.press("enter")
	d.press(keys...)
}

// slowExports exports the session in a format that writes three parts of seven and then waits for
// the end of its context, or a byte for each other part, which the returned channel takes.
func (d *desk) slowExports() chan<- int {
	more := make(chan int)
	d.model.opts.Formats = []export.Format{{
		Name: "html", Ending: ".html", About: "one page: conversation and wire side by side",
		Write: func(ctx context.Context, w io.Writer, _ *excerpt.Excerpt, step func(done, total int)) error {
			for done := 3; done < 7; done++ {
				if _, err := io.WriteString(w, "half"); err != nil {
					return err
				}
				step(done, 7)
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-more:
				}
			}
			return nil
		},
	}}
	d.isHome()
	d.book(allBooked)
	d.exports("s", "h")
	return more
}

// isHome makes the folder of exports the user's home, so that its name is short.
func (d *desk) isHome() {
	m := d.model
	m.opts.Getenv = func(name string) string { return map[string]string{"HOME": m.opts.Dir}[name] }
	m.controllers = newControllers(m.ctx, m)
	d.renew()
}

// folder returns the names of the files where exports go.
func (d *desk) folder() (names []string) {
	entries, err := os.ReadDir(d.model.opts.Dir)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAnExportShowsItsProgressAndCanBeCanceled(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.slowExports()
		d.sees("export: the session as html")
		if d.model.screen.over != noOverlay {
			t.Errorf("got sheet %q at once, want none", d.model.screen.over)
		}
		d.wait(activities.Interval)
		d.sees("the session as html", "71 %", "esc cancel")
		d.press("esc")
		d.says("The export was canceled: no file was written.")
		if names := d.folder(); len(names) > 0 || d.model.screen.over != noOverlay {
			t.Errorf("got files %q and sheet %q, want none", names, d.model.screen.over)
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		more := d.slowExports()
		d.wait(activities.Interval)
		d.press("enter")
		d.sees("The export goes on")
		d.wait(5 * activities.Interval)
		if d.model.screen.over != noOverlay {
			t.Errorf("got sheet %q, want the export to go on without it", d.model.screen.over)
		}
		d.exports("s", "h")
		d.sees("The other export still runs")
		if c := d.finderCommand("Show the activity"); c.Why != "" {
			t.Fatalf("got the reason %q", c.Why)
		} else {
			d.run(c.Run())
			d.settle()
		}
		d.sees("71 %")
		for range 4 {
			more <- 1
		}
		d.wait(unreadTime)
		d.sees("saved 16 B to ")
		if names := d.folder(); len(names) != 1 || names[0] != "session.html" || d.model.screen.over != noOverlay {
			t.Errorf("got files %q and sheet %q, want the page", names, d.model.screen.over)
		}
	})
}

func TestTheFinderExportsPartsInFormats(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		export := d.exports
		export("w")
		d.sees("the wire pane has no filter")
		d.press("esc")
		for name, want := range map[string]string{"session.har": "sr", "conversation-book-me-a-flight.html": "ch"} {
			export(want[:1])
			d.sees("export the ", "a new file in ")
			d.press(want[1:])
			d.sees("saved ")
			if data, err := os.ReadFile(filepath.Join(d.model.opts.Dir, name)); err != nil || !strings.Contains(string(data), "Book me a flight") {
				t.Errorf("got %v, want %s", err, name)
			}
		}
		d.model.panes.wire.Filter("kind:request")
		export("w")
		d.press("j")
		d.sees("saved ")
		data, err := os.ReadFile(filepath.Join(d.model.opts.Dir, "excerpt.jsonl"))
		if err != nil || strings.Contains(string(data), "artifactUpdate") || !strings.Contains(string(data), "SendStreamingMessage") {
			t.Errorf("got %v and\n%s\nwant the requests", err, data)
		}
	})
}

func TestAnExportHasNothingRawInIt(t *testing.T) {
	t.Parallel()
	items := hostile(t)
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.items = items
		d.upTo(allFound)
		d.press("enter")
		d.upTo(allBooked)
		d.model.goTo(control.Place{Agent: 1, Conversation: 1})
		d.run(d.model.files.Export(""))
		d.settle()
		files, _ := filepath.Glob(filepath.Join(d.model.opts.Dir, "conversation*.md"))
		if len(files) != 1 {
			t.Fatalf("got files %q, want one", files)
		}
		data, _ := os.ReadFile(files[0])
		for _, r := range string(data) {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("export has unsanitised U+%04X:\n%s", r, data)
			}
		}
	})
}
