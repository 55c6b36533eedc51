package otlp

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// A fault is why a span is in error. There is none in the zero value.
type fault struct {
	kind     string // the attribute error.type
	sentence string
}

// set sets the status of a span, and adds the kind of the fault to its attributes.
func (f fault) set(s *span, a *attributes) {
	s.Status = status{Code: codeOK}
	if f.kind != "" {
		s.Status = status{codeError, problem.Clip(visible.Line(f.sentence))}
		a.text("error.type", f.kind)
	}
}

// exchangeFault says why an exchange failed: the agent answered with an error, it ended otherwise
// than an answer does, its HTTP status says so, or the task that it sent a message for failed. What
// Parley closed, because the user canceled it or its task was over, did not fail.
func (w *writer) exchangeFault(s *log.Stream, code int) fault {
	if f := w.streamFault(s); f.kind != "" {
		return f
	}
	if code >= 400 {
		return fault{strconv.Itoa(code), strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))}
	}
	if c := s.Call; c != nil && (c.Op == a2a.OpSend || c.Op == a2a.OpStream || c.Op == a2a.OpSubscribe) && failed(s.State) {
		return w.taskFault(s)
	}
	return fault{}
}

// streamFault says why the answer of an exchange is none, whatever its HTTP status and its task.
func (w *writer) streamFault(s *log.Stream) fault {
	for i := range s.Steps {
		if f := w.stepFault(&s.Steps[i]); f.kind != "" {
			return f
		}
	}
	end := s.End
	if end == nil || end.Class == a2a.ClassUnrecorded || end.Class == a2a.ClassFollowed || end.Reason == a2a.Cancelled || end.Reason == a2a.Ended && end.Class == "" {
		return fault{}
	}
	return fault{cmp.Or(end.Class, string(end.Reason)), cmp.Or(end.Sentence, string(end.Reason))}
}

// stepFault is the error that came in a step, or why the whole answer cannot be read. An event that
// cannot be read is none: the stream goes on.
func (w *writer) stepFault(s *log.Step) fault {
	if s.Kind != log.StepError && s.Kind != log.StepOther {
		return fault{}
	}
	it := w.excerpt.State.Log.At(s.From)
	at := slices.IndexFunc(it.Update.Events, func(ev a2a.Event) bool { return ev.Err != nil })
	switch {
	case s.Kind == log.StepError && at >= 0:
		return rpcFault(it.Update.Events[at].Err)
	case it.Record.Kind == a2a.KindBody && it.Update.Err != nil:
		return fault{problem.ClassDecode, it.Update.Err.Sentence}
	}
	return fault{}
}

// unnamed is the kind of a fault that has no name, as OpenTelemetry has it.
const unnamed = "_OTHER"

// rpcFault is the fault that an agent answered with.
func rpcFault(e *a2a.RPCError) fault {
	kind := cmp.Or(e.Name, numbered(e.Code), numbered(int64(e.HTTPStatus)), unnamed)
	return fault{kind, cmp.Or(strings.TrimSpace(e.Error()), kind)}
}

// numbered returns a code, empty for none.
func numbered(code int64) string {
	if code == 0 {
		return ""
	}
	return strconv.FormatInt(code, 10)
}

// taskFault says why the task of an exchange failed.
func (w *writer) taskFault(s *log.Stream) fault {
	if t := w.excerpt.State.Turn(s.Call.Turn); t != nil {
		if f := turnTaskFault(t); f.kind != "" {
			return f
		}
	}
	return fault{s.State.String(), "The task is " + s.State.String() + "."}
}

// turnTaskFault says why a task of a turn failed, in the agent's words if it said some.
func turnTaskFault(t *model.Turn) fault {
	for _, b := range t.Blocks {
		if b.Task == nil || !failed(b.Task.State) {
			continue
		}
		f := fault{b.Task.State.String(), "The task is " + b.Task.StateWord() + "."}
		for i := range slices.Backward(b.Entries) {
			if m := b.Entries[i].Message; m != nil && m.Role != a2a.RoleUser && m.Text() != "" {
				f.sentence = "The task is " + b.Task.StateWord() + ": " + m.Text()
				break
			}
		}
		return f
	}
	return fault{}
}

func failed(s a2a.State) bool { return s == a2a.StateFailed || s == a2a.StateRejected }

// turnFault says why a turn failed: its task did, or it came to no end and its newest exchange
// failed, or its answer could not be used. newest is that exchange's fault.
func turnFault(t *model.Turn, newest fault) fault {
	if f := turnTaskFault(t); f.kind != "" {
		return f
	}
	if slices.ContainsFunc(t.Blocks, func(b *model.Block) bool { return b.Task != nil && b.Task.Over() }) {
		return fault{}
	}
	if newest.kind != "" {
		return newest
	}
	for _, b := range slices.Backward(t.Blocks) {
		for _, e := range slices.Backward(b.Entries) {
			if e.Kind == model.EntryProblem {
				return problemFault(e.Problem)
			}
			return fault{} // an answer came after it
		}
	}
	return fault{}
}

// problemFault is a problem that a turn ended with, none if the user or Parley caused it.
func problemFault(p *problem.Problem) fault {
	switch {
	case p.Ours() || p.Resumed != 0:
		return fault{}
	case p.Class == problem.ClassRPC && p.Err != nil:
		return rpcFault(p.Err)
	}
	return fault{cmp.Or(p.Class, unnamed), p.Sentence}
}
