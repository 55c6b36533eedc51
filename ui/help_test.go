package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/internal/config"
	"parley/internal/panetest"
	"parley/ui/canvas"
)

// helpText returns the whole help.
func (d *desk) helpText() string {
	d.t.Helper()
	p := d.model.panes.guide
	box := d.model.overlayBox()
	w, _ := canvas.Inner(box.W, box.H)
	p.SetSize(w, 1000)
	return panetest.Text(p.Lines())
}

func TestTheHelpShowsEveryKeyAndCommand(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			bubble(t, size.w, size.h, Options{}, func(d *desk) {
				d.book(midStream) // a text waits, so that commands for the queue work
				d.write("And a hotel")
				d.press("enter", "f1")
				m := d.model
				slashes, _ := m.slashKeys()
				groups := slices.Concat([][]key.Binding{slashes}, m.keys.everywhere.FullHelp(), m.keys.outside.FullHelp(), m.panes.composer.FullHelp(), m.st.Editing.Help(), m.panes.chat.FullHelp(), m.panes.wire.FullHelp())
				for _, s := range m.sheets {
					if s.Help != "" && s.Name != overHelp {
						groups = append(groups, s.Keys()...)
					}
				}
				help := strings.Join(strings.Fields(d.helpText()), " ")
				for _, k := range slices.Concat(groups...) {
					if k.Enabled() && !strings.Contains(help, k.Help().Key+" "+strings.Fields(k.Help().Desc)[0]) {
						t.Errorf("the help lacks %q", k.Help().Key+" "+k.Help().Desc)
					}
				}
				panetest.Sees(t, help, "◐ input-required", "/get [ID] [MESSAGES] Get a task")
			})
		})
	}
}

// The key that opens the help closes it too, whichever key that is.
func TestTheKeyOfTheHelpClosesIt(t *testing.T) {
	t.Parallel()
	for _, press := range []string{"f1", "f12"} {
		var o Options
		if press != "f1" {
			o.Keys = []config.Keys{{Action: "everywhere.show-help", Press: []string{press}}}
		}
		bubble(t, 80, 24, o, func(d *desk) {
			d.book(allBooked)
			for _, under := range [][]string{nil, {"f3"}} {
				d.press(under...)
				over := d.model.screen.over
				d.press(press)
				if d.model.screen.over != overHelp {
					t.Fatalf("%s: got overlay %q, want the help", press, d.model.screen.over)
				}
				if d.press("/", "x", press); d.model.screen.over != over {
					t.Errorf("%s again: got overlay %q, want %q", press, d.model.screen.over, over)
				}
			}
		})
	}
}

// The help begins with the keys of where the user is, also in a sheet, and goes back there.
func TestTheHelpBeginsWhereTheUserIs(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{"in the text field": nil, "in the conversation": {"tab"}, "in the wire": {"tab", "tab"}, "in the list of agents": {"shift+tab"}, "in card": {"f2"}, "in findings": {"tab", "F"}, "in the finder": {"ctrl+p"}} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allBooked)
			d.press(keys...)
			over := d.model.screen.over
			d.press("f1")
			d.sees("To begin with", "Now, "+name, "Signs", "Further")
			d.press("esc")
			if d.model.screen.over != over {
				t.Errorf("%s: got overlay %q after esc, want %q", name, d.model.screen.over, over)
			}
		})
	}
}

// What cannot be done now stands under its topic alone, with the reason, until it can be done.
func TestTheHelpSaysWhyAKeyDoesNothingNow(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{}, func(d *desk) {
		d.book(allBooked)
		for _, c := range []struct{ press, want string }{{"tab", "only in presenter mode: f10 begins it"}, {"f10", ""}} {
			d.press(c.press, "f1")
			help := helpPage{d.model}.all()
			if got := help.Topics[0].Sections[0].Why["presenter: spotlight"]; got != c.want {
				t.Errorf("after %s: got reason %q, want %q", c.press, got, c.want)
			}
			d.press("/")
			d.write("spotlight")
			want := "alt+j presenter: spotlight"
			if c.want != "" {
				want += " (" + c.want + ")"
			}
			panetest.Sees(t, strings.Join(strings.Fields(d.helpText()), " "), want)
			d.press("esc", "esc")
		}
	})
}
