package keys

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTheWheelGoesTheWayItTurns(t *testing.T) {
	for button, want := range map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1, tea.MouseWheelLeft: 0, tea.MouseWheelRight: 0} {
		if got := Wheel(tea.MouseWheelMsg{Button: button}); got != want {
			t.Errorf("%v: a step of %d, want %d", button, got, want)
		}
	}
}
