package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
)

// SecretCommands keep an answer to the user.
func (c *Controller) SecretCommands() []control.Command {
	name := "Hide the text: it is a secret"
	if c.composer.Secret() {
		name = "Show the text: it is not a secret"
	}
	return []control.Command{{Key: c.composer.HideKey(), Slash: "secret", Name: name, Why: c.host.Refusal(), Do: c.toggleSecret}}
}

// toggleSecret makes what is being written a secret, or shows it again.
func (c *Controller) toggleSecret() tea.Cmd {
	c.host.Focus(control.OnComposer)
	on := !c.composer.Secret()
	c.composer.Hide(on)
	return c.saySecret(on)
}

// saySecret says what becomes of what is being written.
func (c *Controller) saySecret(on bool) tea.Cmd {
	if on {
		return c.host.Say("a secret: dots here, ••• in the conversation, on the wire and in the recording", false)
	}
	return c.host.Say("no longer a secret: it is sent, shown and recorded as it is", false)
}
