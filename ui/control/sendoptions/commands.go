package sendoptions

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/sending"
)

// Commands returns the commands that set how messages are sent.
func (c *Controller) Commands() []control.Command {
	why := control.Refusal(c.host)
	if why == "" && c.host.Agent() == nil {
		why = "no agent is open"
	}
	way := func(name, says string, stream a2a.Tri, wait bool) control.Command {
		return control.Command{Name: name, Why: why, Run: func() tea.Cmd {
			o := c.o.Composer.Draft().Options
			o.Stream, o.Config.Wait = stream, wait
			c.Set(o)
			return c.host.Say(says, false)
		}}
	}
	return []control.Command{
		{Keys: c.o.Composer.Of(composer.SetOptions), Slash: "options", Name: "Set send options: answer, accepted types, history, metadata, extensions", Also: []string{"preferences"}, Why: why, Run: c.Open},
		{Slash: "metadata", Takes: "[JSON]", Name: "Set the metadata of the message", Why: why, Run: c.Open, With: c.setMetadata},
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
