package palette

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/list"
)

// Actions that texts name.
const (
	chooseEntry action.ID = "choose"
	nextEntry   action.ID = "next"
)

// movements are the keys of the list. All others type.
func movements() list.Keys {
	return list.Keys{
		Up:       action.Row{Keys: []string{"up", "ctrl+k", "shift+tab"}, Does: "previous"},
		Down:     action.Row{Keys: []string{"down", "ctrl+j", "tab"}, Does: "next"},
		PageUp:   action.Row{Keys: []string{"pgup"}, Does: "page up"},
		PageDown: action.Row{Keys: []string{"pgdown"}, Does: "page down"},
	}
}

// actions returns the table of the finder.
func (p *Palette) actions() *action.Table[Intent] {
	rows := list.Actions[Intent](movements(), list.Foot{Up: 3, Down: 2}, list.Motion{Height: p.rows, Move: p.move})
	return action.New(nil, append(rows,
		action.Action[Intent]{Row: action.Row{ID: chooseEntry, Keys: []string{"enter"}, Does: "choose", Foot: 1}, Run: p.choose},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "ctrl+p", "ctrl+c"}, Does: "close", Foot: 4}, Run: func() Intent { return Close{} }},
	)...)
}

// move selects another entry. Where nothing matches, the user selects one of those that are similar.
func (p *Palette) move(by int) {
	if len(p.found) == 0 && len(p.near) > 0 && by > 0 {
		p.found, p.near = p.near, nil
		return
	}
	p.List.Move(by, len(p.found))
	p.refused = ""
}

// Key handles a key press: one of the table, or one that edits the text.
func (p *Palette) Key(msg tea.KeyPressMsg) Intent {
	in, done := p.Press(msg)
	if !done {
		p.edit(p.input.Key(msg))
	}
	return in
}
