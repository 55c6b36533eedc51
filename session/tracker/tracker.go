package tracker

import (
	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// A Tracker judges the records of a session, in their order, and knows what they say about the tasks of all
// agents. Judging a record costs time in proportion to the record, whatever came before.
type Tracker struct {
	agents    map[a2a.AgentID]*a2a.Fold
	exchanges map[a2a.ExchangeID]*exchange // that have not ended
	memory    memory
	turns     turnSet
	verdict   log.Verdict // the newest
	deltas    []a2a.Delta // in it
}

// New returns a tracker that has judged nothing.
func New() *Tracker {
	return &Tracker{agents: map[a2a.AgentID]*a2a.Fold{}, exchanges: map[a2a.ExchangeID]*exchange{}, memory: memory{}, turns: turnSet{}}
}

// Known returns the tasks of an agent as its events make them, nil if no record names the agent. It must not
// be changed.
func (t *Tracker) Known(agent a2a.AgentID) *a2a.Fold { return t.agents[agent] }

// Judge returns the verdict on the next record, which is valid until the one after it is judged.
func (t *Tracker) Judge(r *a2a.Record, u *a2a.Update) *log.Verdict {
	v := t.next()
	switch r.Kind {
	case a2a.KindRequest:
		t.request(r, v)
	case a2a.KindDelivery:
		t.delivery(r, u, v)
	case a2a.KindNote:
		t.note(r.Note, v)
	default:
		if x := t.exchanges[r.Exchange]; x != nil {
			t.answer(x, r, u, v)
		}
	}
	return v
}

// maxKept is how many deltas there is room for after a record that had more.
const maxKept = 1 << 10

// next returns an empty verdict, in the memory of the newest one.
func (t *Tracker) next() *log.Verdict {
	v := &t.verdict
	clear(v.Rulings)
	clear(t.deltas)
	*v, t.deltas = log.Verdict{Rulings: v.Rulings[:0]}, t.deltas[:0]
	if cap(v.Rulings) > maxKept || cap(t.deltas) > maxKept {
		v.Rulings, t.deltas = nil, nil
	}
	return v
}

// request takes the beginning of an exchange.
func (t *Tracker) request(r *a2a.Record, v *log.Verdict) {
	call := r.Call
	if call == nil || call.Agent == 0 {
		return
	}
	x := newExchange(r.ID, call, t.agent(call.Agent))
	t.exchanges[r.ID] = x
	if call.Check {
		return
	}
	known := t.memory.of(call.Agent, call.TaskID)
	switch {
	case call.Turn != 0 && InConversation(call.Op) && !call.AuthPoll:
		x.turn = call.Turn
		t.turns.add(call.Turn)
	case known != nil && known.shown:
		x.turn = known.turn
	}
	v.Turn = x.turn
	if x.turn == 0 || known == nil || !known.shown {
		return
	}
	x.task = call.TaskID
	if call.Turn != 0 && !call.AuthPoll {
		known.turn = x.turn
	}
}

// note takes a decision of the engine or the user.
func (t *Tracker) note(n *a2a.Note, v *log.Verdict) {
	if n == nil {
		return
	}
	id := log.IDIn[a2a.AgentID](n.Attrs, log.AttrAgent)
	if id == 0 {
		return
	}
	f := t.agent(id)
	switch n.Type {
	case log.NoteMerge:
		v.Merged = t.keep(f.Merge(n.Attrs[log.AttrTask]))
	case log.NoteUnsent: // its text is a turn
		if log.IDIn[a2a.ConversationID](n.Attrs, log.AttrConversation) != 0 {
			t.turns.add(log.IDIn[a2a.TurnID](n.Attrs, log.AttrTurn))
		}
	}
}

// agent returns the tasks of an agent, initially none.
func (t *Tracker) agent(id a2a.AgentID) *a2a.Fold {
	f := t.agents[id]
	if f == nil {
		f = a2a.NewFold()
		t.agents[id] = f
	}
	return f
}

// answer judges an answer in an exchange.
func (t *Tracker) answer(x *exchange, r *a2a.Record, u *a2a.Update, v *log.Verdict) {
	if r.Kind == a2a.KindEnd {
		delete(t.exchanges, x.id)
	}
	switch {
	case x.call.Op == a2a.OpDelivery:
		return
	case x.call.Check:
		t.check(x, r, u, v)
		return
	}
	v.Streams = !x.streams && x.turn != 0 && opensStream(r)
	x.streams = x.streams || v.Streams
	if r.Kind != a2a.KindEvent && r.Kind != a2a.KindBody && r.Kind != a2a.KindEnd || !InConversation(x.call.Op) {
		return
	}
	find := t.memory.find(x)
	for i := range u.Events {
		if !IsAssembled(u.Events[i].Kind) {
			continue
		}
		it := task.Mention{Record: r, Event: &u.Events[i]}
		own := x.subject.Claim(it, r.Kind == a2a.KindEvent, find)
		if len(own) == 0 {
			v.Rulings = append(v.Rulings, log.Ruling{By: i, Record: r, Event: it.Event, Effect: log.EffectStray, Turn: x.turn})
		}
		t.own(x, own, i, v)
	}
	if r.Kind == a2a.KindEnd {
		t.own(x, x.subject.End(find), len(u.Events), v)
	}
	v.Subject = x.subject.Task
}

// own judges events about the subject of an exchange.
func (t *Tracker) own(x *exchange, events []task.Mention, by int, v *log.Verdict) {
	for _, it := range events {
		ruling := log.Ruling{By: by, Record: it.Record, Event: it.Event}
		switch {
		case t.isOutdated(x, it.Event):
			ruling.Effect = log.EffectOutdated
		case t.memory.judge(x, it) == task.MoveContradicts:
			ruling.Effect = log.EffectContradicts
		default:
			t.assemble(x, it, &ruling)
			ruling.Continues = x.text.Continues(it.Event)
			if x.call.Op == a2a.OpGet && it.Event.Kind == a2a.EventTask {
				t.noteAnswer(x, it)
			}
		}
		v.Rulings = append(v.Rulings, ruling)
	}
}

// noteAnswer notes that a task took an answer, or a delivery.
func (t *Tracker) noteAnswer(x *exchange, it task.Mention) {
	if known := t.memory.of(x.call.Agent, it.Event.TaskID); known != nil {
		known.answered = it.Record.ID
	}
}

// assemble passes an event to the tasks of its agent.
func (t *Tracker) assemble(x *exchange, it task.Mention, ruling *log.Ruling) {
	id := it.Event.TaskID
	ruling.Turn = t.turnOf(x, id)
	deltas, resumes := x.assemble(it.Record, it.Event)
	ruling.Deltas, ruling.Resumes = t.keep(deltas), resumes
	for i := range deltas {
		if deltas[i].Strays >= a2a.MinStrays {
			ruling.Scattered = x.fold.Scattered(id)
		}
	}
	if len(deltas) == 0 || ruling.Turn == 0 {
		return // it says nothing new, or the task is of no conversation, as in a list
	}
	ruling.Moves = x.subject.Move()
	known := t.memory.of(x.call.Agent, id)
	if known == nil {
		return
	}
	known.shown, x.task = true, id
	if x.call.Turn != 0 {
		known.turn = ruling.Turn
	}
	if st := x.fold.Status(id); st != nil && st.State.Terminal() && !known.over {
		known.over, ruling.Texts = true, x.fold.Texts(id)
	}
}

// turnOf returns the turn of an event about a task: that of its exchange, otherwise the newest one of the
// task.
func (t *Tracker) turnOf(x *exchange, id string) a2a.TurnID {
	if x.call.Turn != 0 && x.turn != 0 {
		return x.turn
	}
	if known := t.memory.of(x.call.Agent, id); known != nil && known.turn != 0 {
		return known.turn
	}
	return x.turn
}

// check judges an answer that is only compared with what is known.
func (t *Tracker) check(x *exchange, r *a2a.Record, u *a2a.Update, v *log.Verdict) {
	for i := range u.Events {
		ev := &u.Events[i]
		st, before := task.StatusOf(ev), x.fold.Status(ev.TaskID)
		if st == nil || before == nil || !st.State.Terminal() {
			continue
		}
		if was := (task.Lifecycle{State: before.State, Word: before.Word}); was.Judge(st, false) == task.MoveContradicts {
			v.Rulings = append(v.Rulings, log.Ruling{By: i, Record: r, Event: ev, Effect: log.EffectContradicts, Turn: t.turnOf(x, ev.TaskID)})
		}
	}
}

// isOutdated reports whether a delivery or another answer came during a get, and this answer is
// older.
func (t *Tracker) isOutdated(x *exchange, ev *a2a.Event) bool {
	if x.call.Op != a2a.OpGet || ev.Task == nil {
		return false
	}
	known := t.memory.of(x.call.Agent, ev.TaskID)
	if known == nil || known.answered < x.id {
		return false
	}
	before, answered := x.fold.Status(ev.TaskID), &ev.Task.Status
	switch {
	case before == nil:
		return false
	case before.Time.IsZero() || answered.Time.IsZero():
		return before.State.Terminal() && !answered.State.Terminal()
	}
	return answered.Time.Before(before.Time)
}

// keep copies deltas, which their fold would reuse with the next event of the record.
func (t *Tracker) keep(deltas []a2a.Delta) []a2a.Delta {
	from := len(t.deltas)
	t.deltas = append(t.deltas, deltas...)
	return t.deltas[from:len(t.deltas):len(t.deltas)]
}
