package sendoptions

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
	"parley/ui/sending"
)

// Commands are the ways in which a message may be sent.
func (c *Controller) Commands() []control.Command {
	why := c.host.Refusal()
	if why == "" && c.host.Agent() == nil {
		why = "no agent is open"
	}
	way := func(name, says string, stream a2a.Tri, wait bool) control.Command {
		return control.Command{Name: name, Why: why, Do: func() tea.Cmd {
			o := c.o.Composer.Draft().Options
			o.Stream, o.Config.Wait = stream, wait
			c.Set(o)
			return c.host.Say(says, false)
		}}
	}
	return []control.Command{
		{Key: c.o.Composer.OptionsKey(), Slash: "options", Name: "Choose how messages are sent: answer, output modes, history, metadata, extensions", Why: why, Do: c.Open},
		{Slash: "metadata", Takes: "[JSON]", Name: "Set the metadata of the message", Why: why, Do: c.Open, With: c.setMetadata},
		way("Send blocking: the answer comes at the end, in one piece", "messages wait for the end now (blocking)", a2a.False, true),
		way("Send non-blocking: the answer comes at once, then Parley asks again", "messages are answered at once now, and the task is asked for", a2a.False, false),
		way("Send streamed, whatever the card says", "messages are streamed now, whatever the card says", a2a.True, false),
		way("Send as the card says", "messages are sent as the card says", a2a.Absent, false),
	}
}

// setMetadata sets the metadata of the message, or none.
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
	return c.host.Say("it goes with the message that is being written, and with no other", false)
}
