package model

import (
	"bytes"
	"cmp"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// On a Solace Agent Mesh agents stream their text in pieces, one status message each, and report
// steps as data. The pieces are shown as one text, and steps in one line: those of agents to which
// a part of the task was delegated with the agent's name.

// A streamedText is what an agent has streamed in status messages of a task.
type streamedText struct {
	at     place
	open   bool   // the next piece continues the entry
	worker string // who streams it, empty for the agent itself
	whole  []byte // all text of the agent itself
}

const (
	// joinAtLine is from which length on the text of an entry ends at a line break, and joinAtMost
	// where it ends anyway: a piece copies the text of its entry, so it costs at most that much.
	joinAtLine, joinAtMost = 4 << 10, 16 << 10
)

// meshMessage shows a message of an agent on a mesh, and reports whether it did.
func (s *State) meshMessage(x *exchange, t *Turn, task *Task, r *a2a.Record, ev *a2a.Event, m *a2a.Message) bool {
	if x.call.Binding != a2a.BindingMQTT || m == nil || m.Role == a2a.RoleUser || len(m.Parts) != 1 {
		return false
	}
	part, st := &m.Parts[0], &task.streamed
	switch {
	case ev.Kind == a2a.EventTask && part.Kind == a2a.PartText:
		if !task.repeatsStream(part.Text) {
			return false
		}
		s.anchor(r.ID, st.at, 0)
		return true
	case ev.Kind != a2a.EventStatus:
		return false
	}
	worker := workerOf(ev.Metadata).Agent
	if card := x.agent.Card; card != nil && worker == card.Name {
		worker = ""
	}
	switch part.Kind {
	case a2a.PartText:
		s.joinText(t, task, r, m, worker)
	case a2a.PartData:
		line := stepLine(part.Data)
		if line == "" {
			return false
		}
		st.open = false
		s.anchor(r.ID, s.entry(t, task, Entry{Kind: EntryMessage, Record: r.ID, Time: r.Time, Message: saying(m, byWorker(worker, line))}), 0)
	default:
		return false
	}
	return true
}

// joinText adds a piece of text to the entry before, if it continues that one.
func (s *State) joinText(t *Turn, task *Task, r *a2a.Record, m *a2a.Message, worker string) {
	st, text := &task.streamed, m.Parts[0].Text
	if worker == "" {
		st.whole = append(st.whole, text...)
	}
	if st.worker == worker && st.grow(s, t, r, text) {
		return
	}
	st.at = s.entry(t, task, Entry{Kind: EntryMessage, Record: r.ID, Time: r.Time, Message: saying(m, byWorker(worker, text))})
	st.open, st.worker = true, worker
	s.anchor(r.ID, st.at, 0)
}

// grow adds a piece of text to the newest entry, and reports whether it did: not if something else came since, or
// the entry is long enough.
func (st *streamedText) grow(s *State, t *Turn, r *a2a.Record, text string) bool {
	if !st.open || st.at.turn != t {
		return false
	}
	b := t.Blocks[st.at.block]
	entry := &b.Entries[st.at.entry]
	before := entry.Message.Parts[0].Text
	full := len(before) >= joinAtMost || len(before) >= joinAtLine && strings.HasSuffix(before, "\n")
	if st.at.entry < len(b.Entries)-1 || full {
		return false
	}
	entry.Message, entry.Grown = saying(entry.Message, before+text), true
	s.touch(st.at)
	s.anchor(r.ID, st.at, 0)
	return true
}

// speak notes the entry with the newest message of a working task, which later ones may continue.
// One that continues a long text, of which the entry is full, is no step either.
func (st *streamedText) speak(x *exchange, at place, it *log.Ruling) {
	if x.call.Binding == a2a.BindingMQTT {
		return // see meshMessage
	}
	_, spoken := task.Spoken(it.Event)
	if st.at, st.open = at, spoken && at.turn != nil; st.open && it.Continues {
		at.turn.Blocks[at.block].Entries[at.entry].Grown = true
	}
}

// saying returns a copy of a message with another text.
func saying(m *a2a.Message, text string) *a2a.Message {
	said := *m
	said.Parts = []a2a.Part{a2a.TextPart(text)}
	return &said
}

func byWorker(worker, text string) string {
	if worker == "" {
		return text
	}
	return worker + ": " + text
}

// repeatsStream reports whether a text is the end of what was streamed: the last answer on a mesh
// repeats the text of the last turn of the model. What was streamed before and after a gap counts,
// and a text of which pieces are missing is not its end.
func (t *Task) repeatsStream(text string) bool {
	st := &t.streamed
	text = strings.TrimSpace(text)
	return text != "" && st.at.turn != nil && bytes.HasSuffix(bytes.TrimSpace(st.whole), []byte(text))
}

// maxStep is the longest data that is read as a step, in bytes: what a model was asked is longer,
// and no step.
const maxStep = 64 << 10

// stepLine returns a line for data that reports a step, empty for any other data.
func stepLine(data []byte) string {
	if len(data) > maxStep {
		return ""
	}
	var doc jsontok.Doc
	if doc.Parse(data) != nil {
		return ""
	}
	get := func(name string) string { return doc.Root().Get(name).Text() }
	switch get("type") {
	case "agent_progress_update":
		return problem.Clip(get("status_text"))
	case "tool_invocation_start":
		return problem.Clip("calls " + cmp.Or(get("tool_name"), "a tool"))
	case "tool_result":
		return problem.Clip(cmp.Or(get("tool_name"), "the tool") + " answered")
	case "artifact_creation_progress":
		return problem.Clip(strings.TrimSpace(get("status") + " " + get("filename")))
	case "artifact_saved":
		return problem.Clip("saved " + get("filename"))
	default:
		return ""
	}
}
