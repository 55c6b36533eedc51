package model

import (
	"slices"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// An Aside is an answer to a turn's requests that is about another task or context. It is
// shown, and changes nothing.
type Aside struct {
	TaskID, ContextID string // empty for the summary of all further tasks
	Events            int
	First, Last       a2a.RecordID
	Time              time.Time // of the first
	// State and Word are the newest state, if any.
	State a2a.State
	Word  string
	// Text is the beginning of the newest text, in one line.
	Text string
}

// MaxAsides is how many other tasks an exchange shows one by one; the rest are one aside.
const MaxAsides = 8

// StateWord returns the state for users, empty if there is none.
func (a *Aside) StateWord() string {
	if a.Word == "" {
		return ""
	}
	return task.StateWord(a.State, a.Word)
}

// aside shows an event of another task or context beside its turn. Its cost does not depend on
// earlier asides.
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
	x.turn.touch()
}

// moreTasks stands for the tasks beyond [MaxAsides]; it is the id of none, because ids are
// text.
const moreTasks = "\xff"

func (a *Aside) add(r *a2a.Record, ev *a2a.Event) {
	a.Events++
	a.Last = r.ID
	m := ev.Message
	if st := task.StatusOf(ev); st != nil {
		a.State, a.Word = st.State, st.Word
		m = st.Message
	}
	if m != nil {
		a.Text = title(m, m.Text())
	}
	if ev.Artifact != nil {
		for i := range ev.Artifact.Parts {
			if text := ev.Artifact.Parts[i].Text; text != "" {
				a.Text = title(&a2a.Message{}, problem.Clip(text))
			}
		}
	}
}

// dropAside removes the aside of a task that turns out to be the subject of the exchange.
func (x *exchange) dropAside(task string) {
	a := x.asides[task]
	if a == nil {
		return
	}
	delete(x.asides, task)
	x.turn.Asides = slices.DeleteFunc(slices.Clone(x.turn.Asides), func(other *Aside) bool { return other == a })
}

// A Contradiction is a statement of the agent about a task that was over, which cannot be true.
type Contradiction struct {
	State  a2a.State
	Word   string
	Record a2a.RecordID
}

// StateWord returns the state for users.
func (c *Contradiction) StateWord() string { return task.StateWord(c.State, c.Word) }

// noteContradiction notes that an event contradicts the end of a task. It proves that the agent
// knows the task, and changes nothing else.
func (s *State) noteContradiction(x *exchange, it *log.Ruling) {
	task, st := s.Task(x.agent.ID, it.Event.TaskID), task.StatusOf(it.Event)
	if task == nil {
		return
	}
	task.Recall(it.Record.Time)
	task.Contradiction = &Contradiction{State: st.State, Word: st.Word, Record: it.Record.ID}
	task.touch()
	if task.turn != nil {
		task.turn.touch()
	}
}

// applyCheck takes an answer that is only compared with what is known: if it contradicts the end
// of a task, that is shown.
func (s *State) applyCheck(x *exchange, p *log.Item, v *log.Verdict, ch *Change) {
	for i := range p.Update.Events {
		if ev := &p.Update.Events[i]; task.StatusOf(ev) != nil {
			x.tells(s, ev.TaskID)
		}
	}
	for i := range v.Rulings {
		t := s.Task(x.agent.ID, v.Rulings[i].Event.TaskID)
		if t == nil {
			continue
		}
		s.noteContradiction(x, &v.Rulings[i])
		ch.Conversation = t.Conversation.ID
		if t.turn != nil {
			ch.Turn = t.turn.ID
		}
	}
}

// manyShown is how many artifacts are shown again when an agent answers with a task of
// another conversation.
const manyShown = 16

// sameAgain shows a known task that answered a message without anything new: otherwise the turn
// would look as if it had no answer.
func (s *State) sameAgain(x *exchange, r *a2a.Record) {
	t, known := x.turn, x.task
	if !task.SendsMessage(x.call.Op) || t == nil || known == nil || len(t.Blocks) > 0 || x.subject != known.ID || len(known.Transitions) == 0 {
		return
	}
	add := func(e Entry) {
		e.Record, e.Time = r.ID, r.Time
		s.entry(t, known, e)
	}
	add(Entry{Kind: EntryState, State: known.Transitions[len(known.Transitions)-1]})
	if known.Works() {
		return // more events will come
	}
	add(Entry{Kind: EntrySame})
	if known.Conversation == t.Conversation {
		return
	}
	if known.said != nil {
		add(Entry{Kind: EntryMessage, Message: known.said})
	}
	for _, a := range known.Artifacts[:min(len(known.Artifacts), manyShown)] {
		add(Entry{Kind: EntryArtifact, Artifact: a})
	}
}
