package chain

import (
	"slices"

	"parley/ui/action"
	"parley/ui/list"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	onExchange := func() action.State { return action.State{Off: p.selected() == 0} }
	return action.New(nil, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"enter"}, Does: "show record", Foot: 1, Now: onExchange},
				Run: func() Intent { return Show{p.selected()} },
			},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy as text", Foot: 2, Now: onExchange},
				Run: func() Intent { return Copy{p.text(), "the chain"} },
			},
		},
		list.Actions[Intent](list.ShortKeys(), list.Foot{Down: 3, Up: 4}, p.List.Motion(func() int { return len(p.rows) }, nil)),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 5},
			Run: func() Intent { return Close{} },
		}},
	)...)
}
