package list

import (
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/themes"
	"parley/ui/action"
	"parley/ui/styles"
)

func TestRevealMovesTheWindowNoFartherThanItMust(t *testing.T) {
	for _, c := range []struct {
		name                   string
		top, at, n, h, wantTop int
	}{
		{"in the window", 3, 5, 20, 4, 3},
		{"above it", 3, 1, 20, 4, 1},
		{"below it", 3, 9, 20, 4, 6},
		{"the list got shorter", 10, 7, 8, 4, 4},
		{"all of it fits", 2, 1, 3, 4, 0},
		{"an empty list", 2, 0, 0, 4, 0},
		{"no window", 3, 9, 20, 0, 3},
	} {
		cur := Cursor{At: c.at, Top: c.top}
		if cur.Reveal(c.n, c.h); cur.Top != c.wantTop {
			t.Errorf("%s: got the window at row %d, want %d", c.name, cur.Top, c.wantTop)
		}
	}
}

func TestKeysMoveTheCursorAndStayInTheList(t *testing.T) {
	const n, h = 20, 6
	keysOf := func(cur *Cursor, k Keys, n int) *action.Table[int] {
		return action.New(nil, Actions[int](k, Foot{}, cur.Motion(func() int { return n }, func() int { return h }))...)
	}
	for _, c := range []struct {
		key      string
		at, want int
	}{
		{"k", 5, 4}, {"k", 0, 0}, {"j", 5, 6}, {"j", 19, 19}, {"pgup", 9, 4}, {"pgup", 3, 0}, {"pgdown", 9, 14}, {"pgdown", 17, 19},
		{"g", 9, 0}, {"home", 9, 0}, {"G", 9, 19}, {"end", 9, 19},
	} {
		cur := Cursor{At: c.at}
		if _, used := keysOf(&cur, DefaultKeys(), n).Press(pressed(c.key)); !used || cur.At != c.want {
			t.Errorf("%s from row %d: got row %d, used %v; want row %d, used", c.key, c.at, cur.At, used, c.want)
		}
	}
	var cur Cursor
	_, other := keysOf(&cur, DefaultKeys(), n).Press(pressed("x"))
	if _, none := keysOf(&cur, Keys{}, n).Press(pressed("j")); other || none {
		t.Error("a key that is not bound was used, want it ignored")
	}
	if keysOf(&cur, DefaultKeys(), 0).Press(pressed("G")); cur.At != 0 {
		t.Errorf("got row %d selected in an empty list, want 0", cur.At)
	}
}

// pressed returns a key press by the name of the key.
func pressed(name string) tea.KeyPressMsg {
	codes := map[string]rune{"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}

func TestKeysOfAShorterListAreSomeOfTheOthers(t *testing.T) {
	for name, c := range map[string]struct {
		keys Keys
		want string
	}{
		"all": {DefaultKeys(), "up down page up page down first last"}, "text": {TextKeys(), "up down page up page down top end"},
		"short": {ShortKeys(), "up down first last"}, "rows": {RowKeys(), "up down"},
	} {
		var does []string
		for _, a := range Actions[int](c.keys, Foot{}, Motion{}) {
			does = append(does, a.Does)
		}
		if got := strings.Join(does, " "); got != c.want {
			t.Errorf("%s: got keys %q, want %q", name, got, c.want)
		}
	}
}

func TestStepsGoRoundTheEnds(t *testing.T) {
	for _, c := range []struct{ at, by, n, want int }{{0, -1, 4, 3}, {3, 1, 4, 0}, {1, 1, 4, 2}, {0, 1, 0, 0}, {2, -7, 4, 3}} {
		cur := Cursor{At: c.at}
		if cur.Step(c.by, c.n); cur.At != c.want {
			t.Errorf("%d steps from row %d of %d: got row %d, want %d", c.by, c.at, c.n, cur.At, c.want)
		}
	}
}

func TestTheMouseSelectsRowsInTheWindow(t *testing.T) {
	const n, h = 10, 4
	click := func(b tea.MouseButton) tea.MouseMsg { return tea.MouseClickMsg{Button: b} }
	wheel := func(b tea.MouseButton) tea.MouseMsg { return tea.MouseWheelMsg{Button: b} }
	for name, c := range map[string]struct {
		msg    tea.MouseMsg
		y      int
		hit    Hit
		wantAt int
	}{
		"another row":      {click(tea.MouseLeft), 0, HitRow, 3},
		"the selected row": {click(tea.MouseLeft), 2, HitSelected, 5},
		"above":            {click(tea.MouseLeft), -1, HitNone, 5},
		"below":            {click(tea.MouseLeft), h, HitNone, 5},
		"the right button": {click(tea.MouseRight), 0, HitNone, 5},
		"wheel up":         {wheel(tea.MouseWheelUp), 9, HitWheel, 4},
		"wheel down":       {wheel(tea.MouseWheelDown), 9, HitWheel, 6},
		"wheel sideways":   {wheel(tea.MouseWheelLeft), 9, HitWheel, 5},
		"no click":         {tea.MouseReleaseMsg{}, 0, HitNone, 5},
	} {
		cur := Cursor{At: 5, Top: 3}
		if hit := cur.Mouse(c.msg, c.y, n, h); hit != c.hit || cur.At != c.wantAt {
			t.Errorf("%s: got hit %d, row %d; want hit %d, row %d", name, hit, cur.At, c.hit, c.wantAt)
		}
	}
	cur := Cursor{Top: 0}
	if hit := cur.Mouse(click(tea.MouseLeft), 2, 2, h); hit != HitNone {
		t.Errorf("got hit %d behind the last row, want Missed", hit)
	}
}

func TestTheWindowShowsTheSelectedRow(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	cur := Cursor{At: 7}
	rows := cur.Rows(st, 6, 10, 3, strconv.Itoa)
	if got, want := strings.Join(rows, "|"), "5     |6     |"; !strings.HasPrefix(ansi.Strip(got), want) || len(rows) != 3 || !strings.Contains(rows[2], "7") {
		t.Errorf("got the window %q, want rows 5, 6 and the selected row 7", got)
	}
	if cur.Scroll(-9, 10, 3); cur.Top != 0 || cur.At != 7 {
		t.Errorf("got the window at %d and row %d after a scroll, want 0 and 7", cur.Top, cur.At)
	}
	if got := cur.Rows(st, 6, 0, 3, strconv.Itoa); len(got) != 0 {
		t.Errorf("got rows %q of an empty list, want none", got)
	}
}
