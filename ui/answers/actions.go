package answers

import (
	"slices"

	"parley/ui/action"
	"parley/ui/list"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	differs := func() action.State { return action.State{Off: p.of.Differ == 0} }
	jump := func(by int) func() Intent {
		return func() Intent {
			p.jump(by)
			return nil
		}
	}
	return action.New(nil, slices.Concat(
		[]action.Action[Intent]{
			{Row: action.Row{Keys: []string{"n"}, Does: "next difference", Foot: 1, Now: differs}, Run: jump(1)},
			{Row: action.Row{Keys: []string{"N"}, Does: "previous difference", Foot: 2, Now: differs}, Run: jump(-1)},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy comparison", Foot: 5, Now: func() action.State { return action.State{Off: len(p.rows) == 0} }},
				Run: func() Intent { return Copy{p.text()} },
			},
			{
				Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 6},
				Run: func() Intent { return Close{} },
			},
		},
		list.Actions[Intent](list.TextKeys(), list.Foot{Down: 3, Up: 4}, p.List.Motion(func() int { return len(p.rows) }, func() int { return p.parts().List })),
	)...)
}
