package sendoptions

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/sending"
)

// Actions returns the actions that set how messages are sent.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	now := action.Unless(control.Refused(c.host), control.NoneOpen(c.host))
	way := func(name, says string, stream a2a.Tri, wait bool) action.Action[tea.Cmd] {
		return action.Action[tea.Cmd]{Row: action.Row{Name: name, Now: now}, Run: func() tea.Cmd {
			o := c.o.Composer.Draft().Options
			o.Stream, o.Config.Wait = stream, wait
			c.Set(o)
			return c.host.Say(says, false)
		}}
	}
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{ID: composer.SetOptions, Slash: "options", Name: "Set send options: answer, accepted types, history, metadata, extensions", Also: []string{"preferences"}, Now: now},
			Run: c.Open,
		},
		{Row: action.Row{Slash: "metadata", Takes: "[JSON]", Name: "Set the metadata of the message", Now: now}, Run: c.Open, With: c.setMetadata},
		way("Send blocking: the answer comes in one piece when the task ends", "messages now wait for the end of the task (blocking)", a2a.False, true),
		way("Send non-blocking: the answer comes at once, then Parley polls", "messages are now answered at once, and Parley polls the task", a2a.False, false),
		way("Send streamed, whatever the card declares", "messages are now streamed, whatever the card declares", a2a.True, false),
		way("Send as the card declares", "messages are sent as the card declares", a2a.Absent, false),
	}
}

// setMetadata sets the metadata of the message; an empty text removes it.
func (c *Controller) setMetadata(text string) tea.Cmd {
	object, why := sending.Object([]byte(text))
	if why != "" {
		return c.host.Say(why, true)
	}
	c.o.Composer.SetMetadata(json.RawMessage(object))
	c.host.Focus(control.OnComposer)
	if object == nil {
		return c.host.Say("the message has no metadata", false)
	}
	return c.host.Say("it is sent only with this message", false)
}
