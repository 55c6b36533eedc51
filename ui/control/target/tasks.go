package target

import (
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
)

// inContext returns the choice of a new task in the same context.
func inContext(base model.Target, conv *model.Conversation) composer.TargetChoice {
	base.ContextID = conv.ContextID
	c := composer.TargetChoice{Kind: composer.TargetNew, Target: base, Label: "new task", Short: "new task"}
	if conv.ContextID != "" {
		c.Label = "new task in ctx " + shortID(conv.ContextID)
	}
	if n := len(conv.Tasks); n > 0 && conv.Tasks[n-1].Forgotten {
		c.Label += ", " + shortID(conv.Tasks[n-1].ID) + " forgotten" // not a note, which is cut first
	}
	return c
}

// answers returns the tasks that wait for the user, newest first.
func answers(base model.Target, conv *model.Conversation) []composer.TargetChoice {
	var out []composer.TargetChoice
	for _, task := range slices.Backward(conv.Tasks) {
		if !task.Asks() {
			continue
		}
		c := composer.TargetChoice{
			Kind: composer.TargetAnswer, Target: ToTask(base, task),
			Label: "reply to task " + shortID(task.ID),
			Note:  note(conv.Agent, task), Short: "reply to " + shortID(task.ID), Secret: task.AsksSecret(),
		}
		out = append(out, c)
	}
	return out
}

// replies returns the working tasks, newest first.
func replies(base model.Target, conv *model.Conversation) []composer.TargetChoice {
	var out []composer.TargetChoice
	for _, task := range slices.Backward(conv.Tasks) {
		if !task.Works() {
			continue
		}
		out = append(out, composer.TargetChoice{
			Kind: composer.TargetReply, Target: ToTask(base, task),
			Label: "add to task " + shortID(task.ID), Note: note(conv.Agent, task), Short: "add to " + shortID(task.ID),
		})
	}
	return out
}

// note says what state a task is in, and whether an agent may reject another message to it.
func note(a *model.Agent, task *model.Task) string {
	word := task.StateWord()
	if d, known := a.Profile.Spoken(); !known || d.Receives(task.State) != a2a.Unspecified {
		return word
	}
	switch {
	case task.Over():
		return word + "; many agents refuse that"
	case task.State == a2a.StateAuthRequired:
		return word + "; some agents want it given elsewhere"
	case task.State == a2a.StateUnknown:
		return word + "; it is unknown what it accepts"
	default:
		return word + "; some accept no more until it ends"
	}
}
