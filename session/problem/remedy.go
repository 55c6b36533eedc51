package problem

import "parley/a2a"

// A Remedy is what a user can do about a failure that leaves something open. Whoever shows it adds the key or
// the command.
type Remedy uint8

// The remedies.
const (
	NoRemedy      Remedy = iota
	GetTask              // the task says how it went
	SubscribeTask        // only a subscription brings the rest
	FindTask             // the agent's list of tasks says whether it took the message
	ReadLog              // the agent has no such list: only its log says so
)

// Remedy returns what to do about a problem of an agent that is spoken to in this way. It depends on what is
// known by now: whether the task is, and whether that task is done with.
func (pr *Problem) Remedy(way a2a.Way, known, done bool) Remedy {
	switch {
	case !pr.Open || done:
		return NoRemedy
	case known && way.Binding == a2a.BindingMQTT:
		return SubscribeTask
	case known:
		return GetTask
	}
	if d, ok := a2a.LookupDialect(way.Dialect); ok && d.Supports(a2a.OpList) {
		return FindTask
	}
	return ReadLog
}
