package relay

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"parley/a2a/httphead"
)

// lingerTime is how long a client may go on sending after its connection was ended, so that it
// has time to read why.
const lingerTime = 2 * time.Second

// A client is a connection of HTTP/1.x. One goroutine passes on its requests; that of its leg
// passes on the responses.
type client struct {
	relay  *Relay
	conn   net.Conn
	who    Client
	way    []*Relay // the relays before this connection
	in     input
	ctx    context.Context
	cancel context.CancelFunc
	last   <-chan struct{} // closed when the last response was passed on

	unfinished *exchange // whose request did not become whole
	stopped    bool      // the relay ends the connection

	writing sync.Mutex // to conn

	transport *http.Transport // of HTTP/2
	streams   streams
	frames    *handedOver

	mu     sync.Mutex
	early  net.Conn // to the agent, opened during the handshake
	leg    *leg
	phase  phase
	since  time.Time // when the phase began
	active int       // exchanges that have not ended
	left   bool      // the client said that nothing follows
	over   bool      // the agent's connection ended
	failed *End
}

// A phase is what the requests of a client wait for.
type phase uint8

const (
	idle   phase = iota // for a request
	inHead              // for the rest of a head
	inBody              // for the rest of a body
)

func newClient(r *Relay, conn net.Conn) *client {
	c := &client{relay: r, conn: conn, since: time.Now(), in: newInput(conn)}
	c.who = Client{Addr: conn.RemoteAddr(), Connection: r.count.Add(1)}
	c.way = r.options.Sockets.way(conn)
	c.ctx, c.cancel = context.WithCancel(r.ctx)
	done := make(chan struct{})
	close(done)
	c.last = done
	return c
}

// serve passes on requests until the connection ends.
func (c *client) serve() {
	if !c.secure() {
		c.close()
		return
	}
	if c.speaksHTTP2() {
		c.serveHTTP2()
		return
	}
	for c.next() {
	}
	if l := c.current(); l != nil && !c.stopped {
		<-l.done
	}
	if x := c.unfinished; x != nil {
		x.finish(c.cause(End{Cause: ClientBroke, Err: errors.New("the client left in the middle of its request")}))
		x.leave()
	}
	c.close()
}

// next passes on one request, and reports whether another one may follow.
func (c *client) next() bool {
	lead, wire, ok := c.readHead()
	if !ok {
		return false
	}
	head := requestHead(c.in.at, wire)
	problem := checkRequest(&head)
	if problem == nil {
		problem = c.relay.checkClient(&head)
	}
	if problem == nil {
		problem = c.checkLoop(&head)
	}
	x := c.begin(head)
	if problem != nil {
		c.reject(x, problem)
		return false
	}
	c.enter(inBody)
	return c.pass(x, lead)
}

// begin tells the observer of a request.
func (c *client) begin(head Head) *exchange {
	o, plan := c.relay.options.Observer.Begin(c.who, head)
	x := newExchange(c.last, head, o, plan)
	x.ending = func() { c.count(-1) }
	c.last = x.answered
	c.count(1)
	return x
}

// count counts exchanges that have not ended.
func (c *client) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.active += n
	if c.active == 0 {
		c.since = time.Now()
	}
}

// enter begins a phase. It reports whether the agent is still there.
func (c *client) enter(p phase) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phase, c.since = p, time.Now()
	if c.over && p != inBody {
		_ = c.conn.SetReadDeadline(time.Now().Add(lingerTime)) // at worst the client holds it open
		return false
	}
	return true
}

func (c *client) current() *leg {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leg
}

