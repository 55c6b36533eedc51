package themelist

import (
	"slices"

	"parley/ui/action"
	"parley/ui/list"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New(nil, slices.Concat(
		list.Actions[Intent](list.DefaultKeys(), list.Foot{Up: 2, Down: 3}, p.List.Motion(func() int { return len(p.entries) }, p.height)),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"enter"}, Does: "keep theme", Foot: 1, Now: func() action.State { return action.State{Off: p.Selected() == ""} }},
				Run: p.keep,
			},
			{
				Row: action.Row{Keys: []string{"esc", "q", "ctrl+c"}, Does: "cancel", Foot: 4},
				Run: func() Intent { return Close{} },
			},
		},
	)...)
}
