package list

import "parley/ui/action"

// Foot has the places of the movements in the footer, 0 for those that it leaves out.
type Foot struct{ Up, Down, PageUp, PageDown, First, Last int }

// A Motion moves through the rows of a list or of a text.
type Motion struct {
	// Rows is how many rows there are: nothing moves in fewer than two. Nil keeps the keys for the
	// movements even then, where other keys type text.
	Rows   func() int
	Height func() int   // how many of them are visible; nil if no key moves by pages
	Move   func(by int) // moves by rows, no farther than the ends
}

// Motion returns the motion of the cursor in a list.
func (c *Cursor) Motion(rows, height func() int) Motion {
	return Motion{Rows: rows, Height: height, Move: func(by int) { c.Move(by, rows()) }}
}

// Actions returns the movements that k has keys for. R is what the pane returns for a key press:
// nothing, for a movement.
func Actions[R any](k Keys, foot Foot, m Motion) (out []action.Action[R]) {
	page := func() int {
		if m.Height == nil {
			return 1
		}
		return max(1, m.Height()-1) // one row stays visible
	}
	var now func() action.State
	if m.Rows != nil {
		now = func() action.State { return action.State{Off: m.Rows() < 2} }
	}
	for _, move := range []struct {
		row  action.Row
		foot int
		by   func() int
	}{
		{k.Up, foot.Up, func() int { return -1 }},
		{k.Down, foot.Down, func() int { return 1 }},
		{k.PageUp, foot.PageUp, func() int { return -page() }},
		{k.PageDown, foot.PageDown, page},
		{k.First, foot.First, func() int { return -end }},
		{k.Last, foot.Last, func() int { return end }},
	} {
		if len(move.row.Keys) == 0 {
			continue
		}
		move.row.Foot, move.row.Now = move.foot, now
		out = append(out, action.Action[R]{Row: move.row, Run: func() (none R) { m.Move(move.by()); return none }})
	}
	return out
}
