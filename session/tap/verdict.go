package tap

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"parley/a2a"
	"parley/internal/crash"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/request"
	"parley/session/tap/relay"
)

const (
	// patience is how long a client may take to react to a fault before it counts as having given up.
	patience = 30 * time.Second
	// maxTrials is how many faults wait for a reaction at a time.
	maxTrials = 64
	// maxEarly is how many requests are kept that come before the end of an exchange with a fault.
	maxEarly = 8
	// haste is how much earlier than Retry-After says a request may come: clocks differ.
	haste = 100 * time.Millisecond
)

// A trial is a fault whose client has not reacted yet.
type trial struct {
	x      *exchange
	fault  Fault
	client string
	facts  request.Facts
	task   string      // of the answer, or of the request
	at     time.Time   // of the end of the exchange, zero before
	early  []*exchange // of the client, that came before the end was known
	stop   func() bool // of its timer, nil before the end
}

// clientKey recognises the client of an exchange in later ones.
func clientKey(client relay.Client, header http.Header) string {
	host := ""
	if client.Addr != nil {
		if host, _, _ = net.SplitHostPort(client.Addr.String()); host == "" {
			host = client.Addr.String()
		}
	}
	return host + " " + header.Get("User-Agent")
}

// try begins to look for the reaction to the fault of an exchange.
func (t *Tap) try(x *exchange) {
	tr := &trial{x: x, fault: *x.fault, client: clientKey(x.client, x.head.Header), facts: x.facts, task: x.facts.TaskID}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.trials) == maxTrials {
		t.drop(0)
	}
	t.trials = append(t.trials, tr)
}

// drop forgets a trial and stops its timer. The caller holds the tap's lock.
func (t *Tap) drop(i int) *trial {
	tr := t.trials[i]
	if tr.stop != nil {
		tr.stop()
	}
	t.trials = slices.Delete(t.trials, i, i+1)
	return tr
}

// tried notes the end of an exchange with a fault, which may show the reaction already.
func (t *Tap) tried(x *exchange, end *relay.End) {
	t.mu.Lock()
	i := slices.IndexFunc(t.trials, func(tr *trial) bool { return tr.x == x })
	if i < 0 {
		t.mu.Unlock()
		return
	}
	tr := t.trials[i]
	tr.at = end.Time
	if x.task != "" {
		tr.task = x.task
	}
	said := tr.atEnd(end)
	for _, early := range tr.early {
		if said == "" {
			said = tr.reaction(early)
		}
	}
	tr.early = nil
	if said != "" {
		t.drop(i)
	} else {
		tr.stop = t.o.AfterFunc(patience, func() {
			defer crash.Guard()
			t.giveUp(tr)
		})
	}
	t.mu.Unlock()
	if said != "" {
		t.verdict(tr, said)
	}
}

// atEnd returns the verdict if the exchange itself shows the reaction, empty if it does not.
func (tr *trial) atEnd(end *relay.End) string {
	switch tr.fault.Kind {
	case FaultDelay, FaultStall:
		if end.Cause == relay.Complete {
			return fmt.Sprintf("The client waited, and got the answer after %s.", units.Duration(end.Time.Sub(tr.x.head.Time)))
		}
	case FaultDuplicate:
		if end.Cause == relay.Complete {
			return "The client read the stream to its end, with every event twice; what it made of that, only it can show."
		}
	case FaultReorder:
		if end.Cause == relay.Complete {
			return "The client read the stream to its end, with its events in another order; what it made of that, only it can show."
		}
	}
	return ""
}

// react looks whether a request is the reaction of its client to a fault.
func (t *Tap) react(x *exchange) {
	key := clientKey(x.client, x.head.Header)
	t.mu.Lock()
	var hit *trial
	said := ""
	for i, tr := range t.trials {
		if tr.client != key || tr.x == x {
			continue
		}
		if tr.at.IsZero() { // a client may come back before the relay has told the end
			if len(tr.early) < maxEarly {
				tr.early = append(tr.early, x)
			}
			continue
		}
		if said = tr.reaction(x); said != "" {
			hit = t.drop(i)
			break
		}
	}
	t.mu.Unlock()
	if hit != nil {
		t.verdict(hit, said)
	}
}

