package jsonsheet

import (
	"encoding/json"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/themes"
	"parley/ui/control"
	"parley/ui/jsonedit"
	"parley/ui/styles"
)

// fakeHost notes whether the sheet is open.
type fakeHost struct {
	control.Host
	open *bool
}

func (h fakeHost) Open(sheet control.SheetName) { *h.open = sheet == SheetName }
func (h fakeHost) Close()                       { *h.open = false }

func TestTheValueGoesToWhoAskedForIt(t *testing.T) {
	var open bool
	var got []string
	c := New(fakeHost{open: &open}, styles.New(themes.Dark(), styles.Unicode()))
	for _, name := range []string{"a", "b"} { // the second takes the place of the first
		c.Write(jsonedit.Draft{Title: name, Text: `{"n":1}`}, func(value json.RawMessage) tea.Cmd {
			got = append(got, name+string(value))
			return nil
		})
	}
	if !open {
		t.Fatal("got no sheet after Write, want that of JSON")
	}
	c.Sheet().Key(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
	if len(got) != 1 || got[0] != "b{\n  \"n\": 1\n}" || open {
		t.Errorf("got %q, open %t; want the laid out value for b, and the sheet closed", got, open)
	}
}

func TestOnlyJSONOnOneLineIsLaidOut(t *testing.T) {
	for text, want := range map[string]string{`[1]`: "[\n  1\n]", "[1,\n2]": "[1,\n2]", `{"a":`: `{"a":`, "": ""} {
		if got := indent(text); got != want {
			t.Errorf("indented(%q): got %q, want %q", text, got, want)
		}
	}
}
