package list

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lines is a source of items of given heights that counts renderings.
type lines struct {
	heights []int
	version []uint64
	renders int
}

func source(heights ...int) *lines {
	return &lines{heights: heights, version: make([]uint64, len(heights))}
}

func uniform(n int) *lines {
	return source(slices.Repeat([]int{1}, n)...)
}

func (s *lines) Len() int        { return len(s.heights) }
func (s *lines) Item(i int) Item { return item{s, i} }
func (s *lines) add(heights ...int) {
	s.heights = append(s.heights, heights...)
	s.version = append(s.version, make([]uint64, len(heights))...)
}
func (s *lines) resize(i, h int) {
	s.heights[i] = h
	s.version[i]++
}

type item struct {
	s *lines
	i int
}

func (it item) Version() uint64 { return it.s.version[it.i] }
func (it item) Lines(w int) []string {
	it.s.renders++
	rows := make([]string, it.s.heights[it.i])
	for y := range rows {
		rows[y] = row(it.i, y, w)
	}
	return rows
}

// row returns line y of item i, in w cells.
func row(i, y, w int) string { return fmt.Sprintf("%-*.*s", w, w, fmt.Sprintf("%d.%d", i, y)) }

func window(l *List) string {
	rows := l.Lines()
	for i := range rows {
		rows[i] = strings.TrimSpace(rows[i])
	}
	return strings.Join(rows, " ")
}

func want(t *testing.T, l *List, rows string) {
	t.Helper()
	if got := window(l); got != rows {
		t.Errorf("got the window %q, want %q", got, rows)
	}
}

func TestFollowKeepsTheEndInView(t *testing.T) {
	src := source(1, 2)
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.SetFollow(true)
	want(t, &l, "0.0 1.0 1.1")
	src.add(2)
	want(t, &l, "1.1 2.0 2.1")
	src.resize(2, 4)
	want(t, &l, "2.1 2.2 2.3")
	src.resize(2, 1)
	want(t, &l, "1.0 1.1 2.0")
}

func TestAShortListStandsAtTheTop(t *testing.T) {
	var l List
	l.SetSource(source(1, 1))
	l.SetSize(4, 4)
	l.SetFollow(true)
	want(t, &l, "0.0 1.0  ")
	if !l.AtBottom() {
		t.Error("got AtBottom false for a list shorter than its window, want true")
	}
	l.ScrollBy(-1)
	if !l.Following() {
		t.Error("got Following false after a scroll of a list that fits, want true")
	}
}

func TestScrolledUpTheWindowDoesNotMove(t *testing.T) {
	src := source(2, 2, 2, 2, 2)
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.End()
	l.ScrollBy(-3)
	want(t, &l, "2.0 2.1 3.0")
	if l.Following() {
		t.Error("got Following true after a scroll up, want false")
	}
	src.add(1, 1, 1)
	want(t, &l, "2.0 2.1 3.0")
	src.resize(4, 9) // below
	src.resize(0, 7) // above
	src.resize(1, 0)
	want(t, &l, "2.0 2.1 3.0")
	if got := l.Unseen(); got != 3 {
		t.Errorf("got %d unseen items, want 3", got)
	}
	l.End()
	if got := l.Unseen(); got != 0 {
		t.Errorf("got %d unseen items at the end, want 0", got)
	}
}

func TestScrollingDownToTheEndFollowsAgain(t *testing.T) {
	src := uniform(10)
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.End()
	l.ScrollBy(-2)
	l.ScrollBy(1)
	if l.Following() {
		t.Error("got Following true one line above the end, want false")
	}
	l.ScrollBy(5)
	want(t, &l, "7.0 8.0 9.0")
	if !l.Following() {
		t.Error("got Following false at the end, want true")
	}
}

func TestPausedAtTheEndTheWindowStays(t *testing.T) {
	src := uniform(5)
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.End()
	l.SetFollow(false)
	src.add(1, 1)
	want(t, &l, "2.0 3.0 4.0")
	if got := l.Unseen(); got != 2 {
		t.Errorf("got %d unseen items, want 2", got)
	}
}

