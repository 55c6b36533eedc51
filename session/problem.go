package session

import (
	"fmt"
	"strings"

	"parley/a2a"
)

// The classes of a [Problem] besides those of a2a.End.
const (
	ProblemRPC        = "rpc"        // the agent answered with an error
	ProblemDecode     = "decode"     // a body or an event could not be read
	ProblemUnfinished = "unfinished" // a stream ended before its task did
	ProblemStopped    = "stopped"    // the person stopped listening
	ProblemFallback   = "fallback"   // the agent refused to stream and was asked for a plain answer
	ProblemUnsent     = "unsent"     // a message could not be sent at all
)

// problem puts a problem where it belongs: into the block of its task, else into
// a block of its own.
func (s *State) problem(x *exchange, r *a2a.Record, pr *Problem) {
	if x.turn == nil || x.problem != nil && x.problem.Sentence == pr.Sentence {
		return
	}
	x.problem = pr
	x.problemAt = s.entry(x.turn, x.task, Entry{Kind: EntryProblem, Record: r.ID, Time: r.Time, Problem: pr})
	s.anchor(r.ID, x.problemAt, 0)
}

// endProblem says what went wrong when the end of an exchange tells of it. The end
// of a complete answer knows more than what was said when its body could not be
// read, and stands in its place: one thing that went wrong is said once.
func (s *State) endProblem(x *exchange, r *a2a.Record, end *a2a.End) {
	pr := problemOf(x, end, s.superseded(x))
	if pr == nil {
		return
	}
	pr.Record = r.ID
	if end.Reason != a2a.Ended || x.problem == nil {
		s.problem(x, r, pr)
		return
	}
	if pr.Detail == "" {
		pr.Detail = x.problem.Sentence
	}
	pr.Err, pr.Record = x.problem.Err, x.problem.Record
	x.problem = pr
	x.problemAt.turn.Blocks[x.problemAt.block].Entries[x.problemAt.entry].Problem = pr
	s.touch(x.problemAt)
}

// rpcProblem is an error that the agent reported.
func rpcProblem(e *a2a.RPCError, record a2a.RecordID) *Problem {
	what := "an error"
	switch {
	case e.Name != "":
		what = strings.TrimSuffix(e.Name, "Error")
	case e.Code != 0:
		what = fmt.Sprintf("error %d", e.Code)
	}
	sentence := "The agent answered " + what + " and says no more about it."
	if e.Message != "" {
		sentence = "The agent answered " + what + ": " + e.Message
	}
	return &Problem{Sentence: sentence, Detail: e.Error(), Class: ProblemRPC, Err: e, Record: record}
}

// superseded reports whether another stream tells of the same task.
func (s *State) superseded(x *exchange) bool {
	for _, other := range s.exchanges {
		if other != x && other.streams && x.task != nil && other.task == x.task {
			return true
		}
	}
	return false
}

// problemOf is what an end tells of, nil if nothing went wrong.
func problemOf(x *exchange, end *a2a.End, superseded bool) *Problem {
	settled := x.task != nil && (x.task.State.Terminal() || x.task.State.Interrupted())
	switch {
	case end.Reason == a2a.Cancelled && (settled || superseded || x.call.Op == a2a.OpGet):
		return nil
	case end.Reason == a2a.Cancelled:
		return &Problem{Sentence: "Stopped from here; the agent may still be at work.", Detail: end.Detail, Class: ProblemStopped}
	case end.Reason != a2a.Ended:
		return &Problem{Sentence: orElse(end.Sentence, "The connection broke before the answer was complete."), Detail: end.Detail, Class: orElse(end.Class, string(end.Reason))}
	case end.Class != "":
		return &Problem{Sentence: end.Sentence, Detail: end.Detail, Class: end.Class}
	case x.streams && x.events > 0 && x.problem == nil && x.task != nil && !settled && !x.final:
		return &Problem{Class: ProblemUnfinished, Sentence: fmt.Sprintf(
			"The agent closed the stream while the task was still %s. Get the task, or subscribe to it, to see how it goes on.", x.task.StateWord())}
	}
	return nil
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// refused reports whether an exchange that ended carried a message that nobody
// took, so that it can be sent again without doing anything twice.
func refused(x *exchange, end *a2a.End) bool {
	if (x.call.Op != a2a.OpSend && x.call.Op != a2a.OpStream) || x.events > 0 {
		return false
	}
	if end.Reason == a2a.Refused {
		return true
	}
	switch x.status {
	case 401, 403, 404, 405, 415:
		return true
	}
	e := x.err
	return e != nil && notStarted(e) && !refusesStream(x.call, e)
}

// notStarted reports whether an error says that the agent did nothing with the
// message: it did not know the method or the task, could not read it, does not do
// such a thing, or did not let it in.
func notStarted(e *a2a.RPCError) bool {
	switch e.Code {
	case -32700, -32600, -32601, -32602, -32001, -32004, -32005, -32009, -31401, -31403:
		return true
	}
	return e.Reason == "VERSION_NOT_SUPPORTED"
}

// refusesStream reports whether an error says that the agent does not stream
// although it was asked to: then a plain call with the same ids is safe.
func refusesStream(call *a2a.Call, e *a2a.RPCError) bool {
	if call.Op != a2a.OpStream {
		return false
	}
	if call.Dialect == a2a.V01 {
		return e.Code == -32006 || e.Code == -32004
	}
	return e.Code == -32004 || e.Reason == "UNSUPPORTED_OPERATION"
}

// taskUnknown reports whether an error says that the agent does not know the task.
func taskUnknown(e *a2a.RPCError) bool {
	return e.Code == -32001 || e.Reason == "TASK_NOT_FOUND" || e.Name == "TaskNotFoundError"
}

// sentAgain turns the refusal of a stream into what it became: the message went
// out a second time, as a plain call.
func (s *State) sentAgain(t *Turn) {
	for i, b := range t.Blocks {
		for j := range b.Entries {
			pr := b.Entries[j].Problem
			if pr != nil && pr.Class == ProblemRPC {
				said := *pr
				said.Class = ProblemFallback
				said.Sentence = "The agent does not stream this; the message was sent again as a plain call."
				b.Entries[j].Problem = &said
				s.touch(place{t, i, j})
			}
		}
	}
}
