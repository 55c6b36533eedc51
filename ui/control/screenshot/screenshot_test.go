package screenshot

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
)

// finish runs a command and what follows from it.
func finish(cmd tea.Cmd) {
	for cmd != nil {
		done, ok := cmd().(control.DoneMsg)
		if !ok {
			return
		}
		cmd = done()
	}
}

func TestAScreenshotIsANewFile(t *testing.T) {
	dir := t.TempDir()
	h := controltest.NewHost(model.NewState())
	text := " \x1b[1mparley\x1b[0m \nthe finder"
	c := New(h, Options{
		Dir: dir, Now: func() time.Time { return time.Date(2026, 11, 24, 10, 15, 0, 0, time.UTC) },
		Screen: func() Screen {
			return Screen{View: tea.View{Content: text, Cursor: &tea.Cursor{Position: tea.Position{X: 3, Y: 1}}}, W: 20, H: 3, Theme: themes.Dark()}
		},
	})
	for _, test := range []struct{ arg, file, says string }{
		{"", "parley-2026-11-24-101500.png", "saved "},
		{"", "parley-2026-11-24-101500 (2).png", "saved "},
		{"talk", "talk.png", "saved "},
		{"talk.ansi", "talk.ansi", "saved "},
		{"talk.pdf", "", "A screenshot is a .png or an .ansi file, not .pdf."},
		{"absent/talk.png", "", "Could not save the screenshot to " + filepath.Join(dir, "absent/talk.png") + ": no such file"},
	} {
		cmd := c.Save(test.arg)
		text = " \x1b[1mparley\x1b[0m \nthe panes" // the finder was closed
		finish(cmd)
		if got := h.LastNotice().Text; !strings.HasPrefix(got, test.says) || test.file != "" && !strings.HasSuffix(got, filepath.Join(dir, test.file)) {
			t.Errorf("%q: got %q, want %q and the file", test.arg, got, test.says)
		}
		if test.file == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, test.file))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(test.file) == ".ansi" {
			if string(data) != text+"\n" {
				t.Errorf("got %q, want exactly the frame", data)
			}
		} else if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: got %v, want a PNG", test.file, err)
		}
	}
}
