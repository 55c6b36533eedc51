package task

import (
	"time"

	"parley/a2a"
	"parley/session/problem"
)

// A Lifecycle is what is known of a remote task's state. The engine and [model.State] keep one for
// every task and use nothing else, so that the target line, the header, the inbox, the panes
// and the pollers agree.
type Lifecycle struct {
	State a2a.State
	// Word is the state as it stood on the wire.
	Word string
	// Lost is set when the agent says that it cannot tell the state, which ends the task in
	// some dialects, see [a2a.Status]. Later statuses still count.
	Lost bool
	// Forgotten is set when the agent answers twice in a row that it does not know the task.
	Forgotten bool
	// Denials counts these answers since the agent sent the task last, and Shown is when that was,
	// zero if it is not known.
	Denials int
	Shown   time.Time
	// Answered is set when a message was sent to the task since it began to wait.
	Answered bool
}

// A Move is the effect of a status on a task.
type Move uint8

// The moves.
const (
	MoveNone        Move = iota // the task is in that state
	MoveTaken                   // the task went to another state
	MoveContradicts             // the task is over and the status contradicts that: nothing changes
)

// StateWord returns the state for users, see [StateWord].
func (l *Lifecycle) StateWord() string { return StateWord(l.State, l.Word) }

// Over reports whether the task will not change any more: it ended, its agent cannot tell its
// state, or its agent forgot it.
func (l *Lifecycle) Over() bool { return l.Forgotten || l.Lost || l.State.Terminal() }

// Asks reports whether the task asks the user for something, answered or not.
func (l *Lifecycle) Asks() bool { return l.State.Interrupted() && !l.Forgotten }

// Waits reports whether the task waits for an answer of the user.
func (l *Lifecycle) Waits() bool { return l.Asks() && !l.Answered }

// Works reports whether the task continues without the user, so that polling is useful.
func (l *Lifecycle) Works() bool { return !l.Over() && !l.State.Interrupted() }

// Judge returns the effect of a status on the task. A task that is over does not change, unless
// the status answers a message that was sent since then: in some dialects a message continues a
// task.
func (l *Lifecycle) Judge(st *a2a.Status, reopens bool) Move {
	switch {
	case st.State == l.State && (st.Word == l.Word || l.State.Terminal()):
		return MoveNone
	case l.State.Terminal() && !reopens:
		return MoveContradicts
	}
	return MoveTaken
}

// Take applies a status and returns its effect.
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

// maxDenials is how often in a row an agent has to deny a task before the task counts as forgotten.
// The agent gave the task's id. Once may be a mistake: the agent may run as several copies, each
// of which knows only its own tasks.
const maxDenials = 2

// Deny notes the answer that the agent does not know the task, and reports whether the task is
// forgotten from now on.
func (l *Lifecycle) Deny() (news bool) {
	l.Denials++
	news = !l.Forgotten && l.Denials >= maxDenials
	l.Forgotten = l.Forgotten || news
	return news
}

// Recall notes that the agent sent the task at a time, which it therefore knows.
func (l *Lifecycle) Recall(at time.Time) { l.Forgotten, l.Denials, l.Shown = false, 0, at }

// Ask notes that the task repeats its question.
func (l *Lifecycle) Ask() { l.Answered = false }

// Send notes that a message is sent to the task.
func (l *Lifecycle) Send() { l.Answered = l.State.Interrupted() }

// Condemns reports whether an error answer to an operation denies the task: the agent says that
// it does not know the task. Only mandatory operations count: agents refuse optional ones, such as webhooks,
// with the same code if they lack them, and some refuse a subscription to a task that is over
// so.
func Condemns(op a2a.Op, e *a2a.RPCError) bool {
	return IsRequired(op) && problem.IsTaskUnknown(e)
}
