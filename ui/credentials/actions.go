package credentials

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/keys"
)

// accept is the action that texts of the pane name.
const accept action.ID = "use-credentials"

// actions returns the table of the pane. All other keys type.
func (p *Pane) actions() *action.Table[Intent] {
	turn := func(by int) func() Intent {
		return func() Intent { p.turn(by); return nil }
	}
	step := func(by int) func() Intent {
		return func() Intent { p.step(by); return nil }
	}
	onKind := func() action.State { return action.State{Off: p.at != kindRow} }
	return action.New(func(why string) Intent { return Refused{why} },
		action.Action[Intent]{
			Row: action.Row{ID: accept, Keys: []string{"enter"}, Does: "use credentials", Foot: 1, Now: p.accepting},
			Run: p.submit,
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"ctrl+t"}, Does: "next kind", Foot: 3}, Run: turn(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"right", "space"}, Does: "next kind", Fixed: true, Passing: true, Now: onKind}, Run: turn(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"left"}, Does: "previous kind", Now: onKind}, Run: turn(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"tab", "down"}, Does: "next row", Foot: 4}, Run: step(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"shift+tab", "up"}, Does: "previous row"}, Run: step(-1)},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"d", "delete", "backspace"}, Does: "remove credentials", Foot: 2, Now: p.removing},
			Run: func() Intent { e, _ := p.entry(); return Remove{e} },
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c", "f5"}, Does: "close", Foot: 5},
			Run: func() Intent { p.Forget(); return Close{} },
		},
	)
}

// accepting says how using what was typed stands.
func (p *Pane) accepting() action.State {
	if _, isEntry := p.entry(); isEntry {
		return action.State{Off: true}
	}
	return action.State{Off: p.about.Why != "", Why: p.about.Why}
}

// removing says how removing the focused entry stands.
func (p *Pane) removing() action.State {
	_, isEntry := p.entry()
	return action.State{Off: !isEntry}
}

// KeySection completes the section of the pane in the settings of keys: its keys work in its fields too.
func (p *Pane) KeySection(s *keys.Section) { s.Fields = true }

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	in, done := p.Press(msg)
	if f := p.input(); !done && f != nil {
		f.Key(msg)
	}
	return in
}
