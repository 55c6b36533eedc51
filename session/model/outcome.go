package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// outcome takes what a note says that a turn came to.
func (s *State) outcome(r *a2a.Record, ch *Change) {
	attr := r.Note.Attrs
	t := s.turns[log.IDIn[a2a.TurnID](attr, log.AttrTurn)]
	if t == nil {
		return
	}
	o := task.Outcome{
		Kind: task.KindOf(attr[log.AttrKind]), Delivery: task.DeliveryOf(attr[log.AttrDelivery]),
		Class: attr[log.AttrClass], Sentence: attr[log.AttrSentence],
	}
	t.noted, t.over = &o, true
	t.tellAttempts(&o, s.replaceProblem)
	t.settle()
	t.touch()
	s.anchor(r.ID, place{t, -1, -1}, 0)
	ch.Turn, ch.Conversation, ch.Over = t.ID, t.Conversation.ID, t
}

// tellAttempts gives the one problem of a message that took several attempts the sentence of the outcome,
// if nothing was started, and puts the attempts behind it, where the user can unfold them.
func (t *Turn) tellAttempts(o *task.Outcome, replace func(place, *problem.Problem)) {
	at, pr := t.refusal()
	if pr == nil || len(t.course.Attempts) < 2 || pr.Class != problem.ClassFallback && t.Blocks[at.block].Task != nil {
		return
	}
	said := *pr
	said.Detail = describeAttempts(&t.course)
	if o.Returns() && o.Sentence != "" {
		said.Sentence, said.Class = o.Sentence, cmp.Or(o.Class, pr.Class)
	}
	replace(at, &said)
}

// describeAttempts lists attempts, one in a line.
func describeAttempts(c *task.Turn) string {
	var b strings.Builder
	for i := range c.Attempts {
		a := &c.Attempts[i]
		if i == len(c.Attempts)-1 && c.More > 0 {
			fmt.Fprintf(&b, "%d more attempts\n", c.More)
		}
		fmt.Fprintf(&b, "attempt %d", i+1)
		if i == len(c.Attempts)-1 {
			fmt.Fprintf(&b, " of %d", len(c.Attempts)+c.More)
		}
		if a.Exchange != 0 {
			fmt.Fprintf(&b, " #%d", a.Exchange)
		}
		if a.Why.Own() {
			b.WriteString(", " + string(a.Why))
		}
		if a.Guess {
			b.WriteString(", a guess")
		}
		if a.Way.Dialect != a2a.Unknown {
			b.WriteString(", A2A " + problem.WayName(a.Way))
		}
		if a.Way.Endpoint != "" {
			b.WriteString(" at " + a.Way.Endpoint)
		}
		b.WriteString(": " + a.Delivery.String())
		if a.Sentence != "" {
			b.WriteString(". " + a.Sentence)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Outcome returns what a turn came to, and whether it is over. The attempts and the task say so as far as
// the records do, and the note of the engine says the rest: that nothing more comes, that the user stopped
// the turn, and why it failed. A session of an older version, and a client behind a tap, have no note.
func (t *Turn) Outcome() (o task.Outcome, over bool) {
	course := t.course
	if t.noted == nil {
		return course.Outcome(t.lifecycle()), !t.Pending
	}
	if t.noted.Delivery == task.Taken {
		course.Find()
	}
	if t.noted.Class == problem.ClassStopped {
		course.Stop()
	}
	o = course.Outcome(t.lifecycle())
	if o.Failed() || o.Kind == task.Working {
		o.Class, o.Sentence = t.noted.Class, t.noted.Sentence
	}
	return o, true
}

// Busy reports whether more may come of a turn. Some agents leave the stream open after their tasks
// are over.
func (t *Turn) Busy() bool { return t.Pending && !t.tasksOver() }

// tasksOver reports whether a turn has tasks and all of them have ended.
func (t *Turn) tasksOver() bool {
	any := false
	for _, b := range t.Blocks {
		if b.Task == nil {
			continue
		}
		if any = true; !b.Task.Over() {
			return false
		}
	}
	return any
}

// lifecycle returns where the newest task of a turn stands, nil if the turn has none.
func (t *Turn) lifecycle() *task.Lifecycle {
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return &b.Task.Lifecycle
		}
	}
	return nil
}

// facts returns what an exchange shows about the delivery of its request. The end is nil until it comes.
func (x *exchange) facts(end *a2a.End) task.Facts {
	f := task.Facts{Exchange: x.id, Status: x.status, Events: x.events, Err: x.err}
	if end != nil {
		f.End = *end
	}
	return f
}

// refused reports whether a message was refused, as far as its answer has come.
func (x *exchange) refused() bool {
	f := x.facts(nil)
	return task.SendsMessage(x.call.Op) && task.Deliver(&f) == task.Refused
}

// begin notes that a request of the turn begins.
func (t *Turn) begin(call *a2a.Call) {
	counts := task.Counts(call)
	if counts {
		t.course.Begin()
	}
	if counts || t.open == 0 { // a look while a stream stays open begins nothing
		t.over = false
	}
	t.open++
	t.settle()
}

// noteAttempt adds an exchange that ended to the attempts of its turn. A look that finds the task shows
// that the agent has taken the message.
func (x *exchange) noteAttempt(r *a2a.Record, end *a2a.End) {
	f := x.facts(end)
	switch {
	case task.Counts(x.call):
		x.turn.course.Add(task.NewAttempt(x.call, x.began, r.Time, &f))
	case x.call.Op == a2a.OpGet && x.events > 0:
		x.turn.course.Find()
	}
}

// reasonOf returns the reason of another request for a turn. In a session that an older version
// recorded it follows from how the request differs.
func (t *Turn) reasonOf(x *exchange) a2a.Why {
	call := x.call
	switch {
	case call.Why != a2a.WhyFirst || !task.SendsMessage(call.Op) || len(t.course.Attempts) == 0:
		return call.Why
	case t.webhook != "" && x.webhook == "":
		return a2a.WhyWithoutWebhook
	case call.TaskID == "" && t.Target.TaskID != "" && !call.Raw:
		return a2a.WhyNewTask
	case call.Op == a2a.OpSend:
		return a2a.WhyWithoutStream
	}
	return call.Why
}

// goesOn reports whether a task that waited for an answer shows by its state that it got one. A task that failed
// or was canceled may have waited in vain.
func goesOn(state a2a.State) bool {
	return state == a2a.StateSubmitted || state == a2a.StateWorking || state == a2a.StateCompleted
}

// tookAnswer notes that a task which waited for an answer goes on: it took the newest message for it, also where
// what was answered to that message left that open.
func (about *Task) tookAnswer(replace func(place, *problem.Problem)) {
	for _, t := range slices.Backward(about.Conversation.Turns) {
		if t.Message == nil || t.Target.TaskID != about.ID {
			continue
		}
		if t.course.Delivery() != task.Unknown {
			return
		}
		t.course.Find()
		for at, pr := range t.problems {
			if pr.Open {
				took := *pr
				took.Open, took.Sentence = false, a2a.WithTaken(pr.Sentence)
				replace(at, &took)
			}
		}
		t.touch()
		return
	}
}
