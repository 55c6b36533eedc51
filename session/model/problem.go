package model

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"parley/a2a"
	"parley/session/problem"
	"parley/session/task"
)

// problem puts a problem into the block of its task, otherwise into a block of its own. That of
// a whole body waits for the end of the exchange, which may know a better reason.
func (s *State) problem(x *exchange, r *a2a.Record, pr *problem.Problem) {
	givenUp := pr.Class == a2a.ClassGivenUp
	if x.passing() && !givenUp || aboutWebhooks(x.call.Op) { // which the list of webhooks shows
		return
	}
	if r.Kind == a2a.KindBody || x.turn == nil {
		x.bodyProblem = pr
		return
	}
	if x.refused() {
		pr.Sentence += x.pinHint()
		if at, before := x.turn.refusal(); before != nil && len(x.turn.course.Attempts) > 0 {
			s.replaceRefusal(x, at, pr)
			return
		}
	}
	at, said := s.sameProblem(x, pr)
	if !said {
		at, pr, said = s.joinProblem(x, pr)
	}
	if !said {
		at = s.entry(x.turn, x.task, Entry{Kind: EntryProblem, Record: r.ID, Time: r.Time, Problem: pr})
	}
	x.problem, x.problemAt = pr, at
	x.agent.unanswered.note(x.call, at)
	s.anchor(r.ID, at, 0)
}

// replaceRefusal replaces the previous refusal of a message by another one: the message is
// tried in several dialects, and that is one line.
func (s *State) replaceRefusal(x *exchange, at place, pr *problem.Problem) {
	entry := &x.turn.Blocks[at.block].Entries[at.entry]
	pr.Before, entry.Record = entry.Problem.Before, pr.Record
	x.problem, x.problemAt = pr, at
	s.anchor(pr.Record, at, 0)
	s.replaceProblem(at, pr)
}

// passing reports whether a failure is not worth showing: the request will be repeated or needs
// no answer, and nobody waits for it. A subscription by which Parley went on listening needs none once
// the task is over, which the agent then refuses (specification 1.0 §3.1.6).
func (x *exchange) passing() bool {
	late := x.call.Why == a2a.WhyResubscribed && x.task != nil && x.task.Over() && x.err != nil && RefusesSubscription(x.call, x.err)
	return late || x.call.Rest || x.call.AuthPoll && !problem.IsLasting(x.err, x.status, x.pause)
}

// sameProblem reports whether the newest problems of the block say the same: a reader sees the
// failure of a get and then of a subscription as one, of both.
func (s *State) sameProblem(x *exchange, pr *problem.Problem) (place, bool) {
	const most = 8
	i, ok := x.turn.blockOf(x.task)
	if !ok {
		return place{}, false
	}
	entries := x.turn.Blocks[i].Entries
	for k := len(entries) - 1; k >= max(0, len(entries)-most) && entries[k].Kind == EntryProblem; k-- {
		old := entries[k].Problem
		if entries[k].Replaced || old.Bare() != pr.Bare() {
			continue
		}
		at := place{x.turn, i, k}
		if both := old.And(pr.Ops); both != old {
			s.replaceProblem(at, both)
		}
		return at, true
	}
	return place{}, false
}

// joinProblem puts a problem into the newest one of its block if it only continues that, so that
// a reader sees one line: nobody listens after a connection broke, or the agent does not know the
// task whose subscription it refused. It returns the problem that stands there then.
func (s *State) joinProblem(x *exchange, pr *problem.Problem) (place, *problem.Problem, bool) {
	i, ok := x.turn.blockOf(x.task)
	if !ok || len(x.turn.Blocks[i].Entries) == 0 {
		return place{}, pr, false
	}
	k := len(x.turn.Blocks[i].Entries) - 1
	old := x.turn.Blocks[i].Entries[k].Problem
	switch {
	case old == nil, x.turn.Blocks[i].Entries[k].Replaced:
		return place{}, pr, false
	case old.Class == problem.ClassFallback && pr.Err != nil && problem.IsTaskUnknown(pr.Err):
	case old.Interrupts() && old.Resumed == 0 && pr.Class == a2a.ClassRefused && !task.SendsMessage(x.call.Op):
		both := *old
		if !strings.Contains(old.Detail, pr.Sentence) { // each retry fails alike
			both.Detail = strings.TrimSpace(old.Detail + "\n" + pr.Sentence)
		}
		pr = &both
	default:
		return place{}, pr, false
	}
	at := place{x.turn, i, k}
	s.replaceProblem(at, pr)
	return at, pr, true
}

