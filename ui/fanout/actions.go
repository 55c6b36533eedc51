package fanout

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/list"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	some := func() action.State { return action.State{Off: len(p.columns) == 0} }
	several := func() action.State { return action.State{Off: len(p.columns) < 2} }
	step := func(by int) func() Intent {
		return func() Intent {
			p.Select(p.at + by)
			return nil
		}
	}
	return action.New(nil, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"d"}, Does: "show the differences", Foot: 1, Now: several},
				Run: func() Intent { return Compare{p.at} },
			},
			{
				Row: action.Row{Keys: []string{"enter"}, Does: "go to the conversation", Foot: 2, Now: some},
				Run: func() Intent { return Open{p.at} },
			},
			{Row: action.Row{Keys: []string{"right", "l", "tab"}, Does: "next agent", Foot: 3, Now: several}, Run: step(1)},
			{Row: action.Row{Keys: []string{"left", "h", "shift+tab"}, Does: "previous agent", Foot: 4, Now: several}, Run: step(-1)},
			{
				Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 6},
				Run: func() Intent { return Close{} },
			},
		},
		p.scrolling(some),
	)...)
}

// scrolling returns the movements through the answer of the selected column. The answer gets the keys
// that it knows, whatever keys the user chose.
func (p *Pane) scrolling(now func() action.State) []action.Action[Intent] {
	moves := list.Actions[Intent](list.TextKeys(), list.Foot{Down: 5}, list.Motion{})
	for i, code := range []rune{tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd} {
		moves[i].Now = now
		moves[i].Run = func() Intent {
			if scroll := p.columns[p.at].Scroll; scroll != nil {
				scroll(tea.KeyPressMsg{Code: code})
			}
			return nil
		}
	}
	return moves
}
