package task

import (
	"cmp"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/problem"
)

// An Attempt is one request by which Parley tried to do what a turn is for. One that another one
// follows, such as a redirect, counts by itself.
type Attempt struct {
	Why      a2a.Why
	Because  string // completes the reason
	Guess    bool   // neither card nor user names the way
	Op       a2a.Op
	Way      a2a.Way
	Exchange a2a.ExchangeID // 0 if the request could not be made
	Began    time.Time
	Ended    time.Time
	Delivery Delivery
	// Class and Sentence say why it failed, empty if it did not.
	Class    string
	Sentence string
}

// NewAttempt returns the attempt of a call, of which the facts are known.
func NewAttempt(call *a2a.Call, began, ended time.Time, f *Facts) Attempt {
	a := Attempt{
		Why: call.Why, Because: call.Because, Guess: call.Guess, Op: call.Op, Exchange: f.Exchange,
		Way:   a2a.Way{Dialect: call.Dialect, Binding: call.Binding, Endpoint: call.Endpoint},
		Began: began, Ended: ended, Delivery: Deliver(f), Class: f.End.Class, Sentence: f.End.Sentence,
	}
	switch {
	case f.Err != nil && f.Events == 0 && f.End.Reason == a2a.Ended && f.End.Class == "":
		a.Class, a.Sentence = problem.ClassRPC, problem.Cause(f.Err)
	case f.End.Reason == a2a.Cancelled:
		a.Class = cmp.Or(a.Class, problem.ClassStopped)
	case f.End.Reason != a2a.Ended && f.End.Reason != "":
		a.Class = cmp.Or(a.Class, string(f.End.Reason))
	}
	return a
}

// Counts reports whether a request is an attempt of its turn: it sends a message, or subscribes to the
// task again. Gets and polls only look.
func Counts(call *a2a.Call) bool {
	return call.Turn != 0 && !call.Check && !call.AuthPoll && !call.Rest && (SendsMessage(call.Op) || call.Op == a2a.OpSubscribe)
}

// maxAttempts is how many attempts a turn keeps. The first ones say how the way was found, and the
// newest one how it ended.
const maxAttempts = 16

// A Turn collects the attempts of a turn and says what they came to. It has no clock, so that a
// recording makes the same turn as the program that recorded it.
type Turn struct {
	Attempts []Attempt
	More     int // attempts that were left out before the newest one
	running  int // attempts that are not over
	delivery Delivery
	stopped  bool // the newest one that failed was stopped by the user
	rpc      bool // the agent itself reported the failure
}

// Begin notes that an attempt begins. Until [Turn.Add] adds it, the agent may have taken the message.
func (t *Turn) Begin() { t.running++ }

// Add adds an attempt that is over.
func (t *Turn) Add(a Attempt) {
	t.running = max(t.running-1, 0)
	if len(t.Attempts) == maxAttempts {
		t.Attempts = slices.Delete(t.Attempts, maxAttempts-1, maxAttempts)
		t.More++
	}
	t.Attempts = append(t.Attempts, a)
	t.delivery = max(t.delivery, a.Delivery)
	t.stopped = a.Class == problem.ClassStopped
	t.rpc = a.Class == problem.ClassRPC
}

// Stop notes that the user stopped the turn.
func (t *Turn) Stop() { t.stopped = true }

// Sends reports whether an attempt sent a message.
func (t *Turn) Sends() bool {
	return slices.ContainsFunc(t.Attempts, func(a Attempt) bool { return SendsMessage(a.Op) })
}

// Find notes that the agent has taken the message: an answer is coming, or a look found the task.
func (t *Turn) Find() { t.delivery = Taken }

// Tried returns the number of attempts, with those that are not over.
func (t *Turn) Tried() int { return len(t.Attempts) + t.More + t.running }

// Delivery returns how far the turn's message came.
func (t *Turn) Delivery() Delivery {
	if t.running > 0 {
		return max(t.delivery, Unknown)
	}
	return t.delivery
}

