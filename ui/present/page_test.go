package present

import (
	"slices"
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func TestAPageHasMargins(t *testing.T) {
	var p Page
	got := p.Rows([]string{"one", "two"}, 4, 12, 3, func(y int) string { return []string{"", ">", ""}[y] })
	if want := []string{"    one     ", "  > two     ", "            "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, w := range []int{0, 1, 3} { // less than its margin
		for _, row := range p.Rows([]string{"one"}, 4, w, 2, nil) {
			if canvas.Width(row) != w {
				t.Errorf("got %q, want %d cells", row, w)
			}
		}
	}
}

func TestASpotDimsAllButTheBrightRows(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	rows := []string{st.Agent.S("one"), st.Agent.S("two"), st.Agent.S("three")}
	var s Spot
	got := s.Rows(Talk, rows, st, func(y int) bool { return y == 1 })
	if got[1] != rows[1] {
		t.Errorf("got %q for the bright row, want it as it was", got[1])
	}
	for _, y := range []int{0, 2} {
		if strings.Contains(got[y], st.Agent.On) || !strings.HasPrefix(got[y], st.Faint.On) {
			t.Errorf("got %q, want row %d dim", got[y], y)
		}
	}
	mono := styles.New(themes.Mono(), styles.Unicode())
	if got := s.Rows(Talk, rows, mono, func(int) bool { return false }); !slices.Equal(got, rows) {
		t.Errorf("got %q without colours, want the rows as they were", got)
	}
	if Sign(mono, true) != "❯" || Sign(mono, false) != "" || Sign(st, true) != "" {
		t.Error("want a sign in front of bright rows without colours, and only there")
	}
}

func TestStrokesAreTheLastKeys(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	same := func(s string) string { return s }
	for _, c := range []struct {
		press []string // names, texts in quotes
		w     int
		want  string
	}{
		{nil, 40, ""},
		{[]string{"ctrl+p"}, 40, " ctrl+p "},
		{[]string{`"h"`, `"i"`, `" "`, `"!"`, "enter"}, 40, " hi !   enter "},
		{[]string{`" "`}, 40, " space "},
		{[]string{"a", "b", "c", "d", "e", "f"}, 40, " c   d   e   f "},
		{[]string{"ctrl+p", "enter"}, 10, " enter "},
		{[]string{`"` + strings.Repeat("x", 30) + `y"`}, 60, " " + strings.Repeat("x", 23) + "y "},
		{[]string{"ctrl+p"}, 3, ""},
	} {
		var s Strokes
		for _, p := range c.press {
			if text := strings.Trim(p, `"`); text != p {
				if s.Add("space", text); text == " " {
					continue
				}
			} else {
				s.Add(p, "")
			}
		}
		if got := canvas.Plain(s.Line(st, c.w, same)); got != c.want {
			t.Errorf("%q in %d cells: got %q, want %q", c.press, c.w, got, c.want)
		}
		if s.Clear(); s.Line(st, 40, same) != "" {
			t.Error("got keys after Clear, want none")
		}
	}
}

// A credential that is typed is masked as a whole, although its beginning is no longer shown.
func TestATypedCredentialIsNoStroke(t *testing.T) {
	var s Strokes
	for _, r := range "x " + key {
		s.Add(string(r), string(r))
	}
	if got := canvas.Plain(s.Line(styles.New(themes.Mono(), styles.Unicode()), 60, newMask(styles.Unicode()).Line)); got != " x ••• " {
		t.Errorf("got %q, want the credential masked", got)
	}
}
