package filter

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// failed reports whether a record reports a failure: an error of the agent, an HTTP status, an
// unreadable body, an exchange that did not end regularly, a message that was not sent.
func failed(it *log.Item, _ *Env) bool {
	r := &it.Record
	switch {
	case it.Update.Err != nil || it.Fate == log.FateRefused:
		return true
	case r.End != nil:
		return r.End.Class != "" && r.End.Class != a2a.ClassFollowed || r.End.Reason != a2a.Ended && r.End.Reason != a2a.Cancelled
	case r.Note != nil:
		return r.Note.Type == log.NoteUnsent
	case r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status >= 400:
		return true
	}
	return hasEvent(it, func(ev *a2a.Event) bool {
		st := task.StatusOf(ev)
		return ev.Kind == a2a.EventError || st != nil && (st.State == a2a.StateFailed || st.State == a2a.StateRejected)
	})
}

func isMarked(it *log.Item, env *Env) bool {
	return env.Marked != nil && env.Marked(it.Record.ID)
}

// comments yields what the user wrote about a record.
func comments(it *log.Item, env *Env, is func(string) bool) bool {
	return isCommented(it, env) && is(env.Comment(it.Record.ID))
}

func isCommented(it *log.Item, env *Env) bool {
	return env.Comment != nil && env.Comment(it.Record.ID) != ""
}

// hasEvent reports whether is holds for one of an item's events. They are large, so is gets
// pointers.
func hasEvent(it *log.Item, is func(*a2a.Event) bool) bool {
	for i := range it.Update.Events {
		if is(&it.Update.Events[i]) {
			return true
		}
	}
	return false
}

// methods yields the methods of a request or of its answer: the operation's name in Parley, in
// the agent's dialect, and in the request.
func methods(it *log.Item, _ *Env, is func(string) bool) bool {
	if c := it.Record.Call; c != nil {
		if is(string(c.Op)) {
			return true
		}
		p := a2a.Profile{Dialect: c.Dialect, Binding: c.Binding}
		if d, ok := a2a.LookupDialect(c.Dialect); ok && d.Supports(c.Op) && is(d.Method(c.Op)) {
			return true
		} else if d, ok := p.Spoken(); ok && c.Binding == a2a.BindingGRPC && d.Supports(c.Op) && is(a2a.RPC(d.Method(c.Op))) {
			return true
		}
	}
	what := methodOf(it)
	return what != "" && is(what)
}

// maxMethodBody is the longest body of a request that is read for its method.
const maxMethodBody = 1 << 20

// methodOf returns the method in a request's row; empty for other records.
func methodOf(it *log.Item) string {
	if it.Record.Kind != a2a.KindRequest || len(it.Record.Raw) > maxMethodBody {
		return ""
	}
	return log.Describe(it)
}

// tasks yields the tasks in a record, and the one of its exchange.
func tasks(it *log.Item, env *Env, is func(string) bool) bool {
	if c := it.Record.Call; c != nil && c.TaskID != "" && is(c.TaskID) {
		return true
	}
	if id := env.about(it).Task; id != "" && is(id) {
		return true
	}
	return hasEvent(it, func(ev *a2a.Event) bool {
		if ev.TaskID != "" && is(ev.TaskID) {
			return true
		}
		for i := range ev.Tasks {
			if is(ev.Tasks[i].ID) {
				return true
			}
		}
		return ev.Task != nil && is(ev.Task.ID)
	})
}

// contexts yields the contexts in a record, and the one of its exchange.
func contexts(it *log.Item, env *Env, is func(string) bool) bool {
	if c := it.Record.Call; c != nil && c.ContextID != "" && is(c.ContextID) {
		return true
	}
	if id := env.about(it).Context; id != "" && is(id) {
		return true
	}
	return hasEvent(it, func(ev *a2a.Event) bool {
		if ev.ContextID != "" && is(ev.ContextID) {
			return true
		}
		for i := range ev.Tasks {
			if id := ev.Tasks[i].ContextID; id != "" && is(id) {
				return true
			}
		}
		return ev.Task != nil && ev.Task.ContextID != "" && is(ev.Task.ContextID)
	})
}

// about returns the subject of an item's exchange.
func (e *Env) about(it *log.Item) About {
	if e.About == nil || it.Record.Exchange == 0 {
		return About{}
	}
	return e.About(it.Record.Exchange)
}

// agents yields the name of a record's agent.
func agents(it *log.Item, env *Env, is func(string) bool) bool {
	if n := it.Record.Note; n != nil && env.Agent != nil {
		return slices.ContainsFunc(log.AgentsIn(n), func(id a2a.AgentID) bool { return is(env.Agent(id)) })
	}
	id := agentOf(&it.Record)
	return id != 0 && env.Agent != nil && is(env.Agent(id))
}

