package request

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// Actions that texts name.
const (
	chooseTemplate action.ID = "choose-template"
	toNextProblem  action.ID = "next-problem"
)

// actions returns the table of the pane. Other keys edit the request.
func (p *Pane) actions() *action.Table[Intent] {
	when := func(can func() bool) func() action.State {
		return func() action.State { return action.State{Off: !p.open || !can()} }
	}
	open := func() action.State { return action.State{Off: !p.open} }
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+enter", "ctrl+enter", "ctrl+s"}, Does: "send request", Foot: 1, Now: open}, Run: p.send},
		action.Action[Intent]{
			Row: action.Row{ID: chooseTemplate, Keys: []string{"ctrl+t"}, Does: "choose template", Foot: 3, Now: func() action.State { return action.State{Off: len(p.presets)+len(p.past) == 0} }},
			Run: do(p.Choose),
		},
		action.Action[Intent]{Row: action.Row{ID: toNextProblem, Keys: []string{"tab"}, Does: "next problem", Foot: 4, Now: when(p.hasPlace)}, Run: do(p.nextProblem)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+l"}, Does: "format JSON", Foot: 5, Now: when(p.hasBody)}, Run: do(p.formatBody)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+i"}, Does: "keep ids", Foot: 2, Now: p.canKeepIDs}, Run: p.switchIDs},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+e"}, Does: "open editor", Foot: 7, Now: open}, Run: func() Intent { return Edit{Text: p.edit.Text()} }},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"alt+up", "alt+p"}, Does: "previous request", Foot: 8, Now: when(func() bool { return p.at > 0 })},
			Run: do(func() { p.recall(-1) }),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"alt+down", "alt+n"}, Does: "next request", Now: when(func() bool { return p.at < len(p.past)-1 })},
			Run: do(func() { p.recall(1) }),
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc"}, Does: "close, keep draft", Foot: 6}, Run: func() Intent { return Close{} }},
	).While(func() bool { return p.pick.open }, p.pickActions(), p.pickKey)
}

// do returns what runs an action without an intent.
var do = action.Do[Intent]

// hasPlace reports whether a problem has a place.
func (p *Pane) hasPlace() bool {
	p.read()
	return p.behind || slices.ContainsFunc(p.parsed.problems, func(at problem) bool { return at.line >= 0 })
}

// hasBody reports whether the request has a body.
func (p *Pane) hasBody() bool {
	p.read()
	return len(p.parsed.request.Body) > 0
}

// canKeepIDs returns how the action stands that keeps the ids of a captured request, or makes new ones.
func (p *Pane) canKeepIDs() action.State {
	s := action.State{Off: !p.open || !p.draft.hasIDs()}
	if p.draft.keepIDs {
		s.Does = "new ids"
	}
	return s
}

// Key handles a key press: one of the table, or one that edits the request.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	in, done := p.Press(msg)
	if !done && p.open {
		p.edit.Key(msg, p.st.Editing)
	}
	return in
}
