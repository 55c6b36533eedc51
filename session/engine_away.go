package session

import (
	"cmp"
	"context"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
)

// lookAfter watches an agent whose connection broke, if it no longer answers: it may have
// crashed.
func (e *Engine) lookAfter(a *remote) {
	e.mu.Lock()
	host := dialAddress(a.dial)
	e.mu.Unlock()
	if !e.answers(host) && e.ctx.Err() == nil {
		e.watch(a)
	}
}

const (
	// near and far are the longest waits between two attempts to reach the agent on the screen,
	// and another one, in units of EngineOptions.WatchEvery.
	near, far = 4, 30
)

// SetShownAgent notes which agent is on the screen, 0 for none: if it is away it is tried at
// once, and from then on more often than others.
func (e *Engine) SetShownAgent(agent a2a.AgentID) {
	e.mu.Lock()
	e.looked = agent
	a := e.agents[agent]
	e.mu.Unlock()
	if a != nil {
		a.hurry()
	}
}

// Dismiss closes an agent: Parley stops trying to reach it and polling its tasks. Work in
// progress continues.
func (e *Engine) Dismiss(agent a2a.AgentID) {
	e.mu.Lock()
	a := e.agents[agent]
	if a == nil || a.dismissed {
		e.mu.Unlock()
		return
	}
	a.dismissed, a.watched = true, a.unwatch != nil
	if a.unwatch != nil {
		a.unwatch()
		a.unwatch = nil
	}
	tasks := slices.Sorted(maps.Keys(a.tasks))
	e.mu.Unlock()
	for _, id := range tasks {
		e.StopAuthPoll(agent, id)
	}
	e.note(NoteClosed, map[string]string{attrAgent: strconv.FormatUint(uint64(agent), 10), attrRef: a2a.MaskReference(a.ref)})
}

// Restore reopens a closed agent: Parley polls its tasks again, and watches the agent if it was
// away.
func (e *Engine) Restore(agent a2a.AgentID) {
	e.mu.Lock()
	a := e.agents[agent]
	if a == nil || !a.dismissed {
		e.mu.Unlock()
		return
	}
	a.dismissed = false
	watched := a.watched
	var waiting []string
	for id, k := range a.tasks {
		if k.Waits() && k.State == a2a.StateAuthRequired {
			waiting = append(waiting, id)
		}
	}
	e.mu.Unlock()
	e.note(NoteReopened, map[string]string{attrAgent: strconv.FormatUint(uint64(agent), 10), attrRef: a2a.MaskURL(a.ref)})
	slices.Sort(waiting)
	for _, id := range waiting {
		e.StartAuthPoll(agent, id)
	}
	if watched {
		e.watch(a)
	}
}

// hurry tries an agent that is away at once.
func (a *remote) hurry() {
	select {
	case a.look <- struct{}{}:
	default:
	}
}

// watch dials an unreachable agent, at growing intervals, until it answers, then gets its card
// again. Dialling sends nothing.
func (e *Engine) watch(a *remote) {
	e.mu.Lock()
	if a.unwatch != nil || a.dismissed || e.o.WatchEvery < 0 || a.dial == "" {
		e.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(e.ctx)
	a.unwatch = cancel
	select { // an older request to hurry does not count
	case <-a.look:
	default:
	}
	host := dialAddress(a.dial)
	e.signal(Signal{Kind: SignalWatching, Agent: a.id, Ref: a.ref, After: e.o.WatchEvery, Sentence: a.away()})
	e.mu.Unlock()
	e.start(func() {
		defer cancel()
		for wait := e.o.WatchEvery; e.await(ctx, a, &wait); {
			if e.answers(host) && e.back(ctx, a) {
				return
			}
		}
	})
}

// await waits before the next attempt to reach an agent and lengthens the next wait; it reports
// false when the watch has ended.
func (e *Engine) await(ctx context.Context, a *remote, wait *time.Duration) bool {
	select {
	case <-e.o.After(*wait):
	case <-a.look:
		return e.every(ctx, a, wait, e.o.WatchEvery)
	case <-ctx.Done():
		return false
	}
	e.mu.Lock()
	most := far * e.o.WatchEvery
	if e.looked == a.id {
		most = near * e.o.WatchEvery
	}
	e.mu.Unlock()
	return e.every(ctx, a, wait, min(2**wait, most))
}

// every changes the wait between two attempts, and reports it.
func (e *Engine) every(ctx context.Context, a *remote, wait *time.Duration, next time.Duration) bool {
	e.mu.Lock() // the end of the watch comes after this, or before it
	defer e.mu.Unlock()
	if next != *wait && ctx.Err() == nil {
		*wait = next
		e.signal(Signal{Kind: SignalAway, Agent: a.id, Ref: a.ref, After: next, Sentence: a.away()})
	}
	return ctx.Err() == nil
}

// away returns a sentence that the agent does not answer, and what to do. The caller holds the
// engine's lock.
func (a *remote) away() string {
	name := cmp.Or(a.saved.Name, a.ref)
	if a.card != nil && a.saved.Name == "" {
		name = a.card.Name
	}
	return unreachable(name, dialAddress(a.dial)) + " Start it, or wait: its card is fetched again when it answers."
}

// unreachable returns a sentence that host does not answer; some names contain the host.
func unreachable(name, host string) string {
	if strings.Contains(name, host) {
		return name + " is not reachable."
	}
	return name + " is not reachable at " + host + "."
}

// answers reports whether a TCP connection to host is accepted.
func (e *Engine) answers(host string) bool {
	d := net.Dialer{Timeout: time.Second}
	c, err := d.DialContext(e.ctx, "tcp", host)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// back updates an agent that is reachable again; it reports false when it went away meanwhile.
func (e *Engine) back(ctx context.Context, a *remote) bool {
	f := e.discover(ctx, a)
	if ctx.Err() != nil || f.Card == nil && (gone(f.Class) || starting(&f)) {
		return false
	}
	e.mu.Lock()
	old := a.card
	if a.extended {
		old = a.public
	}
	a.unwatch = nil
	e.mu.Unlock()
	var changes []CardChange
	switch {
	case a.index < len(f.Cards) && old != nil:
		changes = cardChanges(old, f.Cards[a.index])
	case old != nil:
		changes = []CardChange{{Sentence: "Its card can no longer be read: " + f.Sentence}}
	}
	if old == nil || a.index < len(f.Cards) {
		e.settle(a, f)
	}
	e.signal(Signal{Kind: SignalBack, Agent: a.id, Ref: a.ref, Changes: changes, Attempts: f.Attempts})
	for _, id := range e.unfollowed(a) {
		e.Await(a.id, id, 0, nil)
	}
	return true
}

// starting reports whether a proxy answers in place of an agent that it does not reach yet.
func starting(f *a2a.Discovery) bool {
	return slices.ContainsFunc(f.Attempts, func(a a2a.Attempt) bool {
		return a.Status == http.StatusBadGateway || a.Status == http.StatusServiceUnavailable || a.Status == http.StatusGatewayTimeout
	})
}

// maxAsked limits how many tasks of a returned agent are requested at once.
const maxAsked = 64

// sleep waits for d; it reports false when ctx ended first.
func (e *Engine) sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-e.o.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// dialAddress returns host and port of a URL.
func dialAddress(ref string) string {
	u, err := url.Parse(ref)
	if err != nil {
		return ref
	}
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}
