package model

import (
	"strconv"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// A Precheck checks the records of a replay before the state has them, so that both run in
// parallel. It knows of the agents' tasks what the state will know by then.
//
// Only the state knows the fate of a delivery. From the first delivery on the state, which has
// the same rules, does the checks.
type Precheck struct {
	rules     log.Checker
	known     map[a2a.AgentID]*a2a.Fold
	exchanges map[a2a.ExchangeID]*exchangeBefore // exchanges that have not ended
	trails    task.Memory
	over      bool
}

// An exchangeBefore is what is needed of a request until its end.
type exchangeBefore struct {
	id      a2a.ExchangeID
	call    *a2a.Call
	subject task.Subject
	fold    *a2a.Fold
	resumed bool
}

// NewPrecheck returns a check by these rules, before the first record.
func NewPrecheck(rules log.Checker) *Precheck {
	return &Precheck{rules: rules, known: map[a2a.AgentID]*a2a.Fold{}, exchanges: map[a2a.ExchangeID]*exchangeBefore{}, trails: task.Memory{}}
}

// Check adds the findings of the next item.
func (p *Precheck) Check(it *log.Item) {
	r := &it.Record
	if p.over = p.over || r.Kind == a2a.KindDelivery; p.over {
		return
	}
	var known *a2a.Fold
	if r.Call != nil {
		known = p.known[r.Call.Agent]
	}
	it.Findings, it.Checked = log.FindingsOf(p.rules, it, known), true
	switch r.Kind {
	case a2a.KindRequest:
		if c := r.Call; c != nil && c.Agent != 0 {
			p.exchanges[r.ID] = &exchangeBefore{id: r.ID, call: c, subject: task.NewSubject(c), fold: p.agent(c.Agent)}
		}
	case a2a.KindNote:
		p.note(r.Note)
	case a2a.KindEvent, a2a.KindBody, a2a.KindEnd:
		p.answer(r, it.Update.Events)
	}
}

// agent returns the known tasks of an agent, initially none.
func (p *Precheck) agent(id a2a.AgentID) *a2a.Fold {
	f := p.known[id]
	if f == nil {
		f = a2a.NewFold()
		p.known[id] = f
	}
	return f
}

// note takes a note, as [State.note] does.
func (p *Precheck) note(n *a2a.Note) {
	if n == nil {
		return
	}
	id, err := strconv.ParseUint(n.Attrs[log.AttrAgent], 10, 32)
	if err != nil || id == 0 {
		return
	}
	if f := p.agent(a2a.AgentID(id)); n.Type == log.NoteMerge {
		f.Merge(n.Attrs[log.AttrTask])
	}
}

// answer takes an answer in an exchange, as [State.answer] does.
func (p *Precheck) answer(r *a2a.Record, events []a2a.Event) {
	x := p.exchanges[r.Exchange]
	if x == nil {
		return
	}
	if r.Kind == a2a.KindEnd {
		delete(p.exchanges, r.Exchange)
	}
	if x.call.Check || !InConversation(x.call.Op) {
		return
	}
	find := p.trails.Find(x.call, x.fold)
	for i := range events {
		if ev := &events[i]; IsAssembled(ev.Kind) {
			p.own(x, x.subject.Claim(task.Mention{Record: r, Event: ev}, r.Kind == a2a.KindEvent, find))
		}
	}
	if r.Kind == a2a.KindEnd {
		p.own(x, x.subject.End(find))
	}
}

// own takes an event about the subject of an exchange, as [State.own] does.
func (p *Precheck) own(x *exchangeBefore, events []task.Mention) {
	for _, it := range events {
		if p.trails.Judge(x.id, x.call, x.fold, it) != task.MoveContradicts {
			assemble(x.fold, x.call, it.Record, it.Event, &x.resumed)
		}
	}
}