// MayTryAgain reports whether nothing was started, so that another attempt does nothing twice.
func (t *Turn) MayTryAgain() bool { return t.Delivery() <= Refused }

// Kind is what a turn came to.
type Kind uint8

// The kinds of outcome.
const (
	Answered    Kind = iota // the agent answered with a message
	Done                    // the task is completed
	Waiting                 // the task waits for the user
	Working                 // the task goes on, and Parley does not follow it
	AgentFailed             // the agent failed, or gave the task up
	Rejected                // the message was refused
	Unsent                  // no agent has seen the message
	Canceled                // the task was canceled
	Stopped                 // the user stopped following it
	Lost                    // it is not known what became of the message or the task
)

var kindWords = [...]string{"answered", "done", "waiting", "working", "agent failed", "refused", "not sent", "canceled", "stopped", "lost"}

// String returns the word of the journal and of users.
func (k Kind) String() string { return kindWords[min(int(k), len(kindWords)-1)] }

// KindOf returns the kind of a word of the journal; Lost for any other word.
func KindOf(word string) Kind {
	if i := slices.Index(kindWords[:], word); i >= 0 {
		return Kind(i)
	}
	return Lost
}

// An Outcome is what a turn came to: one, however many attempts there were. Whether the text returns
// to the composer, what the next message does, what a script waits for and the exit status follow from
// it.
type Outcome struct {
	Kind     Kind
	Delivery Delivery
	Attempts []Attempt
	More     int // attempts that were left out before the newest one
	// Class and Sentence say why the turn failed, empty if it did not.
	Class    string
	Sentence string
}

// Outcome returns what the turn came to. The lifecycle is that of its newest task, nil if it has none.
func (t *Turn) Outcome(l *Lifecycle) Outcome {
	o := Outcome{Delivery: t.Delivery(), Attempts: t.Attempts, More: t.More, Kind: t.kind(l)}
	if n := len(t.Attempts); n > 0 && o.Failed() {
		o.Class, o.Sentence = t.Attempts[n-1].Class, t.Attempts[n-1].Sentence
	}
	return o
}

func (t *Turn) kind(l *Lifecycle) Kind {
	switch d := t.Delivery(); {
	case d < Taken && t.stopped:
		return Stopped
	case d == NotSent:
		return Unsent
	case d == Refused:
		return Rejected
	case d == Unknown && t.rpc:
		return AgentFailed
	case d == Unknown:
		return Lost
	case l == nil:
		return Answered
	}
	return l.kind(t.stopped)
}

// kind returns what a turn came to whose newest task stands so.
func (l *Lifecycle) kind(stopped bool) Kind {
	switch {
	case l.State == a2a.StateCompleted:
		return Done
	case l.State == a2a.StateCanceled:
		return Canceled
	case l.State.Terminal():
		return AgentFailed
	case l.Over():
		return Lost
	case l.Asks():
		return Waiting
	case stopped:
		return Stopped
	}
	return Working
}

// Failed reports whether the turn did not come to what the user wanted.
func (o *Outcome) Failed() bool { return o.Kind > Working }

// Returns reports whether the text of the message returns to its author: nothing was started.
func (o *Outcome) Returns() bool { return o.Delivery <= Refused }

// Doubtful reports whether the agent may work on the message without anybody knowing, so that it is
// asked before another message is sent.
func (o *Outcome) Doubtful() bool { return o.Delivery == Unknown }

// Holds says in a clause why messages that were queued during the turn are not sent by themselves,
// empty if they are: the user who wrote them expected the turn to end well.
func (o *Outcome) Holds() string {
	switch o.Kind {
	case Waiting:
		return "the agent asks a question"
	case Working:
		return "the task has not ended"
	case AgentFailed:
		if o.Delivery < Taken { // it answered with an error, and no task is known
			return "the agent failed"
		}
		return "the task failed"
	case Rejected:
		return "the message was refused"
	case Unsent:
		return "the message was not sent"
	case Stopped:
		return "you stopped the turn"
	case Canceled:
		return "the task was canceled"
	case Lost:
		return "it is not known what became of the message"
	}
	return ""
}
