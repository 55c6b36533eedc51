package a2a

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// A Control interferes with how an answer is read, to test its agent: it cuts the connection as
// a bad network does, or stops reading as a slow client does. The zero Control does neither.
// Its methods may be called from any goroutine.
type Control struct {
	mu        sync.Mutex
	exchange  ExchangeID
	body      io.Closer     // that is read now, nil if none is
	events    int           // of the exchange
	cutAt     int           // how many events it may have, if cutting is set
	cutting   bool          // the connection is to be cut
	cut       bool          // it was
	paused    chan struct{} // closed when reading goes on, nil while it does
	now       func() time.Time
	pauseTime time.Duration // how long bytes waited to be read, since the last event
}

// Exchange returns the exchange that is being read, 0 if none is, and how many events it
// has brought, or the one before it.
func (c *Control) Exchange() (id ExchangeID, events int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.body == nil {
		return 0, c.events
	}
	return c.exchange, c.events
}

// Cut cuts the connection after so many more events; 0 cuts it now. The answer ends with
// the reason [Cut]. If none is being read it holds for the one that comes.
func (c *Control) Cut(after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cutting, c.cutAt = true, max(after, 0)
	if c.body != nil {
		c.cutAt += c.events
	}
	c.due()
}

// Pause stops reading, so that the agent's bytes pile up on their way; Resume reads on.
func (c *Control) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused == nil {
		c.paused = make(chan struct{})
	}
}

// Resume reads on after Pause.
func (c *Control) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.release()
}

// Paused reports whether reading has been stopped.
func (c *Control) Paused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused != nil
}

func (c *Control) release() {
	if c.paused != nil {
		close(c.paused)
		c.paused = nil
	}
}

// due cuts the connection if it is time. The caller holds the lock.
func (c *Control) due() {
	if !c.cutting || c.cut || c.events < c.cutAt {
		return
	}
	c.cut = true
	c.release()
	if c.body != nil {
		c.body.Close() // ends a read that waits
	}
}

// errCut ends reading after a cut.
var errCut = errors.New("the user cut the connection")

// withControl puts the body of an exchange under the Control of its hooks.
func (x *exchange) withControl(ctx context.Context, body io.ReadCloser) io.ReadCloser {
	c := x.hooks.Control
	if c == nil {
		return body
	}
	c.begin(x, body)
	return &controlledBody{ReadCloser: body, ctx: ctx, control: c}
}

// begin puts the answer of an exchange under the control; closing it ends a read that waits.
func (c *Control) begin(x *exchange, body io.Closer) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.exchange, c.events, c.cut, c.body = x.id, 0, false, body
	c.now, c.pauseTime = x.wire.trace.Now, 0
	c.due()
}

// end ends the control of an answer.
func (c *Control) end() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.body, c.cutting = nil, false
	c.release()
}

// event counts an event before it is reported, and returns how long its bytes waited to be
// read.
func (c *Control) event() (held time.Duration) {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events++
	held, c.pauseTime = c.pauseTime, 0
	return held
}

// afterEvent returns whether, and with what error, reading ends after an event. It waits while
// reading is stopped.
func (c *Control) afterEvent(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	c.due()
	c.mu.Unlock()
	return c.pass(ctx)
}

// pass waits while reading is stopped. It fails if the connection was cut.
func (c *Control) pass(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	paused := c.paused
	c.mu.Unlock()
	waited := time.Duration(0)
	if paused != nil {
		began := c.now()
		select {
		case <-paused:
		case <-ctx.Done():
			return ctx.Err()
		}
		waited = c.now().Sub(began)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauseTime += waited
	if c.cut {
		return errCut
	}
	return nil
}

// A controlledBody is the body of an answer under a Control.
type controlledBody struct {
	io.ReadCloser
	ctx     context.Context
	control *Control
}

func (b *controlledBody) Read(p []byte) (int, error) {
	if err := b.control.pass(b.ctx); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	if refused := b.control.pass(b.ctx); refused != nil { // it was stopped meanwhile
		err = refused
	}
	return n, err
}

// Close ends the control.
func (b *controlledBody) Close() error {
	b.control.end()
	return b.ReadCloser.Close()
}
