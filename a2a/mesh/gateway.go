package mesh

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"parley/a2a"
	"parley/internal/crash"
)

// A gateway is this program's part in one mesh.
type gateway struct {
	hub      *Hub
	mesh     a2a.MeshAddress
	settings Settings
	options  a2a.LineOptions
	id       string // in topics
	in, out  connection
	ctx      context.Context // ends with the gateway
	stop     context.CancelFunc

	mu       sync.Mutex
	tasks    map[string]*task
	over     []string // tasks that are over, the oldest first
	agents   agents
	watchers map[*watcher]bool
	lost     time.Time // when the connection was lost, zero while it is up
	returned time.Time // when it was there again, zero if it was never lost
}

// maxID is how long the id of a gateway may be: brokers limit that of a client.
const maxID = 64

func newGateway(h *Hub, mesh a2a.MeshAddress, s Settings, o *a2a.LineOptions) (*gateway, error) {
	g := &gateway{hub: h, mesh: mesh, settings: s, options: *o, id: gatewayID(h, &s), tasks: map[string]*task{}, watchers: map[*watcher]bool{}}
	g.agents.known = map[string]*agent{}
	g.ctx, g.stop = context.WithCancel(h.ctx)
	if bad := a2a.BadTopicPart(g.id, false); bad != "" || len(g.id) > maxID {
		if bad == "" {
			bad = "more than 64 characters"
		}
		return nil, lasting(a2a.ClassUnsupported, "The client id “%s” cannot be used: it contains %s.", g.id, bad)
	}
	client := g.id
	if n := h.clients[mesh.Broker+" "+g.id]; n > 0 && h.gateways[gatewayKey{mesh.Broker, mesh.Namespace, s}] == nil {
		client = fmt.Sprintf("%s-%d", g.id, n+1) // another namespace on the same broker
	}
	h.clients[mesh.Broker+" "+g.id]++
	g.in = connection{g: g, id: client, session: h.times.Session, receive: g.receive, up: g.subscribe, down: g.down}
	g.out = connection{g: g, id: client + "-tx"}
	return g, nil
}

func (g *gateway) start() {
	for _, run := range []func(context.Context){g.in.run, g.out.run, g.lookAround} {
		g.hub.work.Go(crash.Guarded(func() { run(g.ctx) }))
	}
}

// limit is how long a packet from the broker may be.
func (g *gateway) limit() int { return int(max(g.options.MaxMessage, 1<<20)) + 64<<10 }

// subscriptions are what a gateway receives. Without the last two it works, with less: nodes of
// workflows, which publish to a topic without the id of the gateway, and answers of agents that
// lost the topic for it.
func (g *gateway) subscriptions() []string {
	return []string{
		g.mesh.Topic("gateway/response/" + g.id + "/+"),
		g.mesh.Topic("gateway/status/" + g.id + "/+"),
		g.mesh.Topic("discovery/#"),
		g.mesh.Topic("gateway/status/gateway/+"),
		g.mesh.Topic("client/response/" + g.id),
	}
}

// required is how many of the subscriptions must be granted.
const required = 3

// subscribe makes a new connection ready. Messages that came during an outage arrive before it
// returns if the broker kept the session; otherwise every open flow has a gap.
func (g *gateway) subscribe(ctx context.Context, client *paho.Client, ack *paho.Connack) error {
	again := g.outage() > 0
	if again && !ack.SessionPresent {
		end := g.gap()
		defer end()
	}
	topics := g.subscriptions()
	packet := &paho.Subscribe{}
	for _, topic := range topics {
		packet.Subscriptions = append(packet.Subscriptions, paho.SubscribeOptions{Topic: topic, QoS: 1})
	}
	granted, err := client.Subscribe(ctx, packet)
	if granted == nil {
		return fmt.Errorf("the broker did not answer the subscription: %w", err)
	}
	for i, code := range granted.Reasons {
		if code >= 0x80 && i < required {
			return lasting(a2a.ClassAuth, "The broker %s does not allow to subscribe to %s (0x%02X): ask for this right for the user.", g.host(), topics[i], code)
		}
	}
	g.back(again && ack.SessionPresent)
	return nil
}

