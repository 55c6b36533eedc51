package ui

import (
	"testing"

	"parley/internal/panetest"
)

func TestTheHelpExplainsTheSigns(t *testing.T) {
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(asksWhere)
		legend := panetest.Text(d.model.legend(76))
		panetest.Sees(t, legend, "◐ input-required", "◒ auth-required", "✕ failed", "⊗ rejected", "◌ unknown")
		panetest.Sees(t, panetest.Text(d.model.helpLines(76)), legend)
	})
}
