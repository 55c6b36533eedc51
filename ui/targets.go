package ui

import (
	"fmt"

	"parley/session"
	"parley/ui/composer"
)

// targets lists where the next message of a conversation may go, the most
// likely first: an answer to what waits, the same context, a task at work, a
// new conversation. conv is nil before its first message.
func targets(a *session.Agent, conv *session.Conversation) []composer.TargetChoice {
	if a == nil {
		return []composer.TargetChoice{{Label: "no agent", Why: "no agent is open; ctrl+p opens one"}}
	}
	var out []composer.TargetChoice
	if conv != nil {
		base := session.Target{Agent: a.ID, Conversation: conv.ID}
		out = append(out, answers(base, conv)...)
		out = append(out, inContext(base, conv))
		out = append(out, replies(base, conv)...)
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
	return c
}

// answers are the tasks that wait for the person, newest first.
func answers(base session.Target, conv *session.Conversation) []composer.TargetChoice {
	var out []composer.TargetChoice
	for i := len(conv.Tasks) - 1; i >= 0; i-- {
		task := conv.Tasks[i]
		if !task.State.Interrupted() {
			continue
		}
		c := composer.TargetChoice{
			Kind: composer.TargetAnswer, Target: toTask(base, task),
			Label: "reply to task " + shortID(task.ID),
			Note:  task.State.String(), Short: "reply to " + shortID(task.ID),
		}
		if task.Forgotten {
			c.Why = fmt.Sprintf("The agent no longer knows task %s: ctrl+t sends a new one.", shortID(task.ID))
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
		if task.State.Interrupted() || task.State.Terminal() || task.Forgotten {
			continue
		}
		out = append(out, composer.TargetChoice{
			Kind: composer.TargetReply, Target: toTask(base, task),
			Label: "add to task " + shortID(task.ID), Note: task.State.String(), Short: "add to " + shortID(task.ID),
		})
	}
	return out
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
