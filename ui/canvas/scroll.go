package canvas

import "strconv"

// A Scroll is a part of a pane that shows a part of its content. A [Box] draws a thumb beside it, and
// the position in its bottom edge, where the content is longer. The zero Scroll shows everything.
type Scroll struct {
	Y, H int // the rows of the part
	// Where the visible content begins, how much it is, and how much there is, in any unit.
	Top, Shown, All int
	At, Of          int // the selected row, counted from 1, and the number of rows; 0 without a selection
}

// Scrolls are those of a pane, from top to bottom.
type Scrolls [2]Scroll

// ScrollOf returns the scroll of the only part of a pane.
func ScrollOf(s Scroll) Scrolls { return Scrolls{s} }

// thumb returns in which rows the thumb is, from inclusive, to exclusive; none if all is shown.
func (s Scroll) thumb() (from, to int) {
	const least = 3 // rows in which a thumb can move
	if s.H < least || s.Shown <= 0 || s.Shown >= s.All {
		return 0, 0
	}
	size := min(max(1, s.H*s.Shown/s.All), s.H-1)
	room, hidden := s.H-size, s.All-s.Shown
	top := min(max(s.Top, 0), hidden)
	from = s.Y + (top*room+hidden/2)/hidden
	switch {
	case top == 0:
		from = s.Y
	case top == hidden:
		from = s.Y + room
	case room > 1: // only the ends of the content are at the ends
		from = min(max(from, s.Y+1), s.Y+room-1)
	}
	return from, from + size
}

// thumbs are the rows of thumbs, from inclusive, to exclusive.
type thumbs [len(Scrolls{})][2]int

// thumbs returns where the thumbs are.
func (s *Scrolls) thumbs() (all thumbs) {
	for i := range s {
		all[i][0], all[i][1] = s[i].thumb()
	}
	return all
}

// has reports whether a thumb is in row y.
func (t *thumbs) has(y int) bool {
	for i := range t {
		if y >= t[i][0] && y < t[i][1] {
			return true
		}
	}
	return false
}

// position says which row is selected, empty if all rows are visible.
func (s Scrolls) position() string {
	if p := &s[0]; p.At > 0 && p.Shown < p.All {
		return strconv.Itoa(p.At) + "/" + strconv.Itoa(p.Of)
	}
	return ""
}