// chunked is a source that counts more than items.
type chunked struct {
	*lines
	arrived int
}

func (c *chunked) Newest() int     { return c.arrived }
func (c *chunked) After(n int) int { return c.arrived - n }

func TestUnseenCountsWhatTheSourceCounts(t *testing.T) {
	src := &chunked{uniform(9), 20}
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.End()
	l.ScrollBy(-2)
	src.arrived += 5
	if got := l.Unseen(); got != 5 {
		t.Errorf("got %d unseen, want the 5 that arrived", got)
	}
	if l.End(); l.Unseen() != 0 {
		t.Errorf("got %d unseen at the end, want 0", l.Unseen())
	}
}

func TestPausedEverythingThatArrivesIsUnseen(t *testing.T) {
	src := &chunked{uniform(3), 20}
	var l List
	l.SetSource(src)
	l.SetSize(8, 5)
	l.SetPaused(true)
	src.arrived++
	src.add(1)
	want(t, &l, "0.0 1.0 2.0 3.0 ")
	l.SetPaused(true) // changes nothing
	l.Reorder()
	if got := l.Unseen(); got != 1 {
		t.Errorf("got %d unseen in a paused list, want 1", got)
	}
	if l.SetSize(8, 0); l.Unseen() != 1 {
		t.Errorf("got %d unseen in a paused list without rows, want 1", l.Unseen())
	}
	l.SetSize(8, 5)
	if l.SetPaused(false); l.Unseen() != 0 {
		t.Errorf("got %d unseen after the pause, want 0", l.Unseen())
	}
}

func TestShrinkingListFillsTheWindow(t *testing.T) {
	src := source(1, 1, 1, 1, 6)
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.ScrollTo(4, 3)
	want(t, &l, "4.3 4.4 4.5")
	src.resize(4, 1)
	want(t, &l, "2.0 3.0 4.0")
	src.heights, src.version = src.heights[:2], src.version[:2]
	want(t, &l, "0.0 1.0 ")
	src.heights, src.version = nil, nil
	want(t, &l, "  ")
}

func TestEnsureVisibleScrollsAsLittleAsPossible(t *testing.T) {
	src := source(2, 2, 2, 2, 5, 2)
	var l List
	l.SetSource(src)
	l.SetSize(8, 4)
	for _, step := range []struct {
		item int
		rows string
	}{
		{0, "0.0 0.1 1.0 1.1"},
		{1, "0.0 0.1 1.0 1.1"},
		{2, "1.0 1.1 2.0 2.1"},
		{4, "4.0 4.1 4.2 4.3"},
		{5, "4.3 4.4 5.0 5.1"},
		{4, "4.0 4.1 4.2 4.3"},
		{3, "3.0 3.1 4.0 4.1"},
		{99, "3.0 3.1 4.0 4.1"},
		{-1, "3.0 3.1 4.0 4.1"},
	} {
		l.EnsureVisible(step.item)
		want(t, &l, step.rows)
	}
}

func TestItemAt(t *testing.T) {
	var l List
	l.SetSource(source(2, 0, 2))
	l.SetSize(8, 5)
	for y, w := range []string{"0.0", "0.1", "2.0", "2.1"} {
		item, line, ok := l.ItemAt(y)
		if got := fmt.Sprintf("%d.%d", item, line); !ok || got != w {
			t.Errorf("row %d: got item and line %s, found %v; want %s", y, got, ok, w)
		}
	}
	for _, y := range []int{-1, 4, 5, 99} {
		if _, _, ok := l.ItemAt(y); ok {
			t.Errorf("row %d: got an item, want none", y)
		}
	}
}

func TestWidthChangeKeepsThePlaceInProportion(t *testing.T) {
	src := source(3, 10, 3)
	var l List
	l.SetSource(src)
	l.SetSize(8, 2)
	l.ScrollTo(1, 5)
	src.heights[1] = 20 // narrower: twice as high
	l.SetSize(4, 2)
	if item, line := l.Anchor(); item != 1 || line != 10 {
		t.Errorf("got the window at %d.%d, want 1.10", item, line)
	}
}

