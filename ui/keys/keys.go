// Package keys makes the key bindings of the panes, and says how far a turn of the mouse
// wheel goes.
package keys

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Bind returns a binding that help names shown, with the words does, and that the
// given keys press. Without keys it is shown itself that presses it.
func Bind(shown, does string, press ...string) key.Binding {
	if len(press) == 0 {
		press = []string{shown}
	}
	return key.NewBinding(key.WithKeys(press...), key.WithHelp(shown, does))
}

// Yank is the key that inserts what was deleted last by the word or to an end of the line.
func Yank() key.Binding { return Bind("ctrl+y", "paste cut text", "ctrl+y") }

// Wheel returns the step of a turn of the wheel through rows: -1 for one upwards, 1 for one
// downwards, 0 for one sideways.
func Wheel(msg tea.MouseWheelMsg) int {
	switch msg.Button {
	case tea.MouseWheelUp:
		return -1
	case tea.MouseWheelDown:
		return 1
	default:
		return 0
	}
}
