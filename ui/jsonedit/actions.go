package jsonedit

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// acceptValue is the action that accepts the value.
const acceptValue action.ID = "accept"

// actions returns the table of the pane. Other keys edit the text. What is wrong, the actions say
// themselves.
func (p *Pane) actions() *action.Table[Intent] {
	valid := func() action.State { return action.State{Idle: p.isWrong()} }
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{ID: acceptValue, Keys: []string{"alt+enter", "ctrl+enter", "ctrl+s"}, Does: "accept", Foot: 1, Now: valid}, Run: p.done},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"tab"}, Does: "go to mistake", Foot: 2, Now: func() action.State { return action.State{Idle: !p.isWrong()} }},
			Run: p.goToMistake,
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+l"}, Does: "format JSON", Foot: 3, Now: valid}, Run: p.layOut},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+e"}, Does: "editor", Foot: 4}, Run: func() Intent { return Edit{p.edit.Text()} }},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "close, keep draft", Foot: 5}, Run: func() Intent { return Close{} }},
	)
}

// isWrong reports whether the text has an error.
func (p *Pane) isWrong() bool {
	p.read()
	return p.wrong != nil
}

// goToMistake moves the cursor to the error; a text without one is indented.
func (p *Pane) goToMistake() Intent {
	if p.check(); p.wrong != nil {
		p.toMistake()
	} else {
		p.edit.Insert("  ")
	}
	return nil
}

// Key handles a key press: one of the table, or one that edits the text.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	in, done := p.Press(msg)
	if !done {
		p.edit.Key(msg, p.St.Editing)
	}
	return in
}

// Mouse handles a mouse event at column x, row y.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	p.edit.Mouse(msg, x, y-headRows, p.W)
	return nil
}
