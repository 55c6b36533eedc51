package session

import (
	"net/http"
	"strconv"
	"time"

	"parley/a2a"
)

// Health says what is known of how an agent does.
type Health uint8

// How an agent may do.
const (
	Unasked Health = iota // nothing was heard of the agent itself in this session
	Well                  // it answered what it was asked last
	Ailing                // it answered with a failure of its own, or broke off
)

// A Pulse is what the newest call to an agent tells of it. It is nothing but that: nobody
// asks to find out.
type Pulse struct {
	Health Health
	Why    string // it is Ailing, in a few words
	// Every is how long is waited between two tries while nobody can be reached.
	Every time.Duration
}

// feel takes what came back in an exchange into an agent's pulse. Whoever hands out its
// card may be somebody else.
func (s *State) feel(x *exchange, r *a2a.Record, ch *Change) {
	op, pulse := x.call.Op, x.agent.Pulse
	if op == a2a.OpCard || op == a2a.OpDelivery {
		return
	}
	switch {
	case r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status >= http.StatusInternalServerError:
		pulse = Pulse{Health: Ailing, Why: "answered " + strconv.Itoa(r.Head.Status)}
	case r.Kind == a2a.KindHead:
		pulse = Pulse{Health: Well}
	case r.Kind != a2a.KindEnd || r.End == nil:
		return
	case r.End.Class == a2a.ClassSevered:
		return // the user cut it
	case r.End.Reason == a2a.Cut:
		pulse = Pulse{Health: Ailing, Why: "broke off"}
	case r.End.Reason == a2a.TimedOut:
		pulse = Pulse{Health: Ailing, Why: "timed out"}
	}
	ch.Agents = ch.Agents || pulse != x.agent.Pulse
	x.agent.Pulse = pulse
}

// heardCard takes a card that an agent's own host has handed out as its first sign of life.
func (s *State) heardCard(a *Agent, record a2a.RecordID) {
	it := s.Log.At(record)
	if it == nil || it.Record.Call == nil {
		return
	}
	if from := a2a.Origin(it.Record.Call.Endpoint); from != "" && from == a2a.Origin(a.Profile.Endpoint) {
		a.Pulse = Pulse{Health: Well}
	}
}