func TestSizesThatLeaveNoRoomAreSafe(t *testing.T) {
	src := uniform(3)
	for _, size := range [][2]int{{0, 0}, {-1, -5}, {8, 0}, {0, 4}} {
		var l List
		l.SetSource(src)
		l.SetSize(size[0], size[1])
		exercise(&l)
		if got := len(l.Lines()); got != max(size[1], 0) {
			t.Errorf("%v: got %d rows, want %d", size, got, max(size[1], 0))
		}
	}
	exercise(new(List))
}

func exercise(l *List) {
	l.ScrollBy(3)
	l.ScrollBy(-3)
	l.ScrollTo(-4, 99)
	l.EnsureVisible(2)
	l.End()
	l.Top()
	l.Unseen()
	l.AtBottom()
	l.ItemAt(0)
	l.Anchor()
	l.Invalidate(1)
	l.SetFollow(true)
	l.SetSize(l.w, l.h)
}

func TestChangedRendersAgain(t *testing.T) {
	src := uniform(3)
	var l List
	l.SetSource(src)
	l.SetSize(8, 3)
	l.Lines()
	src.renders = 0
	l.Lines()
	if src.renders != 0 {
		t.Errorf("got %d renderings of unchanged items, want 0", src.renders)
	}
	l.Invalidate(1)
	l.Lines()
	if src.renders != 1 {
		t.Errorf("got %d renderings after one change, want 1", src.renders)
	}
}

func TestScrollingCostsTheSameWhateverTheLength(t *testing.T) {
	const h = 50
	for _, n := range []int{1_000, 1_000_000} {
		src := uniform(n)
		var l List
		l.SetSource(src)
		l.SetSize(8, h)
		for _, start := range []func(){l.End, l.Top, func() { l.ScrollTo(n/2, 0) }} {
			src.renders = 0
			start()
			l.Lines()
			if src.renders > h+1 {
				t.Errorf("%d items: got %d renderings for a jump, want at most %d", n, src.renders, h+1)
			}
			for _, by := range []int{1, -1} {
				src.renders = 0
				l.ScrollBy(by)
				l.Lines()
				if src.renders > 1 {
					t.Errorf("%d items: got %d renderings for a scroll by one line, want at most 1", n, src.renders)
				}
			}
		}
		if item, line := l.Anchor(); item != n/2 || line != 0 {
			t.Errorf("%d items: got the window at %d.%d, want %d.0", n, item, line, n/2)
		}
	}
}

func TestMemoryFollowsTheWindow(t *testing.T) {
	src := uniform(100_000)
	var l List
	l.SetSource(src)
	l.SetSize(8, 20)
	for range 4_000 {
		l.ScrollBy(20)
	}
	if got := len(l.cache.entries); got > 5*(4*20+256) {
		t.Errorf("got %d cached items, want at most %d", got, 5*(4*20+256))
	}
}

func BenchmarkScroll(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var l List
			l.SetSource(uniform(n))
			l.SetSize(98, 58)
			l.ScrollTo(n/2, 0)
			by := 1
			for b.Loop() {
				l.ScrollBy(by)
				l.Lines()
				by = -by
			}
		})
	}
}

// Window yields what ItemAt says of each row, wherever the window is.
func TestWindowYieldsEachRow(t *testing.T) {
	for _, h := range []int{0, 1, 7, 40} {
		for _, at := range [][2]int{{0, 0}, {2, 1}, {9, 0}} {
			var l List
			l.SetSource(source(3, 1, 4, 1, 5, 1, 2, 1, 1, 3))
			l.SetSize(10, h)
			l.ScrollTo(at[0], at[1])
			y := 0
			for item, line := range l.Window() {
				if i, n, ok := l.ItemAt(y); !ok || i != item || n != line {
					t.Errorf("height %d at %v, row %d: got item %d, line %d, want %d, %d", h, at, y, item, line, i, n)
				}
				y++
			}
			if _, _, ok := l.ItemAt(y); ok {
				t.Errorf("height %d at %v: got %d rows, want more", h, at, y)
			}
		}
	}
}
