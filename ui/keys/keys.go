// Package keys makes the key bindings of the panes.
package keys

import "charm.land/bubbles/v2/key"

// Bind returns a binding that help names shown, with the words does, and that the
// given keys press. Without keys it is shown itself that presses it.
func Bind(shown, does string, press ...string) key.Binding {
	if len(press) == 0 {
		press = []string{shown}
	}
	return key.NewBinding(key.WithKeys(press...), key.WithHelp(shown, does))
}