// endProblem reports what went wrong in an exchange that ended: one problem, once. The end of a
// complete answer knows more than the problem of its body, which becomes the detail; the
// agent's own error outweighs a connection that broke after it.
func (s *State) endProblem(x *exchange, r *a2a.Record, end *a2a.End) {
	held := x.bodyProblem
	x.bodyProblem = nil
	if x.passing() && end.Class != a2a.ClassGivenUp || aboutWebhooks(x.call.Op) {
		return
	}
	about := s.about(x)
	pr := problemOf(x, about, end, held != nil, about != nil && s.streamedBeside(x, about))
	if pr != nil {
		pr.Open = pr.Class == problem.ClassUnfinished || x.leavesOpen(end)
		pr = x.ofOperation(pr)
	}
	switch {
	case pr == nil && held == nil:
		return
	case pr == nil || end.Reason != a2a.Ended && held != nil && held.Class == problem.ClassRPC:
		pr = held
	case held != nil:
		pr.Merge(held)
	default:
		pr.Record = r.ID
	}
	s.noteBreak(x, pr)
	if end.Reason == a2a.Ended && x.problem != nil && held == nil {
		pr.Merge(x.problem)
		x.problem = pr
		s.replaceProblem(x.problemAt, pr)
		x.agent.unanswered.note(x.call, x.problemAt)
		return
	}
	s.problem(x, r, pr)
	if pr.Record != r.ID {
		s.reanchor(pr.Record, x.problemAt, 0)
	}
}

// leavesOpen reports whether the end of an exchange leaves open what the agent does.
func (x *exchange) leavesOpen(end *a2a.End) bool {
	f := x.facts(end)
	if x.err != nil && x.err.HTTPStatus != 0 {
		f.Status = x.err.HTTPStatus
	}
	return task.LeavesOpen(x.call, &f)
}

// about returns the task of an exchange, nil if it is unknown: the one in its answer, otherwise
// the one in its request.
func (s *State) about(x *exchange) *Task {
	if x.task != nil {
		return x.task
	}
	return s.Task(x.agent.ID, x.call.TaskID)
}

// problemOf returns the problem of an end, nil if nothing went wrong or the body described it.
func problemOf(x *exchange, task *Task, end *a2a.End, failed, superseded bool) *problem.Problem {
	settled := task != nil && (task.Over() || task.Asks())
	switch {
	case x.streams && end.Class == a2a.ClassGivenUp && end.Reason == a2a.Cancelled: // nothing is lost
		return &problem.Problem{Sentence: end.Sentence, Detail: end.Detail, Class: problem.ClassFallback}
	case end.Reason == a2a.Cancelled && (settled || superseded || x.final || x.call.Op == a2a.OpGet):
		return nil
	case x.streams && end.Reason == a2a.Cut && task != nil && (task.State == a2a.StateCanceled || task.canceling()):
		return nil // the agent closed the stream because the task was canceled
	case end.Reason == a2a.Cancelled:
		return &problem.Problem{Sentence: "You stopped it; the agent may still be working.", Detail: end.Detail, Class: problem.ClassStopped}
	case end.Reason != a2a.Ended:
		return &problem.Problem{Sentence: cmp.Or(end.Sentence, "The connection broke before the answer was complete."), Detail: end.Detail, Class: cmp.Or(end.Class, string(end.Reason))}
	case end.Class != "":
		return &problem.Problem{Sentence: end.Sentence, Detail: end.Detail, Class: end.Class}
	case x.streams && x.events > 0 && x.problem == nil && !failed && x.task != nil && !settled && !x.final && !task.canceling():
		return &problem.Problem{Class: problem.ClassUnfinished, Sentence: fmt.Sprintf(
			"The agent closed the stream while the task was still %s.", x.task.StateWord())}
	}
	return nil
}

// AnswersTask reports whether a call sends a message to a task that exists already.
func AnswersTask(call *a2a.Call) bool {
	return task.SendsMessage(call.Op) && !call.BeginsTask()
}

// stateOf returns the state of a task, which is unknown if the session has not seen the task.
func stateOf(t *Task) a2a.State {
	if t == nil {
		return a2a.StateUnknown
	}
	return t.State
}

// pinHint names the user's pins where they may be the reason of a refusal: the server does not know the
// method, the path or the version.
func (x *exchange) pinHint() string {
	if !problem.IsUnread(x.status, x.err) {
		return ""
	}
	return problem.PinHint(&x.agent.Profile)
}

// mayRetry notes in the problem of a message that a busy agent rejected when to send it again.
func (s *State) mayRetry(x *exchange, r *a2a.Record) {
	pr := x.problem
	if pr == nil || x.status != http.StatusTooManyRequests && (x.err == nil || !problem.IsBusy(x.err)) {
		return
	}
	pr.Busy = true
	if x.pause > 0 {
		pr.Again = r.Time.Add(x.pause)
	}
	s.touch(x.problemAt)
}

// problems yields the problems of a turn with their places.
func (t *Turn) problems(yield func(place, *problem.Problem) bool) {
	for i, b := range t.Blocks {
		for j := range b.Entries {
			if pr := b.Entries[j].Problem; pr != nil && !yield(place{t, i, j}, pr) {
				return
			}
		}
	}
}

// replaceProblem replaces the problem at a place, for a pane may hold the old one.
func (s *State) replaceProblem(at place, pr *problem.Problem) {
	at.turn.Blocks[at.block].Entries[at.entry].Problem = pr
	s.touch(at)
}
