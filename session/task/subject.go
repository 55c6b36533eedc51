package task

import (
	"cmp"

	"parley/a2a"
)

// A Subject is what an exchange is about: one task in one context. Agents that mix up their
// streams also send events of others. Those are strays, which must not change what the user
// sees of this one: the decision is made here, for the engine and the judge of the records alike.
//
// An operation on a task is about that task. A message is about the first task that its
// answer names, unless that belongs elsewhere; then its events are held until it is clear
// that the answer is about nothing else.
type Subject struct {
	call    *a2a.Call
	Task    string    // empty while it is not known
	context string    // that the agent named first
	pending []Mention // events of one other task, while the subject is not known
	mixed   bool      // several others were named, so none can be the subject
	moved   bool      // the conversation has moved to the context
}

// A Mention is an event and its record, nil for the engine, which has none yet.
type Mention struct {
	Record *a2a.Record
	Event  *a2a.Event
	Begun  uint64 // how many exchanges the engine had begun when the event came
}

// A Relation is what is known of a task when an event names it.
type Relation struct {
	Known bool
	Conv  a2a.ConversationID // where it belongs
	State a2a.State
}

const (
	// maxHeld is how many events are held of a new task until it becomes the subject: an agent
	// may give a task another id than the requested one.
	maxHeld = 16
	// maxHeldKnown is how many are held of a task that belongs elsewhere, which never becomes
	// the subject during the stream.
	maxHeldKnown = 256
)

// NewSubject returns the subject of a call.
func NewSubject(call *a2a.Call) Subject {
	s := Subject{call: call}
	if !SendsMessage(call.Op) {
		s.Task = call.TaskID
	}
	return s
}

// mixes reports whether the dialect of the call reports several tasks on one stream by design:
// an agent mesh names the tasks of all agents that take part.
func (s *Subject) mixes() bool {
	switch s.call.Dialect {
	case a2a.SAMDoc, a2a.SAMHTTP, a2a.SAMBroker:
		return true
	}
	return false
}

// Claim returns the events that are the exchange's own now that this one has come: itself, and
// those that were held before; none if it is a stray, as far as is known by now. framed says
// that it belongs to a stream. find returns what is known of a task.
func (s *Subject) Claim(it Mention, framed bool, find func(task string) Relation) []Mention {
	ev := it.Event
	switch {
	case s.mixes():
		return []Mention{it}
	case ev.TaskID == "":
		if ev.Kind == a2a.EventMessage && s.context != "" && ev.ContextID != "" && ev.ContextID != s.context {
			return nil
		}
		s.noteContext(ev)
		return []Mention{it}
	case s.Task == "" && (!framed || s.adopts(ev, find(ev.TaskID))):
		s.Task, s.pending = ev.TaskID, nil
	case s.Task == "":
		return s.hold(it, find)
	}
	if ev.TaskID != s.Task {
		return nil
	}
	s.noteContext(ev)
	return []Mention{it}
}

// noteContext notes the context of an own event, unless another one was named before.
func (s *Subject) noteContext(ev *a2a.Event) {
	if s.context == "" {
		s.context = ev.ContextID
	}
}

// adopts reports whether the first task in the answer to a message is the subject.
func (s *Subject) adopts(ev *a2a.Event, is Relation) bool {
	asked := s.call.TaskID
	switch {
	case ev.TaskID == asked:
		return true
	case !is.Known && asked == "":
		return true
	case !is.Known: // the agent may begin another task in the same conversation
		return ev.ContextID != "" && ev.ContextID == s.call.ContextID
	case is.Conv != s.call.Conversation || asked != "":
		return false
	}
	// A task of the same conversation: it was continued, unless this is only late.
	st := StatusOf(ev)
	return ev.Kind == a2a.EventTask || !is.State.Terminal() || st != nil && !st.State.Terminal()
}

// hold keeps an event of another task, and returns all that is held once that task becomes the
// subject.
func (s *Subject) hold(it Mention, find func(task string) Relation) []Mention {
	if len(s.pending) > 0 && s.pending[0].Event.TaskID != it.Event.TaskID {
		s.mixed = true
	}
	if s.mixed {
		s.pending = nil
		return nil
	}
	s.pending = append(s.pending, it)
	switch {
	case find(it.Event.TaskID).Known:
		if len(s.pending) > maxHeldKnown {
			s.mixed = true
		}
	case len(s.pending) == maxHeld:
		return s.settle()
	}
	return nil
}

// settle makes the task of what is held the subject and returns it.
func (s *Subject) settle() []Mention {
	own := s.pending
	s.Task, s.pending = own[0].Event.TaskID, nil
	for _, it := range own {
		s.noteContext(it.Event)
	}
	return own
}

// End returns the held events that are the exchange's own because nothing else came, unless
// another stream reports the task: then its agent sent them on the wrong one.
func (s *Subject) End(find func(task string) Relation) []Mention {
	if s.Task != "" || len(s.pending) == 0 || s.mixed {
		return nil
	}
	if is := find(s.pending[0].Event.TaskID); is.Known && is.Conv != s.call.Conversation && !is.State.Terminal() && !is.State.Interrupted() {
		s.pending = nil
		return nil
	}
	return s.settle()
}

// Over reports whether the task that is held is over, or waits, so that nothing else may come.
func (s *Subject) Over() bool {
	if s.Task != "" || len(s.pending) == 0 {
		return false
	}
	st := StatusOf(s.pending[len(s.pending)-1].Event)
	return st != nil && (st.State.Terminal() || st.State.Interrupted())
}

// Move returns the context to which an own event moves the conversation: after a message the first one in its
// answer, otherwise none. It does so once.
func (s *Subject) Move() string {
	if !SendsMessage(s.call.Op) || s.context == "" || s.moved {
		return ""
	}
	s.moved = true
	return s.context
}

// ContextOf returns the context in which a conversation goes on after an own event: that to which the event moves
// it, otherwise that of now, otherwise that of the event.
func (s *Subject) ContextOf(ev *a2a.Event, now string) string {
	return cmp.Or(s.Move(), now, ev.ContextID)
}
