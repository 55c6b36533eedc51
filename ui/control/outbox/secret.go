package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
)

// SecretActions returns the action that hides the text as a secret, or shows it. It has a key in the text
// field.
func (c *Controller) SecretActions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: composer.HideText, Slash: "secret", Now: action.Unless(control.Refused(c.host)),
			Named: action.Either("Hide the text: it is a secret", "Show the text: it is not a secret", c.composer.Secret),
		},
		Run: c.toggleSecret,
	}}
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
