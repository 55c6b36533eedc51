package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
)

// sends opens the demo agents, with files in the program's directory.
func (d *desk) sends(files ...string) *fakeEngine {
	d.t.Helper()
	for _, name := range files {
		path := filepath.Join(d.model.opts.Dir, name)
		content := "hello"
		if strings.HasSuffix(name, ".png") {
			content = "\x89PNG\r\n\x1a\n"
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	d.replay("booking.jsonl")
	d.upTo(allFound)
	d.send(nil)
	return d.engine
}

func (d *desk) paste(text string) { d.send(tea.PasteMsg{Content: text}) }

func TestAPathIsCompletedAndItsFileSent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.sends("my docs/a map.png", "my docs/other.txt", "my docs/.hidden", "zz.txt")
		d.write("/attach MY")
		d.sees("my docs/", "folder")
		d.press("tab")
		d.sees("a map.png", "⚑ image/png", "other.txt", "5 B  text/plain")
		if strings.Contains(d.text(), ".hidden") {
			t.Errorf("hidden files are offered:\n%s", d.text())
		}
		d.write("a")
		d.press("tab", "enter")
		d.says("a map.png is attached: image/png, 8 B; Travel Desk accepts text/plain, application/json")
		d.sees("▣ a map.png image/png · 8 B")
		d.write("look")
		d.press("enter")
		if len(e.Sent) != 1 || len(e.Sent[0].Parts) != 2 || e.Sent[0].Parts[1].MediaType != "image/png" || string(e.Sent[0].Parts[1].Content) != "\x89PNG\r\n\x1a\n" {
			t.Fatalf("sent %+v, want one message with the PNG as its second part", e.Sent)
		}
	})
}

func TestWhatCannotBeAttachedSaysWhy(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.sends("a.txt")
		large := filepath.Join(d.model.opts.Dir, "large.bin")
		if err := os.WriteFile(large, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(large, 200<<20); err != nil {
			t.Fatal(err)
		}
		for ref, want := range map[string]string{
			"nowhere.txt": "There is no file ", os.DevNull: "is a pipe or a device, not a regular file",
		} {
			d.write("/attach " + ref)
			d.press("esc", "enter")
			d.sees(want)
		}
		if n := d.model.panes.composer.Attached(); n != 0 {
			t.Fatalf("%d parts are attached, want 0", n)
		}
		d.write("/attach large.bin")
		d.press("enter")
		d.sees("large.bin is larger than 100 MB", "attach its address", "file://")
		d.press("u")
		d.sees("large.bin application/octet-stream · by its address")
		d.press("alt+p")
		d.sees("attach its bytes", "only its address is known here")
		d.press("b")
		d.sees("only its address is known here")
	})
}

func TestFilesAreAttachedFromThePicker(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.sends("docs/one.txt", "docs/two.txt", "zz.txt")
		d.press("alt+a")
		d.sees("attach a file", "docs/", "zz.txt")
		d.press("enter")
		d.sees("one.txt", "two.txt")
		d.press("tab", "tab", "enter")
		d.sees("2 files, 10 B, are attached", "▤ one.txt text/plain · 5 B", "▤ two.txt")
		d.press("alt+a", "esc")
		if n := d.model.panes.composer.Attached(); n != 2 {
			t.Errorf("%d parts are attached, want 2", n)
		}
		d.write("/attach docs")
		d.press("esc", "enter")
		d.sees("attach a file", "one.txt")
		d.press("alt+a") // the key that opened the picker
		if d.model.screen.over != noOverlay {
			t.Errorf("got overlay %q after alt+a, want the picker closed", d.model.screen.over)
		}
	})
}

func TestFilesThatAreDroppedAreOfferedAndNotTaken(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.sends("my map.png", "b.txt")
		one, two := filepath.Join(d.model.opts.Dir, "my map.png"), filepath.Join(d.model.opts.Dir, "b.txt")
		d.paste("'" + one + "' ")
		d.sees("alt+a attaches my map.png, image/png, 8 B", one[:20])
		if n := d.model.panes.composer.Attached(); n != 0 {
			t.Fatalf("got %d attachments after a paste, want none before the user asks", n)
		}
		d.press("alt+a")
		d.sees("▣ my map.png")
		if text := d.model.panes.composer.Value(); text != "" {
			t.Errorf("got text %q after attaching, want none", text)
		}
		d.write("see")
		d.paste(one + "\n" + two)
		d.sees("alt+a attaches 2 files, 13 B")
		d.press("alt+a")
		if text := d.model.panes.composer.Value(); text != "see" || d.model.panes.composer.Attached() != 3 {
			t.Errorf("got text %q with %d parts, want \"see\" with 3", text, d.model.panes.composer.Attached())
		}
		d.press("ctrl+c")
		d.paste(two)
		d.sees("alt+a attaches b.txt")
		d.press("backspace") // the paste has become text
		if strings.Contains(d.text(), "alt+a attaches b.txt") {
			t.Errorf("the attachment is still offered after the text changed:\n%s", d.text())
		}
		d.press("ctrl+c")
		d.paste(two)
		d.press("enter")
		if len(e.Sent) != 1 || e.Sent[0].Text() != two {
			t.Errorf("sent %+v, want the path as text", e.Sent)
		}
		d.paste(two + ".gone")
		d.paste("/etc /nothing\x1b[2J here")
		if strings.Contains(d.text(), "alt+a attaches") {
			t.Errorf("a path that does not exist is offered:\n%s", d.text())
		}
	})
}

func TestHowAPartIsSentIsChosen(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		e := d.sends("map.png")
		d.press("alt+p")
		d.sees("The message has no attachment: alt+a attaches a file.")
		d.write("/attach map.png")
		d.press("enter", "alt+p")
		d.sees("attach its bytes", "in use", "attach its address", "remove it")
		d.press("u")
		d.says("only an agent on this machine can read")
		d.sees("by its address")
		d.press("alt+p", "t")
		d.sees("media type", "text/plain", "the agent accepts it")
		d.write("image")
		d.press("enter")
		d.sees(`"image" is not a media type such as text/plain.`)
		d.press("alt+p", "n")
		d.write("a\u202eb.png")
		d.press("enter")
		d.press("alt+p", "a")
		d.write("not an address")
		d.press("enter")
		d.sees("An address must be a whole URL")
		d.press("alt+p", "a")
		d.write("https://files.example/m.png")
		d.press("enter")
		d.sees("its address is attached; the agent downloads it itself")
		d.press("enter")
		p := e.Sent[0].Parts[0]
		if p.Kind != a2a.PartURL || p.URL != "https://files.example/m.png" || p.MediaType != "image/png" {
			t.Errorf("sent part %+v, want the URL with media type image/png", p)
		}
		d.write("/attach https://files.example/x.pdf?token=1")
		d.press("enter")
		d.sees("x.pdf is attached by its address", "accepts text/plain")
		d.press("alt+p", "x")
		d.sees("x.pdf is removed from the message")
	})
}

func TestFilesStayWithTheMessageTheyWereMeantFor(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.sends("a.txt")
		cmd := d.model.attachments.AttachFiles([]string{filepath.Join(d.model.opts.Dir, "a.txt")})
		d.model.goTo(control.Place{Agent: 2})
		d.send(cmd())
		if n := d.model.panes.composer.Attached(); n != 0 {
			t.Errorf("got %d attachments of another agent's message, want none", n)
		}
		d.model.goTo(control.Place{Agent: 1})
		if n := d.model.panes.composer.Attached(); n != 1 {
			t.Errorf("%d parts are attached, want 1", n)
		}
	})
}
