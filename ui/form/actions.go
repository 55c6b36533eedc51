package form

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/list"
)

// Actions that texts of the pane name.
const (
	changeValue action.ID = "change-value"
	addItem     action.ID = "add-item"
	editAsJSON  action.ID = "edit-as-json"
)

// movements are the keys that move through the rows. Letters type.
func movements() list.Keys {
	return list.Keys{
		Up:       action.Row{Keys: []string{"up", "shift+tab"}, Does: "up"},
		Down:     action.Row{Keys: []string{"down", "tab"}, Does: "down"},
		PageUp:   action.Row{Keys: []string{"pgup"}, Does: "page up"},
		PageDown: action.Row{Keys: []string{"pgdown"}, Does: "page down"},
	}
}

// actions returns the table of the pane. Other keys type.
func (p *Pane) actions() *action.Table[Intent] {
	move := list.Actions[Intent](movements(), list.Foot{}, list.Motion{
		Rows: p.movable, Height: p.listHeight, Move: func(by int) { p.moveTo(p.List.At + by) },
	})
	slices.Reverse(move[:2]) // the keys that go on come first
	slices.Reverse(move[2:])
	return action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{{Row: action.Row{Keys: []string{"enter", "ctrl+m"}, Does: "next row", Foot: 2, Now: p.onForm}, Run: p.next}},
		move,
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: changeValue, Keys: []string{"space", "right"}, Does: "change value", Foot: 3, Now: p.changeable},
				Run: func() Intent { return p.change(1) },
			},
			{
				Row: action.Row{Keys: []string{"left"}, Does: "previous value", Now: p.onKind(kindChoice, kindGroup)},
				Run: func() Intent { return p.change(-1) },
			},
			{
				Row: action.Row{Keys: []string{"backspace", "delete"}, Does: "clear value", Now: p.onKind(kindChoice)},
				Run: func() Intent { p.pick(p.current(), -1); return nil },
			},
			{Row: action.Row{ID: addItem, Keys: []string{"alt+a"}, Does: "add item", Foot: 4, Now: p.extendable}, Run: p.addHere},
			{Row: action.Row{Keys: []string{"alt+x"}, Does: "remove item", Foot: 5, Now: p.removable}, Run: p.removeHere},
			{Row: action.Row{ID: editAsJSON, Keys: []string{"alt+r"}, Does: "edit as JSON", Foot: 6, Now: p.otherView}, Run: p.toggleJSON},
			{Row: action.Row{Keys: []string{"ctrl+s", "alt+enter", "ctrl+enter"}, Does: "send form", Foot: 1}, Run: p.send},
			{Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "close, keep draft", Foot: 7}, Run: func() Intent { return Close{} }},
		},
	)...)
}

// KeySection completes the section of the pane in the settings of keys: its keys work in the JSON too.
func (p *Pane) KeySection(s *keys.Section) { s.Lines = true }

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if in, done := p.Press(msg); done {
		return in
	}
	switch f := p.current(); {
	case p.asJSON:
		p.rawKey(msg)
	case f == nil:
	case f.kind == kindChoice:
		p.choose(f, msg.Text)
	case isTyped(f):
		p.input.Key(msg)
		p.store()
		f.problem = ""
	}
	return nil
}

// movable returns how many rows the cursor can stand on, with the one that sends.
func (p *Pane) movable() int {
	if p.asJSON {
		return 0
	}
	return len(p.rows) + 1
}

func (p *Pane) onForm() action.State {
	switch {
	case p.asJSON:
		return action.State{Off: true}
	case p.current() == nil:
		return action.State{Does: "send form"}
	}
	return action.State{}
}

// onKind returns how an action on nodes of some kinds stands.
func (p *Pane) onKind(kinds ...kind) func() action.State {
	return func() action.State {
		f := p.current()
		return action.State{Off: p.asJSON || f == nil || !slices.Contains(kinds, f.kind)}
	}
}

func (p *Pane) changeable() action.State {
	f := p.current()
	switch {
	case p.asJSON || f == nil || f.kind != kindChoice && f.kind != kindGroup && f.kind != kindList:
		return action.State{Off: true}
	case f.kind != kindChoice:
		return action.State{Does: "edit value"}
	}
	return action.State{}
}

func (p *Pane) extendable() action.State {
	f := p.current()
	switch {
	case p.asJSON:
		return action.State{Off: true}
	case f.item() == nil && (f == nil || f.kind != kindList):
		return action.State{Off: true, Why: "There is no list here to add an item to."}
	}
	return action.State{}
}

func (p *Pane) removable() action.State {
	f := p.current()
	return action.State{Off: p.asJSON || f == nil || f.item() == nil && (!f.present() || f.kind == kindGroup && f.required)}
}

func (p *Pane) otherView() action.State {
	if !p.asJSON {
		return action.State{}
	}
	return action.State{Does: "edit as form", Off: p.why != "", Why: p.why}
}