func (c *client) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// readHead reads a head, and the line ends before it, which belong to no request.
func (c *client) readHead() (lead, wire []byte, ok bool) {
	head := httphead.NewHeadReader(c.relay.limits.Head)
	c.enter(idle)
	for {
		if err := c.in.fill(); err != nil {
			c.endHead(head.Head(), err)
			return nil, nil, false
		}
		if len(head.Head()) == 0 {
			for len(c.in.data) > 0 && (c.in.data[0] == '\r' || c.in.data[0] == '\n') && len(lead) < 16 {
				lead = append(lead, c.in.data[0])
				c.in.skip(1)
			}
			if len(c.in.data) == 0 {
				continue
			}
			if !c.enter(inHead) { // there is no agent any more
				c.in.discard()
				return nil, nil, false
			}
		}
		n, ended := head.Take(c.in.data)
		c.in.skip(n)
		problem := checkBegin(head.Head())
		if problem == nil && !ended && head.TooLong() {
			problem = &fault{http.StatusRequestHeaderFieldsTooLarge, "The head of the request is longer than " + strconv.Itoa(c.relay.limits.Head) + " bytes."}
		}
		if problem != nil {
			c.reject(c.begin(Head{Time: c.in.at, Wire: head.Head(), Header: http.Header{}}), problem)
			return nil, nil, false
		}
		if ended {
			return lead, head.Head(), true
		}
	}
}

// endHead ends the requests because no more bytes come.
func (c *client) endHead(partial []byte, err error) {
	if len(partial) > 0 {
		x := c.begin(Head{Time: time.Now(), Wire: partial, Header: http.Header{}})
		x.finish(c.cause(End{Cause: ClientBroke, Reset: wasReset(err), Err: errors.New("the client left in the middle of the head of its request")}))
		x.leave()
	}
	c.endInput(err)
}

// endInput passes on that the client sends no more.
func (c *client) endInput(err error) {
	if isEnd(err) {
		c.mu.Lock()
		c.left = true
		l := c.leg
		c.mu.Unlock()
		if l != nil {
			l.closeWrite(err)
		}
		return
	}
	if !c.isOver() {
		c.fail(End{Cause: ClientBroke, Reset: wasReset(err), Err: err})
	}
}

// fail ends everything at once, with the first cause.
func (c *client) fail(end End) {
	c.mu.Lock()
	first := c.failed == nil
	if first {
		c.failed = &end
	}
	l, conn := c.leg, c.conn
	c.mu.Unlock()
	if !first {
		return
	}
	c.cancel()
	shut := func(conn net.Conn) { _ = conn.Close() }
	if end.Reset {
		shut = reset
	}
	shut(conn)
	if l != nil {
		shut(l.conn)
	}
}

// cause returns why everything ended, otherwise the end given.
func (c *client) cause(end End) End {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return *c.failed
	}
	if c.left && end.Cause == AgentBroke {
		end.Cause = ClientBroke
	}
	return end
}

// hasLeft reports whether the client said that nothing follows.
func (c *client) hasLeft() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left
}

// write sends bytes to the client.
func (c *client) write(b []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.conn.Write(b)
	return err
}

// close ends the connection, after the client had time to read what it was sent.
func (c *client) close() {
	c.mu.Lock()
	failed, l := c.failed != nil, c.leg
	c.mu.Unlock()
	if !failed {
		closeWrite(c.conn)
		_ = c.conn.SetReadDeadline(time.Now().Add(lingerTime)) // at worst the client holds it open
		c.in.discard()
	}
	c.cancel()
	_ = c.conn.Close()
	if l != nil {
		l.retire()
	}
	if early := c.takeEarly(c.relay.options.Target); early != nil {
		_ = early.Close() // no request came
	}
}

// checkIdle closes a connection that waits for too long.
func (c *client) checkIdle(now time.Time) {
	c.mu.Lock()
	waits := now.Sub(c.since)
	late := c.phase == inHead && waits > c.relay.limits.HeadTime || c.phase == idle && c.active == 0 && waits > c.relay.limits.IdleTime
	c.mu.Unlock()
	if late {
		c.fail(End{Cause: Rejected, Err: errors.New("the connection was idle for too long")})
	}
}
