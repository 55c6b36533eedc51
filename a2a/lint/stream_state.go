package lint

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// streamState is what an agent sent in one exchange so far.
type streamState struct {
	events   int    // events, without errors and foreign frames
	messages int    // of them, messages without a task
	statuses int    // of them, status updates
	taskID   string // of the first event that named one
	state    a2a.State
	// over is set by a terminal state, or by a status marked as the last one, which final
	// counts.
	over      bool
	endState  a2a.State // its state then
	final     int
	stamp     time.Time // newest timestamp of a status
	at        time.Time // when the newest record came
	text      string    // text of the newest status message
	growths   int       // how often in a row it began with the one before
	ends      lineEnds  // seen in the stream
	artifacts map[string]*artifactState
	// The ids of the newest chunk: those of the next one are the same.
	chunkTask, chunkContext string

	strays int  // chunks in a row for unknown artifacts
	sealed bool // some artifact got its last chunk
	once   once // findings that are reported once for the exchange

	lastTries int // statuses whose text was searched for in the artifacts
}

// artifactState is one artifact as a stream sent it.
type artifactState struct {
	name   string
	text   int // bytes of text
	chunks int
	sealed bool
	// preview is set while its text will come again, whole, in another artifact.
	preview bool
}

// Limits of what is remembered of a stream, and of the length of ids that are remembered.
const (
	maxArtifacts = 4096 // artifacts
	maxID        = 512  // bytes
)

// once is a set of findings that are made once in an exchange.
type once uint16

const (
	onceContentType once = 1 << iota
	onceLineEnds
	onceNUL
	onceFinal
	onceStamp
	onceStrays
	onceGrown
	onceStall
	onceTwice
	onceNoStamp
	onceNoFinal
	onceContext
	onceOtherTask
)

// first reports whether a finding was not made in the exchange before.
func (x *exchange) first(o once) bool {
	said := x.stream.once&o != 0
	x.stream.once |= o
	return !said
}

// whole reports whether the session contains the exchange from its request on.
func (x *exchange) whole() bool { return x.request != nil }

// remember remembers the content of a record, after the rules have checked it.
func (p *pass) remember() {
	h := &p.x.stream
	h.at = p.r.Time
	for i := range p.u.Events {
		ev := &p.u.Events[i]
		switch ev.Kind {
		case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage:
			h.events++
		case a2a.EventTaskList:
			for i := range ev.Tasks {
				p.learn(ev.Tasks[i].ID, ev.Tasks[i].ContextID, a2a.StateUnknown)
			}
			continue
		default:
			continue
		}
		if h.taskID == "" {
			h.taskID = ev.TaskID
		}
		if ev.TaskID != "" && ev.TaskID != h.taskID && p.in&sam == 0 {
			p.addStray(ev)
			continue
		}
		switch ev.Kind {
		case a2a.EventTask:
			p.addStatus(ev, &ev.Task.Status)
		case a2a.EventStatus:
			h.statuses++
			p.addStatus(ev, ev.Status)
		case a2a.EventArtifact:
			if !h.repeatsIDs(ev) {
				p.learn(ev.TaskID, ev.ContextID, a2a.StateUnknown)
				h.chunkTask, h.chunkContext = ev.TaskID, ev.ContextID
			}
			p.addArtifact(ev)
		case a2a.EventMessage:
			p.learn(ev.TaskID, ev.ContextID, a2a.StateUnknown)
			if ev.TaskID == "" {
				h.messages++
			}
		}
		if ev.Final == a2a.True {
			if !h.over {
				h.over, h.endState = true, h.state
			}
			h.final++
		}
	}
}

// repeatsIDs reports whether a chunk has the same ids as the one before.
func (h *streamState) repeatsIDs(ev *a2a.Event) bool {
	return ev.TaskID == h.chunkTask && ev.ContextID == h.chunkContext
}

