package present

import (
	"parley/ui/canvas"
	"parley/ui/mask"
	"parley/ui/present"
)

// Rows returns the rows of a pane as an audience sees them: masked, and dim if the spotlight is on
// others. Bright reports which rows it is on; nil if it is on none.
func (c *Controller) Rows(of present.Area, rows []string, bright func(y int) bool) []string {
	return c.Revealed(of, c.secrets.Rows(of, rows, mask.Nowhere), bright)
}

// Revealed is Rows for a pane with a secret that the user reveals, which an audience alone does not see.
func (c *Controller) Revealed(of present.Area, rows []string, bright func(y int) bool) []string {
	if c.on {
		rows = c.mask.Rows(of, rows)
	}
	if !c.spot {
		return rows
	}
	if bright == nil {
		bright = func(int) bool { return false }
	}
	return c.light.Rows(of, rows, c.st, bright)
}

// Masked returns rows that the spotlight does not dim.
func (c *Controller) Masked(of present.Area, rows []string) []string {
	if rows = c.secrets.Rows(of, rows, mask.Nowhere); !c.on {
		return rows
	}
	return c.mask.Rows(of, rows)
}

// Typed returns the rows of a pane in one of which the user types, or in [present.All]: there every
// cell stays where it is.
func (c *Controller) Typed(of present.Area, rows []string, in int) []string {
	if in != present.All {
		rows = c.secrets.Rows(of, rows, in)
	}
	if !c.on {
		return rows
	}
	rows = c.mask.Typed(of, rows, in)
	if c.spot {
		rows = c.light.Rows(of, rows, c.st, func(int) bool { return false })
	}
	return rows
}

// Line returns a line that stands alone, such as a title, as an audience sees it.
func (c *Controller) Line(s string) string {
	if s = c.secrets.Line(s); !c.on {
		return s
	}
	return c.mask.Line(s)
}

// Page returns the rows of a conversation with margins: those of text stand in talk. Bright reports
// which rows the spotlight is on.
func (c *Controller) Page(rows []string, talk, text canvas.Rect, bright func(y int) bool) []string {
	sign := func(y int) string { return present.Sign(c.st, c.spot && y < text.H && bright(y)) }
	return c.page.Rows(rows, text.X-talk.X, talk.W, talk.H, sign)
}

// Strokes draws the keys that were pressed last in at most w cells; empty if there are none.
func (c *Controller) Strokes(w int) string { return c.pressed.Line(c.st, w, c.mask.Line) }
