package relay

import (
	"context"
	"errors"
	"net"
	"net/url"
	"testing"
)

// An agent may close its connection at the moment at which a request comes. Each request that the
// connection takes then has an end.
func TestARequestAtTheEndOfAConnectionHasAnEnd(t *testing.T) {
	t.Parallel()
	for i := range 20_000 {
		l := &leg{c: &client{}, queue: make(chan *exchange, 2), done: make(chan struct{})}
		before, x := newExchange(nil, Head{}, nobody{}, Plan{}), newExchange(nil, Head{}, nobody{}, Plan{})
		l.expect(before)
		begin, over := make(chan bool), make(chan bool)
		go func() {
			<-begin
			close(l.done)
			l.drop(End{Cause: AgentBroke})
			close(over)
		}()
		close(begin)
		taken := l.expect(x)
		<-over
		if !before.ended || taken && !x.ended {
			t.Fatalf("attempt %d: got ends %v and %v, want both", i, before.ended, x.ended)
		}
	}
}

// An agent may close its connection while a request for another target comes, such as a webhook. The
// client has been told that no more comes, so that an answer could not reach it.
func TestNothingIsAskedForAClientWhoseConnectionEnds(t *testing.T) {
	t.Parallel()
	r := startRelay(t, "agent.invalid", Options{Dial: func(context.Context, string, string) (net.Conn, error) {
		t.Error("another target was asked")
		return nil, net.ErrClosed
	}})
	near, far := net.Pipe()
	defer far.Close()
	c := newClient(r, near)
	l := &leg{c: c, conn: near, key: "http://agent.invalid", done: make(chan struct{}), ended: make(chan struct{})}
	c.leg = l
	over := make(chan bool)
	go func() { // as the goroutine of the leg does at its end
		close(l.done)
		<-over
		c.mu.Lock()
		c.over = true
		c.mu.Unlock()
		close(l.ended)
	}()
	<-l.done
	close(over)
	x := newExchange(c.last, Head{}, nobody{}, Plan{})
	if _, err := c.legTo(x, &url.URL{Scheme: "http", Host: "webhook.invalid"}); !errors.Is(err, errOver) {
		t.Errorf("got %v, want that the connection ends", err)
	}
}
