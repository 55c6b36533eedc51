package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/composer"
	"parley/ui/control"
)

// SecretCommands returns the command that hides the text as a secret, or shows it.
func (c *Controller) SecretCommands() []control.Command {
	name := "Hide the text: it is a secret"
	if c.composer.Secret() {
		name = "Show the text: it is not a secret"
	}
	return []control.Command{{Keys: c.composer.Of(composer.HideText), Slash: "secret", Name: name, Why: control.Refusal(c.host), Run: c.toggleSecret}}
}

// toggleSecret marks the text as a secret, or as none.
func (c *Controller) toggleSecret() tea.Cmd {
	c.host.Focus(control.OnComposer)
	on := !c.composer.Secret()
	c.composer.Hide(on)
	return c.saySecret(on)
}

// saySecret says how the text is shown and recorded.
func (c *Controller) saySecret(on bool) tea.Cmd {
	if on {
		return c.host.Say("a secret: dots here, ••• in the conversation, on the wire and in the recording", false)
	}
	return c.host.Say("no longer a secret: it is sent, shown and recorded as it is", false)
}
