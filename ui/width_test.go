package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestTheEndWaitsForWhatTheTerminalWasAsked(t *testing.T) {
	left := func(d *desk) bool { return slices.Contains(d.outside, "tea.QuitMsg") }
	for _, answers := range []bool{true, false} {
		bubble(t, 80, 24, Options{}, func(d *desk) {
			d.wait(firstFrame + time.Millisecond) // the question is asked
			d.press("ctrl+c", "ctrl+c")
			if left(d) {
				t.Fatal("the answer would be typed into the shell")
			}
			if answers {
				d.send(tea.CursorPositionMsg{X: 1, Y: 1})
			} else {
				d.wait(probePatience)
			}
			if !left(d) {
				t.Errorf("answered %v: still there", answers)
			}
		})
	}
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.wait(firstFrame + time.Millisecond)
		d.send(tea.CursorPositionMsg{X: 1, Y: 1})
		d.press("ctrl+c", "ctrl+c")
		if !left(d) {
			t.Error("the end waits for nothing")
		}
	})
}

func TestWhereGlyphsWouldBeWideTheyAreASCII(t *testing.T) {
	for x, ascii := range map[int]bool{1: false, 2: true} {
		bubble(t, 80, 24, Options{}, func(d *desk) {
			d.wait(firstFrame + time.Millisecond)
			d.send(tea.CursorPositionMsg{X: x, Y: 1})
			if got := strings.Contains(d.text(), "╭"); got == ascii {
				t.Errorf("the cursor in column %d:\n%s", x, d.text())
			}
		})
	}
}
