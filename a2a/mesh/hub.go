package mesh

import (
	"context"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/crash"
)

// Settings are what a broker and a mesh need to know of a user.
type Settings struct {
	// ClientID names this gateway in topics and on the broker; empty is an id of the hub. Two
	// programs with one id would take each other's answers.
	ClientID string
	// User and Password are those of the broker. Over a connection without TLS to another
	// machine a password is only sent with AllowPlain.
	User, Password string
	AllowPlain     bool
	// MeshUser is under whom agents store sessions and files; empty is User, or "parley".
	MeshUser string
	// Interval is how often agents announce themselves, until it is seen, and Gone after how long
	// without a card an agent counts as gone; 0 are the times of the hub.
	Interval, Gone time.Duration
}

// Times are how long a gateway waits for what.
type Times struct {
	// Retry is the first wait before another attempt to connect; the wait doubles up to 60 times
	// its value. Steady is how long a connection must last to count as a success.
	Retry, Steady time.Duration
	// Connect bounds an attempt, and Confirm the wait for the broker's confirmation.
	Connect, Confirm time.Duration
	// Session is how long the broker keeps what comes during an outage.
	Session time.Duration
	// Interval is how often agents announce themselves: one that is late by twice that much is
	// late. After Gone without a card it counts as gone.
	Interval, Gone time.Duration
	// Note is after how long without a message a flow says so, and Unanswered when it ends.
	Note, Unanswered time.Duration
	// Cancel is how long a cancel waits for the end of its task, and Absent how long a request
	// waits for any answer after the broker said that nobody listens.
	Cancel, Absent time.Duration
	// Keep is how long messages are kept for a task whose flow has ended before the task.
	Keep time.Duration
}

// usual are the times of a mesh as its own gateways have them, where they have any.
var usual = Times{
	Retry: 250 * time.Millisecond, Steady: 5 * time.Second, Connect: 10 * time.Second, Confirm: 10 * time.Second,
	Session: 2 * time.Minute, Interval: 10 * time.Second, Gone: time.Minute, Note: time.Minute, Unanswered: 5 * time.Minute,
	Cancel: 10 * time.Second, Absent: 2 * time.Second, Keep: 15 * time.Second,
}

// A Hub holds the gateways of a program. It is safe for use by many goroutines at once.
type Hub struct {
	id    string
	times Times
	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup

	mu       sync.Mutex
	gateways map[gatewayKey]*gateway
	clients  map[string]int // how many gateways have an id on a broker
}

// A gatewayKey tells gateways apart.
type gatewayKey struct {
	broker, namespace string
	settings          Settings
}

// NewHub returns a hub whose gateways have an id, unless their settings name another one. It
// connects to nothing before it is used. Times that are 0 are the usual ones.
func NewHub(id string, t Times) *Hub {
	h := &Hub{id: id, times: t.complete(), gateways: map[gatewayKey]*gateway{}, clients: map[string]int{}}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// complete fills in the usual times.
func (t Times) complete() Times {
	for _, p := range [...]struct{ to, from *time.Duration }{
		{&t.Retry, &usual.Retry}, {&t.Steady, &usual.Steady}, {&t.Connect, &usual.Connect}, {&t.Confirm, &usual.Confirm},
		{&t.Session, &usual.Session}, {&t.Interval, &usual.Interval}, {&t.Gone, &usual.Gone}, {&t.Note, &usual.Note}, {&t.Unanswered, &usual.Unanswered},
		{&t.Cancel, &usual.Cancel}, {&t.Absent, &usual.Absent}, {&t.Keep, &usual.Keep},
	} {
		if *p.to == 0 {
			*p.to = *p.from
		}
	}
	return t
}

// Carrier returns a carrier whose lines have these settings.
func (h *Hub) Carrier(s Settings) a2a.Carrier { return &carrier{hub: h, settings: s} }

// Close disconnects all gateways and waits until they have.
func (h *Hub) Close() {
	h.mu.Lock()
	h.stop()
	h.mu.Unlock()
	h.work.Wait()
}

// gateway returns the gateway of a mesh, which it starts if there is none.
func (h *Hub) gateway(mesh a2a.MeshAddress, s Settings, o *a2a.LineOptions) (*gateway, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return nil, context.Canceled
	}
	key := gatewayKey{mesh.Broker, mesh.Namespace, s}
	old := h.gateways[key]
	if old != nil && old.lastingFailure() == nil {
		return old, nil
	}
	g, err := newGateway(h, mesh, s, o)
	if err != nil {
		return nil, err
	}
	if h.gateways[key] = g; old != nil { // the user tries again what failed for good
		old.stop()
	}
	g.start()
	return g, nil
}

// start runs f in a goroutine that Close waits for, unless the hub is closed.
func (h *Hub) start(f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return false
	}
	h.work.Go(crash.Guarded(f))
	return true
}

// A carrier is that of [a2a.BindingMQTT], with the settings of one agent.
type carrier struct {
	hub      *Hub
	settings Settings
}

// Connect returns a line. It makes no connection.
func (c *carrier) Connect(o a2a.LineOptions) a2a.Line {
	return &line{hub: c.hub, settings: c.settings, options: o}
}

// Format returns nil: messages are JSON.
func (c *carrier) Format() a2a.Format { return nil }
