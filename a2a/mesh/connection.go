package mesh

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/eclipse/paho.golang/paho"
	"github.com/eclipse/paho.golang/paho/session/state"
)

// A connection is one of the two of a gateway, made again until its context ends or the broker
// refuses it for good.
type connection struct {
	g       *gateway
	id      string        // of the client on the broker
	session time.Duration // for which the broker keeps messages, 0 for a connection without
	receive func(*paho.Publish)
	// up makes the connection ready for use, and down follows when it is lost; both may be nil.
	up   func(context.Context, *paho.Client, *paho.Connack) error
	down func(error)

	mu      sync.Mutex
	client  *paho.Client // nil while there is none that is ready
	ack     *paho.Connack
	proto   string
	err     error         // of the last attempt, or why the last connection ended; nil at first
	lasting bool          // no further attempt is made
	tries   int           // attempts since the last connection
	changed chan struct{} // closed when any of these changes
}

// keepAlive is after how many seconds of silence either side looks whether the other is there.
const keepAlive = 20

// run keeps the connection up.
func (c *connection) run(ctx context.Context) {
	kept := state.NewInMemory()
	defer kept.Close()
	wait, short := c.g.hub.times.Retry, 0
	for first := true; ; first = false {
		began := time.Now()
		was, err := c.once(ctx, first && c.session > 0, kept)
		if ctx.Err() != nil {
			return
		}
		switch {
		case time.Since(began) >= c.g.hub.times.Steady:
			wait, short = c.g.hub.times.Retry, 0 // it was a connection, not an attempt
		case was:
			short++
		}
		var last *lastingError
		if short >= maxShort && !errors.As(err, &last) {
			err = c.g.unsteady()
		}
		if was && c.down != nil {
			c.down(err)
		}
		if c.set(nil, nil, err, errors.As(err, &last)); last != nil {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		wait = min(2*wait, 60*c.g.hub.times.Retry)
	}
}

// maxShort is how many connections in a row may be lost soon after they were made: two programs
// with one id take it from each other, and not every broker says so.
const maxShort = 3

// once makes a connection and returns when it is lost, with the reason; was reports whether there
// was one.
func (c *connection) once(ctx context.Context, clean bool, kept *state.State) (was bool, err error) {
	limited, cancel := context.WithTimeout(ctx, c.g.hub.times.Connect)
	defer cancel()
	conn, proto, err := c.g.dial(limited)
	if err != nil {
		return false, lastingIf(err)
	}
	lost, guarded := make(chan error, 2), newGuard(conn, c.g.limit())
	config := paho.ClientConfig{
		ClientID: c.id, Conn: guarded, PacketTimeout: c.g.hub.times.Confirm,
		OnClientError:      func(err error) { offer(lost, err) },
		OnServerDisconnect: func(d *paho.Disconnect) { offer(lost, c.g.disconnected(d.ReasonCode)) },
		OnPublishReceived: []func(paho.PublishReceived) (bool, error){func(p paho.PublishReceived) (bool, error) {
			if c.receive != nil {
				c.receive(p.Packet)
			}
			return true, nil
		}},
	}
	if c.session > 0 {
		config.Session = kept
	}
	client := paho.NewClient(config)
	ack, err := client.Connect(limited, c.connect(clean))
	if err != nil {
		conn.Close()
		return false, c.g.refused(ack, err)
	}
	if c.up != nil {
		if err := c.up(limited, client, ack); err != nil {
			_ = client.Disconnect(&paho.Disconnect{})
			return false, err
		}
	}
	c.mu.Lock()
	c.proto = proto
	c.mu.Unlock()
	c.set(client, ack, nil, false)
	select {
	case err = <-lost:
		if code := guarded.farewell.Load(); code >= 0x80 {
			err = c.g.disconnected(byte(code))
		}
		err = c.g.broke(err)
	case <-ctx.Done():
		none := uint32(0) // nothing is to stay on the broker
		_ = client.Disconnect(&paho.Disconnect{Properties: &paho.DisconnectProperties{SessionExpiryInterval: &none}})
		return true, ctx.Err()
	}
	return true, err
}

// connect returns the packet that opens a connection. Without RequestProblemInfo some brokers
// remove the user properties of all messages.
func (c *connection) connect(clean bool) *paho.Connect {
	s := &c.g.settings
	expiry, limit := uint32(c.session/time.Second), uint32(c.g.limit())
	p := &paho.Connect{
		ClientID: c.id, KeepAlive: keepAlive, CleanStart: clean || c.session == 0,
		Properties: &paho.ConnectProperties{SessionExpiryInterval: &expiry, MaximumPacketSize: &limit, RequestProblemInfo: true},
	}
	if p.Username, p.UsernameFlag = s.User, s.User != ""; s.Password != "" {
		p.Password, p.PasswordFlag = []byte(s.Password), true
	}
	return p
}

// set changes the state of the connection.
func (c *connection) set(client *paho.Client, ack *paho.Connack, err error, lasting bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.client, c.ack, c.err, c.lasting = client, ack, err, lasting
	if c.tries++; client != nil {
		c.tries = 0
	}
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// ready returns the client of the connection, or why there is none. It waits for the first
// attempt, and after a loss for a moment.
func (c *connection) ready(ctx context.Context) (client *paho.Client, ack *paho.Connack, proto string, err error) {
	moment := time.NewTimer(4 * c.g.hub.times.Retry)
	defer moment.Stop()
	for over := false; ; {
		c.mu.Lock()
		if c.client != nil || c.lasting || over && c.err != nil {
			defer c.mu.Unlock()
			return c.client, c.ack, c.proto, c.err
		}
		changed := c.nextChange()
		c.mu.Unlock()
		select {
		case <-changed:
		case <-moment.C:
			over = true
		case <-c.g.ctx.Done():
			return nil, nil, "", context.Canceled
		case <-ctx.Done():
			return nil, nil, "", ctx.Err()
		}
	}
}

// nextChange is closed at the next change of the connection. The caller holds its lock.
func (c *connection) nextChange() <-chan struct{} {
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return c.changed
}

// await waits until the connection is ready, however often it is tried. It returns false if it will
// not be, or if ctx ends before.
func (c *connection) await(ctx context.Context) bool {
	for ctx.Err() == nil {
		c.mu.Lock()
		if c.client != nil || c.lasting {
			defer c.mu.Unlock()
			return c.client != nil
		}
		changed := c.nextChange()
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return false
}

// offer sends the first errors of a connection.
func offer(to chan<- error, err error) {
	select {
	case to <- err:
	default:
	}
}
