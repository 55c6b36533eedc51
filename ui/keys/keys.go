// Package keys makes the key bindings of the panes, and reads the mouse wheel.
package keys

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Bind returns a binding that the help shows as shown, with the words does, and that the given
// keys press. Without keys, shown itself is the key.
func Bind(shown, does string, press ...string) key.Binding {
	if len(press) == 0 {
		press = []string{shown}
	}
	return key.NewBinding(key.WithKeys(press...), key.WithHelp(shown, does))
}

// Wheel returns the rows of one step of the mouse wheel: -1 upwards, 1 downwards, 0 sideways.
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

// Name returns the key of a binding, for a text: texts name keys by this function alone, because
// the user's settings can change them.
func Name(b key.Binding) string { return b.Help().Key }