// reaction says what a later request of the same client means after the fault, empty if it is about
// something else.
func (tr *trial) reaction(x *exchange) string {
	f, after := &x.facts, max(x.head.Time.Sub(tr.at), 0)
	later := units.Duration(after) + " later"
	switch {
	case f.Op == a2a.OpSubscribe && f.TaskID != "" && f.TaskID == tr.task:
		return tr.timed(after, "The client subscribed to the task again, "+later+".")
	case f.Op == tr.facts.Op && f.Op != "" && !f.Sends() && f.TaskID == tr.facts.TaskID:
		return tr.timed(after, "The client asked again, "+later+".")
	case f.Sends() && tr.facts.Sends() && f.MessageID != "" && f.MessageID == tr.facts.MessageID:
		return tr.timed(after, fmt.Sprintf("The client sent the message again with the same messageId, %s%s", later, tr.twice(". The agent must recognise it, or it does the work twice.")))
	case f.Sends() && tr.facts.Sends() && f.Text == tr.facts.Text && f.ContextID == tr.facts.ContextID:
		return tr.timed(after, fmt.Sprintf("The client sent the message again with another messageId, %s%s", later, tr.twice(": for the agent it is a second message, so that the work is done twice.")))
	case f.Op == a2a.OpGet && f.TaskID != "" && f.TaskID == tr.task:
		return tr.timed(after, "The client got the task to see how it went, "+later+".")
	case f.Op == a2a.OpCancel && f.TaskID != "" && f.TaskID == tr.task:
		return "The client canceled the task, " + later + "."
	}
	return ""
}

// twice returns the end of a sentence about a message that was sent again: a request that never
// reached the agent may be repeated.
func (tr *trial) twice(otherwise string) string {
	if tr.fault.Kind == FaultUnauthorized || tr.fault.Kind == FaultUnavailable {
		return ": the agent had not got it."
	}
	return otherwise
}

// timed adds whether the client kept to Retry-After.
func (tr *trial) timed(after time.Duration, said string) string {
	asked := tr.fault.retryAfter()
	switch {
	case tr.fault.Kind != FaultUnavailable:
		return said
	case after+haste < asked:
		return fmt.Sprintf("%s It ignored Retry-After, which asks for %s.", said, units.Duration(asked))
	default:
		return fmt.Sprintf("%s It kept to Retry-After, which asks for %s.", said, units.Duration(asked))
	}
}

// giveUp gives the verdict on a client that did not react.
func (t *Tap) giveUp(tr *trial) {
	t.mu.Lock()
	i := slices.Index(t.trials, tr)
	if i >= 0 {
		t.drop(i)
	}
	t.mu.Unlock()
	if i >= 0 {
		t.verdict(tr, fmt.Sprintf("The client gave up: it neither asked for the task nor sent the message again within %s.", units.Duration(patience)))
	}
}

// verdict notes how a client took a fault.
func (t *Tap) verdict(tr *trial, said string) {
	attrs := map[string]string{log.AttrFault: string(tr.fault.Kind), log.AttrTask: t.observer.MaskText(tr.task), log.AttrSentence: said}
	t.noteAbout(tr.x, log.NoteVerdict, attrs)
}

// endTrials gives the verdicts that are missing when the tap is closed.
func (t *Tap) endTrials() {
	t.mu.Lock()
	open := t.trials
	t.trials = nil
	t.mu.Unlock()
	for _, tr := range open {
		if tr.stop != nil {
			tr.stop()
		}
		t.verdict(tr, "The client had not reacted when the tap was closed.")
	}
}
