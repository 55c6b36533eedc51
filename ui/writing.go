package ui

import (
	"parley/session/model"
	"parley/ui/control"
)

// unready says why nothing can be sent to an agent now, empty if it can.
func unready(a *model.Agent) string { return control.Unready(a) }
