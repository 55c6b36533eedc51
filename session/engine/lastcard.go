package engine

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
)

// A card that cannot be read now does not make its agent another one. The card that was read last names
// the endpoint, so that none is guessed, and it allows what it allowed then.

// A recollection looks for the card of an agent that was read last.
type recollection struct {
	e *Engine
	a *remote
}

// recall gives a search that found no card the profile of the card that was read last, and says so. It
// reports false if there is none that can be used, or if every address answered that nothing is there.
func (r recollection) recall(ctx context.Context, f *a2a.Discovery) bool {
	e, a := r.e, r.a
	if _, entry := a2a.SplitReference(a.ref); f.Origin == "" || entry != "" || a2a.IsMesh(a.ref) || !slices.ContainsFunc(f.Attempts, a2a.Lookup.IsFault) {
		return false
	}
	c, read := r.lastCard()
	if c == nil || (f.Class == a2a.ClassNoCredentials || f.Class == a2a.ClassAuth) && !c.Open() {
		return false
	}
	e.mu.Lock()
	p := a2a.DetectAs(c, a.pins)
	confirmed := a.confirms(p.Endpoint) && a.held == ""
	if usable := p.Problem == "" && p.Endpoint != "" && p.Dialect != a2a.Unknown; usable && a.card == nil {
		a.card = c
	} else if !usable {
		e.mu.Unlock()
		return false
	}
	e.mu.Unlock()
	if confirmed && isDoubtful(c, &p) {
		found := e.probe(ctx, a, p.Endpoint)
		f.Attempts = append(f.Attempts, found.Attempts...)
		p = withProbe(p, &found)
	}
	which, cause := "that it read before", f.Unread()
	if !read.IsZero() {
		which = "of " + units.Date(read)
	}
	p.Evidence = append(slices.Clone(p.Evidence), a2a.Evidence{Field: model.FieldCard, Value: which, Reason: cause, Confidence: a2a.Likely})
	p.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf("%s, so the card cannot be read now; Parley uses the card %s, which names %s",
		cause, which, a2a.MaskReference(p.Endpoint)))
	f.Profile, f.Sentence, f.Class = p, "", ""
	return true
}

// forbids reports whether a search ended because an address of a card refuses what it does not ask credentials for.
func forbids(f *a2a.Discovery) bool {
	n := len(f.Attempts)
	return (f.Class == a2a.ClassNoCredentials || f.Class == a2a.ClassAuth) && n > 0 && f.Attempts[n-1].Status == http.StatusForbidden
}

// lastCard returns the card of an agent that was read last, with the time unless it was in this run: nil if
// there is none. One of an earlier run is used only as far as the user approved it, and not if a secret in
// its addresses was masked.
func (r recollection) lastCard() (*a2a.Card, time.Time) {
	e, a := r.e, r.a
	e.mu.Lock()
	c, read := a.card, a.seen
	if a.extended {
		c = a.public
	}
	fresh := a.found != nil
	e.mu.Unlock()
	if c == nil && e.o.LastCard != nil {
		if c, read = e.o.LastCard(a.ref, a.index); c != nil && slices.ContainsFunc(c.Interfaces, isMasked) {
			return nil, time.Time{}
		}
	}
	if c == nil || fresh || e.o.Hold == nil {
		return c, read
	}
	why := e.o.Hold(a.ref, a.index, c)
	e.mu.Lock()
	defer e.mu.Unlock()
	if a.held == "" {
		a.held = why
	}
	return c, read
}

// isMasked reports whether an interface lacks a part that was a secret.
func isMasked(i a2a.Interface) bool {
	return strings.Contains(i.URL, a2a.Mask) || strings.Contains(i.Tenant, a2a.Mask)
}

// KnownCard returns the card from which the way to an agent follows: also one that was read before, where it
// cannot be read now. It is nil if there is none.
func (e *Engine) KnownCard(agent a2a.AgentID) *a2a.Card {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[agent]; a != nil {
		return a.card
	}
	return nil
}
