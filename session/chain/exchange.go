package chain

import (
	"net/http"
	"strconv"
	"time"

	"parley/a2a"
)

// An exchange is what is remembered of an exchange of another client, while it can be a parent and
// until it has ended.
type exchange struct {
	id     a2a.ExchangeID
	agent  a2a.AgentID
	op     a2a.Op
	tap    string
	from   string
	client string
	origin string // of its agent
	conn   connection
	facts
	link   Link
	parent *exchange // of a hop
	depth  int
	start  time.Time

	open     bool
	ended    time.Time
	reason   a2a.EndReason
	left     bool      // its client left, or gave up
	moved    time.Time // when something was last heard of its task
	task     string
	answered string // the context that its agent named first
	state    a2a.State
	over     bool // its task is over, or it was answered without a task
	failure  string
	canceled time.Time // when its client asked to cancel its task
	events   int       // of its stream
	before   int       // events of its parent when it began
	calls    []call    // the hops that its agent made for it, the newest last

	indexed []key // where it is in the index
	gone    bool  // it cannot be a parent any more
	round   uint64
	found   evidence // for the request of that round
}

// A call is the result of a hop, for the agent that made it.
type call struct {
	agent   a2a.AgentID
	id      a2a.ExchangeID
	failure string // empty if it succeeded or goes on
}

// A connection is one connection of a client to the tap of an agent.
type connection struct {
	agent  a2a.AgentID
	number uint64
}

// patience is how long a task that nobody hears of can still be the reason for requests.
const patience = 10 * time.Minute

// gives reports whether an exchange gives an agent work, for which it may call others.
func (x *exchange) gives() bool { return x.op == a2a.OpSend || x.op == a2a.OpStream }

// alive reports whether the agent may still work for the exchange.
func (x *exchange) alive(now time.Time) bool {
	if x.open {
		return !x.over
	}
	return x.task != "" && !x.over && !x.state.Interrupted() && x.state != a2a.StateUnknown && now.Sub(x.moved) < patience
}

// under reports whether an exchange is a descendant of another one.
func (x *exchange) under(other *exchange) bool {
	for p := x.parent; p != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

// learn takes an event about the task of the exchange.
func (x *exchange) learn(ev *a2a.Event, at time.Time) {
	x.moved = at
	if x.task == "" && len(ev.TaskID) <= maxValue {
		x.task = ev.TaskID
	}
	if x.answered == "" && len(ev.ContextID) <= maxValue {
		x.answered = ev.ContextID
	}
	if s := statusOf(ev); s != nil && s.Word != "" {
		x.state = s.State
		if s.State.Terminal() {
			x.over = true
		}
		if x.failure = ""; s.State == a2a.StateFailed || s.State == a2a.StateRejected {
			x.failure = "the task is " + s.State.String()
		}
	}
	switch ev.Kind {
	case a2a.EventMessage:
		if ev.TaskID == "" {
			x.over = true
		}
	case a2a.EventError:
		x.over = true
		if x.failure = "it was answered with an error"; ev.Err != nil && ev.Err.Name != "" {
			x.failure = "it was answered with " + clip(ev.Err.Name)
		}
	}
}

// statusOf returns the status in an event, nil if it has none.
func statusOf(ev *a2a.Event) *a2a.Status {
	switch ev.Kind {
	case a2a.EventTask:
		return &ev.Task.Status
	case a2a.EventStatus:
		return ev.Status
	default:
		return nil
	}
}

// end takes the end of the exchange.
func (x *exchange) end(r *a2a.Record) {
	x.open, x.ended, x.moved = false, r.Time, r.Time
	if r.End == nil {
		return
	}
	x.reason = r.End.Reason
	x.left = r.End.Class == a2a.ClassClient || x.reason == a2a.TimedOut
	if r.End.Class == a2a.ClassClient {
		return
	}
	if x.failure == "" && !x.over && (x.reason == a2a.Refused || x.reason == a2a.TimedOut || x.reason == a2a.Cut) {
		x.failure = map[a2a.EndReason]string{a2a.Refused: "it was refused", a2a.TimedOut: "it timed out", a2a.Cut: "its answer was cut"}[x.reason]
	}
}

// head takes the head of the answer.
func (x *exchange) head(h *a2a.Head) {
	if h != nil && h.Status >= http.StatusBadRequest {
		x.failure = "it was answered with status " + strconv.Itoa(h.Status)
	}
}

// clip shortens a text of the network for a sentence.
func clip(s string) string {
	const most = 60
	s = a2a.Visible(s[:min(len(s), 8*most)])
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
