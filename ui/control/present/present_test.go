package present

import (
	"strings"
	"testing"

	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/layout"
	"parley/ui/present"
	"parley/ui/styles"
)

// A desk is a controller on a screen that only notes how it is arranged.
type desk struct {
	*Controller
	host     *controltest.Host
	zoom     bool
	split    int
	calm     bool
	masked   bool
	typing   bool
	scrolled int // how often the scroll positions came back
}

func (d *desk) Arrangement() Arrangement {
	return Arrangement{Focus: d.host.FocusOn, Zoom: d.zoom, Split: d.split, Scroll: func() { d.scrolled++ }}
}

func (d *desk) Rearrange(to Arrangement) {
	d.host.FocusOn, d.zoom, d.split = to.Focus, to.Zoom, to.Split
	if to.Scroll != nil {
		to.Scroll()
	}
}

func (d *desk) SetCalm(on bool) { d.calm = on }
func (d *desk) Masked() bool    { return d.masked }
func (d *desk) Typing() bool    { return d.typing }

func newDesk() *desk {
	d := &desk{host: controltest.NewHost(model.NewState())}
	d.Controller = New(d.host, d, "/srv/ada", nil)
	d.SetStyles(styles.New(themes.Dark(), styles.Unicode()))
	return d
}

// press presses keys, and fails if one is not of the mode although it should be.
func (d *desk) press(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		d.Press(panetest.Key(name))
		if _, done := controltest.Press(d.Actions(), name); !done {
			t.Fatalf("%s is no key of the mode", name)
		}
		d.Acted()
	}
}

func TestTheModeKeepsHowTheScreenWas(t *testing.T) {
	d := newDesk()
	d.host.FocusOn, d.zoom, d.split = control.OnWire, true, 7
	d.press(t, "f10")
	if !d.calm || d.zoom || d.host.FocusOn != control.OnChat || d.Stage() != layout.TalkAlone || d.scrolled != 0 {
		t.Errorf("got calm %t, zoom %t, focus %d, stage %d, want the conversation alone", d.calm, d.zoom, d.host.FocusOn, d.Stage())
	}
	d.press(t, "alt+w")
	if d.Stage() != layout.TalkWire || len(d.Panes([]control.Focus{control.OnChat, control.OnWire, control.OnAgents})) != 2 {
		t.Errorf("got stage %d, want the wire, and no way to the agents", d.Stage())
	}
	d.host.FocusOn = control.OnWire
	if d.press(t, "alt+w"); d.Stage() != layout.TalkAlone || d.host.FocusOn != control.OnChat {
		t.Errorf("got stage %d and focus %d, want the wire hidden, which had the focus", d.Stage(), d.host.FocusOn)
	}
	d.split = 0
	d.press(t, "alt+v")
	if d.calm || !d.zoom || d.split != 7 || d.host.FocusOn != control.OnWire || d.scrolled != 1 || d.Stage() != layout.NoStage {
		t.Errorf("got calm %t, zoom %t, split %d, focus %d, want all as before", d.calm, d.zoom, d.split, d.host.FocusOn)
	}
}

func TestTheSpotlightNeedsSomethingToBeOn(t *testing.T) {
	d := newDesk()
	d.press(t, "f10", "alt+j")
	rows := []string{"one", "two"}
	first := func(y int) bool { return y == 0 }
	if got := d.Rows(present.Talk, rows, first); d.host.FocusOn != control.OnChat || got[0] != "one" || got[1] == "two" {
		t.Errorf("got focus %d and rows %q, want the first row alone bright", d.host.FocusOn, got)
	}
	d.typing = true
	if _, done := controltest.Press(d.Actions(), "esc"); done {
		t.Error("esc ended the spotlight, want it for the open input")
	}
	d.typing = false
	if d.press(t, "esc"); d.Rows(present.Talk, rows, first)[1] != "two" {
		t.Error("esc did not end the spotlight")
	}
	if _, done := controltest.Press(d.Actions(), "esc"); done {
		t.Error("esc does something without the spotlight, want nothing")
	}
	d.press(t, "alt+j")
	d.host.FocusOn = control.OnComposer
	if d.Refresh(); d.Rows(present.Talk, rows, first)[1] != "two" {
		t.Error("the spotlight stayed without a cursor, want its end")
	}
}

func TestKeysAreShownWhileTheyAreWantedAndNotMasked(t *testing.T) {
	d := newDesk()
	plain := func() string { return panetest.Text([]string{d.Strokes(60)}) }
	d.press(t, "f10")
	if d.Press(panetest.Key("x")); plain() != "" {
		t.Errorf("got %q before it is wanted, want nothing", plain())
	}
	d.press(t, "alt+k")
	if d.Press(panetest.Key("ctrl+p")); plain() != " ctrl+p" {
		t.Errorf("got %q, want the key", plain())
	}
	d.masked = true
	if d.Press(panetest.Key("s")); plain() != "" {
		t.Errorf("got %q while what is typed is masked, want nothing", plain())
	}
	d.masked = false
	d.Press(panetest.Key("f5"))
	d.masked = true // what the key did
	if d.Acted(); plain() != "" {
		t.Errorf("got %q, want nothing where what is typed is masked now", plain())
	}
}

func TestOutsideTheModeNothingIsChanged(t *testing.T) {
	d := newDesk()
	rows := []string{"/srv/ada/x"}
	if d.Rows(present.Talk, rows, nil)[0] != rows[0] || d.Typed(present.Text, rows, present.All)[0] != rows[0] || d.Line(rows[0]) != rows[0] {
		t.Error("got a masked row, want it as it is")
	}
	for _, key := range []string{"alt+w", "alt+j", "alt+k"} {
		if d.press(t, key); !strings.Contains(d.host.LastNotice().Text, "f10 begins it") {
			t.Errorf("%s: got %q, want how the mode begins", key, d.host.LastNotice().Text)
		}
	}
	for _, c := range controltest.Commands(d.Actions()) {
		if (c.Why == "") != (c.Slash == "present") {
			t.Errorf("%s: got reason %q, want one for all but the beginning", c.Name, c.Why)
		}
	}
	d.press(t, "f10")
	if got := d.Rows(present.Talk, rows, nil)[0]; got != "~/x       " {
		t.Errorf("got %q, want it masked", got)
	}
	for _, c := range controltest.Commands(d.Actions()) {
		if c.Why != "" {
			t.Errorf("%s: got reason %q, want none in the mode", c.Name, c.Why)
		}
	}
}

// A replay that goes back shows another screen.
func TestAnotherScreenTakesTheModeOver(t *testing.T) {
	old, d := newDesk(), newDesk()
	old.split = 5
	old.press(t, "f10", "alt+w")
	if d.Adopt(old.Controller); !d.calm || d.Stage() != layout.TalkWire {
		t.Errorf("got stage %d, want that of the old screen", d.Stage())
	}
	d.press(t, "f10")
	if d.split != 5 || d.scrolled+old.scrolled != 0 {
		t.Errorf("got border %d and %d scroll positions, want the border alone", d.split, d.scrolled+old.scrolled)
	}
	began := newDesk()
	began.Begin()
	if began.Adopt(d.Controller); began.On() || began.calm {
		t.Error("the mode is on, want it off as on the old screen")
	}
}
