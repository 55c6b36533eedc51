package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/ui/control"
)

func TestAConversationIsExportedToANewFile(t *testing.T) {
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
		for name, says := range map[string]string{"talk.html": "not in .html", "talk.JSON": "not in .json", "sub/talk.pdf": "not in .pdf", "talk.md.html": "not in .html"} {
			d.write("/export " + name)
			d.press("enter")
			d.sees("is exported as Markdown", says)
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
				t.Errorf("%s was written, want it refused", name)
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
		d.sees("Could not save the conversation")
	})
	bubble(t, 160, 40, Options{Name: "b"}, func(d *desk) { // a recording can be exported too
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("ctrl+p")
		d.write("Export the conversation")
		d.press("enter")
		d.sees("saved ")
	})
}

func TestAnExportHasNothingRawInIt(t *testing.T) {
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
