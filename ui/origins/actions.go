package origins

import (
	"slices"

	"parley/ui/action"
	"parley/ui/list"
)

// confirm is the action that texts of the pane name.
const confirm action.ID = "go-on"

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New(nil, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: confirm, Keys: []string{"enter"}, Does: "go on", Foot: 1},
				Run: func() Intent { return Confirm{} },
			},
			{
				Row: action.Row{Keys: []string{"esc", "q"}, Does: "close, only read", Foot: 2},
				Run: func() Intent { return Close{} },
			},
		},
		list.Actions[Intent](list.ShortKeys(), list.Foot{Down: 3, Up: 4}, p.List.Motion(func() int { return len(p.rows) }, nil)),
	)...)
}
