package extensions

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
)

// Actions that the mouse and texts of the pane name.
const (
	choose         action.ID = "select-extension"
	chooseRequired action.ID = "select-all-required"
	add            action.ID = "add-extension"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	t := action.New(refuse, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: choose, Keys: []string{"space", "enter"}, Does: "select extension", Foot: 1, Now: p.onSelected(p.chosen, "deselect extension")},
				Run: func() Intent { return p.toggle(false) },
			},
			{
				Row: action.Row{Keys: []string{"m"}, Does: "use for next message only", Foot: 2, Now: p.onSelected(p.next, "omit from next message")},
				Run: func() Intent { return p.toggle(true) },
			},
			{
				Row: action.Row{ID: chooseRequired, Keys: []string{"R"}, Does: "select all required", Foot: 3, Now: p.requiring},
				Run: p.require,
			},
			{
				Row: action.Row{ID: add, Keys: []string{"a"}, Does: "add extension", Foot: 4, Now: func() action.State { return off(p.why()) }},
				Run: p.write,
			},
		},
		list.Actions[Intent](list.RowKeys(), list.Foot{}, list.Motion{Rows: func() int { return len(p.list) }, Move: p.move}),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"y"}, Does: "copy URI", Foot: 5, Now: func() action.State { return action.State{Off: p.selected() == nil} }},
			Run: func() Intent { return Copy{p.selected().URI} },
		}},
		sheet.FilterActions[Intent](&p.filter, "extensions", 6, func() bool { return len(p.all) > 0 }),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 7},
			Run: func() Intent { return Close{} },
		}},
	)...)
	t.While(func() bool { return p.typing }, p.typed(), func(msg tea.KeyPressMsg) Intent {
		p.input.Key(msg)
		return nil
	})
	return sheet.Filtered(t, &p.filter, p.narrow)
}

// typed returns the table while the user types a URI. Leaving the input preserves its text.
func (p *Pane) typed() *action.Table[Intent] {
	return action.New(refuse,
		action.Action[Intent]{
			Row: action.Row{ID: choose, Keys: []string{"enter"}, Does: "select extension", Foot: 1},
			Run: p.accept,
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "cancel", Foot: 2},
			Run: func() Intent {
				p.typing = false
				p.input.Blur()
				return nil
			},
		},
	)
}

// write lets the user type a URI.
func (p *Pane) write() Intent {
	p.typing = true
	p.input.Focus()
	return nil
}

// off returns the state of an action that is not possible for a reason, as a clause; possible
// without one.
func off(why string) action.State { return action.State{Off: why != "", Why: why} }

// onSelected says how changing a list by the selected extension stands. Takes are the words for one
// that is in the list.
func (p *Pane) onSelected(list func() []string, takes string) func() action.State {
	return func() action.State {
		e := p.selected()
		now := off(p.refusal(e))
		if e != nil && slices.Contains(list(), e.URI) {
			now.Does = takes
		}
		return now
	}
}

// requiring says how selecting the required extensions stands.
func (p *Pane) requiring() action.State {
	now := off(p.why())
	if !now.Off && p.required(p.chosen()) == "" {
		return off("every required extension that can be chosen is chosen")
	}
	return now
}

// move moves the cursor and selects its entry.
func (p *Pane) move(by int) {
	p.selected()
	p.List.Move(by, len(p.list))
	p.selectRow()
}
