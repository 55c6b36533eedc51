package chain

import (
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// Limits of what a Joiner remembers.
const (
	maxAlive  = 2048 // exchanges that can be parents
	maxDepth  = 64   // hops of a chain
	maxRoutes = 4096 // who calls whom, and on which connection
	maxCalls  = 32   // of one exchange
	maxCards  = 256
	aloneMost = 16 // open exchanges up to which time alone is looked at
)

// A Joiner joins exchanges. Give it every record of a session once and in order. It is not safe for
// concurrent use.
type Joiner struct {
	index  index
	open   map[a2a.ExchangeID]*exchange // without an end
	giving map[a2a.ExchangeID]*exchange // of them, those that give work
	queue  []*exchange                  // those that can be parents, the oldest first
	tasks  map[taskKey]*exchange        // that began a task
	cards  map[a2a.AgentID]*declared
	routes routes
	round  uint64
	doc    jsontok.Doc // of the newest request
}

// A taskKey names a task of an agent.
type taskKey struct {
	agent a2a.AgentID
	task  string
}

// declared are the extensions in the card of an agent.
type declared struct{ extensions []string }

// New returns a joiner without any history.
func New() *Joiner {
	return &Joiner{
		index: index{}, open: map[a2a.ExchangeID]*exchange{}, giving: map[a2a.ExchangeID]*exchange{},
		tasks: map[taskKey]*exchange{}, cards: map[a2a.AgentID]*declared{}, routes: newRoutes(),
	}
}

// Add takes a record with its meaning and returns what follows from the hops for it. Records of
// Parley's own requests are ignored.
func (j *Joiner) Add(r *a2a.Record, u *a2a.Update) []a2a.Finding {
	_, found := j.add(r, u)
	return found
}

// add returns the exchange of the record too, nil if it is not one of another client.
func (j *Joiner) add(r *a2a.Record, u *a2a.Update) (*exchange, []a2a.Finding) {
	if r.Call == nil || r.Call.Tapped == nil {
		return nil, nil
	}
	if r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery {
		return j.begin(r, u)
	}
	x := j.open[r.Exchange]
	if x == nil {
		return nil, nil
	}
	var n notes
	switch r.Kind {
	case a2a.KindHead:
		x.head(r.Head)
	case a2a.KindBody, a2a.KindEvent:
		j.answer(x, r, u, &n)
	case a2a.KindEnd:
		for i := range u.Events {
			j.learn(x, &u.Events[i], r.Time)
		}
		x.end(r)
		j.finish(x)
		n.atEnd(x)
	}
	return x, n.found
}

// begin takes a request, and joins it.
func (j *Joiner) begin(r *a2a.Record, u *a2a.Update) (*exchange, []a2a.Finding) {
	c, t := r.Call, r.Call.Tapped
	x := &exchange{
		id: r.ID, agent: c.Agent, op: c.Op, tap: bound(t.Tap), from: bound(t.From), client: bound(t.Client), origin: a2a.Origin(c.Endpoint), conn: connection{c.Agent, t.Connection},
		facts: factsOf(r, &j.doc), start: r.Time, moved: r.Time, open: true, task: bound(c.TaskID),
	}
	if c.Dialect == a2a.V01 && x.gives() && x.message.task == "" {
		x.message.task = x.task
	}
	for i := range u.Events { // of a delivery
		if x.task == "" {
			x.task = bound(u.Events[i].TaskID)
		}
	}
	j.join(x)
	for i := range u.Events {
		if begun := j.tasks[taskKey{x.agent, x.task}]; begun != nil {
			begun.learn(&u.Events[i], r.Time)
		}
	}
	j.remember(x)
	var n notes
	if x.parent != nil {
		n.atHop(x, j.cards[x.agent])
	}
	if begun := j.tasks[taskKey{x.agent, x.task}]; x.op == a2a.OpCancel && begun != nil && begun.canceled.IsZero() {
		begun.canceled = r.Time
	}
	return x, n.found
}

// bound returns an id that is short enough to be remembered, and nothing else.
func bound(id string) string {
	if len(id) > maxValue {
		return ""
	}
	return id
}

// remember makes a request known to later ones.
func (j *Joiner) remember(x *exchange) {
	for len(j.open) >= maxAlive {
		j.forgetOldest()
	}
	j.open[x.id] = x
	j.queue = append(j.queue, x)
	if len(j.queue) >= 2*maxAlive {
		j.compact(x.start)
	}
	if !x.gives() {
		return
	}
	j.giving[x.id] = x
	for _, k := range keysOf(x) {
		j.index.put(k, x)
	}
}

// forgetOldest forgets the oldest exchange that was remembered.
func (j *Joiner) forgetOldest() {
	x := j.queue[0]
	j.queue = j.queue[1:]
	j.forget(x)
}

// forget forgets an exchange: it has no children any more, and its later records are ignored.
func (j *Joiner) forget(x *exchange) {
	if x.gone {
		return
	}
	x.gone = true
	j.index.drop(x)
	delete(j.open, x.id)
	delete(j.giving, x.id)
	if k := (taskKey{x.agent, x.task}); j.tasks[k] == x {
		delete(j.tasks, k)
	}
	x.facts, x.calls = facts{}, nil
}

// compact forgets the exchanges that can be no parents any more, and the oldest others if that is
// not enough. It runs once in as many requests as it looks at.
func (j *Joiner) compact(now time.Time) {
	kept := j.queue[:0]
	for _, x := range j.queue {
		switch {
		case x.gone:
		case x.open || x.gives() && x.task != "" && now.Sub(x.moved) < patience:
			kept = append(kept, x)
		default:
			j.forget(x)
		}
	}
	clear(j.queue[len(kept):])
	j.queue = kept
	for len(j.queue) >= maxAlive {
		j.forgetOldest()
	}
}

// answer takes a part of an answer.
func (j *Joiner) answer(x *exchange, r *a2a.Record, u *a2a.Update, n *notes) {
	x.events++
	was := x.over
	for i := range u.Events {
		ev := &u.Events[i]
		if ev.Kind == a2a.EventCard && ev.Card != nil {
			j.declare(x.agent, ev.Card)
			continue
		}
		j.learn(x, ev, r.Time)
	}
	if begun := j.begun(x); !was && x.over && begun.gives() {
		n.atAnswer(begun)
	}
}

// begun returns the exchange that began the task of another one, or that one.
func (j *Joiner) begun(x *exchange) *exchange {
	if begun := j.tasks[taskKey{x.agent, x.task}]; begun != nil && x.task != "" {
		return begun
	}
	return x
}

// learn takes an event: the exchange that began the task learns it too.
func (j *Joiner) learn(x *exchange, ev *a2a.Event, at time.Time) {
	switch ev.Kind {
	case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage, a2a.EventError:
	default:
		return
	}
	task := x.task
	x.learn(ev, at)
	k := taskKey{x.agent, x.task}
	if x.task == "" || x.gone {
		return
	}
	begun := j.tasks[k]
	switch {
	case begun != nil && begun != x:
		if ev.Kind != a2a.EventError {
			begun.learn(ev, at)
		}
	case begun == nil && x.gives():
		j.tasks[k] = x
	}
	if x.gives() && task != x.task {
		j.index.put(key{by: byReference, text: x.task}, x)
	}
	if x.gives() && x.answered != "" && x.answered != x.message.context {
		j.index.put(key{by: byOwnContext, text: x.answered}, x)
	}
}

// finish takes the end of an exchange.
func (j *Joiner) finish(x *exchange) {
	delete(j.open, x.id)
	delete(j.giving, x.id)
	if !x.alive(x.ended) {
		j.index.drop(x)
	}
	if p := x.parent; p != nil && !p.gone && x.link.Strength >= Likely && x.gives() {
		if len(p.calls) == maxCalls {
			p.calls = p.calls[1:]
		}
		p.calls = append(p.calls, call{x.agent, x.id, x.failure})
	}
}

// declare remembers the extensions of a card.
func (j *Joiner) declare(agent a2a.AgentID, c *a2a.Card) {
	if _, known := j.cards[agent]; !known && len(j.cards) >= maxCards {
		return
	}
	d := &declared{}
	for _, e := range c.Capabilities.Extensions {
		if len(d.extensions) < maxItems {
			d.extensions = append(d.extensions, e.URI)
		}
	}
	j.cards[agent] = d
}
