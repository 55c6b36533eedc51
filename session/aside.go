package session

import (
	"time"

	"parley/a2a"
)

// An Aside is what came in answer to a turn's requests although it is about another task or
// another context. It is shown for what it is and changes nothing.
type Aside struct {
	TaskID, ContextID string // empty for what is told of all further tasks together
	Events            int
	First, Last       a2a.RecordID
	Time              time.Time // of the first
	// State and Word are the newest state that was told, if any was.
	State a2a.State
	Word  string
	// Text is the beginning of the newest text, in one line.
	Text string
}

// MaxAsides is how many other tasks an exchange tells of one by one; more are one aside.
const MaxAsides = 8

// StateWord returns the state that was told for people, empty if none was.
func (a *Aside) StateWord() string {
	if a.Word == "" {
		return ""
	}
	return stateWord(&a2a.Status{State: a.State, Word: a.Word})
}

// aside shows an event of another task or context beside its turn. It costs the same however
// many came before.
func (s *State) aside(x *exchange, r *a2a.Record, ev *a2a.Event) {
	x.events++
	if x.turn == nil {
		return
	}
	key := ev.TaskID
	if x.asides[key] == nil && len(x.asides) >= MaxAsides {
		key = moreTasks
	}
	a := x.asides[key]
	if a == nil {
		a = &Aside{First: r.ID, Time: r.Time}
		if key != moreTasks {
			a.TaskID, a.ContextID = ev.TaskID, ev.ContextID
		}
		if x.asides == nil {
			x.asides = map[string]*Aside{}
		}
		x.asides[key] = a
		x.turn.Asides = append(x.turn.Asides, a)
	}
	a.add(r, ev)
	s.touchTurn(x.turn)
}

// moreTasks stands for the tasks beyond [MaxAsides]; it is the id of none, because ids are
// text.
const moreTasks = "\xff"

func (a *Aside) add(r *a2a.Record, ev *a2a.Event) {
	a.Events++
	a.Last = r.ID
	m := ev.Message
	if st := statusOf(ev); st != nil {
		a.State, a.Word = st.State, st.Word
		m = st.Message
	}
	if m != nil {
		a.Text = title(m, m.Text())
	}
	if ev.Artifact != nil {
		for i := range ev.Artifact.Parts {
			if text := ev.Artifact.Parts[i].Text; text != "" {
				a.Text = title(&a2a.Message{}, clip(text))
			}
		}
	}
}

// noAside takes back the aside of a task that turns out to be what the exchange is about.
func (x *exchange) noAside(task string) {
	a := x.asides[task]
	if a == nil {
		return
	}
	delete(x.asides, task)
	for i, other := range x.turn.Asides {
		if other == a {
			x.turn.Asides = append(x.turn.Asides[:i:i], x.turn.Asides[i+1:]...)
			return
		}
	}
}

// A Contradiction is what an agent said of a task that was over, and which cannot be so.
type Contradiction struct {
	State  a2a.State
	Word   string
	Record a2a.RecordID
}

// StateWord returns the state that was told, for people.
func (c *Contradiction) StateWord() string {
	return stateWord(&a2a.Status{State: c.State, Word: c.Word})
}

// contradicted notes what an event says of a task against its end. It shows that the agent
// knows the task, and changes nothing else.
func (s *State) contradicted(x *exchange, it said) {
	task, st := s.Task(x.agent.ID, it.event.TaskID), statusOf(it.event)
	if task == nil {
		return
	}
	task.Recall()
	task.Contradiction = &Contradiction{State: st.State, Word: st.Word, Record: it.record.ID}
	task.touched()
	if task.turn != nil {
		s.touchTurn(task.turn)
	}
}

// checked takes in what a request told that is only compared with what is known: if it says
// otherwise how a task ended, that is shown.
func (s *State) checked(x *exchange, p *Item, ch *Change) {
	for i := range p.Update.Events {
		ev := &p.Update.Events[i]
		st, task := statusOf(ev), s.Task(x.agent.ID, ev.TaskID)
		if st == nil || task == nil || !st.State.Terminal() || task.Judge(st, false) != MoveContradicts {
			continue
		}
		s.contradicted(x, said{&p.Record, ev})
		ch.Conversation = task.Conversation.ID
		if task.turn != nil {
			ch.Turn = task.turn.ID
		}
	}
}

// manyShown is how many artifacts are shown again when an agent answers with a task of
// another conversation.
const manyShown = 16

// sameAgain shows a task that was known and with which an agent answered a message, when
// nothing of it is new: else the turn would look as if it had no answer.
func (s *State) sameAgain(x *exchange, r *a2a.Record) {
	t, task := x.turn, x.task
	if !aboutMessage(x.call.Op) || t == nil || task == nil || len(t.Blocks) > 0 || x.subject.task != task.ID || len(task.Transitions) == 0 {
		return
	}
	add := func(e Entry) {
		e.Record, e.Time = r.ID, r.Time
		s.entry(t, task, e)
	}
	add(Entry{Kind: EntryState, State: task.Transitions[len(task.Transitions)-1]})
	if task.Works() {
		return // more is to come
	}
	add(Entry{Kind: EntrySame})
	if task.Conversation == t.Conversation {
		return
	}
	if st := x.agent.fold.Status(task.ID); st != nil && st.Message != nil {
		add(Entry{Kind: EntryMessage, Message: st.Message})
	}
	for _, a := range task.Artifacts[:min(len(task.Artifacts), manyShown)] {
		add(Entry{Kind: EntryArtifact, Artifact: a})
	}
}
