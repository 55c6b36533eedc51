package chain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/units"
)

// The rules about hops; their texts are in the table of [lint].
const (
	ruleCredential = "HOP-001"
	ruleTrace      = "HOP-002"
	ruleBaggage    = "HOP-003"
	ruleExtension  = "HOP-004"
	ruleHeader     = "HOP-005"
	ruleMessage    = "HOP-006"
	ruleProgress   = "HOP-007"
	ruleFailure    = "HOP-008"
	ruleCancel     = "HOP-009"
	ruleDeadline   = "HOP-010"
	ruleLoop       = "HOP-011"
)

const (
	// slowCall and manyEvents are what a call takes and brings before its caller should hear of it.
	slowCall, manyEvents = 5 * time.Second, 3
	// late is how long a canceled call may go on.
	late = time.Second
	// maxNames is how many names a sentence lists.
	maxNames = 6
)

// notes are the findings about one record.
type notes struct{ found []a2a.Finding }

// add adds a finding of a rule, as an info if the join is weak.
func (n *notes) add(rule string, strength Strength, message string) {
	r, _ := lint.Lookup(rule)
	severity := r.Severity
	if strength < Likely {
		severity = a2a.Info
	}
	n.found = append(n.found, a2a.Finding{Rule: rule, Severity: severity, Offset: -1, Message: message, Fix: r.Fix})
}

// atHop finds what is wrong with a request that an agent sent for another one, whose agent may
// have a card.
func (n *notes) atHop(x *exchange, card *declared) {
	p := x.parent
	changes := compare(&p.facts, &x.facts)
	n.credentials(x, changes)
	for a := p; a != nil && x.gives(); a = a.parent {
		if a.agent == x.agent && a.alive(x.start) {
			n.add(ruleLoop, x.link.Strength, fmt.Sprintf("The chain comes back to the agent that waits for it in #%d, by way of #%d (%s)", a.id, p.id, x.link.Why()))
			break
		}
	}
	if !x.gives() || len(x.link.Or) > 0 { // it may have been sent for another request than this one
		return
	}
	n.trace(x, changes)
	n.extensions(x, card, changes)
	n.dropped(ruleHeader, x, changes, ownHeader, "the header of")
	n.dropped(ruleMessage, x, changes, func(c *Change) bool { return c.Topic == TopicMetadata || c.Topic == TopicPart }, "from the message of")
}

// ownHeader reports whether a change is about a header that only its users understand.
func ownHeader(c *Change) bool {
	return c.Topic == TopicHeader && c.Name != "A2A-Version" && c.Name != "Idempotency-Key"
}

// credentials reports a credential that came with the parent's request, of which the request is a
// descendant even if another one could be its parent too.
func (n *notes) credentials(x *exchange, changes []Change) {
	for i := range changes {
		c := &changes[i]
		if c.Kind != PassedOn || x.audience(c.Name) {
			continue
		}
		n.add(ruleCredential, x.link.Strength, fmt.Sprintf("The credential (%s) is the one with which the agent was called in #%d (%s)", clip(c.Name), x.parent.id, x.link.Why()))
	}
}

// audience reports whether a token of the request names several audiences, or the agent itself.
func (x *exchange) audience(name string) bool {
	i := slices.IndexFunc(x.credentials, func(c credential) bool { return c.name == name })
	if i < 0 {
		return false
	}
	audience := x.credentials[i].audience
	return len(audience) > 1 || slices.ContainsFunc(audience, func(a string) bool { return x.origin != "" && a2a.Origin(a) == x.origin })
}

// trace reports a trace that ends, or loses what belongs to it.
func (n *notes) trace(x *exchange, changes []Change) {
	var lost []string
	for i := range changes {
		switch c := &changes[i]; {
		case c.Topic == TopicTrace && c.Kind == Dropped:
			n.add(ruleTrace, x.link.Strength, fmt.Sprintf("The trace context %s of #%d is dropped (%s)", short(c.Before), x.parent.id, x.link.Why()))
			return
		case c.Topic == TopicTrace && c.Kind == Altered:
			n.add(ruleTrace, x.link.Strength, fmt.Sprintf("The trace %s of #%d is not continued: a new one, %s, begins (%s)", short(c.Before), x.parent.id, short(c.After), x.link.Why()))
			return
		case c.Topic == TopicBaggage && c.Kind == Dropped:
			lost = append(lost, c.Name)
		}
	}
	if len(lost) > 0 && x.trace.trace != "" {
		n.add(ruleBaggage, x.link.Strength, fmt.Sprintf("The hop drops %s of #%d", strings.Join(lost, " and "), x.parent.id))
	}
}

