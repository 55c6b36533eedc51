package picker

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/list"
)

// attachFile is an action that texts of the pane name.
const attachFile action.ID = "attach-file"

// movements are the keys that move through the rows. Letters type.
func movements() list.Keys {
	return list.Keys{
		Up:       action.Row{Keys: []string{"up", "ctrl+k"}, Does: "up"},
		Down:     action.Row{Keys: []string{"down", "ctrl+j"}, Does: "down"},
		PageUp:   action.Row{Keys: []string{"pgup"}, Does: "page up"},
		PageDown: action.Row{Keys: []string{"pgdown"}, Does: "page down"},
		First:    action.Row{Keys: []string{"ctrl+home"}, Does: "first"},
		Last:     action.Row{Keys: []string{"ctrl+end"}, Does: "last"},
	}
}

// actions returns the table of the pane. All other keys type.
func (p *Pane) actions() *action.Table[Intent] {
	move := list.Motion{Height: p.listHeight, Move: func(by int) { p.List.Move(by, len(p.rows)) }}
	return action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{
			{Row: action.Row{ID: attachFile, Keys: []string{"enter"}, Does: "attach file", Foot: 1, Now: p.acceptable}, Run: p.accept},
			{
				Row: action.Row{Keys: []string{"right"}, Does: "open folder", Now: p.onFolder},
				Run: func() Intent { return p.enter(p.path(p.selected())) },
			},
			{
				Row: action.Row{Keys: []string{"left", "backspace"}, Does: "parent folder", Foot: 3, Now: func() action.State { return action.State{Off: p.input.Value() != ""} }},
				Run: p.up,
			},
			{Row: action.Row{Keys: []string{"tab"}, Does: "mark file", Foot: 2, Now: p.markable}, Run: p.mark},
			{Row: action.Row{Keys: []string{"alt+."}, Does: "show hidden files", Foot: 4, Now: p.hiding}, Run: p.toggleHidden},
			{Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "close", Foot: 5}, Run: func() Intent { return Close{} }},
		},
		list.Actions[Intent](movements(), list.Foot{}, move),
	)...)
}

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if in, done := p.Press(msg); done {
		return in
	}
	p.narrow(p.input.Key(msg))
	return nil
}

func (p *Pane) acceptable() action.State {
	switch e := p.selected(); {
	case len(p.rows) == 0 && p.requested == "" && strings.TrimSpace(p.input.Value()) == "":
		return action.State{Off: true, Why: "There is nothing here to attach."}
	case len(p.rows) > 0 && (e == nil || e.Folder):
		return action.State{Does: "open folder"}
	}
	return action.State{}
}

// onFolder says whether the folder at the cursor can be opened: within the typed text, the key moves.
func (p *Pane) onFolder() action.State {
	e, text := p.selected(), p.input.Value()
	return action.State{Off: e == nil || !e.Folder || text != "" && p.input.Position() != len([]rune(text))}
}

func (p *Pane) markable() action.State {
	switch e := p.selected(); {
	case e == nil:
		return action.State{Off: true}
	case e.Folder:
		return action.State{Off: true, Why: "A folder cannot be attached: " + keys.Name(p.Of(attachFile)) + " opens it."}
	}
	return action.State{}
}

func (p *Pane) hiding() action.State {
	if p.hidden {
		return action.State{Does: "hide hidden files"}
	}
	return action.State{}
}

// toggleHidden lists hidden files too, or no longer.
func (p *Pane) toggleHidden() Intent {
	p.hidden = !p.hidden
	p.find()
	return nil
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a row; a click on the
// selected row accepts it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.List.Mouse(msg, y-headRows, len(p.rows), p.listHeight()) == list.HitSelected {
		return p.accept()
	}
	return nil
}
