package start

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// Look looks for agents on ports of this machine; texts of its controller name it.
const Look action.ID = "look-on-ports"

// actions returns the table of the pane. The letters in it are text while the user types.
func (p *Pane) actions() *action.Table[Intent] {
	moves := func(by int) func() Intent {
		return func() Intent { p.move(by); return nil }
	}
	typing := func() action.State { return action.State{Off: !p.typing} }
	reading := func() action.State { return action.State{Off: p.typing} }
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "open", Foot: 1}, Run: p.open},
		action.Action[Intent]{Row: action.Row{ID: Look, Keys: []string{"p"}, Does: "look on ports", Foot: 2, Now: p.looking}, Run: func() Intent { return Scan{} }},
		action.Action[Intent]{Row: action.Row{Keys: []string{"/"}, Does: "filter", Foot: 3, Now: reading}, Run: func() Intent { p.write(); return nil }},
		action.Action[Intent]{Row: action.Row{Keys: []string{"k", "up"}, Does: "up", Foot: 5, Now: reading}, Run: moves(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"j", "down"}, Does: "down", Foot: 4, Now: reading}, Run: moves(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"up"}, Does: "up", Fixed: true, Passing: true, Now: typing}, Run: moves(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"down"}, Does: "down", Fixed: true, Passing: true, Now: typing}, Run: moves(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"?"}, Does: "show help", Now: reading}, Run: func() Intent { return Help{} }},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"backspace"}, Does: "clear filter", Fixed: true, Passing: true, Now: func() action.State { return action.State{Off: !p.typing || p.input.Value() != ""} }},
			Run: p.leave,
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc"}, Does: "close", Foot: 6, Now: p.leaving}, Run: p.leave},
	)
}

// looking says how the search stands. Where no section offers it, its controller says why, or it runs.
func (p *Pane) looking() action.State {
	offered := slices.ContainsFunc(p.sections, func(s Section) bool { return s.Key != "" })
	return action.State{Off: p.typing, Idle: !offered}
}

// leaving says what leaving means.
func (p *Pane) leaving() (now action.State) {
	if p.typing {
		now.Does = "clear filter"
	}
	return now
}

// leave clears what was typed, or closes the pane.
func (p *Pane) leave() Intent {
	if p.clear() {
		return nil
	}
	return Close{}
}

// Key handles a key press: a letter that does nothing else begins a text.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	in, done := p.Press(msg)
	if done || !p.typing && (msg.Text == "" || msg.Text == " ") {
		return in
	}
	if !p.typing {
		p.write()
	}
	if p.input.Key(msg) {
		p.edited()
	}
	return nil
}
