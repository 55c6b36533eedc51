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
	for i, move := range []struct {
		foot int
		by   func() int
	}{
		{foot.Up, func() int { return -1 }},
		{foot.Down, func() int { return 1 }},
		{foot.PageUp, func() int { return -page() }},
		{foot.PageDown, page},
		{foot.First, func() int { return -end }},
		{foot.Last, func() int { return end }},
	} {
		b := k.All()[i]
		if len(b.Keys()) == 0 {
			continue
		}
		out = append(out, action.Action[R]{
			Row: action.Row{Keys: b.Keys(), Shown: b.Help().Key, Does: b.Help().Desc, Foot: move.foot, Now: now},
			Run: func() (none R) { m.Move(move.by()); return none },
		})
	}
	return out
}
