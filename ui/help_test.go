package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/internal/panetest"
	"parley/ui/canvas"
)

func TestTheHelpExplainsTheSigns(t *testing.T) {
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(asksWhere)
		legend := panetest.Text(d.model.legend(76))
		panetest.Sees(t, legend, "◐ input-required", "◒ auth-required", "✕ failed", "⊗ rejected", "◌ unknown")
		panetest.Sees(t, panetest.Text(d.model.helpLines(76)), legend)
	})
}

func TestTheHelpShowsEveryKeyAndCommand(t *testing.T) {
	for _, size := range []struct{ w, h int }{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			bubble(t, size.w, size.h, Options{}, func(d *desk) {
				d.book(midStream) // a text waits, so that commands for the queue work
				d.write("And a hotel")
				d.press("enter", "f1")
				m := d.model
				box := m.overlayBox()
				w, _ := canvas.Inner(box.W, box.H)
				lines := m.helpLines(w)
				for _, line := range lines {
					if got := canvas.Width(line); got > w {
						t.Errorf("got a line of %d cells, want at most %d: %q", got, w, line)
					}
				}
				help := strings.Join(strings.Fields(panetest.Text(lines)), " ")
				groups := slices.Concat(m.slashKeys(), m.keys.everywhere(), m.keys.outside(), m.panes.composer.FullHelp(), m.panes.chat.FullHelp(), m.panes.wire.FullHelp())
				for _, s := range m.sheets {
					if s.Help != "" {
						groups = append(groups, s.Keys()...)
					}
				}
				for _, k := range slices.Concat(groups...) {
					if row := k.Help().Key + " " + k.Help().Desc; k.Enabled() && !strings.Contains(help, row) {
						t.Errorf("the help lacks %q", row)
					}
				}
				panetest.Sees(t, help, "/get [ID] [MESSAGES] Get a task from the agent, with messages of its history")
			})
		})
	}
}