// outage returns for how long the connection has been lost, 0 if it has not.
func (g *gateway) outage() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost.IsZero() {
		return 0
	}
	return max(time.Since(g.lost), 1)
}

// down notes the loss of the connection.
func (g *gateway) down(err error) {
	g.mu.Lock()
	g.lost = time.Now()
	var last *lastingError
	if errors.As(err, &last) {
		for _, t := range g.tasks {
			if t.flow != nil {
				t.flow.fail(last.error)
			}
		}
	}
	g.mu.Unlock()
	g.tell(a2a.Sighting{Kind: a2a.SawDown, Sentence: sentenceOf(err)})
}

// sentenceOf returns what an error says to users.
func sentenceOf(err error) string {
	var known *a2a.FlowError
	if errors.As(err, &known) {
		return known.Sentence
	}
	return "The connection to the broker is lost."
}

// back notes that the connection is there. If the broker kept the session, nothing is missing,
// and open flows say for how long nothing could come.
func (g *gateway) back(kept bool) {
	out := g.outage()
	g.mu.Lock()
	g.lost = time.Time{}
	if out > 0 {
		g.returned = time.Now()
		for _, a := range g.agents.known {
			if a.presence == late { // it could not announce itself
				a.presence = present
			}
		}
	}
	if kept {
		for _, t := range g.tasks {
			if t.flow != nil && !t.over {
				t.flow.push(a2a.Frame{Notice: fmt.Sprintf("The connection to the broker %s was lost for %s; the broker kept what came meanwhile.",
					g.host(), out.Round(10*time.Millisecond))}, false)
			}
		}
	}
	g.mu.Unlock()
	if out > 0 {
		g.tell(a2a.Sighting{Kind: a2a.SawUp})
	}
}

// gap ends every open flow: the broker did not keep what came during the outage. Messages from now
// on are kept for whoever attaches to the task. The flows end when the function that it returns
// is called: then messages come again.
func (g *gateway) gap() (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var open []*flow
	for _, t := range g.tasks {
		if t.flow != nil && !t.over {
			open = append(open, t.flow)
			t.flow = nil
		}
	}
	return func() {
		for _, fl := range open {
			fl.fail(&a2a.FlowError{Class: a2a.ClassCut, Sentence: "The broker " + g.host() +
				" did not keep what came while the connection was lost: updates may be missing."})
		}
	}
}

// receive takes a message from the broker. It may block for a flow that nobody reads.
func (g *gateway) receive(p *paho.Publish) {
	f := frameOf(p)
	rest, ours := strings.CutPrefix(p.Topic, g.mesh.Topic(""))
	if !ours {
		return
	}
	kind, name, _ := strings.Cut(rest, "/")
	switch {
	case kind == "discovery":
		if name == "agentcards" {
			g.announced(&f)
		}
	case rest == "client/response/"+g.id:
		m := read(f.Bytes)
		g.answered(m.about(), &f, &m, placeFallback)
	case strings.HasPrefix(rest, "gateway/response/"+g.id+"/"):
		g.routed(rest, &f, placeResponse)
	case strings.HasPrefix(rest, "gateway/status/"+g.id+"/"):
		g.routed(rest, &f, placeStatus)
	case strings.HasPrefix(rest, "gateway/status/gateway/"):
		g.routed(rest, &f, placeWorkflow)
	}
}

// routed takes a message whose topic ends in the id of its task.
func (g *gateway) routed(rest string, f *a2a.Frame, at place) {
	m := read(f.Bytes)
	g.answered(rest[strings.LastIndexByte(rest, '/')+1:], f, &m, at)
}
