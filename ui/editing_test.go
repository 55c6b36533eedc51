package ui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/internal/config"
	"parley/themes"
	"parley/ui/keys"
	"parley/ui/styles"
)

// inputs are places where text is typed, of each kind of input.
var inputs = []struct {
	name string
	open func(d *desk)
}{
	{"text field", func(*desk) {}},
	{"finder", func(d *desk) { d.press("ctrl+p") }},
	{"filter of the wire", func(d *desk) { d.press("tab", "tab", "/") }},
	{"filter of tasks", func(d *desk) { d.press("f3", "/") }},
	{"attach a file", func(d *desk) { d.press("alt+a") }},
	{"request", func(d *desk) { d.press("tab", "tab", "e") }},
	{"JSON", func(d *desk) { d.write("/data"); d.press("enter", "home", "ctrl+k") }},
	{"form, a value", func(d *desk) { d.asksForData(); d.press("alt+i", "down") }},
	{"form, as JSON", func(d *desk) { d.asksForData(); d.press("alt+i", "alt+r") }},
}

// A key that the user chose edits the text in every input, also after the theme changed; the key of
// before does nothing.
func TestTextIsEditedWithTheSameKeysEverywhere(t *testing.T) {
	t.Parallel()
	o := Options{Keys: []config.Keys{{Action: "text.delete-character-before", Press: []string{"alt+q", "ctrl+q"}}, {Action: "text.paste-cut-text", Press: []string{"alt+9"}}}}
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			bubble(t, 120, 40, o, func(d *desk) {
				d.byHand()
				if w := d.model.opts.Warnings; len(w) > 0 {
					t.Fatalf("got warnings %q, want none", w)
				}
				in.open(d)
				number := in.name == "form, a value"
				typed, kept := "zebra", "zebr"
				if number {
					typed, kept = "65432", "6543"
				}
				d.write(typed)
				d.press("backspace", "ctrl+h", "ctrl+y")
				d.sees(typed)
				for _, press := range []string{"alt+q", "ctrl+q"} {
					if d.press(press); strings.Contains(d.text(), typed) || !strings.Contains(d.text(), kept) {
						t.Fatalf("got after %s, want %s:\n%s", press, kept, d.text())
					}
					d.write(typed[len(kept):])
				}
				d.press("ctrl+u", "alt+9", "alt+9")
				d.sees(typed + typed)
				d.model.setTheme(themes.Light())
				d.press("backspace")
				d.sees(typed + typed)
				if d.press("alt+q"); !strings.Contains(d.text(), typed+kept) || strings.Contains(d.text(), typed+typed) {
					t.Errorf("got in another theme, want %s:\n%s", typed+kept, d.text())
				}
			})
		})
	}
}

// A terminal of ambiguous width changes the glyphs, and not the keys.
func TestOtherGlyphsKeepTheKeys(t *testing.T) {
	t.Parallel()
	m := plainModel(config.Keys{Action: "text.undo", Press: []string{"alt+q"}})
	st := m.st.In(themes.Mono(), styles.ASCII())
	if got := keys.Name(st.Editing.Undo); got != "alt+q" || st.Editing != m.st.Editing {
		t.Errorf("got %s for undo, want the chosen alt+q", got)
	}
}

// Each key that edits text does so in a request, whose editor has all of them.
func TestAnEditorHasEveryKeyThatEditsText(t *testing.T) {
	t.Parallel()
	for _, b := range slices.Concat(keys.TextKeys().Help()...) {
		for _, press := range b.Keys() {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.byHand()
				d.press("tab", "tab", "e")
				d.write("one two x")
				d.press("ctrl+w", "ctrl+p", "esc", "enter")
				d.write("three four")
				d.press("alt+left")
				before := d.state()
				if d.press(press); d.state() == before {
					t.Errorf("%s (%s) changes nothing in a request", press, b.Help().Desc)
				}
			})
		}
	}
}

// The help, the keys after the one that stands for alt, and the manual name the chosen key.
func TestTextsNameTheChosenKeyThatEditsText(t *testing.T) {
	t.Parallel()
	o := Options{Keys: []config.Keys{{Action: "text.delete-word-before", Press: []string{"alt+q"}}}}
	bubble(t, 160, 60, o, func(d *desk) {
		if manual := keysManual(d.model); !strings.Contains(manual, "`alt+q` delete word before") || strings.Contains(manual, "`ctrl+w`") {
			t.Errorf("got manual without the chosen key:\n%s", manual)
		}
		named := func(b key.Binding) bool { return b.Help() == key.Help{Key: "q", Desc: "delete word before"} }
		if got := d.model.altKeys(); !slices.ContainsFunc(got, named) {
			t.Errorf("got keys with alt %+v, want the chosen key", got)
		}
		d.press("f1")
		if text := strings.Join(strings.Fields(d.helpText()), " "); !strings.Contains(text, "alt+q delete word before") || strings.Count(text, "delete word before") != 1 {
			t.Errorf("got help, want the chosen key once:\n%s", text)
		}
	})
}
