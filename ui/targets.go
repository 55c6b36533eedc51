package ui

import (
	"fmt"
	"slices"

	"parley/a2a"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/composer"
)

// targets lists where the next message of a conversation may go, the most
// likely first: an answer to what waits, the same context, a task at work, a
// new conversation. conv is nil before its first message, when origin may be a task that
// the new conversation is to refer to.
func targets(a *session.Agent, conv *session.Conversation, origin *session.Task) []composer.TargetChoice {
	if a == nil {
		return []composer.TargetChoice{{Label: "no agent", Why: "no agent is open; ctrl+p opens one"}}
	}
	var out []composer.TargetChoice
	if conv == nil && origin != nil && fork(a, origin).Why == "" {
		out = append(out, fork(a, origin))
	}
	if conv != nil {
		base := session.Target{Agent: a.ID, Conversation: conv.ID}
		out = append(out, answers(base, conv)...)
		out = append(out, inContext(base, conv))
		out = append(out, replies(base, conv)...)
		out = append(out, slices.DeleteFunc(ended(base, conv), func(c composer.TargetChoice) bool { return c.Why != "" })...)
	}
	out = append(out, composer.TargetChoice{
		Kind: composer.TargetNew, Target: session.Target{Agent: a.ID},
		Label: "new conversation", Short: "new conversation",
	})
	if why := unready(a); why != "" {
		for i := range out {
			out[i].Why = why
		}
	}
	return out
}

// inContext begins a task beside those that the conversation has.
func inContext(base session.Target, conv *session.Conversation) composer.TargetChoice {
	base.ContextID = conv.ContextID
	c := composer.TargetChoice{Kind: composer.TargetNew, Target: base, Label: "new task", Short: "new task"}
	if conv.ContextID != "" {
		c.Label = "new task in ctx " + shortID(conv.ContextID)
	}
	if n := len(conv.Tasks); n > 0 && conv.Tasks[n-1].Forgotten {
		c.Label += ", " + shortID(conv.Tasks[n-1].ID) + " forgotten" // not a note, which gives way first
	}
	return c
}

// answers are the tasks that wait for the user, newest first.
func answers(base session.Target, conv *session.Conversation) []composer.TargetChoice {
	var out []composer.TargetChoice
	for i := len(conv.Tasks) - 1; i >= 0; i-- {
		task := conv.Tasks[i]
		if !task.Asks() {
			continue
		}
		c := composer.TargetChoice{
			Kind: composer.TargetAnswer, Target: toTask(base, task),
			Label: "reply to task " + shortID(task.ID),
			Note:  noted(conv.Agent, task), Short: "reply to " + shortID(task.ID), Secret: task.AsksSecret(),
		}
		out = append(out, c)
	}
	return out
}

// replies are the tasks at work, newest first.
func replies(base session.Target, conv *session.Conversation) []composer.TargetChoice {
	var out []composer.TargetChoice
	for i := len(conv.Tasks) - 1; i >= 0; i-- {
		task := conv.Tasks[i]
		if !task.Works() {
			continue
		}
		out = append(out, composer.TargetChoice{
			Kind: composer.TargetReply, Target: toTask(base, task),
			Label: "add to task " + shortID(task.ID), Note: noted(conv.Agent, task), Short: "add to " + shortID(task.ID),
		})
	}
	return out
}

// ended are what the newest tasks that are over allow, or would: to refer to the newest,
// here and in a conversation of its own, and to go on with it, which few dialects have.
func ended(base session.Target, conv *session.Conversation) []composer.TargetChoice {
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
			refer.Why = unreferable(d)
			about = append(about, refer, fork(a, task))
		}
		c := composer.TargetChoice{
			Kind: composer.TargetReply, Target: toTask(base, task), Label: "restart task " + short, Note: noted(a, task), Short: "restart " + short,
		}
		switch {
		case task.Forgotten:
			c.Why = "The agent no longer knows task " + short + "."
		case d.Receives(task.State) == a2a.Forbidden:
			c.Why = fmt.Sprintf("It is over (%s), and A2A %s takes no more messages to such a task.", canvas.SanitizeLine(task.StateWord()), d.Name().Number())
		}
		again = append(again, c)
	}
	return append(about, again...)
}

// noted says what a task is doing, and what an agent may make of a further message.
func noted(a *session.Agent, task *session.Task) string {
	word := task.StateWord()
	if d, known := a.Profile.Spoken(); !known || d.Receives(task.State) != a2a.Unsettled {
		return word
	}
	switch {
	case task.Over():
		return word + "; many agents refuse that"
	case task.State == a2a.StateAuthRequired:
		return word + "; some want it given elsewhere"
	case task.State == a2a.StateUnknown:
		return word + "; nobody knows what it takes"
	default:
		return word + "; some take no more until it ends"
	}
}

// maxOver is how many tasks that are over are named.
const maxOver = 3

// fork begins a conversation of its own that refers to a task.
func fork(a *session.Agent, task *session.Task) composer.TargetChoice {
	short := shortID(task.ID)
	c := composer.TargetChoice{
		Kind: composer.TargetFork, Target: session.Target{Agent: a.ID, References: []string{task.ID}},
		Label: "fork: new conversation that refers to task " + short, Note: "new context", Short: "fork " + short,
	}
	if d, known := a.Profile.Spoken(); known {
		c.Why = unreferable(d)
	}
	return c
}

// unreferable says why a message cannot refer to a task, empty if it can.
func unreferable(d *a2a.Dialect) string {
	if d.References() {
		return ""
	}
	return "In A2A " + d.Name().Number() + " a message cannot refer to another task: a new conversation knows nothing of it."
}

func toTask(base session.Target, task *session.Task) session.Target {
	base.TaskID, base.ContextID = task.ID, task.ContextID
	return base
}

// unready says why nothing can be sent to an agent now, empty if it can.
func unready(a *session.Agent) string {
	switch {
	case a.Phase == session.Discovering:
		return "Still looking for the agent's card."
	case a.Phase == session.Unreachable:
		return a.Name() + " is not reachable; Parley is watching for it."
	case a.Phase == session.Failed:
		return "There is no agent here: " + a.Problem
	default:
		return a.Profile.Problem
	}
}
