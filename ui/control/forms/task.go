package forms

import (
	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/keys"
)

// maxPrompts is how many prompts the controller remembers.
const maxPrompts = 64

// Task returns the task whose form the user can fill in: the one that enter would answer,
// else the newest of the conversation that has a form, nil if there is none.
func (c *Controller) Task() *model.Task {
	if to, ok := c.o.Outbox.Target(); ok {
		if t := c.host.State().Task(to.Target.Agent, to.Target.TaskID); c.hasForm(t) {
			return t
		}
	}
	if conv := c.host.Conversation(); conv != nil {
		for i := len(conv.Tasks) - 1; i >= 0; i-- {
			if c.hasForm(conv.Tasks[i]) {
				return conv.Tasks[i]
			}
		}
	}
	return nil
}

// Offer notes on the tasks that ask for data which key opens their form.
func (c *Controller) Offer(choices []composer.TargetChoice) {
	for i := range choices {
		to := &choices[i]
		if to.Kind == composer.TargetAnswer && c.hasForm(c.host.State().Task(to.Target.Agent, to.Target.TaskID)) {
			to.Note = keys.Name(c.host.Key(action.FillInForm)) + " fills it in"
		}
	}
}

// hasForm reports whether a task asks for data and gives its schema. A prompt is searched once.
func (c *Controller) hasForm(t *model.Task) bool {
	if t == nil || t.Prompt == nil || !t.Asks() {
		return false
	}
	has, known := c.prompts[t.Prompt]
	if !known {
		if c.prompts == nil || len(c.prompts) >= maxPrompts {
			c.prompts = map[*a2a.Message]bool{}
		}
		_, has = model.FormIn(t.Prompt)
		c.prompts[t.Prompt] = has
	}
	return has
}
