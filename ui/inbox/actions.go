package inbox

import (
	"slices"

	"parley/session/model"
	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
)

// Actions that texts of the pane name.
const (
	answerTask action.ID = "answer-task"
	openLink   action.ID = "open-link"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	t := action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: answerTask, Keys: []string{"enter"}, Does: "answer task", Foot: 1, Now: p.onTask(nothing)},
				Run: func() Intent { return Go{p.selected()} },
			},
			{
				Row: action.Row{ID: openLink, Keys: []string{"o"}, Does: "open link", Foot: 2, Now: p.onTask(p.noLink)},
				Run: func() Intent { return Open{p.prompt(p.selected()).links[0]} },
			},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy question", Foot: 5, Now: p.onTask(p.noText)},
				Run: func() Intent { return Copy{p.selected().Prompt.Text(), "the question"} },
			},
			{
				Row: action.Row{Keys: []string{"Y"}, Does: "copy task id", Foot: 6, Now: p.onTask(nothing)},
				Run: func() Intent { return Copy{p.selected().ID, "the id of the task"} },
			},
		},
		list.Actions[Intent](list.ShortKeys(), list.Foot{Down: 3, Up: 4}, p.List.Motion(func() int { return len(p.listed()) }, nil)),
		sheet.FilterActions[Intent](&p.filter, "tasks", 7, func() bool { return len(p.tasks) > 0 }),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 8},
			Run: func() Intent { return Close{} },
		}},
	)...)
	return sheet.Filtered(t, &p.filter, func() { p.List.Go(p.List.At, len(p.listed())) })
}

// onTask returns how an action about the selected task stands: not says why it is not possible,
// empty if it is. Without a task it is not possible, without a word.
func (p *Pane) onTask(not func(t *model.Task) string) func() action.State {
	return func() action.State {
		t := p.selected()
		if t == nil {
			return action.State{Off: true}
		}
		why := not(t)
		return action.State{Off: why != "", Why: why}
	}
}

func nothing(*model.Task) string { return "" }

func (p *Pane) noLink(t *model.Task) string {
	if len(p.prompt(t).links) > 0 {
		return ""
	}
	return "This task has no link to open."
}

func (p *Pane) noText(t *model.Task) string {
	if p.prompt(t).text != "" {
		return ""
	}
	return "This task asks without text: there is nothing to copy."
}
