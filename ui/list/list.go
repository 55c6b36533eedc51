// Package list is a virtual list of items of different heights, which renders only the items in
// its window, and the cursor of all other lists.
//
// A [List] gets items from a [Source] when it draws and caches what it rendered until the
// item's version or the width changes. It stores its position as an item and a line in that
// item, not as a distance from the top. So new items, or a growing item above, do not move the
// visible lines, and the cost of a frame depends on the height of the window, not on the length
// of the list.
//
// A [Cursor] selects a row of a list that is drawn otherwise; [Keys] move it.
package list

import (
	"iter"
	"strings"
)

// An Item is one entry. Version changes whenever Lines would return something else for the same
// width. Lines returns rows of exactly w cells; the list does not change them, and may cache
// them until the version changes.
type Item interface {
	Version() uint64
	Lines(w int) []string
}

// A Source contains the items. It may grow, and items may change, between calls of the list's
// methods, but not during a call.
type Source interface {
	Len() int
	Item(i int) Item
}

// A Measurer is a [Source] that knows how many lines an item has in w cells without drawing it.
type Measurer interface {
	Height(i, w int) int
}

// A Counter is a [Source] of which [List.Unseen] counts other things than the items at its end,
// such as the chunks of an item, or items that may be inserted before others.
type Counter interface {
	// Newest returns the number of the newest arrival. Numbers never decrease.
	Newest() int
	// After returns how many arrivals have a higher number than n.
	After(n int) int
}

// A List is a window on a source. The zero List is empty and has no size. It is not safe for
// use by several goroutines.
type List struct {
	src    Source
	known  Measurer // the source, nil if it knows no heights
	w, h   int
	blank  string // a row of w spaces
	cache  cache
	follow bool

	// The line at the top of the window. It may be out of range after the source changed; place
	// corrects it.
	item, line int

	// The last item in the window and how many of its lines are below the window, as computed
	// by place.
	last, rest int

	seen   int  // the number of the newest arrival that the reader has seen
	paused bool // seen does not advance
}

// SetSource replaces the source. The window is at its end if the list follows, else at its top.
func (l *List) SetSource(src Source) {
	l.src, l.seen, l.paused = src, 0, false
	l.known, _ = src.(Measurer)
	l.Reorder()
}

// Reorder says that items of the source have other indexes. The window is at its end if the list
// follows, else at its top.
func (l *List) Reorder() {
	l.cache.clear()
	l.item, l.line = 0, 0
}

// SetSize sets the size of the window in cells. The line at the top of the window stays; in an
// item that changes its height it moves in proportion.
func (l *List) SetSize(w, h int) {
	w, h = max(w, 0), max(h, 0)
	l.h = h
	if w == l.w {
		return
	}
	before := 0
	if l.line > 0 && l.item < l.length() {
		before = l.height(l.item)
	}
	l.w, l.blank = w, strings.Repeat(" ", w)
	l.cache.clear()
	if before > 0 && w > 0 {
		l.line = l.line * l.height(l.item) / before
	}
}

// Invalidate drops the cached lines of item i, for items that changed without a new version.
func (l *List) Invalidate(i int) { l.cache.drop(i) }

// SetFollow sets whether the window stays at the end while the list grows. Scrolling up stops
// following; scrolling down to the end starts it again.
func (l *List) SetFollow(on bool) {
	if on != l.follow {
		l.place()
		l.follow = on
	}
}

// Following reports whether the window stays at the end.
func (l *List) Following() bool { return l.follow }

// ScrollBy moves the window n lines down, or up if n is negative. Moving up stops following;
// reaching the end starts it.
func (l *List) ScrollBy(n int) {
	if n == 0 || !l.place() {
		return
	}
	item, line, follow := l.item, l.line, l.follow
	l.follow = false
	if n < 0 {
		l.up(-n)
	} else {
		l.down(n)
	}
	l.place()
	if n < 0 {
		l.follow = follow && l.item == item && l.line == line
	} else {
		l.follow = l.atBottom()
	}
}

// ScrollTo puts line of item at the top of the window, or as near as the end of the list
// allows, and stops following.
func (l *List) ScrollTo(item, line int) {
	l.follow = false
	l.item, l.line = item, line
	l.place()
}

// Top moves to the first line and stops following.
func (l *List) Top() { l.ScrollTo(0, 0) }

// End moves to the last line and follows.
func (l *List) End() {
	l.follow = true
	l.place()
}

// AtBottom reports whether the last line is in the window.
func (l *List) AtBottom() bool {
	return !l.place() || l.atBottom()
}

// SetPaused sets whether the reader paused. While paused, all that arrives is unseen, even if the
// end of the list is in the window.
func (l *List) SetPaused(on bool) {
	if on && !l.paused {
		l.seen = l.newest()
	}
	l.paused = on
}

// Unseen returns how many items, or what else the source counts, arrived since the pause or since
// the end of the list was last in the window.
func (l *List) Unseen() int {
	if !l.paused && !l.place() {
		return 0
	}
	if c, ok := l.src.(Counter); ok {
		return max(c.After(l.seen), 0)
	}
	return max(l.length()-l.seen, 0)
}

// ItemAt returns the item, and the line of it, in row y of the window; ok is false for rows
// outside the window or behind the end.
func (l *List) ItemAt(y int) (item, line int, ok bool) {
	if y < 0 || y >= l.h || !l.place() {
		return 0, 0, false
	}
	line = l.line + y
	for item = l.item; item < l.length(); item++ {
		if h := l.height(item); line >= h {
			line -= h
			continue
		}
		return item, line, true
	}
	return 0, 0, false
}

// Window yields the item and line of each row in the window, from the top on. It costs less than asking
// [List.ItemAt] for every row.
func (l *List) Window() iter.Seq2[int, int] {
	return func(yield func(item, line int) bool) {
		if !l.place() {
			return
		}
		for y, item, line := 0, l.item, l.line; y < l.h && item < l.length(); item, line = item+1, 0 {
			for h := l.height(item); line < h && y < l.h; y, line = y+1, line+1 {
				if !yield(item, line) {
					return
				}
			}
		}
	}
}

// Anchor returns the item and line at the top of the window.
func (l *List) Anchor() (item, line int) {
	l.place()
	return l.item, l.line
}

// EnsureVisible scrolls as little as possible so that item is in the window, or the beginning
// of an item that is higher than the window. Scrolling up stops following.
func (l *List) EnsureVisible(item int) {
	if item < 0 || item >= l.length() || !l.place() {
		return
	}
	if item < l.item || item == l.item && l.line > 0 {
		l.ScrollTo(item, 0)
		return
	}
	if item < l.last || item == l.last && l.rest == 0 || item == l.item {
		return
	}
	l.item, l.line = item, l.height(item)
	if l.line >= l.h {
		l.line = 0
	} else {
		l.up(l.h)
	}
	l.place()
	l.follow = l.atBottom()
}

// Lines returns exactly as many rows as the window has, each exactly as wide as the window.
// Rows behind the end of the list are blank.
func (l *List) Lines() []string {
	rows := make([]string, 0, l.h)
	if l.place() {
		skip := l.line
		for i := l.item; i < l.length() && len(rows) < l.h; i++ {
			lines := l.render(i)
			lines = lines[min(skip, len(lines)):]
			rows = append(rows, lines[:min(len(lines), l.h-len(rows))]...)
			skip = 0
		}
	}
	for len(rows) < l.h {
		rows = append(rows, l.blank)
	}
	return rows
}
