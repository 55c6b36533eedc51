package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
)

// An aim is where the next message goes.
type aim struct {
	choices []composer.TargetChoice // where it may go
	fixed   bool                    // the user chose the target
	// task is the one that the target line is to be about next, nil for what it would be.
	task *model.Task
	// origins are the tasks that conversations are to refer to which have no message yet.
	origins map[control.Place]*model.Task
}

// Target returns where enter sends the message; it reports false before anything was
// drawn.
func (c *Controller) Target() (composer.TargetChoice, bool) {
	i := c.composer.Selected()
	if i >= len(c.aim.choices) {
		return composer.TargetChoice{}, false
	}
	return c.aim.choices[i], true
}

// Targets lists where the message may go.
func (c *Controller) Targets() []composer.TargetChoice { return c.aim.choices }

// ResetTarget forgets what the user chose: the most likely target is next.
func (c *Controller) ResetTarget() { c.aim.choices, c.aim.fixed = nil, false }

// AimAt has the next target line be about a task, if a message can go there.
func (c *Controller) AimAt(t *model.Task) { c.aim.task = t }

// Aim gives the composer its targets and what waits in the queue. While the user is
// writing, the target stays where it was as long as it is there; when it goes, the footer
// says so.
func (c *Controller) Aim() tea.Cmd {
	queued := c.showQueue()
	choices, again := c.addReturned(c.possible())
	var cmd tea.Cmd
	selected := 0
	if again >= 0 {
		selected, c.aim.fixed = again, true
	} else if len(c.aim.choices) > 0 && (c.aim.fixed || !c.composer.Empty()) {
		selected, cmd = c.stay(choices)
	}
	if i := c.aim.take(choices); i >= 0 {
		selected, c.aim.fixed = i, true
	}
	c.aim.choices = choices
	c.composer.SetTargets(choices, max(selected, 0))
	return tea.Batch(queued, cmd)
}

// possible lists where the next message may go, and why not if it cannot.
func (c *Controller) possible() []composer.TargetChoice {
	choices := target.Choices(c.host.Agent(), c.host.Conversation(), c.aim.origins[c.host.Place()])
	choices = c.links.Annotate(c.addQueue(choices))
	if why := c.host.Refusal(); why != "" {
		for i := range choices {
			choices[i].Why = why
		}
	}
	return choices
}

// stay returns the choice that stood before, -1 if it is gone, and says so then.
func (c *Controller) stay(choices []composer.TargetChoice) (selected int, cmd tea.Cmd) {
	old := c.aim.choices[c.composer.Selected()]
	selected = slices.IndexFunc(choices, func(now composer.TargetChoice) bool { return target.Same(now, old) })
	switch {
	case selected >= 0 || old.Why != "":
	case old.Kind == composer.TargetQueue: // and no answer to what the agent may have asked meanwhile
		selected = slices.IndexFunc(choices, func(c composer.TargetChoice) bool { return c.Kind == composer.TargetNew })
	default:
		cmd = c.host.Say("\""+old.Label+"\" has ended: enter now means \""+choices[0].Label+"\"", true)
	}
	return selected, cmd
}

// take returns which choice is about the task that the line is to be about, once, and -1
// for none.
func (a *aim) take(choices []composer.TargetChoice) int {
	t := a.task
	a.task = nil
	if t == nil {
		return -1
	}
	return slices.IndexFunc(choices, func(c composer.TargetChoice) bool {
		return c.Target.TaskID == t.ID && c.Why == "" && !t.Over() // to look at a task that is over is not to restart it
	})
}
