package start

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
)

// actions returns the table of the pane: no key in it types a character, for every character is
// text.
func (p *Pane) actions() *action.Table[Intent] {
	moves := func(by int) func() Intent {
		return func() Intent { p.move(by); return nil }
	}
	side := func(by int) func() Intent {
		return func() Intent { p.beside(by); return nil }
	}
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "open", Foot: 1, Now: p.some}, Run: p.open},
		action.Action[Intent]{Row: action.Row{Keys: []string{"up"}, Does: "up", Shown: "up", Foot: 3, Now: p.choosing}, Run: moves(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"down"}, Does: "down"}, Run: moves(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"left"}, Does: "left column", Now: p.sideways}, Run: side(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"right"}, Does: "right column", Now: p.sideways}, Run: side(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"tab"}, Does: "complete", Foot: 4, Now: p.some}, Run: p.complete},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc"}, Does: "close", Foot: 9, Now: p.leaving}, Run: p.leave},
	)
}

// KeySection completes the section of the pane in the settings of keys: each character is text, and
// some actions are gone.
func (p *Pane) KeySection(s *keys.Section) {
	s.Types = true
	s.Gone = map[string]string{
		"look-on-ports": keys.Name(p.Of("open")) + " on the row “Look on this machine” asks the ports",
		"filter":        "what is typed filters the rows",
		"show-help":     "keys.everywhere.show-help has the keys of the help",
	}
}

// some reports whether there is a row.
func (p *Pane) some() action.State { return action.State{Idle: p.chosen() == nil} }

// sideways lets the text have the keys while there is one, or no second column.
func (p *Pane) sideways() action.State {
	return action.State{Off: p.input.Value() != "" || len(p.page().columns) < 2}
}

// choosing lets one hint of the footer stand for both directions.
func (p *Pane) choosing() action.State {
	return action.State{Idle: p.chosen() == nil, Does: "choose", Shown: keys.Name(p.Of("up")) + " " + keys.Name(p.Of("down"))}
}

// leaving says what leaving means. The footer has it while there is a text to clear.
func (p *Pane) leaving() action.State {
	if p.input.Value() == "" {
		return action.State{}
	}
	return action.State{Does: "clear"}
}

// leave clears what was typed, or closes the pane.
func (p *Pane) leave() Intent {
	if p.clear() {
		return nil
	}
	return Close{}
}

// complete puts what the selected row is called into the text: its address where that finds it.
func (p *Pane) complete() Intent {
	if r := p.chosen(); r != nil && r != p.address {
		text := r.Fill
		if text == "" {
			text = r.Name
		}
		p.input.SetValue(canvas.SanitizeLine(text))
		p.input.CursorEnd()
		selected := r.ID
		p.edited()
		p.selected = selected
	}
	return nil
}

// Key handles a key press: what is no key of the pane is text.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	p.touch()
	in, done := p.Press(msg)
	if !done && p.input.Key(msg) {
		p.edited()
	}
	return in
}
