// Package keys has the keys that edit text, gives actions the keys of the user's settings, names keys
// for texts, and reads the mouse wheel. The keys of actions are in the tables of package action.
package keys

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

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
