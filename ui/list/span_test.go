package list

import "testing"

// A window that shows all has the span of the list, one at its end ends there, and each line moves it
// on, also within an item, in a short list and in a long one.
func TestTheSpanFollowsTheWindow(t *testing.T) {
	src := source(1, 6, 0, 1, 2)
	weight := func(i int) int { return 1 + src.heights[i] }
	var l List
	l.SetSource(src)
	if top, shown, all := l.Span(weight); top != 0 || shown != 0 || all != 0 {
		t.Errorf("got %d, %d of %d without a size, want nothing", top, shown, all)
	}
	l.SetSize(8, 10)
	if top, shown, all := l.Span(weight); top != 0 || shown != 15_000 || all != 15_000 {
		t.Errorf("got %d, %d of %d for what fits, want all", top, shown, all)
	}
	for _, more := range []int{0, 40, 400} {
		for range more {
			src.add(1, 0, 3)
		}
		for _, weight := range []func(int) int{nil, weight} {
			l.SetSize(8, 4)
			l.Top()
			last := -1
			for !l.AtBottom() {
				top, shown, all := l.Span(weight)
				if top <= last || shown <= 0 || top+shown >= all || (top == 0) != (last < 0) {
					t.Fatalf("%d more: got %d, %d of %d after %d, want a window further down", more, top, shown, all, last)
				}
				last = top
				l.ScrollBy(1)
			}
			if top, shown, all := l.Span(weight); top <= last || top+shown != all {
				t.Errorf("%d more: got %d, %d of %d at the end, want the end of the list", more, top, shown, all)
			}
		}
	}
}

// What was rendered before does not matter, and a long list is not asked for the weights of all items.
func TestTheSpanKnowsNothingOfTheWay(t *testing.T) {
	src, asked := source(30, 2, 2, 8), 0
	weight := func(i int) int { asked++; return src.heights[i] }
	var l List
	l.SetSource(src)
	l.SetSize(8, 12)
	l.End()
	top, shown, all := l.Span(weight)
	if top != 30_000 || shown != 12_000 || all != 42_000 {
		t.Errorf("got %d, %d of %d, want the last 12 of 42 lines", top, shown, all)
	}
	l.Top()
	l.Lines()
	l.End()
	if a, b, c := l.Span(weight); a != top || b != shown || c != all {
		t.Errorf("got %d, %d of %d after all was seen, want the same as before", a, b, c)
	}
	src.add(make([]int, 10_000)...)
	asked = 0
	l.Span(weight)
	if asked > 4*weighed {
		t.Errorf("got %d questions for a weight, want few", asked)
	}
}
