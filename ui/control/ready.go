package control

import "parley/session"

// Unready says why nothing can be sent to an agent now, empty if it can.
func Unready(a *session.Agent) string {
	switch {
	case a.Phase == session.Discovering:
		return "Still looking for the agent's card."
	case a.Phase == session.Unreachable:
		return a.Name() + " is not reachable; Parley is watching for it."
	case a.Phase == session.Failed:
		return "There is no agent here: " + a.Problem
	default:
		return a.Profile.Problem
	}
}
