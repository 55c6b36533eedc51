package menu

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// actions returns the table of the menu, without the keys of its items.
func (m *Menu) actions() *action.Table[Intent] {
	move := func(by int) func() Intent { return func() Intent { m.List.Move(by, len(m.items)); return nil } }
	return action.New(func(why string) Intent { return Refused{why} },
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"up", "shift+tab"}, Does: "previous", Foot: 2, Now: func() action.State { return action.State{Off: m.List.At == 0} }},
			Run: move(-1),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"down", "tab"}, Does: "next", Foot: 3, Now: func() action.State { return action.State{Off: m.List.At >= len(m.items)-1} }},
			Run: move(1),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"enter"}, Does: "choose", Foot: 1, Now: m.choosable},
			Run: func() Intent { return m.choose(m.List.At) },
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "close", Foot: 4}, Run: func() Intent { return Close{} }},
	).While(m.Asking, m.asked(), m.digit)
}

// asked returns the table while a number is typed.
func (m *Menu) asked() *action.Table[Intent] {
	return action.New[Intent](nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "run", Foot: 1}, Run: m.run},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "close", Foot: 2},
			Run: func() Intent { m.asks = false; return nil },
		},
	)
}

// choosable says whether an item is possible; if none is, why the selected one is not.
func (m *Menu) choosable() action.State {
	if len(m.items) == 0 {
		return action.State{Off: true}
	}
	return action.State{Off: !slices.ContainsFunc(m.items, possible), Why: m.items[m.List.At].Why}
}

func possible(it Item) bool { return it.Why == "" }

// Key handles a key press.
func (m *Menu) Key(msg tea.KeyPressMsg) Intent {
	if in, done := m.Press(msg); done {
		return in
	}
	i := slices.IndexFunc(m.items, func(it Item) bool { return it.Key == msg.String() })
	if i < 0 {
		return nil
	}
	m.List.At = i
	return m.choose(i)
}

// run chooses the selected item with the typed number.
func (m *Menu) run() Intent {
	it := m.items[m.List.At]
	n, err := strconv.Atoi(m.number)
	if err != nil {
		n = it.Default
	}
	m.asks = false
	return Choose{Item: it, Number: n}
}

// digit handles the other keys while a number is typed.
func (m *Menu) digit(msg tea.KeyPressMsg) Intent {
	const most = 6
	switch {
	case msg.Code == tea.KeyBackspace:
		m.number = m.number[:max(0, len(m.number)-1)]
	case len(msg.Text) == 1 && msg.Text[0] >= '0' && msg.Text[0] <= '9' && len(m.number) < most:
		m.number += msg.Text
	}
	return nil
}
