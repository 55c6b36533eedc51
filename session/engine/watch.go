package engine

import (
	"cmp"
	"context"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/crash"
	"parley/session/card"
	"parley/session/log"
	"parley/session/problem"
)

// watchIfGone watches an agent whose connection to host broke, if nobody answers there any more: it may
// have crashed.
func (e *Engine) watchIfGone(a *remote, host string) {
	if !e.answers(a, host) && e.ctx.Err() == nil {
		e.watch(a)
	}
}

const (
	// maxWaitShown and far are the longest waits between two attempts to reach the agent on the
	// screen, and another one, in units of the shortest wait.
	maxWaitShown, maxWaitOther = 4, 30
)

// SetShownAgent notes which agent is on the screen, 0 for none: if it is away it is tried at
// once, and from then on more often than others.
func (e *Engine) SetShownAgent(agent a2a.AgentID) {
	e.mu.Lock()
	e.shownAgent = agent
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
	a.stopWatch()
	tasks := slices.Sorted(maps.Keys(a.tasks))
	e.mu.Unlock()
	for _, id := range tasks {
		e.StopAuthPoll(agent, id)
	}
	e.note(log.NoteClosed, map[string]string{log.AttrAgent: log.IDText(agent), log.AttrRef: a2a.MaskReference(a.ref)})
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
	unread := a.client == nil && e.o.Start != nil && agent <= e.o.Start.Last.Agent
	e.mu.Unlock()
	e.note(log.NoteReopened, map[string]string{log.AttrAgent: log.IDText(agent), log.AttrRef: a2a.MaskURL(a.ref)})
	slices.Sort(waiting)
	for _, id := range waiting {
		e.StartAuthPoll(agent, id)
	}
	switch {
	case watched:
		e.watch(a)
	case unread: // it was closed in a recorded session
		e.Reopen(agent)
	}
}

// hurry tries an agent that is away at once.
func (a *remote) hurry() {
	log.Wake(a.tryNow)
}

// watch dials an unreachable agent, at growing intervals, until it answers, then gets its card
// again. Dialling sends nothing.
func (e *Engine) watch(a *remote) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.startWatch(a)
}

// startWatch is [Engine.watch] for a caller who holds the engine's lock.
func (e *Engine) startWatch(a *remote) {
	if a.unwatch != nil || a.dismissed || e.o.WatchEvery < 0 || a.dial == "" || e.closed {
		return
	}
	ctx, cancel := context.WithCancel(e.ctx)
	a.unwatch = cancel
	select { // an older request to hurry does not count
	case <-a.tryNow:
	default:
	}
	host := dialAddress(a.dial)
	e.signal(log.Signal{Kind: log.SignalWatch, Agent: a.id, Ref: a.ref, After: e.o.WatchEvery, Sentence: a.awaySentence()})
	e.work.Go(func() {
		defer crash.Guard()
		defer cancel()
		for wait := e.o.WatchEvery; e.await(ctx, a, &wait); {
			if e.answers(a, host) && e.reconnect(ctx, a) {
				return
			}
		}
	})
}

// stopWatch ends the watch of the agent, if there is one. The caller holds the engine's lock.
func (a *remote) stopWatch() {
	if a.unwatch != nil {
		a.unwatch()
		a.unwatch = nil
	}
}

// await waits before the next attempt to reach an agent and lengthens the next wait; it reports
// false when the watch has ended.
func (e *Engine) await(ctx context.Context, a *remote, wait *time.Duration) bool {
	select {
	case <-e.o.After(*wait):
	case <-a.tryNow:
		return e.setWatchInterval(ctx, a, wait, e.o.WatchEvery)
	case <-ctx.Done():
		return false
	}
	e.mu.Lock()
	most := maxWaitOther * e.o.WatchEvery
	if e.shownAgent == a.id {
		most = maxWaitShown * e.o.WatchEvery
	}
	e.mu.Unlock()
	return e.setWatchInterval(ctx, a, wait, min(2**wait, most))
}

// setWatchInterval changes the wait between two attempts, and reports it.
func (e *Engine) setWatchInterval(ctx context.Context, a *remote, wait *time.Duration, next time.Duration) bool {
	e.mu.Lock() // the end of the watch comes after this, or before it
	defer e.mu.Unlock()
	if next != *wait && ctx.Err() == nil {
		*wait = next
		e.signal(log.Signal{Kind: log.SignalAway, Agent: a.id, Ref: a.ref, After: next, Sentence: a.awaySentence()})
	}
	return ctx.Err() == nil
}

// awaySentence returns what to do about an agent that does not answer, and that it does not. The
// caller holds the engine's lock.
func (a *remote) awaySentence() string {
	name := cmp.Or(a.saved.Name, a.ref)
	if a.card != nil && a.saved.Name == "" {
		name = a.card.Name
	}
	return awaySentence(name, dialAddress(a.dial))
}

// awaySentence returns what to do about an agent that does not answer at host; some names contain
// the host.
func awaySentence(name, host string) string {
	at := ""
	if !strings.Contains(name, host) {
		at = " at " + host
	}
	return "Start " + name + ", or wait: it is not reachable" + at + ", and Parley gets its card again when it answers."
}

// answers reports whether a connection to host is accepted. It dials as the agent's client does.
func (e *Engine) answers(a *remote, host string) bool {
	e.mu.Lock()
	dial := e.clientOptions(a).Dial
	e.mu.Unlock()
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	ctx, cancel := context.WithTimeout(e.ctx, time.Second)
	defer cancel()
	c, err := dial(ctx, "tcp", host)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// reconnect updates an agent that is reachable again; it reports false when it went away meanwhile.
func (e *Engine) reconnect(ctx context.Context, a *remote) bool {
	f := e.discover(ctx, a)
	if ctx.Err() != nil || f.Card == nil && (problem.IsUnreachable(f.Class) || isStarting(&f)) {
		return false
	}
	e.mu.Lock()
	old := a.card
	if a.extended {
		old = a.public
	}
	a.unwatch, a.seen = nil, time.Time{} // these changes are told here
	e.mu.Unlock()
	var changes []card.Change
	switch {
	case a.index < len(f.Cards) && old != nil:
		e.mu.Lock()
		changes = e.cardChanges(a, old, f.Cards[a.index])
		e.mu.Unlock()
	case old != nil:
		changes = []card.Change{{Sentence: "Its card is no longer readable: " + f.Sentence}}
	}
	if old == nil || a.index < len(f.Cards) {
		e.settle(a, f)
	}
	e.signal(log.Signal{Kind: log.SignalBack, Agent: a.id, Ref: a.ref, Changes: changes, Attempts: f.Attempts})
	e.askOpenTasks(ctx, a)
	return true
}

// isStarting reports whether a proxy answers in place of an agent that it does not reach yet.
func isStarting(f *a2a.Discovery) bool {
	return slices.ContainsFunc(f.Attempts, func(a a2a.Lookup) bool {
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
	u, _ = hostname.Mapped(u)
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}
