package session

import "parley/a2a"

// A subject is what an exchange is about: one task in one context. Agents that mix up their
// streams also send events of others. Those are strays, which must not change what the user
// sees of this one: the decision is made here, for the engine, [State] and the check of a
// replay alike.
//
// An operation on a task is about that task. A message is about the first task that its
// answer names, unless that belongs elsewhere; then its events are held until it is clear
// that the answer is about nothing else.
type subject struct {
	call    *a2a.Call
	task    string // empty while it is not known
	context string // that the agent named first
	held    []said // events of one other task, while the subject is not known
	mixed   bool   // several others were named, so none can be the subject
	moved   bool   // the conversation has moved to the context
}

// A said is an event and its record, nil if it is not needed.
type said struct {
	record *a2a.Record
	event  *a2a.Event
}

// A relation is what is known of a task when an event names it.
type relation struct {
	known bool
	conv  a2a.ConversationID // where it belongs
	state a2a.State
}

const (
	// maxHeld is how many events are held of a new task until it becomes the subject: an agent
	// may give a task another id than the requested one.
	maxHeld = 16
	// maxHeldKnown is how many are held of a task that belongs elsewhere, which never becomes
	// the subject during the stream.
	maxHeldKnown = 256
)

// newSubject returns the subject of a call.
func newSubject(call *a2a.Call) subject {
	s := subject{call: call}
	if !aboutMessage(call.Op) {
		s.task = call.TaskID
	}
	return s
}

// mixes reports whether the dialect of the call reports several tasks on one stream by design:
// an agent mesh names the tasks of all agents that take part.
func (s *subject) mixes() bool {
	return s.call.Dialect == a2a.SAMDoc || s.call.Dialect == a2a.SAMHTTP
}

// take returns the events that are the exchange's own now that this one has come: itself, and
// those that were held before; none if it is a stray, as far as is known by now. framed says
// that it belongs to a stream. find returns what is known of a task.
func (s *subject) take(it said, framed bool, find func(task string) relation) []said {
	ev := it.event
	switch {
	case s.mixes():
		return []said{it}
	case ev.TaskID == "":
		if ev.Kind == a2a.EventMessage && s.context != "" && ev.ContextID != "" && ev.ContextID != s.context {
			return nil
		}
		s.named(ev)
		return []said{it}
	case s.task == "" && (!framed || s.adopts(ev, find(ev.TaskID))):
		s.task, s.held = ev.TaskID, nil
	case s.task == "":
		return s.hold(it, find)
	}
	if ev.TaskID != s.task {
		return nil
	}
	s.named(ev)
	return []said{it}
}

// named notes the context of an own event, unless another one was named before.
func (s *subject) named(ev *a2a.Event) {
	if s.context == "" {
		s.context = ev.ContextID
	}
}

// adopts reports whether the first task in the answer to a message is the subject.
func (s *subject) adopts(ev *a2a.Event, is relation) bool {
	asked := s.call.TaskID
	switch {
	case ev.TaskID == asked:
		return true
	case !is.known && asked == "":
		return true
	case !is.known: // the agent may begin another task in the same conversation
		return ev.ContextID != "" && ev.ContextID == s.call.ContextID
	case is.conv != s.call.Conversation || asked != "":
		return false
	}
	// A task of the same conversation: it was continued, unless this is only late.
	st := statusOf(ev)
	return ev.Kind == a2a.EventTask || !is.state.Terminal() || st != nil && !st.State.Terminal()
}

// hold keeps an event of another task, and returns all that is held once that task becomes the
// subject.
func (s *subject) hold(it said, find func(task string) relation) []said {
	if len(s.held) > 0 && s.held[0].event.TaskID != it.event.TaskID {
		s.mixed = true
	}
	if s.mixed {
		s.held = nil
		return nil
	}
	s.held = append(s.held, it)
	switch {
	case find(it.event.TaskID).known:
		if len(s.held) > maxHeldKnown {
			s.mixed = true
		}
	case len(s.held) == maxHeld:
		return s.settle()
	}
	return nil
}

// settle makes the task of what is held the subject and returns it.
func (s *subject) settle() []said {
	own := s.held
	s.task, s.held = own[0].event.TaskID, nil
	for _, it := range own {
		s.named(it.event)
	}
	return own
}

// end returns the held events that are the exchange's own because nothing else came, unless
// another stream reports the task: then its agent sent them on the wrong one.
func (s *subject) end(find func(task string) relation) []said {
	if s.task != "" || len(s.held) == 0 || s.mixed {
		return nil
	}
	if is := find(s.held[0].event.TaskID); is.known && is.conv != s.call.Conversation && !is.state.Terminal() && !is.state.Interrupted() {
		s.held = nil
		return nil
	}
	return s.settle()
}

// over reports whether the task that is held is over, or waits, so that nothing else may come.
func (s *subject) over() bool {
	if s.task != "" || len(s.held) == 0 {
		return false
	}
	st := statusOf(s.held[len(s.held)-1].event)
	return st != nil && (st.State.Terminal() || st.State.Interrupted())
}

// contextOf returns the context to which an own event may move the conversation: after a
// message the first one in its answer, otherwise one for a conversation that has none.
func (s *subject) contextOf(ev *a2a.Event, now string) string {
	switch {
	case aboutMessage(s.call.Op) && s.context != "" && !s.moved:
		s.moved = true
		return s.context
	case now == "":
		return ev.ContextID
	}
	return now
}
