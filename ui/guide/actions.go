package guide

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/list"
)

// actions returns the table of the help, which says how its own keys stand.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New[Intent](nil, slices.Concat(
		[]action.Action[Intent]{
			{Row: action.Row{Keys: []string{"/"}, Does: "search help", Foot: 1, Short: "search"}, Run: p.search},
			{
				Row:   action.Row{Keys: []string{"1", "2", "3", "4", "5", "6"}, Shown: "1-6", Does: "topic", Foot: 2, Now: func() action.State { return action.State{Off: p.input.Value() != ""} }},
				Press: action.Digit(p.show),
			},
		},
		list.Actions[Intent](list.TextKeys(), list.Foot{Down: 3}, list.Motion{Height: func() int { return p.H }, Move: p.scroll}),
		[]action.Action[Intent]{{Row: action.Row{Keys: []string{"esc", "q", "?", "ctrl+c"}, Does: "close", Foot: 4, Now: p.closing}, Run: p.close}},
	)...).Live().While(p.Typing, p.typed(), func(msg tea.KeyPressMsg) Intent {
		p.input.Key(msg)
		p.top = 0
		return nil
	})
}

// typed returns the table while the search is typed.
func (p *Pane) typed() *action.Table[Intent] {
	return action.New[Intent](nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "keep search", Foot: 1}, Run: p.leave},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "clear search", Foot: 2},
			Run: func() Intent { p.input.Reset(); return p.leave() },
		},
	)
}

func (p *Pane) closing() action.State {
	if p.input.Value() != "" {
		return action.State{Does: "clear search"}
	}
	return action.State{}
}

// search lets the user type what to search for.
func (p *Pane) search() Intent {
	p.typing = true
	p.Focus(&p.input)
	return nil
}

// leave ends the typing of the search.
func (p *Pane) leave() Intent {
	p.typing, p.top = false, 0
	p.Focus(nil)
	return nil
}

// show scrolls to a topic, of which the first is 1.
func (p *Pane) show(n int) Intent {
	if p.lines(); n >= 1 && n <= len(p.topics) {
		p.top = p.topics[n-1]
		p.scroll(0)
	}
	return nil
}

// close clears the search if there is one, else it closes the help.
func (p *Pane) close() Intent {
	if p.input.Value() == "" {
		return Close{}
	}
	p.input.Reset()
	p.top = 0
	return nil
}
