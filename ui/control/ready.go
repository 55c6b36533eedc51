package control

import "parley/session/model"

// Unready says why nothing can be sent to an agent now, empty if it can.
func Unready(a *model.Agent) string {
	switch {
	case a.Phase == model.Discovering:
		return "Parley is still searching for the agent's card."
	case a.Phase == model.Unreachable:
		return a.Name() + " is not reachable; Parley watches it."
	case a.Phase == model.Failed:
		return "There is no agent here: " + a.Problem
	default:
		return a.Profile.Problem
	}
}
