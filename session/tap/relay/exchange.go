package relay

import (
	"sync"
	"time"
)

// An exchange is one request of a client and its response. Both directions report to it.
type exchange struct {
	request Head
	plan    Plan

	turn     <-chan struct{} // closed when the response before this one was passed on
	answered chan struct{}   // closed when this one was, or never will be
	decided  chan struct{}   // closed when the head of the final response has come
	upgraded bool            // by that head; read after decided
	begun    bool            // the response; read after its leg is done

	ending    func() // called at the end, if it is set
	answering func() // called with the response and at the end, if it is set

	mu         sync.Mutex
	observer   Exchange
	whole      bool // the request
	ended      bool // the observer was told the end
	end        *End // of the response, while the request is not whole
	passedOn   int64
	leaveOnce  sync.Once
	decideOnce sync.Once
}

func newExchange(turn <-chan struct{}, request Head, o Exchange, p Plan) *exchange {
	return &exchange{request: request, plan: p, turn: turn, observer: o, answered: make(chan struct{}), decided: make(chan struct{})}
}

// tell calls the observer unless the exchange has ended.
func (x *exchange) tell(what func(Exchange)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended {
		what(x.observer)
	}
}

func (x *exchange) requestBody(at time.Time, piece []byte) {
	if len(piece) > 0 {
		x.tell(func(o Exchange) { o.RequestBody(at, piece) })
	}
}

func (x *exchange) sent(h Head) { x.tell(func(o Exchange) { o.Sent(h) }) }

func (x *exchange) response(h Head) {
	if x.answering != nil {
		x.answering()
	}
	x.tell(func(o Exchange) { o.Response(h) })
}

func (x *exchange) responseBody(at time.Time, piece []byte) {
	if len(piece) > 0 {
		x.tell(func(o Exchange) { o.ResponseBody(at, piece) })
	}
}

// requestEnd says that the request is whole.
func (x *exchange) requestEnd(at time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || x.whole {
		return
	}
	x.whole = true
	x.observer.RequestEnd(at)
	if x.end != nil {
		x.tellEnd(*x.end)
	}
}

// complete says that the response was passed on. The observer is told when the request is whole
// too: an agent may answer before it has all of it.
func (x *exchange) complete(end End) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || x.end != nil {
		return
	}
	if x.end = &end; x.whole {
		x.tellEnd(end)
	}
}

// finish says that nothing more passes in this exchange. A response that was passed on before
// remains complete.
func (x *exchange) finish(end End) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	if x.end != nil {
		end = *x.end
	}
	x.tellEnd(end)
}

func (x *exchange) tellEnd(end End) {
	x.ended = true
	end.PassedOn = x.passedOn
	if end.Time.IsZero() {
		end.Time = time.Now()
	}
	x.observer.End(end)
	if x.answering != nil {
		x.answering()
	}
	if x.ending != nil {
		x.ending()
	}
}

// pass counts bytes of the response's body that the client was given.
func (x *exchange) pass(n int) {
	x.mu.Lock()
	x.passedOn += int64(n)
	x.mu.Unlock()
}

// decide says that the head of the final response has come.
func (x *exchange) decide(upgraded bool) {
	x.decideOnce.Do(func() {
		x.upgraded = upgraded
		close(x.decided)
	})
}

// leave makes room for the response after this one.
func (x *exchange) leave() {
	x.leaveOnce.Do(func() { close(x.answered) })
	x.decide(false)
}
