package ui

import (
	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
)

// writing is what goes with messages.
type writing struct {
	hand a2a.TurnID // of a request written by hand, until its conversation is shown
}

// unready says why nothing can be sent to an agent now, empty if it can.
func unready(a *model.Agent) string { return control.Unready(a) }