func (p *pass) addStatus(ev *a2a.Event, s *a2a.Status) {
	h := &p.x.stream
	p.learn(ev.TaskID, ev.ContextID, s.State)
	if s.Word != "" {
		h.state = s.State
		if !h.over && s.State.Terminal() && ev.Final != a2a.False {
			h.over, h.endState = true, s.State
		}
	}
	if !s.Time.IsZero() {
		h.stamp = s.Time
	}
	if m := s.Message; m != nil && ev.Kind == a2a.EventStatus {
		text := m.Text()
		if h.text != "" && len(text) > len(h.text) && strings.HasPrefix(text, h.text) {
			h.growths++
		} else {
			h.growths = 0
		}
		h.text = text
	}
}

// addStray remembers an event of another task than the stream's, which does not affect the
// course of the stream.
func (p *pass) addStray(ev *a2a.Event) {
	s := a2a.StateUnknown
	if st := statusOf(ev); st != nil {
		s = st.State
	}
	p.learn(ev.TaskID, ev.ContextID, s)
}

func (p *pass) addArtifact(ev *a2a.Event) {
	h := &p.x.stream
	a := h.artifacts[ev.Artifact.Key]
	unseen := a == nil && ev.Append && !p.holds(ev)
	switch {
	case a != nil:
		h.strays = 0
	case unseen:
		h.strays++
	}
	if a == nil {
		if len(h.artifacts) >= maxArtifacts || len(ev.Artifact.Key) > maxID {
			return
		}
		if h.artifacts == nil {
			h.artifacts = map[string]*artifactState{}
		}
		a = new(artifactState)
		h.artifacts[ev.Artifact.Key] = a
	}
	if !ev.Append {
		a.text, a.chunks, a.sealed = 0, 0, false
	}
	if ev.Artifact.Name != "" {
		a.name = ev.Artifact.Name
	}
	a.text += textOf(ev.Artifact.Parts)
	a.chunks++
	a.preview = a.preview || preview(ev)
	a.sealed = a.sealed || ev.LastChunk
	h.sealed = h.sealed || ev.LastChunk
}

// holds reports whether the artifact of an event was known before the record.
func (p *pass) holds(ev *a2a.Event) bool {
	return p.fold != nil && p.fold.Holds(ev.TaskID, ev.Artifact.Key)
}

// textOf returns the bytes of text in parts.
func textOf(parts []a2a.Part) (n int) {
	for i := range parts {
		if parts[i].Kind == a2a.PartText {
			n += len(parts[i].Text)
		}
	}
	return n
}

// A taskState is what is remembered of a task beyond its exchange.
type taskState struct {
	origin
	contextID string
	state     a2a.State
	over      a2a.RecordID // that had a terminal state, 0 if none did
	canceling bool         // another client asked to cancel it
}

// ended returns what is remembered of a task that is over, nil if it is not over or not known.
func (a *agent) ended(taskID string) *taskState {
	if t, known := a.tasks.get(taskID); known && t.over != 0 {
		return t
	}
	return nil
}

// learn remembers what an event says about a task; an unknown state says nothing.
func (p *pass) learn(taskID, contextID string, s a2a.State) {
	if len(contextID) > maxID {
		contextID = ""
	}
	own := taskID == p.x.stream.taskID
	if contextID != "" {
		c, _ := entryOf(&p.agent.contexts, contextID)
		p.date(c, own)
	}
	if taskID == "" || len(taskID) > maxID {
		return
	}
	t, _ := entryOf(&p.agent.tasks, taskID)
	p.date(&t.origin, own)
	if t.contextID == "" {
		t.contextID = contextID
	}
	if s == a2a.StateUnknown {
		return
	}
	switch t.state = s; {
	case !s.Terminal():
		t.over = 0
	case t.over == 0:
		t.over = p.r.ID
	}
}

// noteMore is note for a place with several faults.
func (p *pass) noteMore(n jsontok.Node, message string) {
	p.take(p.finding(p.rule.severity, n, offsetOf(n), message))
}

// take adds a finding of the decoder.
func (p *pass) take(f a2a.Finding) {
	if len(p.findings) < maxPerRecord {
		p.findings = append(p.findings, f)
	}
}
