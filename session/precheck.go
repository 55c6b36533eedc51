package session

import (
	"strconv"

	"parley/a2a"
)

// A precheck checks the records of a replay before the state has them, so that both run in
// parallel. It knows of the agents' tasks what the state will know by then.
//
// Only the state knows the fate of a delivery. From the first delivery on the state, which has
// the same rules, does the checks.
type precheck struct {
	rules     Checker
	known     map[a2a.AgentID]*a2a.Fold
	exchanges map[a2a.ExchangeID]*prechecked // exchanges that have not ended
	trails    trails
	over      bool
}

// A prechecked is what is needed of a request until its end.
type prechecked struct {
	id      a2a.ExchangeID
	call    *a2a.Call
	subject subject
	fold    *a2a.Fold
	resumed bool
}

func newPrecheck(rules Checker) *precheck {
	return &precheck{rules: rules, known: map[a2a.AgentID]*a2a.Fold{}, exchanges: map[a2a.ExchangeID]*prechecked{}, trails: trails{}}
}

// check adds the findings of the next item.
func (p *precheck) check(it *Item) {
	r := &it.Record
	if p.over = p.over || r.Kind == a2a.KindDelivery; p.over {
		return
	}
	var known *a2a.Fold
	if r.Call != nil {
		known = p.known[r.Call.Agent]
	}
	it.Findings, it.checked = findingsOf(p.rules, it, known), true
	switch r.Kind {
	case a2a.KindRequest:
		if c := r.Call; c != nil && c.Agent != 0 {
			p.exchanges[r.ID] = &prechecked{id: r.ID, call: c, subject: newSubject(c), fold: p.agent(c.Agent)}
		}
	case a2a.KindNote:
		p.note(r.Note)
	case a2a.KindEvent, a2a.KindBody, a2a.KindEnd:
		p.answer(r, it.Update.Events)
	}
}

// agent returns the known tasks of an agent, initially none.
func (p *precheck) agent(id a2a.AgentID) *a2a.Fold {
	f := p.known[id]
	if f == nil {
		f = a2a.NewFold()
		p.known[id] = f
	}
	return f
}

// note takes a note, as [State.note] does.
func (p *precheck) note(n *a2a.Note) {
	if n == nil {
		return
	}
	id, err := strconv.ParseUint(n.Attrs[attrAgent], 10, 32)
	if err != nil || id == 0 {
		return
	}
	if f := p.agent(a2a.AgentID(id)); n.Type == NoteMerge {
		f.Merge(n.Attrs[attrTask])
	}
}

// answer takes an answer in an exchange, as [State.answer] does.
func (p *precheck) answer(r *a2a.Record, events []a2a.Event) {
	x := p.exchanges[r.Exchange]
	if x == nil {
		return
	}
	if r.Kind == a2a.KindEnd {
		delete(p.exchanges, r.Exchange)
	}
	if x.call.Check || !aboutTalk(x.call.Op) {
		return
	}
	find := p.trails.find(x.call, x.fold)
	for i := range events {
		if ev := &events[i]; assembled(ev.Kind) {
			p.own(x, x.subject.take(said{r, ev}, r.Kind == a2a.KindEvent, find))
		}
	}
	if r.Kind == a2a.KindEnd {
		p.own(x, x.subject.end(find))
	}
}

// own takes an event about the subject of an exchange, as [State.own] does.
func (p *precheck) own(x *prechecked, events []said) {
	for _, it := range events {
		if p.trails.judge(x.id, x.call, x.fold, it) != MoveContradicts {
			assemble(x.fold, x.call, it.record, it.event, &x.resumed)
		}
	}
}
