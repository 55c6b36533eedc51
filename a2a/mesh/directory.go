package mesh

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"parley/a2a"
)

// agents are those that announced themselves. The lock of the gateway guards them.
type agents struct {
	known map[string]*agent
	order []string       // names, in the order in which they came
	bad   []a2a.Sighting // cards that nobody could read, each once
	last  time.Time      // when the newest card came
	every time.Duration
}

// maxAgents and maxBad limit what strangers on a broker can make a gateway remember.
const maxAgents, maxBad = 1000, 16

// A watcher is told what happens on the mesh.
type watcher struct {
	mu    sync.Mutex
	queue []a2a.Sighting
	wake  chan struct{}
}

// watch reports what happens, beginning with the agents that are there, until ctx ends.
func (g *gateway) watch(ctx context.Context, report func(a2a.Sighting)) error {
	w := &watcher{wake: make(chan struct{}, 1)}
	g.mu.Lock()
	for _, name := range g.agents.order {
		a := g.agents.known[name]
		if a.presence != gone {
			w.queue = append(w.queue, a2a.Sighting{Kind: a2a.SawCard, Agent: name, Frame: a.card})
		}
		if a.presence == late {
			w.queue = append(w.queue, g.absence(name, a))
		}
	}
	w.queue = append(w.queue, g.agents.bad...)
	g.watchers[w] = true
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.watchers, w)
		g.mu.Unlock()
	}()
	if _, _, _, err := g.in.ready(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	for {
		w.mu.Lock()
		queue := w.queue
		w.queue = nil
		w.mu.Unlock()
		for i := range queue {
			if report(queue[i]); ctx.Err() != nil {
				return nil
			}
		}
		if len(queue) > 0 {
			continue
		}
		select {
		case <-w.wake:
		case <-g.ctx.Done():
			return nil
		case <-ctx.Done():
			return nil
		}
		if err := g.lastingFailure(); err != nil {
			return err
		}
	}
}

// tell reports a sighting to all watchers.
func (g *gateway) tell(s a2a.Sighting) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tellLocked(s)
}

// tellLocked is tell for a caller who holds the lock.
func (g *gateway) tellLocked(s a2a.Sighting) {
	for w := range g.watchers {
		w.mu.Lock()
		w.queue = append(w.queue, s)
		w.mu.Unlock()
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// announced takes a card. Only one that is new or has changed is reported; every other one says
// that its agent still runs.
func (g *gateway) announced(f *a2a.Frame) {
	name, gateway, why := cardName(f.Bytes)
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if d := now.Sub(g.agents.last); !g.agents.last.IsZero() && f.Header[":retain"] == nil {
		g.agents.every = max(g.agents.every, d)
	}
	g.agents.last = now
	switch {
	case gateway:
		return
	case why != "":
		g.badCard(f, why)
		return
	}
	a := g.agents.known[name]
	switch {
	case a == nil && len(g.agents.known) >= maxAgents:
		return
	case a == nil:
		a = &agent{card: *f, last: now}
		g.agents.known[name], g.agents.order = a, append(g.agents.order, name)
		g.tellLocked(a2a.Sighting{Kind: a2a.SawCard, Agent: name, Frame: *f})
		return
	}
	was := a.presence
	g.came(a, now)
	switch {
	case !bytes.Equal(a.card.Bytes, f.Bytes):
		a.card = *f
		g.tellLocked(a2a.Sighting{Kind: a2a.SawCard, Agent: name, Frame: *f})
	case was != present:
		g.tellLocked(a2a.Sighting{Kind: a2a.SawAgain, Agent: name, Frame: *f})
	}
}

// badCard reports a card that nobody can read, once. The caller holds the lock.
func (g *gateway) badCard(f *a2a.Frame, why string) {
	if slices.ContainsFunc(g.agents.bad, func(b a2a.Sighting) bool { return bytes.Equal(b.Frame.Bytes, f.Bytes) }) {
		return
	}
	kept := ""
	if f.Header[":retain"] != nil {
		kept = " The broker keeps it (it is retained), and sends it to everyone who comes."
	}
	bad := a2a.Sighting{Kind: a2a.SawBad, Frame: *f, Sentence: "A card on " + f.Path + " cannot be used: " + why + "." + kept}
	if g.agents.bad = append(g.agents.bad, bad); len(g.agents.bad) > maxBad {
		g.agents.bad = g.agents.bad[1:]
	}
	g.tellLocked(bad)
}

// gatewayRole is the extension by which a card is that of a gateway, which takes no requests.
const gatewayRole = "/sam/gateway-role"

// cardName returns the name in a card, which is that of its topic, and whether it is the card of a
// gateway. Why says why the card cannot be used. The name is read as everywhere else, so that no card
// has one name here and another one there.
func cardName(card []byte) (name string, gateway bool, why string) {
	cards, _, failure := a2a.ParseCard(card, "")
	if failure != nil {
		return "", false, "it is no card in JSON"
	}
	for _, e := range cards[0].Capabilities.Extensions {
		gateway = gateway || strings.HasSuffix(e.URI, gatewayRole)
	}
	name = cards[0].Name
	switch bad := a2a.BadTopicPart(name, false); {
	case name == "":
		return "", gateway, "it has no name"
	case bad != "":
		return "", gateway, fmt.Sprintf("its name %q contains %s", clip(name), bad)
	}
	return name, gateway, ""
}

// renew subscribes again on a connection that is up: a broker may have forgotten the
// subscription, and repeating it does no harm.
func (g *gateway) renew(ctx context.Context) {
	g.in.mu.Lock()
	client := g.in.client
	g.in.mu.Unlock()
	if client == nil {
		return
	}
	packet := &paho.Subscribe{}
	for _, topic := range g.subscriptions() {
		packet.Subscriptions = append(packet.Subscriptions, paho.SubscribeOptions{Topic: topic, QoS: 1})
	}
	_, _ = client.Subscribe(ctx, packet) // a connection that is gone says so itself
}
