package relay

import "testing"

// An agent may close its connection at the moment at which a request comes. Each request that the
// connection takes then has an end.
func TestARequestAtTheEndOfAConnectionHasAnEnd(t *testing.T) {
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
