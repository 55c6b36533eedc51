package tracker

import (
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
	exchanges map[a2a.ExchangeID]*Exchange // exchanges that have not ended
	memory    task.Memory
	over      bool
}

// NewPrecheck returns a check by these rules, before the first record.
func NewPrecheck(rules log.Checker) *Precheck {
	return &Precheck{rules: rules, known: map[a2a.AgentID]*a2a.Fold{}, exchanges: map[a2a.ExchangeID]*Exchange{}, memory: task.Memory{}}
}

// Leave leaves the checks of all further records to the state, and the memory that they need.
func (p *Precheck) Leave() {
	p.over, p.known, p.exchanges, p.memory = true, nil, nil, nil
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
			x := NewExchange(r.ID, c, p.agent(c.Agent))
			p.exchanges[r.ID] = &x
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

// note takes a note, as the state does.
func (p *Precheck) note(n *a2a.Note) {
	if n == nil {
		return
	}
	id := log.IDIn[a2a.AgentID](n.Attrs, log.AttrAgent)
	if id == 0 {
		return
	}
	if f := p.agent(id); n.Type == log.NoteMerge {
		f.Merge(n.Attrs[log.AttrTask])
	}
}

// answer takes an answer in an exchange, as the state does.
func (p *Precheck) answer(r *a2a.Record, events []a2a.Event) {
	x := p.exchanges[r.Exchange]
	if x == nil {
		return
	}
	if r.Kind == a2a.KindEnd {
		delete(p.exchanges, r.Exchange)
	}
	if x.Call.Check || !InConversation(x.Call.Op) {
		return
	}
	for i := range events {
		if ev := &events[i]; IsAssembled(ev.Kind) {
			p.own(x, x.Claim(p.memory, r, ev))
		}
	}
	if r.Kind == a2a.KindEnd {
		p.own(x, x.Rest(p.memory))
	}
}

// own takes an event about the subject of an exchange, as the state does.
func (p *Precheck) own(x *Exchange, events []task.Mention) {
	for _, it := range events {
		if !x.Contradicts(p.memory, it) {
			x.Assemble(it.Record, it.Event)
		}
	}
}
