package tap

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/request"
	"parley/session/tap/relay"
)

// A FaultKind is what a tap does wrong on purpose, to see how a client takes it.
type FaultKind string

// The faults.
const (
	FaultDelay        FaultKind = "delay"        // the request goes to the agent later
	FaultCut          FaultKind = "cut"          // the connection breaks after some events
	FaultStall        FaultKind = "stall"        // after some events nothing comes for a while
	FaultDuplicate    FaultKind = "duplicate"    // every event comes twice
	FaultReorder      FaultKind = "reorder"      // every two events change places
	FaultUnauthorized FaultKind = "unauthorized" // 401 in place of an answer
	FaultUnavailable  FaultKind = "unavailable"  // 503 with Retry-After in place of an answer
)

// FaultKinds lists the faults.
func FaultKinds() []FaultKind {
	return []FaultKind{FaultDelay, FaultCut, FaultStall, FaultDuplicate, FaultReorder, FaultUnauthorized, FaultUnavailable}
}

// A Fault is a fault for some requests.
type Fault struct {
	Kind FaultKind
	Op   a2a.Op // that it hits; empty for every operation of A2A
	// After is how many events pass before a cut or a stall; 0 means one.
	After int
	// For is how long a delay or a stall takes, or what Retry-After says; 0 means two seconds.
	For time.Duration
	// Times is how many requests it hits before it is off again; 0 hits every one.
	Times int
}

func (f *Fault) after() int { return max(f.After, 1) }

func (f *Fault) pause() time.Duration {
	if f.For <= 0 {
		return 2 * time.Second
	}
	return f.For
}

// retryAfter is the value of the header, in whole seconds.
func (f *Fault) retryAfter() time.Duration {
	return max((f.pause() + time.Second - 1).Truncate(time.Second), time.Second)
}

// relay returns the fault as the relay injects it.
func (f *Fault) relay() relay.Fault {
	switch f.Kind {
	case FaultDelay:
		return relay.Fault{Delay: f.pause()}
	case FaultCut:
		return relay.Fault{CutAfter: f.after()}
	case FaultStall:
		return relay.Fault{StallAfter: f.after(), StallFor: f.pause()}
	case FaultDuplicate:
		return relay.Fault{Duplicate: true}
	case FaultReorder:
		return relay.Fault{Reorder: true}
	case FaultUnauthorized:
		return relay.Fault{Status: http.StatusUnauthorized, Header: http.Header{"Www-Authenticate": {"Bearer"}}}
	case FaultUnavailable:
		return relay.Fault{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {strconv.Itoa(int(f.retryAfter() / time.Second))}}}
	}
	return relay.Fault{}
}

// Words says what the fault does, as the end of a sentence: "cuts the connection after 2 events".
func (f *Fault) Words() string {
	switch f.Kind {
	case FaultDelay:
		return "holds the request back for " + units.Duration(f.pause())
	case FaultCut:
		return "cuts the connection after " + units.Plural(f.after(), "event")
	case FaultStall:
		return fmt.Sprintf("passes nothing on for %s after %s", units.Duration(f.pause()), units.Plural(f.after(), "event"))
	case FaultDuplicate:
		return "passes every event on twice"
	case FaultReorder:
		return "exchanges every two events"
	case FaultUnauthorized:
		return "answers 401 in place of the agent"
	case FaultUnavailable:
		return fmt.Sprintf("answers 503 with Retry-After: %d in place of the agent", f.retryAfter()/time.Second)
	}
	return "does nothing"
}

// hits reports whether the fault is for a request.
func (f *Fault) hits(by *request.Facts) bool {
	return by.Op != "" && (f.Op == "" || f.Op == by.Op)
}

// Faults are the faults of a tap, which may be put on and off while it runs. It is safe for use by
// several goroutines.
type Faults struct {
	mu sync.Mutex
	on []Fault
}

// On puts a fault on, in place of one of the same kind for the same operation.
func (fs *Faults) On(f Fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.on = append(slices.DeleteFunc(fs.on, func(o Fault) bool { return o.Kind == f.Kind && o.Op == f.Op }), f)
}

// Off takes the faults of a kind off; an empty kind takes all off.
func (fs *Faults) Off(kind FaultKind) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.on = slices.DeleteFunc(fs.on, func(o Fault) bool { return kind == "" || o.Kind == kind })
}

// All returns the faults that are on, in the order in which they were put on.
func (fs *Faults) All() []Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return slices.Clone(fs.on)
}

func (fs *Faults) any() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.on) > 0
}

// take returns the first fault for a request, nil if there is none.
func (fs *Faults) take(by *request.Facts) *Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for i := range fs.on {
		if !fs.on[i].hits(by) {
			continue
		}
		f := fs.on[i]
		if fs.on[i].Times--; f.Times == 1 {
			fs.on = slices.Delete(fs.on, i, i+1)
		} else if f.Times <= 0 {
			fs.on[i].Times = 0
		}
		return &f
	}
	return nil
}

// Faults returns the faults of the tap.
func (t *Tap) Faults() *Faults { return &t.faults }

// chooseFault returns the fault for a request.
func (x *exchange) chooseFault(body []byte) relay.Fault {
	x.mu.Lock()
	x.recogniseBody(body)
	if x.fault == nil {
		if x.fault = x.tap.faults.take(&x.facts); x.fault != nil {
			x.tap.try(x)
		}
	}
	fault := x.fault
	x.mu.Unlock()
	if fault == nil {
		return relay.Fault{}
	}
	return fault.relay()
}

// noteFault notes the fault of an exchange, once the request is recorded.
func (x *exchange) noteFault() {
	x.mu.Lock()
	fault := x.fault
	said := x.faultNoted
	x.faultNoted = fault != nil
	x.mu.Unlock()
	if fault == nil || said {
		return
	}
	x.tap.noteAbout(x, log.NoteTap, map[string]string{log.AttrFault: string(fault.Kind), log.AttrSentence: "On purpose, the tap " + fault.Words() + "."})
}
