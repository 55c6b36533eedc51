package taps

import (
	"slices"

	"parley/ui/action"
	"parley/ui/list"
)

// begin is the action that texts of the pane name.
const begin action.ID = "start-a-tap"

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	onTap := func() action.State { return action.State{Off: p.selected() == nil} }
	return action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"enter"}, Does: "show conversations", Foot: 1, Now: onTap},
				Run: func() Intent { return Show{*p.selected()} },
			},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy address", Foot: 2, Now: onTap},
				Run: func() Intent { return Copy{p.selected().URL, "the address of the tap"} },
			},
			{
				Row: action.Row{Keys: []string{"!"}, Does: "inject faults", Foot: 3, Now: onTap},
				Run: func() Intent { return Faults{*p.selected()} },
			},
			{
				Row: action.Row{Keys: []string{"c"}, Does: "show chain", Foot: 4, Now: onTap},
				Run: func() Intent { return Chain{} },
			},
			{
				Row: action.Row{ID: begin, Keys: []string{"n"}, Does: "start a tap", Foot: 5, Now: func() action.State { return action.State{Off: p.about.Why != "", Why: p.about.Why} }},
				Run: func() Intent { return Begin{} },
			},
			{
				Row: action.Row{Keys: []string{"x"}, Does: "stop tap", Foot: 6, Now: onTap},
				Run: func() Intent { return Stop{*p.selected()} },
			},
		},
		list.Actions[Intent](list.ShortKeys(), list.Foot{Down: 7, Up: 8}, p.List.Motion(func() int { return len(p.about.Taps) }, nil)),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 9},
			Run: func() Intent { return Close{} },
		}},
	)...)
}
