package lint

import (
	"parley/a2a"
	"parley/a2a/jsontok"
)

// record passes the record, and what its payload contains, to the rules.
func (p *pass) record() {
	switch p.r.Kind {
	case a2a.KindRequest:
		p.request()
	case a2a.KindHead:
		p.at(atHead, jsontok.Node{})
	case a2a.KindBody, a2a.KindEvent:
		p.answer()
	case a2a.KindDelivery:
		p.delivery()
		if !p.affectsLater() {
			return
		}
	case a2a.KindEnd:
		p.at(atEnd, jsontok.Node{})
	case a2a.KindSurplus:
		p.at(atSurplus, jsontok.Node{})
		return
	}
	p.remember()
	if p.call.Tapped != nil && p.r.Kind != a2a.KindDelivery {
		p.rememberClient()
	}
}

// at runs the rules for a place.
func (p *pass) at(at place, n jsontok.Node) {
	if p.objects++; p.objects > maxObjects {
		return
	}
	p.place = at
	for _, r := range p.l.rules(p.in, at) {
		if p.judges(r) {
			p.rule = r
			r.run(p, n)
		}
	}
}

// request walks a request.
func (p *pass) request() {
	p.askHead()
	if p.call.Tapped != nil {
		p.meet()
	}
	root := p.root()
	if root.Exists() {
		p.x.rpcID, p.x.method = p.envelope.ID.String(), p.envelope.Method
	}
	p.at(atRequest, root)
	params := p.params()
	if params.Kind() == jsontok.Object {
		p.ask(params)
	}
	p.x.begins = p.begins()
	if params.Kind() != jsontok.Object {
		return
	}
	p.at(atCall, params)
	if message := messageIn(params); message.Kind() == jsontok.Object {
		p.message(message)
	}
}

// params returns the parameters of a request.
func (p *pass) params() jsontok.Node {
	root := p.root()
	if p.rpc() {
		return p.envelope.Params
	}
	return root
}

// messageIn returns the message in the parameters of a request, zero if there is none.
func messageIn(params jsontok.Node) jsontok.Node {
	return either(params, "message", "request") // request in the protocol buffer of 0.3
}

// answer walks a body or a frame by the decoder's result.
func (p *pass) answer() {
	if len(p.u.Events) == 1 && p.u.Events[0].Kind == a2a.EventNotA2A && (p.call.Op == a2a.OpArtifact || p.call.Op == a2a.OpCatalog) {
		return // a file
	}
	root := p.root()
	p.mean()
	p.at(atAnswer, root)
	if len(p.u.Events) > 0 && !root.Exists() && p.call.Check {
		p.long()
	}
	if len(p.u.Events) == 0 || !root.Exists() {
		return
	}
	p.ev = &p.u.Events[0] // a second document follows the first
	n := p.object()
	switch p.ev.Kind {
	case a2a.EventError:
		p.at(atError, p.failure())
		p.refuse()
		return
	case a2a.EventCard:
		p.cards(n)
		p.declare()
		return
	case a2a.EventTaskList:
		p.at(atTaskList, n)
		p.tasks(n)
		return
	}
	p.thing(unwrap(n, p.ev.Kind))
}

// delivery walks a delivery to a webhook.
func (p *pass) delivery() {
	root := p.root()
	p.at(atDelivery, root)
	if len(p.u.Events) == 0 || !root.Exists() || !p.affectsLater() {
		return
	}
	p.ev = &p.u.Events[0]
	if p.ev.Kind != a2a.EventError {
		p.thing(unwrap(p.object(), p.ev.Kind))
	}
}

// long compares a task with its stream whose JSON is too long to be looked into: that
// takes only what was decoded of it.
func (p *pass) long() {
	p.ev, p.place = &p.u.Events[0], atTask
	for _, r := range p.l.rules(p.in, atTask) {
		if r.id == a2a.ComparisonRule {
			p.rule = r
			r.run(p, jsontok.Node{})
		}
	}
}

