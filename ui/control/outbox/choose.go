package outbox

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
	"parley/ui/menu"
)

// maxTargets is how many targets the menu lists, one for each digit.
const maxTargets = 9

// chooseTarget shows a menu of the possible targets, and of others with the reason why they are
// not.
func (c *Controller) chooseTarget() tea.Cmd {
	at := c.host.Place()
	elsewhere := target.Elsewhere(c.host.Agent(), at.Conversation, maxTargets)
	var items []menu.Item
	for i, choice := range slices.Concat(c.aim.choices, target.Forbidden(c.host.Conversation()), elsewhere) {
		if i == maxTargets {
			break
		}
		note := canvas.SanitizeLine(choice.Note)
		if i == c.composer.Selected() {
			note = "in use"
		}
		items = append(items, menu.Item{
			Key: strconv.Itoa(i + 1), Name: canvas.SanitizeLine(choice.Label), Note: note, Why: choice.Why,
			Value: control.Action(func() tea.Cmd { return c.choose(choice) }),
		})
	}
	c.host.Menu("target", c.host.AgentName(at.Agent), items)
	return nil
}

// choose makes a choice the target, if it is still possible.
func (c *Controller) choose(to composer.TargetChoice) tea.Cmd {
	i := slices.IndexFunc(c.aim.choices, func(c composer.TargetChoice) bool { return target.Same(c, to) })
	if i < 0 || c.aim.choices[i].Why != "" {
		return c.host.Say("\""+to.Label+"\" has ended meanwhile; the line above the text shows the new target", true)
	}
	c.composer.SetTargets(c.aim.choices, i)
	c.aim.fixed = true
	c.host.Focus(control.OnComposer)
	c.host.Touch()
	return nil
}
