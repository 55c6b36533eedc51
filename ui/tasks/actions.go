package tasks

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
)

// Actions that texts of the pane name.
const (
	openTask    action.ID = "open-task"
	getTask     action.ID = "get-task"
	cancelTask  action.ID = "cancel-task"
	pollTask    action.ID = "poll-task"
	getByID     action.ID = "get-by-id"
	listTasks   action.ID = "list-tasks"
	nextPage    action.ID = "next-page"
	clearFilter action.ID = "clear-filter"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	send, sent := p.onTask(p.why), p.onSelected
	t := action.New(refuse, slices.Concat(
		[]action.Action[Intent]{
			{Row: action.Row{ID: openTask, Keys: []string{"enter"}, Does: "open task", Foot: 1, Now: p.onTask(p.notOpen)}, Run: sent(p.open)},
			{
				Row: action.Row{ID: getTask, Keys: []string{"r"}, Does: "get task", Foot: 2, Now: send},
				Run: sent(func(r *row) Intent { return Get{Ref: r.ref()} }),
			},
			{Row: action.Row{Keys: []string{"h"}, Does: "get with history", Foot: 12, Now: send}, Run: p.opens(fieldHistory)},
			{Row: action.Row{ID: cancelTask, Keys: []string{"x"}, Does: "cancel task", Foot: 5, Now: send}, Run: sent(p.cancel)},
			{Row: action.Row{Keys: []string{"s"}, Does: "subscribe", Foot: 4, Now: p.onTask(p.notSubscribed)}, Run: sent(func(r *row) Intent { return Subscribe{r.ref()} })},
			{Row: action.Row{ID: pollTask, Keys: []string{"p"}, Does: "poll task", Foot: 3, Now: p.pollable(send)}, Run: sent(p.poll)},
			{Row: action.Row{ID: getByID, Keys: []string{"i"}, Does: "get by id", Foot: 10, Now: p.askable}, Run: p.opens(fieldID)},
			{
				Row: action.Row{ID: listTasks, Keys: []string{"l"}, Does: "list tasks", Foot: 6, Now: p.onList(false)},
				Run: func() Intent { return p.list(false) },
			},
			{
				Row: action.Row{ID: nextPage, Keys: []string{"n"}, Does: "next page", Foot: 7, Now: p.onList(true)},
				Run: func() Intent { return p.list(true) },
			},
			{Row: action.Row{Keys: []string{"/"}, Does: "filter tasks", Foot: 8}, Run: p.opens(fieldFilter)},
			{Row: action.Row{Keys: []string{"a"}, Does: "show all agents", Foot: 9, Now: p.scopes}, Run: p.rescope},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy id", Foot: 11, Now: p.onTask(noID)},
				Run: sent(func(r *row) Intent { return Copy{r.id, "the id of the task"} }),
			},
			{
				Row: action.Row{Keys: []string{"Y"}, Does: "copy context id", Now: p.onTask(noContext)},
				Run: sent(func(r *row) Intent { return Copy{r.context(), "the id of the context"} }),
			},
		},
		list.Actions[Intent](list.DefaultKeys(), list.Foot{}, p.List.Motion(func() int { return len(p.rows) }, func() int { return p.parts().List })),
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: clearFilter, Keys: []string{"esc"}, Does: "clear filter", Fixed: true, Passing: true, Now: p.filtered},
				Run: func() Intent { p.rebuild(""); return nil },
			},
			{Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 13, Now: p.closing}, Run: func() Intent { return Close{} }},
		},
	)...)
	for f := fieldFilter; f < numSubjects; f++ {
		t.While(func() bool { return p.field == f }, p.typed(f), func(msg tea.KeyPressMsg) Intent {
			p.edit(p.input.Key(msg))
			return nil
		})
	}
	return t
}

// typed returns the table while the user types a subject.
func (p *Pane) typed(f subject) *action.Table[Intent] {
	move := func(by int) func() Intent { return func() Intent { p.List.Move(by, len(p.rows)); return nil } }
	rows := []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"enter"}, Does: inputs[f].accept, Foot: 1, Fixed: true}, Run: p.accept},
		{Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: inputs[f].leave, Foot: 2, Fixed: true}, Run: p.leave},
	}
	if f == fieldFilter {
		rows = append(rows,
			action.Action[Intent]{Row: action.Row{Keys: []string{"up"}, Does: "up", Fixed: true}, Run: move(-1)},
			action.Action[Intent]{Row: action.Row{Keys: []string{"down"}, Does: "down", Fixed: true}, Run: move(1)},
		)
	}
	return action.New(nil, rows...)
}

// Key handles a key press. The second press of one key cancels a task; every other key forgets the
// first.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if !key.Matches(msg, p.Of(cancelTask)) {
		p.pendingCancel = taskKey{}
	}
	return p.Table.Key(msg)
}

// refuse returns a refusal with the reason as a sentence.
func refuse(why string) Intent { return Refused{sheet.Sentence(why)} }

// onTask returns how an action about the selected task stands: not says, in a clause, why it is not
// possible, empty if it is.
func (p *Pane) onTask(not func(r *row) string) func() action.State {
	return func() action.State {
		why := "no tasks are listed"
		if r := p.selected(); r != nil {
			why = not(r)
		}
		return action.State{Off: why != "", Why: why}
	}
}

// onSelected returns what an action about the selected task does.
func (p *Pane) onSelected(do func(r *row) Intent) func() Intent {
	return func() Intent { return do(p.selected()) }
}

// opens returns what opens the input for a subject.
func (p *Pane) opens(f subject) func() Intent {
	return func() Intent { p.openInput(f); return nil }
}

// notOpen returns the reason why a task cannot be shown: one that this session has not seen needs a
// request.
func (p *Pane) notOpen(r *row) string {
	if r.task != nil {
		return ""
	}
	return p.why(r)
}

func noID(r *row) string {
	if r.id == "" {
		return "the agent gave this task no id"
	}
	return ""
}

func noContext(r *row) string {
	if r.context() == "" {
		return "the context of this task is unknown"
	}
	return ""
}

// pollable returns how the polling of the selected task stands, if requests about it stand as send
// says. Why nothing is to poll, [Pane.poll] says.
func (p *Pane) pollable(send func() action.State) func() action.State {
	return func() action.State {
		s := send()
		if !s.Off && p.selected().signal() != nil {
			s.Does = "stop polling"
		}
		return s
	}
}

// askable returns how the request of any task of the agent on the screen stands.
func (p *Pane) askable() action.State {
	switch {
	case p.about.Why != "":
		return action.State{Off: true, Why: p.about.Why}
	case p.about.Agent == nil:
		return action.State{Off: true, Why: "no agent is open"}
	}
	return action.State{}
}

// onList returns how the request of the first page of tasks stands, or of the next one.
func (p *Pane) onList(more bool) func() action.State {
	return func() action.State {
		if some, why := p.listable(more); len(some) == 0 {
			return action.State{Off: true, Why: why}
		}
		return action.State{}
	}
}

func (p *Pane) scopes() action.State {
	switch {
	case p.about.Agent == nil || len(p.about.Agents) < 2:
		return action.State{Off: true, Why: "there is no other agent"}
	case p.all:
		return action.State{Does: "show this agent"}
	}
	return action.State{}
}

func (p *Pane) filtered() action.State { return action.State{Off: p.filter.line == ""} }

func (p *Pane) closing() action.State {
	if p.filter.line != "" {
		return action.State{Does: "clear filter"}
	}
	return action.State{}
}
