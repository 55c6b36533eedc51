// Package list shows a long sequence of items of different heights through a
// small window, rendering only what can be seen.
//
// A [List] pulls items from a [Source] when it draws, keeps what it rendered
// until the item's version or the width changes, and remembers its place as an
// item and a line in it, not as a distance from the top. So appending a million
// items, or an item above growing, moves nothing that is being read, and a
// frame costs the height of the window whatever the length of the list.
package list

// An Item is one entry. Version changes whenever Lines would give something else
// for the same width. Lines returns rows of exactly w cells; the list does not
// change them, and may keep them until the version changes.
type Item interface {
	Version() uint64
	Lines(w int) []string
}

// A Source holds the items. It may grow, and items may change, between calls of
// the list's methods, never during one.
type Source interface {
	Len() int
	Item(i int) Item
}

// A List is a window on a source. The zero List is empty and of no size. It is
// not safe for use by several goroutines.
type List struct{}

// SetSource shows another source from its top, or its end when following.
func (l *List) SetSource(src Source) {}

// SetSize sets the window's size in cells. The place is kept.
func (l *List) SetSize(w, h int) {}

// Changed drops what was rendered of item i, for items which changed without a
// new version.
func (l *List) Changed(i int) {}

// SetFollow says whether the window stays at the end while the list grows.
// Scrolling up ends following; scrolling down to the end begins it again.
func (l *List) SetFollow(on bool) {}

// Following reports whether the window stays at the end.
func (l *List) Following() bool { return false }

// ScrollBy moves the window n lines down, or up when n is negative.
func (l *List) ScrollBy(n int) {}

// ScrollTo puts line of item at the top of the window, or as near as the end of
// the list allows, and ends following.
func (l *List) ScrollTo(item, line int) {}

// Top goes to the first line and ends following.
func (l *List) Top() {}

// End goes to the last line and follows.
func (l *List) End() {}

// AtBottom reports whether the last line is in the window.
func (l *List) AtBottom() bool { return false }

// Below returns how many lines are below the window. Items that were never drawn
// count with the mean height of those that were.
func (l *List) Below() int { return 0 }

// Unseen returns how many items were appended since the end of the list was last
// in the window.
func (l *List) Unseen() int { return 0 }

// ItemAt returns which item, and which of its lines, stands in row y of the
// window.
func (l *List) ItemAt(y int) (item, line int, ok bool) { return 0, 0, false }

// Anchor returns the item and line at the top of the window.
func (l *List) Anchor() (item, line int) { return 0, 0 }

// EnsureVisible scrolls as little as possible so that item is in the window; of
// an item higher than the window, its beginning.
func (l *List) EnsureVisible(item int) {}

// Lines returns the rows of the window: exactly as many as its height, each
// exactly as wide as its width.
func (l *List) Lines() []string { return nil }
