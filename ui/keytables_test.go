package ui

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/ui/control"
)

// The tests of panes and controllers name the keys that the workbench has.
func TestTestsNameTheKeysOfTheWorkbench(t *testing.T) {
	t.Parallel()
	m := plainModel()
	for _, id := range panetest.AllBound() {
		if got, want := panetest.Bound(id), m.keys.Key(id); !slices.Equal(got.Keys(), want.Keys()) || got.Help().Key != want.Help().Key {
			t.Errorf("%s: got keys %q shown as %s, want %q shown as %s", id, got.Keys(), got.Help().Key, want.Keys(), want.Help().Key)
		}
	}
}

// The letters about a record and a turn are those of the panes that have a cursor on one.
func TestLettersAboutARecordNeedACursorOnIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		press []string
		on    control.Focus
		menu  bool
	}{
		{"wire", []string{"tab", "tab", "k", "c"}, control.OnWire, true},
		{"conversation", []string{"tab", "k", "k", "c"}, control.OnChat, true},
		{"agents", []string{"shift+tab", "c"}, control.OnAgents, false},
		{"text field", []string{"c"}, control.OnComposer, false},
		{"agents, a turn", []string{"shift+tab", "B", "B"}, control.OnAgents, false},
		{"wire, a turn", []string{"tab", "tab", "k", "B", "B"}, control.OnWire, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.book(allBooked)
				at := d.model.cur
				d.press(c.press...)
				if got := d.model.screen.over == overMenu; got != c.menu || d.model.screen.at != c.on || d.model.cur != at {
					t.Errorf("got menu %t, focus %d and place %v, want %t, %d and %v", got, d.model.screen.at, d.model.cur, c.menu, c.on, at)
				}
			})
		})
	}
}

// The letter of the help opens it wherever letters are not typed, also over a sheet that does not use
// it, and the help gives the sheet back.
func TestTheLetterOfTheHelpWorksOverSheets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		press []string
		typed bool // the letter is text
	}{
		{"card", []string{"f2"}, false},
		{"tasks", []string{"f3"}, false},
		{"tasks, filter", []string{"f3", "/"}, true},
		{"tasks, an id", []string{"f3", "i"}, true},
		{"webhooks", []string{"f4"}, false},
		{"webhooks, an address", []string{"f4", "a"}, true},
		{"lanes", []string{"f6"}, false},
		{"findings", []string{"tab", "F"}, false},
		{"themes", []string{"alt+t"}, false},
		{"send options", []string{"alt+h"}, false},
		{"files", []string{"alt+a"}, true},
		{"finder", []string{"ctrl+p"}, true},
		{"menu", []string{"tab", "tab", "k", "c"}, false},
		{"conversation", []string{"tab"}, false},
		{"wire", []string{"tab", "tab"}, false},
		{"wire, filter", []string{"tab", "tab", "/"}, true},
		{"agents", []string{"shift+tab"}, false},
		{"text field", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.book(allBooked)
				d.press(c.press...)
				under := d.model.screen.over
				d.press("?")
				if got := d.model.screen.over == overHelp; got == c.typed {
					t.Fatalf("got help %t, want %t:\n%s", got, !c.typed, d.text())
				}
				if c.typed {
					return
				}
				if d.press("?"); d.model.screen.over != under {
					t.Errorf("got %q after the help, want %q", d.model.screen.over, under)
				}
			})
		})
	}
}

// The letter that leaves a recording at once says in a live session how one leaves. Only a second press
// without another key between leaves.
func TestALetterLeavesALiveSessionAtTheSecondPress(t *testing.T) {
	t.Parallel()
	left := func(d *desk) bool { return slices.Contains(d.outside, "tea.QuitMsg") }
	for _, c := range []struct {
		name  string
		press []string
		left  bool
	}{
		{"once", []string{"tab", "q"}, false},
		{"twice", []string{"tab", "q", "q"}, true},
		{"in the wire", []string{"tab", "tab", "q", "q"}, true},
		{"among agents", []string{"shift+tab", "q", "q"}, true},
		{"another key between", []string{"tab", "q", "k", "q"}, false},
		{"a sheet between", []string{"tab", "q", "f6", "q", "q"}, false}, // the first closes the lanes
		{"as text", []string{"q", "q"}, false},
		{"as text after the other key", []string{"ctrl+c", "q", "backspace", "ctrl+c"}, false},
		{"in a filter", []string{"tab", "tab", "/", "q", "q"}, false},
		{"after the other key", []string{"tab", "ctrl+c", "q"}, true},
		{"before the other key", []string{"tab", "q", "ctrl+c"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 160, 40, Options{}, func(d *desk) {
				d.book(midStream)
				d.send(tea.CursorPositionMsg{X: 1, Y: 1}) // the terminal answers the probe
				if d.press(c.press...); left(d) != c.left {
					t.Errorf("got left %t, want %t", left(d), c.left)
				}
			})
		})
	}
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.write("half a thought")
		d.press("tab", "q")
		d.says("q again quits; the text in the text field would not be sent; task ")
		if d.press("k"); strings.Contains(d.text(), "again quits") {
			t.Errorf("got the notice after another key:\n%s", d.text())
		}
	})
	bubble(t, 120, 40, Options{Name: "b"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.send(tea.CursorPositionMsg{X: 1, Y: 1})
		if d.press("q"); !left(d) {
			t.Error("q does not leave a recording at once")
		}
	})
}

// Only a table makes the keys of an action, so that nothing but its row names them. The keys that edit
// text are a table too.
func TestOnlyTablesMakeBindings(t *testing.T) {
	t.Parallel()
	for _, root := range []string{".", "../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && (path == "action" || path == "keys" || d.Name() == "panetest") {
				return cmp.Or(err, filepath.SkipDir)
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			source, err := os.ReadFile(path)
			for _, makes := range []string{"key.NewBinding", "key.WithKeys", "key.WithHelp"} {
				if strings.Contains(string(source), makes) {
					t.Errorf("%s makes a binding with %s: want a row of a table", path, makes)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
