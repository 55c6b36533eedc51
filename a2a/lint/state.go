package lint

import "parley/a2a"

// Limits of what is remembered.
const (
	maxExchanges = 1024 // that have not ended
	maxIDs       = 8192 // of each kind and agent
	maxHosts     = 64   // of an agent
)

// An agent is what is remembered of one agent.
type agent struct {
	rpcIDs   recent[string, a2a.RecordID] // of requests, by their JSON text
	plain    recent[string, struct{}]     // hosts that were requested without encryption
	declared declared
	streamed scope // the dialects in which it has answered a streaming call
	meant    scope // the dialects in which an answer shows that it understood a request
	tasks    recent[string, *taskState]
	contexts recent[string, *origin]
	messages recent[string, messageState] // by messageId
	origins  []string                     // of its endpoints, as requests of other clients and the card name them
	tap      string                       // its name, empty without one
	clients  *clients                     // that call it through a tap, nil without a tap
}

func (l *Linter) agent(id a2a.AgentID) *agent {
	a := l.agents[id]
	if a == nil {
		a = &agent{
			rpcIDs: recent[string, a2a.RecordID]{max: maxIDs}, plain: recent[string, struct{}]{max: maxHosts},
			tasks:    recent[string, *taskState]{max: maxIDs},
			contexts: recent[string, *origin]{max: maxIDs}, messages: recent[string, messageState]{max: maxIDs},
		}
		l.agents[id] = a
	}
	return a
}

// An exchange is what is needed of a request until its end.
type exchange struct {
	request *a2a.Head
	rpcID   string // the request's JSON-RPC id as JSON text
	method  string // its JSON-RPC method
	head    *a2a.Head
	events  int // frames so far
	asks    asks
	begins  bool // its message begins a task, see [pass.begins]
	meant   bool // an answer shows that the agent understood the request
	stream  streamState
	sent    brokenStream // what is remembered of it if it breaks, of another client's request
}

// exchange returns the exchange of a record, and forgets one that ends with it.
func (l *Linter) exchange(r *a2a.Record) *exchange {
	x, _ := entryOf(&l.exchanges, r.Exchange)
	switch r.Kind {
	case a2a.KindRequest:
		*x = exchange{request: r.Head}
	case a2a.KindHead:
		x.head = r.Head
	case a2a.KindEvent:
		x.events++
	case a2a.KindSurplus:
		l.exchanges.drop(r.Exchange) // it had ended
	case a2a.KindEnd:
		l.exchanges.drop(r.Exchange)
		if x.repeated(r.End) {
			l.agent(r.Call.Agent).rpcIDs.drop(x.rpcID)
		}
	}
	return x
}

// repeated reports whether a client repeats the same request after this end: it was redirected,
// or is made in another way.
func (x *exchange) repeated(end *a2a.End) bool {
	return end != nil && end.Class == a2a.ClassFollowed || x.status() >= 300 && x.status() < 400
}

// header returns a header of the answer, empty before there is one.
func (x *exchange) header(name string) string {
	if x.head == nil {
		return ""
	}
	return x.head.Header.Get(name)
}

// status returns the HTTP status of the answer, 0 before there is one.
func (x *exchange) status() int {
	if x.head == nil {
		return 0
	}
	return x.head.Status
}
