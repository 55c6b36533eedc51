package ui

import (
	"testing"

	"parley/internal/panetest"
	"parley/session/task"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// The header has the sign that the panes have, also where there is no colour.
func TestTheHeaderHasTheSignOfEveryState(t *testing.T) {
	for _, glyphs := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		st := styles.New(themes.Mono(), glyphs)
		for _, s := range looks.States() {
			sign, _ := looks.State(st, s)
			shown := panetest.Text([]string{identity{stands: task.Lifecycle{State: s}, st: st}.chip()})
			panetest.Sees(t, shown, st.G[sign]+" "+s.String())
		}
	}
}

func TestTheHelpExplainsTheSigns(t *testing.T) {
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(asksWhere)
		legend := panetest.Text(d.model.legend(76))
		panetest.Sees(t, legend, "◐ input-required", "◒ auth-required", "✕ failed", "⊗ rejected", "◌ unknown")
		panetest.Sees(t, panetest.Text(d.model.helpLines(76)), legend)
	})
}