// extensions reports extensions that are not asked for any more. An agent that does not declare
// them need not be asked.
func (n *notes) extensions(x *exchange, card *declared, changes []Change) {
	var lost []string
	for i := range changes {
		if c := &changes[i]; c.Topic == TopicExtension && c.Kind == Dropped && (card == nil || slices.Contains(card.extensions, c.Name)) {
			lost = append(lost, c.Name)
		}
	}
	if len(lost) == 0 {
		return
	}
	strength := x.link.Strength
	if card == nil {
		strength = Weak // the agent may not know them
	}
	n.add(ruleExtension, strength, fmt.Sprintf("The hop drops the extension %s, which #%d asks for (%s)", list(lost), x.parent.id, x.link.Why()))
}

// dropped reports what a hop dropped, in one finding.
func (n *notes) dropped(rule string, x *exchange, changes []Change, of func(*Change) bool, from string) {
	var lost []string
	for i := range changes {
		if c := &changes[i]; c.Kind == Dropped && of(c) {
			lost = append(lost, strings.TrimSpace(strings.TrimPrefix(c.Topic.title(), "header")+" "+c.Name))
		}
	}
	if len(lost) > 0 {
		n.add(rule, x.link.Strength, fmt.Sprintf("The hop drops %s, %s #%d (%s)", list(lost), from, x.parent.id, x.link.Why()))
	}
}

// list joins names, the first ones of many.
func list(names []string) string {
	shown := make([]string, 0, maxNames)
	for _, name := range names[:min(len(names), maxNames)] {
		shown = append(shown, clip(name))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// atAnswer reports a task that ends well although a call for it failed for good. Begun is the
// exchange that began the task.
func (n *notes) atAnswer(begun *exchange) {
	if begun.failure != "" || begun.state == a2a.StateCanceled {
		return
	}
	for i, c := range begun.calls {
		later := slices.ContainsFunc(begun.calls[i+1:], func(o call) bool { return o.agent == c.agent && o.failure == "" })
		if c.failure == "" || later {
			continue
		}
		n.add(ruleFailure, Likely, fmt.Sprintf("The task is answered as if nothing was wrong, but the call #%d for it failed: %s", c.id, c.failure))
		return
	}
}

// atEnd finds what is wrong with a call that has ended.
func (n *notes) atEnd(x *exchange) {
	p := x.parent
	if p == nil || !x.gives() || x.link.Strength < Likely || len(x.link.Or) > 0 {
		return
	}
	took := x.ended.Sub(x.start)
	switch {
	case !p.canceled.IsZero() && p.canceled.After(x.start):
		if after := x.ended.Sub(p.canceled); after > late && x.canceled.IsZero() && x.reason == a2a.Ended {
			n.add(ruleCancel, x.link.Strength, fmt.Sprintf("The task of #%d was canceled %s before this call ended, and nobody canceled it", p.id, seconds(after)))
		}
	case !p.open && p.left && x.ended.Sub(p.ended) > late && p.ended.After(x.start):
		n.add(ruleDeadline, x.link.Strength, fmt.Sprintf("The caller left #%d after %s; this call, which was made for it, ended %s later", p.id, seconds(p.ended.Sub(p.start)), seconds(x.ended.Sub(p.ended))))
	case p.open && p.op == a2a.OpStream && x.events >= manyEvents && took >= slowCall && p.events == x.before:
		n.add(ruleProgress, x.link.Strength, fmt.Sprintf("The call brought %d events in %s, and the stream of #%d, for which it was made, none", x.events, seconds(took), p.id))
	}
}

// seconds returns a duration for a sentence.
func seconds(d time.Duration) string { return units.Duration(d) }
