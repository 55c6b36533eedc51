package model

import (
	"net/http"
	"strconv"
	"time"

	"parley/a2a"
)

// Health says whether an agent answers.
type Health uint8

// The values of [Health].
const (
	HealthUnknown Health = iota // the agent itself has not answered in this session
	Healthy                     // it answered the newest request
	Unhealthy                   // it answered with a failure of its own, or broke off
)

// A Pulse is the health of an agent according to its newest call. No request is sent to find
// out.
type Pulse struct {
	Health Health
	Why    string // if it is Unhealthy, the reason in a few words
	// Every is the wait between two attempts while the agent is unreachable.
	Every time.Duration
}

// updatePulse updates an agent's pulse from an answer. The host of its card may be another one.
func (s *State) updatePulse(x *exchange, r *a2a.Record, ch *Change) {
	op, pulse := x.call.Op, x.agent.Pulse
	if op == a2a.OpCard || op == a2a.OpDelivery {
		return
	}
	switch {
	case r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status >= http.StatusInternalServerError:
		pulse = Pulse{Health: Unhealthy, Why: "answered " + strconv.Itoa(r.Head.Status)}
	case r.Kind == a2a.KindHead:
		pulse = Pulse{Health: Healthy}
	case r.Kind != a2a.KindEnd || r.End == nil:
		return
	case r.End.Class == a2a.ClassSevered:
		return // the user cut it
	case r.End.Reason == a2a.Cut:
		pulse = Pulse{Health: Unhealthy, Why: "broke off"}
	case r.End.Reason == a2a.TimedOut:
		pulse = Pulse{Health: Unhealthy, Why: "timed out"}
	}
	ch.Agents = ch.Agents || pulse != x.agent.Pulse
	x.agent.Pulse = pulse
}

// pulseFromCard takes a card from an agent's own host as its first sign of life.
func (s *State) pulseFromCard(a *Agent, record a2a.RecordID) {
	it := s.Log.At(record)
	if it == nil || it.Record.Call == nil {
		return
	}
	if from := a2a.Origin(it.Record.Call.Endpoint); from != "" && from == a2a.Origin(a.Profile.Endpoint) {
		a.Pulse = Pulse{Health: Healthy}
	}
}
