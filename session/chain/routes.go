package chain

import "parley/a2a"

// routes is who calls whom, as earlier joins say.
type routes struct {
	calls   map[[2]a2a.AgentID]bool // an agent called another one
	owners  map[connection]a2a.AgentID
	roots   map[caller]bool // a client called an agent while nothing went on
	learned int             // entries of all three
}

// A caller is a client of an agent, by what it says of itself.
type caller struct {
	agent  a2a.AgentID
	client string
}

func newRoutes() routes {
	return routes{calls: map[[2]a2a.AgentID]bool{}, owners: map[connection]a2a.AgentID{}, roots: map[caller]bool{}}
}

// learn remembers who sent a request. Alone is set if no other exchange went on.
func (r *routes) learn(x *exchange, alone bool) {
	if r.learned >= maxRoutes || !x.gives() || x.link.Follows || len(x.link.Or) > 0 {
		return
	}
	switch {
	case x.link.Parent == 0 && alone:
		remember(r, r.roots, caller{x.agent, x.client}, true)
	case x.parent != nil && x.link.Strength >= Likely:
		remember(r, r.calls, [2]a2a.AgentID{x.parent.agent, x.agent}, true)
		if x.link.Strength == Sure && x.conn.number != 0 {
			remember(r, r.owners, x.conn, x.parent.agent)
		}
	}
}

// remember puts a value and counts new keys.
func remember[K comparable, V any](r *routes, m map[K]V, k K, v V) {
	if _, known := m[k]; !known {
		r.learned++
	}
	m[k] = v
}

// evidence returns what earlier joins and the names of clients say about a parent.
func (r *routes) evidence(p, x *exchange) (e evidence) {
	if p.client != x.client {
		e |= byClient
	}
	if r.calls[[2]a2a.AgentID{p.agent, x.agent}] {
		e |= byRoute
	}
	if owner, known := r.owners[x.conn]; known && owner == p.agent {
		e |= byConnection
	}
	if r.roots[caller{x.agent, x.client}] {
		e |= asRoot
	}
	return e
}
