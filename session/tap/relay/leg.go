package relay

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"parley/a2a/httphead"
	"parley/internal/crash"
)

// maxPipelined is how many requests may be on their way on one connection without a response.
const maxPipelined = 64

// A leg is the connection to an agent that belongs to one client. Its goroutine passes on the
// responses.
type leg struct {
	c     *client
	conn  net.Conn
	key   string // of the target
	queue chan *exchange
	done  chan struct{} // closed when no more comes from the agent
	ended chan struct{} // closed when the client was told so too

	sending sync.Mutex // to conn
	retired atomic.Bool

	// What follows belongs to the goroutine.
	x       *exchange // whose response is passed on, nil between two
	state   responseState
	head    *httphead.HeadReader
	early   []byte // informational heads before it
	framing httphead.Framing
	out     []byte // not written to the client yet
	passing int    // bytes of the body in it
	trace   error  // why the answer is not HTTP
	body    *held  // of a response that is edited
	edit    func([]byte) []byte
	final   []byte // its head

	faulty   http.Header // of a stream with faults that follows
	chunked  bool        // it goes to the client in chunks
	agentErr error       // how the agent's connection ended within it
}

// A responseState is what the next bytes of the agent are.
type responseState uint8

const (
	awaitsHead responseState = iota
	readsBody
	passesRaw // what is no response of HTTP, or a tunnel
	dropsRest // the client got another answer
)

// errOver says that the connection of the client ends, because that of an agent has ended.
var errOver = errors.New("the agent closed the connection before the request")

// legTo returns the connection to a target. A client has one at a time.
func (c *client) legTo(x *exchange, to *url.URL) (*leg, error) {
	key := to.Scheme + "://" + to.Host
	if l := c.current(); l != nil {
		if l.key == key {
			return l, nil
		}
		select { // so that responses keep their order
		case <-x.turn:
		case <-c.ctx.Done():
		}
		l.retire()
		<-l.ended
		if c.isOver() {
			return nil, errOver
		}
	}
	conn := c.takeEarly(to)
	if conn == nil {
		var err error
		if conn, err = c.relay.dial(c.ctx, to, c.way, overHTTP1); err != nil {
			return nil, err
		}
	}
	l := &leg{c: c, conn: conn, key: key, queue: make(chan *exchange, maxPipelined), done: make(chan struct{}), ended: make(chan struct{}), head: httphead.NewHeadReader(c.relay.limits.Head)}
	c.mu.Lock()
	c.leg, c.over = l, false
	failed := c.failed != nil
	c.mu.Unlock()
	if failed {
		_ = conn.Close() // the client has gone meanwhile
	}
	c.relay.work.Go(crash.Guarded(l.pump))
	return l, nil
}

// retire ends the connection without a word to the client.
func (l *leg) retire() {
	l.retired.Store(true)
	_ = l.conn.Close() // nothing is expected from it
}

// expect says that the response to an exchange will come. It reports false if the agent has gone.
func (l *leg) expect(x *exchange) bool {
	select {
	case <-l.done:
		return false
	default:
	}
	select {
	case l.queue <- x:
	case <-l.done:
		return false
	}
	select {
	case <-l.done: // what waited may have been dropped before the exchange was there
		l.drop(l.c.cause(End{Cause: AgentBroke, Err: errors.New("the agent closed the connection before its response")}))
		return false
	default:
		return true
	}
}

// write sends bytes to the agent.
func (l *leg) write(b []byte) error {
	l.sending.Lock()
	defer l.sending.Unlock()
	_, err := l.conn.Write(b)
	return err
}

// closeWrite passes on that the client sends no more; err is how it said so.
func (l *leg) closeWrite(err error) {
	if errors.Is(err, errTorn) {
		breakWrite(l.conn)
		return
	}
	closeWrite(l.conn)
}

// pump passes on what the agent sends until it ends.
func (l *leg) pump() {
	defer close(l.ended)
	buf := make([]byte, bufferSize)
	for {
		n, err := l.conn.Read(buf)
		if n > 0 {
			if failure := l.take(time.Now(), buf[:n]); failure != nil {
				l.c.fail(End{Cause: ClientBroke, Reset: wasReset(failure), Err: failure})
				err = failure
			} else if l.agentErr != nil {
				err = l.agentErr
			}
		}
		if err != nil {
			l.end(err)
			return
		}
	}
}

// end passes on that the agent sends no more.
func (l *leg) end(err error) {
	c := l.c
	clean, tunnel := isEnd(err), l.x != nil && l.x.upgraded
	if l.x != nil && l.endsWith(err) {
		_ = l.complete() // the client may have gone
	}
	l.flushRest()
	why := End{Cause: AgentBroke, Reset: wasReset(err), Err: l.brokenOff(err)}
	if !clean && !l.retired.Load() {
		c.fail(why)
	}
	if l.x != nil {
		l.x.finish(c.cause(why))
		l.x.leave()
		l.x = nil
	}
	close(l.done)
	l.drop(c.cause(why))
	if l.retired.Load() {
		return
	}
	if errors.Is(err, errTorn) {
		breakWrite(c.conn)
	} else {
		closeWrite(c.conn)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if c.phase != inBody && !tunnel {
		_ = c.conn.SetReadDeadline(time.Now().Add(lingerTime)) // at worst the client holds it open
	}
}

// flushRest passes on what waits for more.
func (l *leg) flushRest() {
	if l.x != nil && l.body != nil {
		l.release()
	}
	if l.x != nil && l.state == awaitsHead {
		l.put(l.head.Head())
	}
	_ = l.flush() // the client may have gone
}

// drop ends the exchanges that got no response.
func (l *leg) drop(end End) {
	for {
		select {
		case x := <-l.queue:
			x.finish(end)
			x.leave()
		default:
			return
		}
	}
}

// brokenOff says in words what was missing when the agent ended the connection.
func (l *leg) brokenOff(err error) error {
	if l.trace != nil {
		return l.trace
	}
	what := "before its response"
	switch {
	case l.x == nil:
	case l.state == readsBody:
		what = "in the middle of its response"
	case len(l.head.Head()) > 0:
		what = "in the middle of the head of its response"
	}
	if wasReset(err) {
		return errors.New("the agent reset the connection " + what)
	}
	return errors.New("the agent closed the connection " + what)
}
