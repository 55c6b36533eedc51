package mesh

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"parley/a2a"
)

// An agent is one that announced itself.
type agent struct {
	card     a2a.Frame
	last     time.Time        // when its newest card came
	gaps     [2]time.Duration // between its last cards, the newest first; 0 if none was seen
	presence presence
}

// A presence says whether an agent still announces itself. Agents of a mesh do not say goodbye.
type presence uint8

const (
	present presence = iota
	late             // longer than it usually takes
	gone             // for too long
)

// lateAfter is how many intervals without a card make an agent late.
const lateAfter = 3

// came notes a card of an agent. The time since a card that came before an outage, or of an agent
// that was away, is no interval. The caller holds the lock.
func (g *gateway) came(a *agent, now time.Time) {
	if a.presence == present && a.last.After(g.returned) {
		a.gaps[1], a.gaps[0] = a.gaps[0], now.Sub(a.last)
	}
	a.last, a.presence = now, present
}

// interval is how often an agent announces itself: the longer of the last two times that were
// seen, because an agent that starts again announces itself early.
func (g *gateway) interval(a *agent) time.Duration {
	return cmp.Or(max(a.gaps[0], a.gaps[1]), g.settings.Interval, g.hub.times.Interval)
}

// goneAfter is how long without a card an agent counts as present or late.
func (g *gateway) goneAfter() time.Duration { return cmp.Or(g.settings.Gone, g.hub.times.Gone) }

// presence judges an agent by its newest card. During an outage no card could come: one interval
// after it, an agent that is there has announced itself. The caller holds the lock.
func (g *gateway) presence(a *agent, now time.Time) presence {
	since, due := a.last, lateAfter*g.interval(a)
	if since.Before(g.returned) {
		since, due = g.returned, g.interval(a)
	}
	switch d := now.Sub(since); {
	case a.presence == gone || d > g.goneAfter():
		return gone
	case a.presence == late || d > due:
		return late
	default:
		return present
	}
}

// absence reports that an agent is late or gone.
func (g *gateway) absence(name string, a *agent) a2a.Sighting {
	s := a2a.Sighting{Kind: a2a.SawGone, Agent: name}
	since := time.Since(a.last)
	if since = since.Round(time.Second); since == 0 {
		since = time.Since(a.last).Round(10 * time.Millisecond)
	}
	s.Sentence = fmt.Sprintf("%s has not announced itself for %s: start it, or wait.", clip(name), since)
	if a.presence == late {
		s.Kind = a2a.SawLate
		s.Sentence = fmt.Sprintf("%s has not announced itself for %s, but does so about every %s: it may be gone.",
			clip(name), since, max(g.interval(a).Round(time.Second), g.interval(a).Round(10*time.Millisecond)))
	}
	return s
}

// lookAround notices agents that are late or gone, and a subscription that the broker has lost.
func (g *gateway) lookAround(ctx context.Context) {
	every := max(min(time.Second, g.goneAfter()/4, cmp.Or(g.settings.Interval, g.hub.times.Interval)/2), time.Millisecond)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if g.outage() > 0 {
			continue
		}
		g.mu.Lock()
		now := time.Now()
		for _, name := range g.agents.order {
			a := g.agents.known[name]
			if is := g.presence(a, now); is != a.presence {
				a.presence = is
				g.tellLocked(g.absence(name, a))
			}
		}
		silent := g.agents.every > 0 && now.Sub(g.agents.last) > lateAfter*g.agents.every+every
		if silent {
			g.agents.last = now // ask again after as long
		}
		g.mu.Unlock()
		if silent {
			g.renew(ctx)
		}
	}
}
