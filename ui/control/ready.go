package control

import (
	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
)

// Unready says why nothing can be sent to an agent now, empty if it can.
func Unready(a *model.Agent) string {
	switch {
	case a.Tap != "":
		return "You only read here: other clients talk to " + a.Name() + " through a tap. Open its own address to talk to it."
	case a.Phase == model.Discovering:
		return "Parley is still searching for the agent's card."
	case a.Phase == model.Unreachable:
		return a.Name() + " is not reachable; Parley watches it."
	case a.Phase == model.Failed && a.Card != nil && a.Problem == a.Profile.Problem:
		return a.Problem
	case a.Phase == model.Failed:
		return "There is no agent here: " + a.Problem
	default:
		return a.Profile.Problem
	}
}

// Refusal returns a sentence that says why nothing can be sent to the agent on the screen, empty if
// it can: in a recording to none, and never to one behind a tap.
func Refusal(host Host) string {
	if why := host.Refusal(); why != "" {
		return why
	}
	if a := host.Agent(); a != nil && a.Tap != "" {
		return Unready(a)
	}
	return ""
}

// Refused is [Refusal] for [action.Unless].
func Refused(host Host) func() string { return func() string { return Refusal(host) } }

// NoneOpen returns a function that says that no agent is on the screen, empty if one is, for
// [action.Unless].
func NoneOpen(host Host) func() string {
	return action.If("no agent is open", func() bool { return host.Agent() == nil })
}

// Discovered returns a function that reports whether the discovery of an agent, which is about to
// begin, is over.
func Discovered(s *model.State, agent a2a.AgentID) func() bool {
	began := false
	return func() bool {
		if a := s.Agent(agent); a == nil || a.Phase == model.Discovering {
			began = true
			return false
		}
		return began
	}
}

// TurnOver returns a function that reports whether a turn, which is about to begin, is over.
func TurnOver(s *model.State, turn a2a.TurnID) func() bool {
	fresh := s.Turn(turn) == nil
	return func() bool {
		t := s.Turn(turn)
		return fresh && t != nil && !t.Pending
	}
}
