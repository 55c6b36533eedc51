package sheet

import (
	"testing"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A pane says once what part of its list it drew, so that what it draws without a list has none.
func TestAPaneSaysWhatPartOfItsListItDrew(t *testing.T) {
	b := New(styles.New(themes.Mono(), styles.ASCII()))
	b.SetSize(20, 12)
	b.List.Go(7, 40)
	row := func(int) string { return "row" }
	at := b.SplitFor(40, 2, 3, 1)
	b.Stack(at, []string{"head"}, b.Rows(40, at.List, row, nil), []string{"foot"})
	want := canvas.ScrollOf(canvas.Scroll{Y: 2, H: 7, Top: 1, Shown: 7, All: 40, At: 8, Of: 40})
	if got := b.Scrolls(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	b.Rows(40, at.List, row, nil)
	b.At(3, 20)
	if got := b.Scrolls()[0]; got.At != 3 || got.Of != 20 || got.All != 40 {
		t.Errorf("got %+v, want entry 3 of 20 in 40 rows", got)
	}
	b.Stack(at, nil, b.Rows(0, at.List, row, func() string { return "nothing" }), nil)
	if got := b.Scrolls()[0]; got.All != 0 || got.At != 0 {
		t.Errorf("got %+v without rows, want nothing", got)
	}
}
