package target

import (
	"slices"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
)

// Choices returns where the next message of a conversation may go, the most likely first: an
// answer to a waiting task, the same context, a working task, a new conversation. conv is nil
// before its first message; origin may then be a task to which the new conversation will refer.
func Choices(a *model.Agent, conv *model.Conversation, origin *model.Task) []composer.TargetChoice {
	if a == nil {
		return []composer.TargetChoice{{Label: "no agent", Why: "no agent is open", Calm: true}}
	}
	var out []composer.TargetChoice
	if conv == nil && origin != nil && fork(a, origin).Why == "" {
		out = append(out, fork(a, origin))
	}
	if conv != nil {
		base := model.Target{Agent: a.ID, Conversation: conv.ID}
		out = append(out, answers(base, conv)...)
		out = append(out, inContext(base, conv))
		out = append(out, replies(base, conv)...)
		out = append(out, slices.DeleteFunc(endedChoices(base, conv), func(c composer.TargetChoice) bool { return c.Why != "" })...)
	}
	out = append(out, composer.TargetChoice{
		Kind: composer.TargetNew, Target: model.Target{Agent: a.ID},
		Label: "new conversation", Short: "new conversation",
	})
	if why := control.Unready(a); why != "" {
		for i := range out {
			out[i].Why = why
			out[i].Calm = a.Tap != ""
		}
	}
	return out
}

// Same reports whether two choices are the same to the user: the context of a conversation
// becomes known only with its first answer.
func Same(a, b composer.TargetChoice) bool {
	return a.Target.Agent == b.Target.Agent && a.Target.Conversation == b.Target.Conversation && a.Target.TaskID == b.Target.TaskID &&
		(a.Kind == composer.TargetQueue) == (b.Kind == composer.TargetQueue) && slices.Equal(a.Target.References, b.Target.References)
}

// Index returns the index of the choice that sends to a target at once, -1 if there is
// none.
func Index(choices []composer.TargetChoice, to model.Target) int {
	return slices.IndexFunc(choices, func(c composer.TargetChoice) bool {
		return c.Kind != composer.TargetQueue && Same(c, composer.TargetChoice{Target: to})
	})
}

// Referring returns the choice of a new task that refers to the same tasks as an earlier
// message.
func Referring(a *model.Agent, to model.Target) composer.TargetChoice {
	short := shortID(to.References[0])
	c := composer.TargetChoice{
		Kind: composer.TargetNew, Target: to, Note: "as before",
		Label: "new task that refers to task " + short, Short: "refer to " + short,
	}
	if a != nil {
		c.Why = control.Unready(a)
	}
	return c
}

// ToTask returns the target of a message to a task.
func ToTask(base model.Target, task *model.Task) model.Target {
	base.TaskID, base.ContextID = task.ID, task.ContextID
	return base
}

// shortID is an id as it is shown.
func shortID(id string) string { return units.ID(canvas.SanitizeLine(id)) }
