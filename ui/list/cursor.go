package list

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A Cursor is the selected row of a list whose rows are one line high, and the window on the
// list. Each call passes the number of rows of the list, n, and of the window, h; the cursor
// stays within them.
type Cursor struct {
	At  int // the selected row; 0 in an empty list
	Top int // the first row in the window
}

// Go selects row i, or the nearest row of the list.
func (c *Cursor) Go(i, n int) { c.At = max(0, min(i, n-1)) }

// Move selects the row by rows further down, or the nearest row of the list.
func (c *Cursor) Move(by, n int) { c.Go(c.At+by, n) }

// Step is [Cursor.Move] around the ends of the list.
func (c *Cursor) Step(by, n int) {
	if n > 0 {
		c.At = ((c.At+by)%n + n) % n
	}
}

// A Hit is the effect of a mouse event on a list.
type Hit uint8

// The hits.
const (
	HitNone     Hit = iota // no row is at that position
	HitWheel               // the wheel selected another row
	HitRow                 // a click selected another row
	HitSelected            // a click on the selected row
)

// Mouse handles a mouse event at row y of the window: a click selects the row, the wheel moves
// row by row.
func (c *Cursor) Mouse(msg tea.MouseMsg, y, n, h int) Hit {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.Move(keys.Wheel(msg), n)
		return HitWheel
	case tea.MouseClickMsg:
		i := c.Top + y
		if msg.Button != tea.MouseLeft || y < 0 || y >= h || i >= n {
			return HitNone
		}
		if i == c.At {
			return HitSelected
		}
		c.At = i
		return HitRow
	default:
		return HitNone
	}
}

// Scroll moves the window by rows and leaves the selected row unchanged.
func (c *Cursor) Scroll(by, n, h int) { c.Top = max(0, min(c.Top+by, n-h)) }

// Window returns the part of the list that is in the window, which begins at row y of a pane.
func (c *Cursor) Window(y, n, h int) canvas.Scroll {
	return canvas.Scroll{Y: y, H: h, Top: c.Top, Shown: min(n, h), All: n, At: min(c.At+1, n), Of: n}
}

// Reveal moves the window as little as possible so that it contains the selected row and does
// not extend beyond the end of the list.
func (c *Cursor) Reveal(n, h int) {
	c.Scroll(0, n, h)
	switch {
	case c.At < c.Top:
		c.Top = c.At
	case h > 0 && c.At >= c.Top+h:
		c.Top = c.At - h + 1
	}
}

// Rows renders the rows in the window, each w cells wide as row returns it, and highlights the
// selected row.
func (c *Cursor) Rows(st *styles.Styles, w, n, h int, row func(i int) string) []string {
	c.Reveal(n, h)
	var out []string
	for i := c.Top; i < min(n, c.Top+h); i++ {
		out = append(out, canvas.Entry(st, row(i), w, i == c.At))
	}
	return out
}
