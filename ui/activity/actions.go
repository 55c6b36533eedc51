package activity

import "parley/ui/action"

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New(nil,
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "cancel", Foot: 1},
			Run: func() Intent { return Cancel{} },
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"enter"}, Does: "go on in the background", Foot: 2},
			Run: func() Intent { return Leave{} },
		},
	)
}
