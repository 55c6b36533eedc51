package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTheWheelAloneScrollsTheHelp(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.press("f1")
		top := d.text()
		d.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 40, Y: 12})
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelLeft, X: 40, Y: 12})
		if d.text() != top {
			t.Errorf("a click or a sideways wheel scrolled the help:\n%s", d.text())
		}
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 40, Y: 12})
		if d.text() == top {
			t.Error("the wheel did not scroll the help")
		}
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 40, Y: 12})
		if d.text() != top {
			t.Errorf("the wheel did not scroll the help back:\n%s", d.text())
		}
	})
}