// thing walks the object that an event stands for.
func (p *pass) thing(n jsontok.Node) {
	if n.Kind() != jsontok.Object {
		return
	}
	p.at(atEvent, n)
	switch p.ev.Kind {
	case a2a.EventTask:
		p.task(n)
	case a2a.EventMessage:
		p.message(n)
	case a2a.EventStatus:
		p.at(atStatusEvent, n)
		p.status(get(n, "status"))
	case a2a.EventArtifact:
		p.at(atArtifactEvent, n)
		p.artifact(get(n, "artifact"))
	}
}

// object returns what an answer says, without its envelope.
func (p *pass) object() jsontok.Node {
	e := &p.envelope
	switch {
	case e.Result.Exists():
		return e.Result
	case e.Method != "" && e.Params.Exists():
		return e.Params
	default:
		return p.root()
	}
}

// failure returns the error object of an answer.
func (p *pass) failure() jsontok.Node {
	if p.envelope.Failed() {
		return p.envelope.Error
	}
	return p.root()
}

// wrappers are the members that hold an object of each kind in 1.0, and in
// snake_case.
var wrappers = [...][]string{
	a2a.EventTask:     {"task"},
	a2a.EventMessage:  {"message", "msg"},
	a2a.EventStatus:   {"statusUpdate", "status_update"},
	a2a.EventArtifact: {"artifactUpdate", "artifact_update"},
}

// unwrap returns the object in a stream response, or the object itself where none is
// around it.
func unwrap(n jsontok.Node, kind a2a.EventKind) jsontok.Node {
	if int(kind) >= len(wrappers) {
		return n
	}
	for _, name := range wrappers[kind] {
		if v := n.Get(name); v.Kind() == jsontok.Object {
			return v
		}
	}
	return n
}

// cards walks a card, or the list of a registry. The dialect of a card is its own.
func (p *pass) cards(n jsontok.Node) {
	asked := p.in
	defer func() { p.in = asked }()
	card := func(n jsontok.Node) {
		if n.Kind() == jsontok.Object {
			p.in = cardScope(n)
			if p.card == 0 {
				p.card = p.in
			}
			p.at(atCard, n)
		}
	}
	card(n)
	for e := range n.Elems() {
		card(e)
	}
}

func (p *pass) tasks(n jsontok.Node) {
	list := n
	if n.Kind() == jsontok.Object {
		list = get(n, "tasks")
	}
	for e := range list.Elems() {
		if e.Kind() == jsontok.Object {
			p.task(e)
		}
	}
}

func (p *pass) task(n jsontok.Node) {
	p.at(atTask, n)
	p.status(get(n, "status"))
	for a := range get(n, "artifacts").Elems() {
		p.artifact(a)
	}
	for m := range get(n, "history").Elems() {
		p.message(m)
	}
}

func (p *pass) status(n jsontok.Node) {
	if n.Kind() != jsontok.Object {
		return
	}
	p.at(atStatus, n)
	p.message(either(n, "message", "update")) // update in the protocol buffer of 0.3
}

func (p *pass) artifact(n jsontok.Node) {
	if n.Kind() != jsontok.Object {
		return
	}
	p.at(atArtifact, n)
	p.retold = false
	p.parts(get(n, "parts"))
}

func (p *pass) message(n jsontok.Node) {
	if n.Kind() != jsontok.Object {
		return
	}
	p.at(atMessage, n)
	p.retold = inHistory(n) && n.Get("role").Exists()
	p.parts(either(n, "parts", "content")) // content in 0.3 over HTTP+JSON
}

func (p *pass) parts(n jsontok.Node) {
	for e := range n.Elems() {
		if e.Kind() == jsontok.Object {
			p.at(atPart, e)
			if e.GetAny("file", "raw", "url").Exists() {
				p.at(atFile, e)
			}
		}
	}
}