// agentOf returns the agent of a record, 0 without one.
func agentOf(r *a2a.Record) a2a.AgentID {
	switch {
	case r.Call != nil:
		return r.Call.Agent
	case r.Note != nil:
		return log.IDIn[a2a.AgentID](r.Note.Attrs, log.AttrAgent)
	default:
		return 0
	}
}

// artifacts yields names and ids of the artifacts in a record.
func artifacts(it *log.Item, _ *Env, is func(string) bool) bool {
	if it.Artifact != "" && is(it.Artifact) {
		return true
	}
	if c := it.Record.Call; c != nil && c.URI != "" && is(c.URI) {
		return true
	}
	named := func(a *a2a.Artifact) bool {
		return a.Name != "" && is(a.Name) || is(a.Key) || a.ID != "" && is(a.ID)
	}
	return hasEvent(it, func(ev *a2a.Event) bool {
		if ev.Artifact != nil && named(ev.Artifact) {
			return true
		}
		if ev.Task == nil {
			return false
		}
		for i := range ev.Task.Artifacts {
			if named(&ev.Task.Artifacts[i]) {
				return true
			}
		}
		return false
	})
}

// hasStatus reports whether is holds for a status in an item.
func hasStatus(it *log.Item, is func(*a2a.Status) bool) bool {
	return hasEvent(it, func(ev *a2a.Event) bool {
		for i := range ev.Tasks {
			if is(&ev.Tasks[i].Status) {
				return true
			}
		}
		st := task.StatusOf(ev)
		return st != nil && is(st)
	})
}

var states = stateChoices()

// stateChoices are the states of the protocol, and one for unknown words.
func stateChoices() []choice {
	var out []choice
	for s := a2a.StateSubmitted; s <= a2a.StateAuthRequired; s++ {
		out = append(out, choice{word: s.String()})
	}
	return append(out,
		choice{word: a2a.StateUnknown.String(), note: "unspecified, or no state at all"},
		choice{word: a2a.StateOther.String(), note: "a word that no dialect defines"})
}

// inState compares with a state in any spelling, or in quotation marks with the word on the
// wire.
func inState(_ string, v value) (node, *Error) {
	want, otherWord := a2a.ParseState(v.text), strings.EqualFold(v.text, a2a.StateOther.String())
	var is func(*a2a.Status) bool
	switch {
	case v.re != nil:
		is = func(s *a2a.Status) bool { return v.in(s.Word) || v.in(s.State.String()) }
	case v.quoted:
		is = func(s *a2a.Status) bool { return strings.EqualFold(s.Word, v.text) }
	case want == a2a.StateOther && !otherWord:
		return node{}, &Error{v.off, v.end, "no dialect has this state: put an agent's own word in quotation marks, or use state:other for all of them"}
	default:
		is = func(s *a2a.Status) bool { return s.State == want }
	}
	return node{match: func(it *log.Item, _ *Env) bool { return hasStatus(it, is) }}, nil
}

var severities = []choice{
	{word: "error", note: "breaks the protocol"},
	{word: "warning", note: "causes trouble for other clients"},
	{word: "info", note: "worth knowing"},
}

// severityOf returns the severity for a word; ok is false if it means none.
func severityOf(word string) (s a2a.Severity, ok bool) {
	switch strings.ToLower(word) {
	case "e", "error":
		return a2a.Error, true
	case "w", "warning":
		return a2a.Warning, true
	case "i", "info":
		return a2a.Info, true
	default:
		return 0, false
	}
}

// hasFindings reports whether a record has findings that are not muted.
func hasFindings(it *log.Item, env *Env) bool {
	return hasFinding(it, func(f *a2a.Finding) bool { return !env.isMuted(f.Rule) })
}

func hasFinding(it *log.Item, is func(*a2a.Finding) bool) bool {
	for i := range it.Findings {
		if is(&it.Findings[i]) {
			return true
		}
	}
	return false
}

func (e *Env) isMuted(rule string) bool { return e.Muted != nil && e.Muted(rule) }

// withFinding compares with a severity or with the beginning of a rule's name. A muted rule
// matches only its whole name.
func withFinding(op string, v value) (node, *Error) {
	severity, graded := severityOf(v.text)
	is := func(f *a2a.Finding, env *Env) bool {
		switch {
		case v.re == nil && !v.quoted && graded:
			return f.Severity == severity && !env.isMuted(f.Rule)
		case v.re == nil && strings.EqualFold(f.Rule, v.text):
			return true
		case env.isMuted(f.Rule) || op == "=":
			return false
		case v.re != nil:
			return v.in(f.Rule)
		default:
			return len(f.Rule) >= len(v.text) && strings.EqualFold(f.Rule[:len(v.text)], v.text)
		}
	}
	return node{uses: UsesMutes, match: func(it *log.Item, env *Env) bool {
		return hasFinding(it, func(f *a2a.Finding) bool { return is(f, env) })
	}}, nil
}
