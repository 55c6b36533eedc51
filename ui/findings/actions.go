package findings

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/log"
	"parley/ui/action"
	"parley/ui/list"
)

// Actions that texts name.
const (
	ShowRecord  action.ID = "show-record"
	clearFilter action.ID = "clear-filter"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	some := p.onRule(func(*log.RuleCount) bool { return true })
	several := p.onRule(func(c *log.RuleCount) bool { return len(c.Records) > 1 })
	none := func(act func()) func() Intent { return func() Intent { act(); return nil } }
	t := action.New[Intent](nil, slices.Concat(
		list.Actions[Intent](list.DefaultKeys(), list.Foot{}, p.List.Motion(p.count, p.listHeight)),
		[]action.Action[Intent]{
			{Row: action.Row{Keys: []string{"/"}, Does: "filter findings", Foot: 8, Now: p.filterable}, Run: none(p.openFilter)},
			{Row: action.Row{ID: ShowRecord, Keys: []string{"enter"}, Does: "show record", Foot: 1, Now: some}, Run: p.show},
			{Row: action.Row{Keys: []string{"n"}, Does: "next record", Foot: 2, Now: several}, Run: none(func() { p.walk(1) })},
			{Row: action.Row{Keys: []string{"N"}, Does: "previous record", Now: several}, Run: none(func() { p.walk(-1) })},
			{Row: action.Row{Keys: []string{"f"}, Does: "filter wire", Foot: 3, Now: some}, Run: func() Intent { return List{Rule: p.rule()} }},
			{Row: action.Row{Keys: []string{"m"}, Does: "mute rule", Foot: 4, Now: p.mutable}, Run: none(p.mute)},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy finding", Foot: 5, Now: some},
				Run: func() Intent { return Copy{Text: p.report(p.selected()), What: "the finding"} },
			},
			{
				Row: action.Row{Keys: []string{"Y"}, Does: "copy all findings", Foot: 7, Now: p.copyable},
				Run: func() Intent { return Copy{Text: p.reportAll(), What: "all findings"} },
			},
			{Row: action.Row{Keys: []string{"c"}, Does: "copy exchange", Foot: 6, Now: some}, Run: func() Intent { return CopyAs{Record: p.record()} }},
			{
				Row: action.Row{ID: clearFilter, Keys: []string{"esc"}, Does: "clear filter", Fixed: true, Passing: true, Now: p.filtered},
				Run: none(p.dropFilter),
			},
			{Row: action.Row{Keys: []string{"esc", "q", "F"}, Does: "close", Foot: 9, Now: p.closing}, Run: func() Intent { return Close{} }},
		},
	)...)
	return t.While(p.Typing, p.typed(), func(msg tea.KeyPressMsg) Intent {
		p.input.Key(msg)
		p.update()
		return nil
	})
}

// typed returns the table while the user types a filter.
func (p *Pane) typed() *action.Table[Intent] {
	move := func(by int) func() Intent { return func() Intent { p.List.Move(by, len(p.rules)); return nil } }
	return action.New[Intent](nil,
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"enter"}, Does: "keep filter", Foot: 1, Fixed: true},
			Run: func() Intent { p.leave(); return nil },
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "clear filter", Foot: 2, Fixed: true},
			Run: func() Intent { p.leave(); p.dropFilter(); return nil },
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"up"}, Does: "up", Fixed: true}, Run: move(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"down"}, Does: "down", Fixed: true}, Run: move(1)},
	)
}

// onRule returns how an action about the selected rule stands: may reports whether it is possible.
// Without a rule it is not.
func (p *Pane) onRule(may func(c *log.RuleCount) bool) func() action.State {
	return func() action.State {
		c := p.selected()
		return action.State{Off: c == nil || !may(c)}
	}
}

func (p *Pane) mutable() action.State {
	switch c := p.selected(); {
	case c == nil:
		return action.State{Off: true}
	case c.Muted:
		return action.State{Does: "unmute rule"}
	}
	return action.State{}
}

func (p *Pane) copyable() action.State {
	p.update()
	return action.State{Off: !slices.ContainsFunc(p.rules, func(c *log.RuleCount) bool { return !c.Muted })}
}

func (p *Pane) filterable() action.State {
	return action.State{Off: p.selected() == nil && p.filter == ""}
}

func (p *Pane) filtered() action.State { return action.State{Off: p.filter == ""} }

func (p *Pane) closing() action.State {
	if p.filter != "" {
		return action.State{Does: "clear filter"}
	}
	return action.State{}
}

// openFilter lets the user type a filter.
func (p *Pane) openFilter() {
	p.typing = true
	p.input.CursorEnd()
	p.input.Focus()
}

// leave ends the typing of a filter.
func (p *Pane) leave() {
	p.typing = false
	p.input.Blur()
}

// dropFilter lists all rules again.
func (p *Pane) dropFilter() {
	p.input.Reset()
	p.update()
}
