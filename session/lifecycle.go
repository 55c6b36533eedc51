package session

import "parley/a2a"

// A Lifecycle is what is known of where a remote task stands. The engine and [State] keep
// one for every task and ask nothing else, so that the target line, the header, the inbox,
// the panes and whoever polls agree.
type Lifecycle struct {
	State a2a.State
	// Word is the state as it stood on the wire.
	Word string
	// Lost is set when the agent says that it cannot tell the state, which ends the task in
	// some dialects, see [a2a.Status]. Whatever it says later is taken in.
	Lost bool
	// Forgotten is set when the agent answers that it does not know the task.
	Forgotten bool
	// Answered is set when a message was sent to the task since it began to wait.
	Answered bool
}

// A Move is what a status does to a task.
type Move uint8

// The moves.
const (
	MoveNone        Move = iota // the task is in that state
	MoveTaken                   // the task went to another state
	MoveContradicts             // the task is over, and the status says something else: nothing changes
)

// Over reports whether nothing more comes of the task: it ended, its agent cannot
// tell how it stands, or its agent forgot it.
func (l *Lifecycle) Over() bool { return l.Forgotten || l.Lost || l.State.Terminal() }

// Asks reports whether the task wants something from the user, answered or not.
func (l *Lifecycle) Asks() bool { return l.State.Interrupted() && !l.Forgotten }

// Waits reports whether the task waits for an answer of the user.
func (l *Lifecycle) Waits() bool { return l.Asks() && !l.Answered }

// Works reports whether the task goes on by itself, so that it is worth asking for.
func (l *Lifecycle) Works() bool { return !l.Over() && !l.State.Interrupted() }

// Judge says what a status would do to the task. A task that is over stays as it is, unless
// the status answers a message that was sent since then: some dialects take up a task again.
func (l *Lifecycle) Judge(st *a2a.Status, reopens bool) Move {
	switch {
	case st.State == l.State && (st.Word == l.Word || l.State.Terminal()):
		return MoveNone
	case l.State.Terminal() && !reopens:
		return MoveContradicts
	}
	return MoveTaken
}

// Take applies a status and says what it did.
func (l *Lifecycle) Take(st *a2a.Status, reopens bool) Move {
	m := l.Judge(st, reopens)
	if m == MoveTaken {
		l.State, l.Word, l.Lost = st.State, st.Word, st.Lost
		if l.State.Interrupted() {
			l.Ask()
		}
	}
	return m
}

// Forget notes that the agent does not know the task, and reports whether that is news.
func (l *Lifecycle) Forget() bool {
	news := !l.Forgotten
	l.Forgotten = true
	return news
}

// Recall notes that the agent told of the task, which it therefore knows.
func (l *Lifecycle) Recall() { l.Forgotten = false }

// Ask notes that the task asks again for what it asked before.
func (l *Lifecycle) Ask() { l.Answered = false }

// Send notes that a message goes to the task.
func (l *Lifecycle) Send() { l.Answered = l.State.Interrupted() }

// Condemns reports whether an error that an agent answers to an operation says that it does
// not know the task any more. Only an operation that every agent has can say so: what is
// optional, such as webhooks, is refused with the same code by agents that lack it, and some
// refuse a subscription to a task that is over so.
func Condemns(op a2a.Op, e *a2a.RPCError) bool {
	switch op {
	case a2a.OpGet, a2a.OpCancel, a2a.OpSend, a2a.OpStream:
		return taskUnknown(e)
	}
	return false
}
