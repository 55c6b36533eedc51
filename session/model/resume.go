package model

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/problem"
)

// stoppedEarlier reports whether the user stopped following a task.
func stoppedEarlier(pr *problem.Problem) bool { return pr.Class == problem.ClassStopped }

// noteResumed notes in the newest problems of a task of the given kind that an exchange continued it with
// a record.
func (s *State) noteResumed(x *exchange, r *a2a.Record, ended func(*problem.Problem) bool) {
	i, ok := -1, false
	if x.turn != nil {
		i, ok = x.turn.blockOf(x.task)
	}
	if !ok {
		return
	}
	const most = 8
	entries := x.turn.Blocks[i].Entries
	for k := len(entries) - 1; k >= max(0, len(entries)-most); k-- {
		pr := entries[k].Problem
		if pr == nil || !ended(pr) || pr.Resumed != 0 || pr.Stream == x.id {
			continue
		}
		went, from := *pr, entries[k].Time
		if pr.After != 0 {
			from = s.Log.TimeOf(pr.After) // the break may have been seen long after it
		}
		went.Resumed, went.ResumedAt, went.Away = x.id, r.ID, max(r.Time.Sub(from), 0)
		s.replaceProblem(place{x.turn, i, k}, &went)
	}
}

// gap shows that events may be missing before a record.
func (s *State) gap(t *Turn, task *Task, r *a2a.Record) {
	if task.frame == 0 {
		return
	}
	g := &Gap{From: task.frame, To: r.ID}
	task.lostBetween(s.Log, g, s.touch)
	p := s.entry(t, task, Entry{Kind: EntryGap, Record: r.ID, Time: r.Time, Gap: g})
	task.gaps = append(task.gaps, p)
}

// LacksEvents reports whether events of the task are missing that no snapshot contains.
func (t *Task) LacksEvents() bool { return t != nil && len(t.gaps) > 0 }

// whole notes that a snapshot contains what a task's gaps and artifacts lack.
func (s *State) whole(task *Task, r *a2a.Record, snapshot *a2a.Task) {
	task.hasWhole(snapshot, s.touch)
	for _, p := range task.gaps {
		e := &p.turn.Blocks[p.block].Entries[p.entry]
		filled := *e.Gap
		filled.Whole = r.ID
		e.Gap = &filled
		s.touch(p)
	}
	task.gaps = nil
}

// RefusesSubscription reports whether an error says that the agent refuses a subscription to the
// task: then the task is polled. In 0.1, -32006 says that it does not stream.
func RefusesSubscription(call *a2a.Call, e *a2a.RPCError) bool {
	if call.Op != a2a.OpSubscribe {
		return false
	}
	switch e.Code {
	case -32601, -32004, -32001:
		return true
	case -32006:
		return call.Dialect == a2a.V01
	}
	return e.Reason == "UNSUPPORTED_OPERATION" || e.Reason == "TASK_NOT_FOUND"
}

// subscriptionProblem is the problem for such an error.
func subscriptionProblem(e *a2a.RPCError, task string, record a2a.RecordID) *problem.Problem {
	pr := problem.FromRPC(e, record, 0, "")
	pr.Class = problem.ClassFallback
	why := ""
	if e.Name != "" {
		why = " (" + strings.TrimSuffix(e.Name, "Error") + ")"
	}
	pr.Sentence = "Parley polls task " + units.ID(task) + " instead: the agent does not allow a subscription" + why + "."
	return pr
}

// merge merges artifacts that belong together according to the user: an agent gave each chunk
// its own id.
func (s *State) merge(a *Agent, attr map[string]string, v *log.Verdict, ch *Change) {
	task := s.Task(a.ID, attr[log.AttrTask])
	if task == nil {
		return
	}
	for _, d := range v.Merged {
		into, from := task.byKey[d.Key], task.byKey[d.From]
		if into == nil || from == nil || into == from {
			continue
		}
		s.absorb(into, from)
		task.byKey[d.From] = into
		ch.Turn = into.place.turn.ID
	}
	task.Scattered = 0
	task.touch()
	ch.Conversation = task.Conversation.ID
}

// absorb appends an artifact to another one and hides its entry.
func (s *State) absorb(into, from *Artifact) {
	offset := len(into.Text)
	move := func(id a2a.RecordID, at int) { s.reanchor(id, into.place, at) }
	for _, sp := range from.Spans {
		sp.Offset += offset
		into.Spans = append(into.Spans, sp)
		move(sp.Record, sp.Offset)
	}
	for i := range from.Parts {
		p := from.Parts[i]
		p.Offset += offset
		into.Parts = append(into.Parts, p)
		move(p.Record, p.Offset)
	}
	into.Text = append(into.Text, from.Text...)
	into.Chunks += from.Chunks
	into.Snapshots += from.Snapshots
	into.Count += from.Count
	into.lose(loss{into.loss.cut || from.loss.cut, into.loss.gap || from.loss.gap, into.loss.events + from.loss.events}, s.touch)
	into.Bytes += from.Bytes
	into.Version++
	into.seal(from.Sealed)
	from.place.turn.Blocks[from.place.block].Entries[from.place.entry].Replaced = true
	s.touch(from.place)
	s.touch(into.place)
	task := into.Task
	task.Artifacts = slices.DeleteFunc(slices.Clone(task.Artifacts), func(a *Artifact) bool { return a == from })
}
