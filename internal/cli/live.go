package cli

import (
	"bytes"
	"encoding/json"

	"parley/a2a"
	lifecycle "parley/session/task"
)

var lineEnd = []byte{'\n'}

// A live printer prints events as they come (A2A CLI specification 0.2 §11.2, §11.3). Those
// that come at the same time are printed with one write.
type live struct {
	op *operation
	// printed is the encoding of the last task that was printed: an answer that only repeats it is
	// not printed.
	printed json.RawMessage
	// ends is set while the last output names task, context and state, or is a message that is
	// an answer by itself.
	ends bool
	// ignored is the last statement about a task that was not printed, so that a repetition is not told.
	ignored string
	// delivered is the newest status in a push notification that was printed.
	delivered *a2a.Status
	page      page // reused for each event
	text      growing
}

// A sound event is part of a body that was read without an error: it is valid JSON and needs no
// check.
func (l *live) event(ev *a2a.Event, known string, sound bool) {
	switch ev.Kind {
	case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage:
	default:
		return // reported on standard error, or at the end
	}
	if l.overtaken(ev) {
		return
	}
	var raw json.RawMessage
	if w := l.op.words; w != nil {
		w.speak(ev)
		if ev.Kind == a2a.EventArtifact {
			w.chunk(ev)
		}
		return
	}
	if l.op.drawing != nil {
		l.op.drawing.event(ev, known)
		return
	}
	if l.op.app.json || ev.Kind == a2a.EventTask {
		raw = a2a.EncodeV1Event(ev)
	}
	if ev.Kind == a2a.EventTask && bytes.Equal(raw, l.printed) {
		return
	}
	l.printed = nil
	if ev.Kind == a2a.EventTask {
		l.printed = raw
	}
	l.ends = ev.Kind == a2a.EventTask || ev.Kind == a2a.EventStatus || ev.Kind == a2a.EventMessage && ev.TaskID == ""
	if l.op.app.json && sound && l.op.flags.stream && isCompact(raw) {
		l.op.write(raw)
		l.op.write(lineEnd)
		return
	}
	if l.op.app.json {
		l.op.document("", raw)
		return
	}
	l.page.to, l.page.verbose = l.op.write, l.op.flags.verbose
	switch {
	case ev.Kind == a2a.EventArtifact && !l.page.verbose:
		l.text.said.Continues(ev)
		l.text.chunk(&l.page, ev, known)
	case !l.page.verbose && l.text.message(&l.page, ev):
	default:
		l.text.end(&l.page)
		l.page.event(ev, known)
	}
	l.page.flush()
}

// overtaken reports whether the state of the task did not take the status of an event, because the task
// is over or a newer status is known, and says so on standard error. The state has had the event before.
func (l *live) overtaken(ev *a2a.Event) bool {
	st, t := lifecycle.StatusOf(ev), l.op.state.Task(l.op.agent, ev.TaskID)
	if st == nil || t == nil {
		return false
	}
	known, why := (*a2a.Status)(nil), ""
	l.op.state.Known(l.op.agent, func(tasks *a2a.Fold) { known = tasks.Status(ev.TaskID) })
	switch {
	case t.Judge(st, false) == lifecycle.MoveContradicts:
		why = "which is over"
	case known != nil && known.State != st.State && isOlder(st, known):
		why = "which is newer"
	default:
		return false
	}
	said := ev.TaskID + "\x00" + t.StateWord() + "\x00" + lifecycle.StateWord(st.State, st.Word)
	if said != l.ignored {
		l.ignored = said
		l.op.app.note("Warning", "the agent says that task %s is %s; Parley ignores that and keeps %s, %s.",
			line(ev.TaskID), line(lifecycle.StateWord(st.State, st.Word)), line(t.StateWord()), why)
	}
	return true
}

// isOlder reports whether a status is older than another one, as far as both say when they are from.
func isOlder(st, than *a2a.Status) bool {
	return !st.Time.IsZero() && !than.Time.IsZero() && st.Time.Before(than.Time)
}

// endText ends the text of an artifact that may still grow.
func (l *live) endText() {
	l.page.to = l.op.write
	l.text.end(&l.page)
	l.page.flush()
}

// finish repeats the state of the task unless the last event contained it.
func (l *live) finish(t *a2a.Task) {
	if l.op.words != nil {
		l.op.words.finish(t)
		return
	}
	if l.op.drawing != nil {
		l.op.drawing.finish(t)
		return
	}
	l.endText()
	if l.ends || t == nil {
		return
	}
	if l.op.app.json {
		l.op.document("task", a2a.EncodeV1Task(t))
		return
	}
	var p page
	p.ids(t.ID, t.ContextID, &t.Status)
	l.op.print(&p)
}
