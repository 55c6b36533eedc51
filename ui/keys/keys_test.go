package keys

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestABindingWithoutKeysIsPressedByWhatIsShown(t *testing.T) {
	for _, c := range []struct{ press, want []string }{
		{nil, []string{"esc"}},
		{[]string{"esc", "q"}, []string{"esc", "q"}},
	} {
		b := Bind("esc", "close", c.press...)
		if got := b.Keys(); !slices.Equal(got, c.want) || b.Help().Key != "esc" || b.Help().Desc != "close" {
			t.Errorf("Bind with keys %q: got %q shown as %v, want esc close", c.press, got, b.Help())
		}
	}
}

func TestTheWheelGoesTheWayItTurns(t *testing.T) {
	for button, want := range map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1, tea.MouseWheelLeft: 0, tea.MouseWheelRight: 0} {
		if got := Wheel(tea.MouseWheelMsg{Button: button}); got != want {
			t.Errorf("%v: a step of %d, want %d", button, got, want)
		}
	}
}
