package engine

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/problem"
)

// FaultKind is what fault injection does to an open stream.
type FaultKind uint8

// The faults. A note of type [log.NoteVerdict] reports how an agent reacts to one.
const (
	FaultCut         FaultKind = iota // cut the connection, and continue as after any other cut
	FaultResubscribe                  // cut it and subscribe to the task again at once
	FaultPause                        // stop reading, so that the agent must stop writing
	FaultResume                       // resume reading
	FaultDuplicate                    // subscribe to the task a second time, beside the open stream
	FaultCancel                       // cancel the task while its stream is open
)

// String returns the fault's name in a journal.
func (k FaultKind) String() string {
	return [...]string{"cut", "re-attach", "stop reading", "read on", "duplicate", "cancel"}[min(k, FaultCancel)]
}

// A Fault is an injected fault of an open stream, to see how its agent reacts.
type Fault struct {
	Kind FaultKind
	// After is how many more events a stream may bring before it is cut; 0 cuts it now.
	After int
}

// An injection is what a follower's stream needs for fault injection.
type injection struct {
	control a2a.Control
	done    chan struct{} // closed when the stream has ended
	cuts    *cutList      // of the whole operation
	// The follower's lock guards these.
	pauses         []pause
	end            *a2a.End        // of the stream
	duplicateCheck *duplicateCheck // compares the stream with another one
}

// A cutList value holds the deliberate cuts during one operation, and their results.
type cutList struct {
	mu    sync.Mutex
	list  []*cut
	hurry bool // the next subscription must not wait
}

// A cut is a deliberate cut of a connection.
type cut struct {
	kind     FaultKind
	exchange a2a.ExchangeID
	stream   *follower
	over     bool // the exchange has ended
	events   int  // before the cut
	before   a2a.State
	missed   bool       // the stream ended by itself before it could be cut
	named    bool       // a task was known
	attempts int        // to resubscribe
	last     a2a.Answer // of the newest that brought nothing
	again    *follower  // that brought something
	polled   bool       // Parley polled the task instead
}

func (t *cutList) add(c *cut) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, c)
	t.hurry = t.hurry || c.kind == FaultResubscribe
}

// noteEnd notes how the exchange of a stream ended, whether by a deliberate cut or not.
func (t *cutList) noteEnd(fw *follower, events int, end a2a.End) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.list {
		if c.stream == fw && !c.over {
			c.over, c.events, c.before, c.named = true, events, fw.state(), fw.hasTask()
			c.missed = end.Reason != a2a.Cut
		}
	}
}

// noteSubscription notes a subscription that ended and brought nothing.
func (t *cutList) noteSubscription(fw *follower, out a2a.Answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.list {
		if c.over && c.stream != fw {
			c.attempts, c.last = c.attempts+1, out
		}
	}
}

// takeResubscribed takes the cuts after which a subscription brought something, because they can
// be judged now.
func (t *cutList) takeResubscribed(fw *follower) (judged []*cut) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var rest []*cut
	for _, c := range t.list {
		if c.over && c.stream != fw {
			c.attempts, c.again = c.attempts+1, fw
			judged = append(judged, c)
		} else {
			rest = append(rest, c)
		}
	}
	t.list = rest
	return judged
}

// takeAll takes all cuts, because nothing more will be known of them; asked says that Parley
// polled the task.
func (t *cutList) takeAll(asked bool) []*cut {
	t.mu.Lock()
	defer t.mu.Unlock()
	cuts := t.list
	t.list, t.hurry = nil, false
	for _, c := range cuts {
		c.polled = asked
	}
	return cuts
}

// takeHurry reports whether the user wants a subscription at once; it reports that once.
func (t *cutList) takeHurry() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.hurry
	t.hurry = false
	return was
}

// inHurry is urgent without clearing it.
func (t *cutList) inHurry() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hurry
}

// verdict says what became of a cut; last is the state of its task now, and stopped that
// the user stopped following it.
func (c *cut) verdict(last a2a.State, stopped bool) string {
	switch {
	case !c.over:
		return "The stream ended by itself before it could be cut."
	case c.missed:
		return "The stream ended by itself after " + units.Plural(c.events, "event") + ", before it could be cut."
	}
	said := []string{"Cut after " + units.Plural(c.events, "event") + "."}
	switch {
	case !c.named:
		return said[0] + " The agent had not named a task yet, so there is none to ask for."
	case c.before.Terminal() || c.before.Interrupted():
		return said[0] + " Its task was already " + c.before.String() + ", so nothing was lost."
	case c.attempts > 0:
		said = append(said, c.describeResubscription())
	}
	if c.polled {
		said = append(said, "Parley polled the task instead.")
	}
	switch {
	case stopped:
		said = append(said, "You stopped following it.")
	case last == a2a.StateCanceled:
		said = append(said, "The task is now canceled: the agent gives up when nobody listens.")
	case last == a2a.StateUnknown || last == a2a.StateOther:
		said = append(said, "The state of its task is unknown.")
	default:
		said = append(said, "Its task is now "+last.String()+".")
	}
	return strings.Join(said, " ")
}

// describeResubscription says how resubscribing went.
func (c *cut) describeResubscription() string {
	tries := ""
	if c.attempts > 1 {
		tries = " at attempt " + units.Count(c.attempts)
	}
	rpc := rpcError(c.last.Err)
	switch {
	case c.again != nil && c.again.snapshot():
		return "Resubscribing worked" + tries + ", beginning with the whole task."
	case c.again != nil:
		return "Resubscribing worked" + tries + ", continuing without a snapshot."
	case rpc != nil:
		return "The agent refused to resubscribe" + tries + ": " + refusal(rpc) + "."
	default:
		return "Resubscribing brought nothing" + tries + "."
	}
}

// refusal names an error in a few words.
func refusal(e *a2a.RPCError) string {
	if e.Name != "" {
		return problem.ErrorName(e.Name)
	}
	return cmp.Or(problem.FirstSentence(e.Message), fmt.Sprintf("error %d", e.Code))
}

// A pause is a time in which a stream was not read.
type pause struct {
	events      int // before it
	from, until time.Time
	judged      bool
}

// verdict judges a pause of a stream; end is nil if the stream is still open.
func (p *pause) verdict(events int, end *a2a.End) string {
	if p.until.IsZero() {
		return "Reading was paused after " + units.Plural(p.events, "event") + " and not resumed."
	}
	more := units.Plural(events-p.events, "event")
	said := fmt.Sprintf("Reading was paused for %s after %s. ", units.Duration(p.until.Sub(p.from)), units.Plural(p.events, "event"))
	switch {
	case end == nil:
		return said + "The agent waited: " + more + " came afterwards, and the stream continues."
	case end.Reason == a2a.Ended:
		return said + "The agent waited: " + more + " came afterwards, and the stream ended regularly."
	case end.Reason == a2a.Cancelled:
		return said + more + " came afterwards, until Parley closed the stream."
	default:
		return said + more + " came afterwards, and then the stream broke: the agent does not wait for slow readers, or the connection was cut meanwhile."
	}
}
