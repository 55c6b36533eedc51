package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
	"parley/ui/keys"
)

// An aim is the target of the next message.
type aim struct {
	choices []composer.TargetChoice // the possible targets
	fixed   bool                    // the user chose the target
	// task becomes the target with the next frame, if a message can be sent to it; nil for
	// none.
	task *model.Task
	// origins are the tasks to which conversations without a message will refer.
	origins map[control.Place]*model.Task
	// left are the targets that the user chose at places that are not on the screen.
	left map[control.Place]composer.TargetChoice
}

// leave keeps the target that the user chose at a place until it is shown again.
func (a *aim) leave(at control.Place, selected int) {
	delete(a.left, at)
	if a.fixed && selected < len(a.choices) {
		a.left[at] = a.choices[selected]
	}
	a.choices, a.fixed = nil, false
}

// Target returns where enter sends the message; it reports false before the first frame.
func (c *Controller) Target() (composer.TargetChoice, bool) {
	i := c.composer.Selected()
	if i >= len(c.aim.choices) {
		return composer.TargetChoice{}, false
	}
	return c.aim.choices[i], true
}

// Targets returns the possible targets.
func (c *Controller) Targets() []composer.TargetChoice { return c.aim.choices }

// ResetTarget discards the target that the user chose: the most likely one is next.
func (c *Controller) ResetTarget() { c.aim.choices, c.aim.fixed = nil, false }

// AimAt makes a task the next target, if a message can be sent to it.
func (c *Controller) AimAt(t *model.Task) { c.aim.task = t }

// Aim gives the composer its targets and the queue. While the user writes, the target stays as
// long as it is possible; the footer reports when it is not.
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

// possible returns the targets of the next message, each with the reason if it is not possible.
func (c *Controller) possible() []composer.TargetChoice {
	choices := target.Choices(c.host.Agent(), c.host.Conversation(), c.aim.origins[c.host.Place()])
	choices = c.links.Annotate(c.addQueue(choices))
	if why := control.Refusal(c.host); why != "" {
		for i := range choices {
			choices[i].Why = why
		}
	}
	return choices
}

// stay returns the index of the earlier target, -1 if it is gone, and reports that.
func (c *Controller) stay(choices []composer.TargetChoice) (selected int, cmd tea.Cmd) {
	old := c.aim.choices[c.composer.Selected()]
	selected = slices.IndexFunc(choices, func(now composer.TargetChoice) bool { return target.Same(now, old) })
	switch {
	case selected >= 0 || old.Why != "":
	case old.Kind == composer.TargetQueue: // not an answer to what the agent may have asked meanwhile
		selected = slices.IndexFunc(choices, func(c composer.TargetChoice) bool { return c.Kind == composer.TargetNew })
	default:
		cmd = c.host.Say("\""+old.Label+"\" has ended: "+keys.Name(c.composer.Of(composer.SendMessage))+" now means \""+choices[0].Label+"\"", true)
	}
	return selected, cmd
}

// take returns the index of the choice that AimAt asked for, once, and -1 for none.
func (a *aim) take(choices []composer.TargetChoice) int {
	t := a.task
	a.task = nil
	if t == nil {
		return -1
	}
	return slices.IndexFunc(choices, func(c composer.TargetChoice) bool {
		return c.Target.TaskID == t.ID && c.Why == "" && !t.Over() // a task that is over is shown, not restarted
	})
}
