package target

import (
	"fmt"
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
)

// maxOver is how many ended tasks are listed.
const maxOver = 3

// endedChoices returns the choices about the newest ended tasks, possible or not: to refer to the
// newest, here or in a new conversation, and to continue one, which few dialects allow.
func endedChoices(base model.Target, conv *model.Conversation) []composer.TargetChoice {
	a := conv.Agent
	d, known := a.Profile.Spoken()
	if !known {
		return nil
	}
	var about, again []composer.TargetChoice
	for i := len(conv.Tasks) - 1; i >= 0 && len(again) < maxOver; i-- {
		task := conv.Tasks[i]
		if !task.Over() {
			continue
		}
		short := shortID(task.ID)
		if len(about) == 0 && !task.Forgotten {
			refer := inContext(base, conv)
			refer.Target.References = []string{task.ID}
			refer.Label, refer.Note, refer.Short = "new task that refers to task "+short, "same context", "refer to "+short
			refer.Why = Unreferable(d)
			about = append(about, refer, fork(a, task))
		}
		c := composer.TargetChoice{
			Kind: composer.TargetReply, Target: ToTask(base, task), Label: "restart task " + short, Note: note(a, task), Short: "restart " + short,
		}
		switch {
		case task.Forgotten:
			c.Why = "The agent no longer knows task " + short + "."
		case d.Receives(task.State) == a2a.Forbidden:
			c.Why = fmt.Sprintf("It is over (%s), and A2A %s does not allow more messages to such a task.", canvas.SanitizeLine(task.StateWord()), d.Name().Number())
		}
		again = append(again, c)
	}
	return append(about, again...)
}

// fork returns the choice of a new conversation that refers to a task.
func fork(a *model.Agent, task *model.Task) composer.TargetChoice {
	short := shortID(task.ID)
	c := composer.TargetChoice{
		Kind: composer.TargetFork, Target: model.Target{Agent: a.ID, References: []string{task.ID}},
		Label: "fork: new conversation that refers to task " + short, Note: "new context", Short: "fork " + short,
	}
	if d, known := a.Profile.Spoken(); known {
		c.Why = Unreferable(d)
	}
	return c
}

// Unreferable says why a message cannot refer to a task in a dialect, empty if it can.
func Unreferable(d *a2a.Dialect) string {
	if d.References() {
		return ""
	}
	return "In A2A " + d.Name().Number() + " a message cannot refer to another task: a new conversation has no relation to it."
}

// Forbidden returns the choices that the dialect does not allow in a conversation, which is nil
// before its first message.
func Forbidden(conv *model.Conversation) []composer.TargetChoice {
	if conv == nil {
		return nil
	}
	base := model.Target{Agent: conv.Agent.ID, Conversation: conv.ID}
	return slices.DeleteFunc(endedChoices(base, conv), func(c composer.TargetChoice) bool { return c.Why == "" })
}

// Elsewhere returns at most so many tasks of an agent that wait or work in other conversations
// than the one shown. They cannot be chosen, because a message must be sent in the task's own
// context.
func Elsewhere(a *model.Agent, shown a2a.ConversationID, most int) []composer.TargetChoice {
	if a == nil {
		return nil
	}
	var out []composer.TargetChoice
	for _, conv := range slices.Backward(a.Conversations) {
		for _, t := range slices.Backward(conv.Tasks) {
			if conv.ID == shown || t.Over() || len(out) == most {
				continue
			}
			out = append(out, composer.TargetChoice{
				Label: "reply to task " + shortID(t.ID),
				Why:   "It belongs to another context: /task " + shortID(t.ID) + " opens it.",
			})
		}
	}
	return out
}
