package lint

import "parley/a2a"

// Bounds of what is remembered.
const (
	maxExchanges = 1024 // that have not ended
	maxIDs       = 8192 // of each kind and agent
)

// An agent is what is remembered of one agent.
type agent struct {
	rpcIDs recent[string, a2a.RecordID] // of requests, by their JSON text
}

func (l *Linter) agent(id a2a.AgentID) *agent {
	a := l.agents[id]
	if a == nil {
		a = &agent{rpcIDs: recent[string, a2a.RecordID]{max: maxIDs}}
		l.agents[id] = a
	}
	return a
}

// An exchange is what must be remembered of a request until its end.
type exchange struct {
	request *a2a.Head
	rpcID   string // the request's JSON-RPC id as JSON text
	method  string // its JSON-RPC method
	head    *a2a.Head
	events  int // frames so far
}

// exchange returns the exchange of a record, and forgets one that ends with it.
func (l *Linter) exchange(r *a2a.Record) *exchange {
	x, ok := l.exchanges.get(r.Exchange)
	if !ok {
		x = new(exchange)
		l.exchanges.put(r.Exchange, x)
	}
	switch r.Kind {
	case a2a.KindRequest:
		*x = exchange{request: r.Head}
	case a2a.KindHead:
		x.head = r.Head
	case a2a.KindEvent:
		x.events++
	case a2a.KindEnd:
		l.exchanges.drop(r.Exchange)
	}
	return x
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

// A recent map remembers the newest entries only, so that no agent can make it grow.
// The zero value with max set is empty and ready for use.
type recent[K comparable, V any] struct {
	max    int
	values map[K]V
	order  []K // in the order of put, as a ring from next on once it is full
	next   int
}

func (m *recent[K, V]) get(key K) (V, bool) {
	v, ok := m.values[key]
	return v, ok
}

// put remembers a value, and forgets the oldest key if there are too many.
func (m *recent[K, V]) put(key K, value V) {
	if m.values == nil {
		m.values = map[K]V{}
	}
	if _, known := m.values[key]; !known {
		if len(m.order) < m.max {
			m.order = append(m.order, key)
		} else {
			delete(m.values, m.order[m.next])
			m.order[m.next] = key
			m.next = (m.next + 1) % m.max
		}
	}
	m.values[key] = value
}

// drop forgets a key at once. Its turn in the order of forgetting stays.
func (m *recent[K, V]) drop(key K) { delete(m.values, key) }
