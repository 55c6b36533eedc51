package canvas

import (
	"strings"
	"testing"

	"parley/ui/styles"
)

// The thumb lies in its part, touches an end only where the content ends there, and never jumps back
// while the window moves on.
func TestTheThumbSaysWhereTheWindowIs(t *testing.T) {
	for h := 1; h <= 30; h++ {
		for all := 1; all <= 90; all++ {
			shown, last := min(h, all), -1
			for top := 0; top <= all-shown; top++ {
				s := Scroll{Y: 2, H: h, Top: top, Shown: shown, All: all}
				from, to := s.thumb()
				if none := shown == all || h < 3; none {
					if from != to {
						t.Fatalf("%+v: got a thumb from %d to %d, want none", s, from, to)
					}
					continue
				}
				if from < 2 || to > 2+h || to <= from || to-from == h || from < last {
					t.Fatalf("%+v: got a thumb from %d to %d after %d, want one in its part", s, from, to, last)
				}
				if (from == 2) != (top == 0) && to-from < h-1 || (to == 2+h) != (top == all-shown) && to-from < h-1 {
					t.Fatalf("%+v: got a thumb from %d to %d, want it at an end only at the end of the content", s, from, to)
				}
				last = from
			}
		}
	}
	for _, s := range []Scroll{{H: 9, Top: -5, Shown: 3, All: 9}, {H: 9, Top: 99, Shown: 3, All: 9}} { // content that changed since
		if from, to := s.thumb(); from < 0 || to > 9 || to-from != 3 {
			t.Errorf("%+v: got a thumb from %d to %d, want it in its part", s, from, to)
		}
	}
}

func TestABoxShowsThumbsAndThePosition(t *testing.T) {
	rows := func(m *Memo, s Scrolls, w int) []string {
		out := m.Box(plain(), Frame{Title: "wire", Scroll: s}, w, 10, []string{"a", "b"})
		checkBlock(t, out, w, 10)
		return out
	}
	var m Memo
	top := Scroll{Y: 1, H: 3, Top: 0, Shown: 3, All: 9, At: 1, Of: 9}
	below := Scroll{Y: 4, H: 4, Top: 5, Shown: 5, All: 10}
	for _, c := range []struct {
		s      Scrolls
		thumb  string // a cell for each row between the edges
		bottom string
	}{
		{Scrolls{}, "||||||||", "+----------------+"},
		{ScrollOf(top), "|#||||||", "+---------- 1/9 -+"},
		{Scrolls{top, below}, "|#||||##", "+---------- 1/9 -+"},
		{ScrollOf(Scroll{H: 8, Shown: 8, All: 8, At: 1, Of: 8}), "||||||||", "+----------------+"},
		{ScrollOf(below), "||||||##", "+----------------+"},
		{ScrollOf(Scroll{H: 8, Top: 9, Shown: 8, All: 130, At: 126, Of: 130}), "|#||||||", "+------ 126/130 -+"},
	} {
		out := rows(&m, c.s, 18)
		got := ""
		for _, row := range out[1:9] {
			got += row[len(row)-1:]
		}
		if bottom := out[9]; got != c.thumb || bottom != c.bottom {
			t.Errorf("%+v: got thumb %q and bottom edge %q, want %q and %q", c.s, got, bottom, c.thumb, c.bottom)
		}
	}
	for w := range 18 {
		rows(&m, ScrollOf(Scroll{H: 8, Top: 9, Shown: 8, All: 130, At: 126, Of: 130}), w)
	}
}

// The thumb has the colour of the border of the focus, and is louder than the border of another pane.
func TestTheThumbIsSeenBesideItsBorder(t *testing.T) {
	st := dark()
	s := ScrollOf(Scroll{H: 4, Shown: 4, All: 9})
	for _, c := range []struct {
		f    Frame
		want styles.Paint
	}{{Frame{Scroll: s}, st.Faint}, {Frame{Scroll: s, Focused: true}, st.Focus}} {
		if row := Box(st, c.f, 9, 6, nil)[1]; !strings.HasSuffix(row, c.want.S(st.G[styles.Thumb])) {
			t.Errorf("focus %t: got %q, want the thumb in %q", c.f.Focused, row, c.want.On)
		}
	}
}
