package chain

import (
	"slices"
	"time"

	"parley/a2a"
)

// A Node is an exchange in a [Forest].
type Node struct {
	Exchange a2a.ExchangeID
	Link     Link
	Children []a2a.ExchangeID // hops and requests about its task, in order
	Agent    a2a.AgentID      // that was asked
	Client   string           // who asked, as far as it says so; it comes from the network
	Tap      string           // name of the tap
	Op       a2a.Op
	Start    time.Time
	End      time.Time // zero while it is open
	State    a2a.State // of its task
	Failure  string    // why it failed, in words; empty if it did not
	Events   int       // of its answer
	// Changes are what the agent of the parent made of the parent's request.
	Changes []Change
	// Rules are the rules that found something in it, the first ones, and Worst is the highest
	// severity of what they found.
	Rules []string
	Worst a2a.Severity
}

// maxRules is how many rules a node lists.
const maxRules = 8

// A Forest keeps all exchanges of other clients of a session as trees. It grows with the session.
// Give it every record once and in order. It is not safe for concurrent use.
type Forest struct {
	joiner *Joiner
	nodes  map[a2a.ExchangeID]*Node
	order  []a2a.ExchangeID
	// version grows with every change.
	version uint64
}

// NewForest returns an empty forest.
func NewForest() *Forest { return &Forest{joiner: New(), nodes: map[a2a.ExchangeID]*Node{}} }

// Concerns reports whether a record may belong to an exchange of another client. Those of Parley's
// own calls, which no tap saw, change nothing in a forest.
func Concerns(r *a2a.Record) bool { return r.Call == nil || r.Call.Tapped != nil }

// Add takes a record with its meaning, and its findings as far as they are shown.
func (f *Forest) Add(r *a2a.Record, u *a2a.Update, shown []a2a.Finding) {
	if !Concerns(r) {
		return
	}
	x, _ := f.joiner.add(r, u)
	if x != nil && f.nodes[x.id] == nil {
		f.begin(x)
	}
	n := f.nodes[r.Exchange]
	if n == nil {
		return
	}
	if x != nil {
		n.State, n.Failure, n.Events, n.End = x.state, x.failure, x.events, x.ended
		f.tell(x)
	}
	for i := range shown {
		n.Worst = max(n.Worst, shown[i].Severity)
		if rule := shown[i].Rule; len(n.Rules) < maxRules && !slices.Contains(n.Rules, rule) {
			n.Rules = append(n.Rules, rule)
		}
	}
	f.version++
}

// begin adds the node of a request.
func (f *Forest) begin(x *exchange) {
	n := &Node{Exchange: x.id, Link: x.link, Agent: x.agent, Client: x.client, Tap: x.tap, Op: x.op, Start: x.start}
	if x.parent != nil {
		n.Changes = compare(&x.parent.facts, &x.facts)
	}
	f.nodes[x.id], f.order = n, append(f.order, x.id)
	if p := f.nodes[x.link.Parent]; p != nil {
		p.Children = append(p.Children, x.id)
	}
}

// tell updates the node of the exchange that began the task, which may be told of it by another
// one.
func (f *Forest) tell(x *exchange) {
	if begun := f.joiner.begun(x); begun != x {
		if n := f.nodes[begun.id]; n != nil {
			n.State, n.Failure = begun.state, begun.failure
		}
	}
}

// Node returns the node of an exchange, nil if it is not in the forest. It must not be changed.
func (f *Forest) Node(id a2a.ExchangeID) *Node { return f.nodes[id] }

// Len returns how many exchanges there are.
func (f *Forest) Len() int { return len(f.order) }

// Version changes whenever the forest does.
func (f *Forest) Version() uint64 { return f.version }

// Roots returns the exchanges that no other one caused, in order.
func (f *Forest) Roots() (roots []a2a.ExchangeID) {
	for _, id := range f.order {
		if f.nodes[f.nodes[id].Link.Parent] == nil {
			roots = append(roots, id)
		}
	}
	return roots
}
