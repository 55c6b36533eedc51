package lint

import (
	"bytes"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/internal/units"
)

// streamRules are about the order of events in a stream.
var streamRules = [...]rule{
	{
		id: "STRM-001", severity: a2a.Error, in: v10, section: "1.0 §3.1.2, §3.1.6",
		checks: "A stream begins with the task or a message; where the message names a task, a warning, because the client has that task", fix: "Send the task first",
		at: atEvent, run: beginsWhole,
	},
	{
		id: "STRM-002", severity: a2a.Warning, in: v0, section: "0.1 §7.2.2, 0.2 §7.2.2, 0.3 §7.2.2",
		checks: "Only the last status of a stream has “final”", fix: "Set final to true only in the last status update",
		at: atEvent | atEnd, run: finalOnce,
	},
	{
		id: "STRM-003", severity: a2a.Warning, in: v10, section: "1.0 A.2",
		checks: "1.0 has no “final”", fix: "Omit “final”; the stream ends when it is closed",
		at: atStatusEvent | atArtifactEvent, run: noFinal,
	},
	{
		id: "STRM-004", severity: a2a.Error, in: knownDialects, section: "0.1 §7.2.2, 0.3 §7.2.2, 1.0 §3.1.2",
		checks: "Nothing follows the event that ends the task or the stream", fix: "Send everything before the last status",
		at: atEvent, run: afterEnd,
	},
	{
		id: "STRM-005", severity: a2a.Info, in: v02v03, section: "0.2 §7.2.2, 0.3 §7.2.2",
		checks: "Every status update has “final”", fix: "Set final to false or true",
		at: atStatusEvent, run: saysFinal,
	},
	{
		id: "STRM-006", severity: a2a.Warning, in: knownDialects, section: "1.0 §3.1.2",
		checks: "A stream is neither closed nor cut while its task works", fix: "Keep the stream open until the task ends or waits for the user, and configure proxies not to cut it",
		at: atEnd, run: closedAtWork,
	},
	{
		id: "STRM-007", severity: a2a.Error, in: jsonRPC, section: "0.1 §7.2.1, 0.3 §7.2.1",
		checks: "Every frame has the id of the request", fix: "Repeat the id of the request in every frame",
	},
	{
		id: "STRM-008", severity: a2a.Warning, in: knownDialects, section: "0.1 §7.2, 0.3 §7.2",
		checks: "A streaming call is answered with a stream", fix: "Answer with text/event-stream, or declare streaming as false in the card",
		at: atEnd, run: noStream,
	},
	{
		id: "STRM-009", severity: a2a.Error, in: knownDialects &^ sam, section: "0.2 §7.2.2, 0.3 §7.2.2, 1.0 §4.2",
		checks: "The events of a stream name its task and context", fix: "Set taskId and contextId of every event to those of the task",
		at: atStatusEvent | atArtifactEvent | atTask, run: oneTask,
	},
	{
		id: "STRM-010", severity: a2a.Info, in: knownDialects,
		checks: "Growing text is streamed as an artifact, not repeated in status messages", fix: "Stream text as chunks of an artifact",
		at: atStatusEvent, run: noGrowingText,
	},
	{
		id: "STRM-011", severity: a2a.Error, in: v10, section: "1.0 §3.1.2",
		checks: "A stream without a task has one message and ends", fix: "Create a task if there is more to say",
		at: atEvent, run: oneMessage,
	},
	{
		id: "STRM-012", severity: a2a.Warning, in: knownDialects,
		checks: "A stream is not silent for long", fix: "Send an SSE comment every few seconds while nothing happens",
		at: atAnswer, run: noSilence,
	},
	{
		id: "STRM-013", severity: a2a.Error, in: v02v03 | v10, section: "0.2 §7.2, 0.3 §7.2, 1.0 §3.2.3",
		checks: "An event names its kind: by “kind” in 0.2 and 0.3, by one wrapper in 1.0",
		fix:    "Set “kind”, or in 1.0 send one of task, message, statusUpdate and artifactUpdate",
		at:     atEvent, run: saysWhat,
	},
}

// inStream reports whether the record is a frame of a stream that was seen whole.
func (p *pass) inStream() bool { return p.r.Kind == a2a.KindEvent && p.x.whole() }

func beginsWhole(p *pass, n jsontok.Node) {
	if p.inStream() && p.x.stream.events == 0 && (p.ev.Kind == a2a.EventStatus || p.ev.Kind == a2a.EventArtifact) {
		severity := p.rule.severity
		if p.namesTask() {
			severity = a2a.Warning
		}
		p.noteAs(severity, n, "The stream begins with an update, not with the task")
	}
}

func finalOnce(p *pass, n jsontok.Node) {
	h := &p.x.stream
	switch {
	case p.r.Kind == a2a.KindEvent && p.ev.Final == a2a.True && h.final > 0:
		if p.x.first(onceFinal) {
			p.note(n.Get("final"), "A second event is marked as the final one")
		}
	case p.r.Kind == a2a.KindEnd && p.streaming() && p.x.whole() && p.r.End != nil && p.r.End.Reason == a2a.Ended &&
		h.state.Terminal() && h.final == 0 && h.statuses > 0 && p.call.Op == a2a.OpStream: // the whole task needs no status
		p.note(jsontok.Node{}, "The task ended, but no status was marked as the final one")
	}
}

func noFinal(p *pass, n jsontok.Node) {
	if v := n.Get("final"); v.Exists() {
		p.note(v, "The event has “final”, which 1.0 does not define")
	}
}

func afterEnd(p *pass, n jsontok.Node) {
	h := &p.x.stream
	if p.r.Kind != a2a.KindEvent || !h.over || p.ev.Kind == a2a.EventUnknown || p.ev.Kind == a2a.EventNotA2A {
		return
	}
	why := "an event was marked as the final one"
	if h.endState.Terminal() {
		why = "the task was " + h.endState.String()
	}
	p.note(n, "This came after "+why)
}

func saysFinal(p *pass, n jsontok.Node) {
	if p.ev.Final == a2a.Absent && p.r.Kind == a2a.KindEvent && p.x.first(onceNoFinal) {
		p.note(n, "The status update lacks “final”")
	}
}

func closedAtWork(p *pass, _ jsontok.Node) {
	h := &p.x.stream
	if !p.streaming() || p.x.events == 0 || p.r.End == nil || h.taskID == "" || h.over {
		return
	}
	if h.state == a2a.StateUnknown && !p.begun(h.taskID) {
		return // its state came before
	}
	was := "while the task was " + h.state.String()
	switch reason := p.r.End.Reason; {
	case reason == a2a.Cut && !unjudged(p.r.End.Class) && !h.state.Interrupted(): // by the agent, or by something on the way
		p.noteAs(a2a.Info, jsontok.Node{}, "The stream was cut "+was)
	case reason != a2a.Ended:
	case h.state == a2a.StateWorking && p.x.header("Via") == "":
		p.note(jsontok.Node{}, "The stream was closed "+was)
	case !h.state.Interrupted(): // the task may have to wait for its turn, and a proxy may have closed it
		p.noteAs(a2a.Info, jsontok.Node{}, "The stream was closed "+was)
	}
}

// unjudged reports whether a cut of this class says nothing about the agent.
func unjudged(class string) bool {
	switch class {
	case a2a.ClassSevered, a2a.ClassUnrecorded, a2a.ClassClient, a2a.ClassTap, a2a.ClassLimit:
		return true
	}
	return false
}

// noStream checks an answer whose one line was read as a stream.
func noStream(p *pass, _ jsontok.Node) {
	if p.streaming() && p.x.events == 1 && p.x.stream.events == 1 && oneDocument(p.x.header("Content-Type")) {
		p.note(jsontok.Node{}, "A streaming call was answered without a stream")
	}
}

func oneTask(p *pass, n jsontok.Node) {
	if p.r.Kind != a2a.KindEvent {
		return
	}
	h := &p.x.stream
	switch {
	case h.taskID != "" && p.ev.TaskID != "" && p.ev.TaskID != h.taskID:
		p.note(n.GetAny("taskId", "task_id", "id"), "The event names task "+clip(p.ev.TaskID)+"; the stream is about "+clip(h.taskID))
	case p.ev.Kind == a2a.EventTask: // the rules about tasks check those
	case p.ev.TaskID == "" || p.ev.TaskID == p.call.TaskID && !n.GetAny("taskId", "task_id", "id").Exists():
		p.note(n, "The event does not name its task")
	case p.in != onV01 && p.ev.ContextID == "":
		p.note(n, "The event does not name its context")
	}
}

// manyGrown is how often in a row a message must continue the one before to count as growing.
const manyGrown = 2

func noGrowingText(p *pass, n jsontok.Node) {
	h := &p.x.stream
	m := p.ev.Status.Message
	if m == nil || h.text == "" || h.growths < manyGrown-1 {
		return
	}
	text := m.Text()
	if len(text) > len(h.text) && text[:len(h.text)] == h.text && p.x.first(onceGrown) {
		p.note(get(get(n, "status"), "message"), "The status messages repeat ever longer text")
	}
}

func oneMessage(p *pass, n jsontok.Node) {
	h := &p.x.stream
	if !p.inStream() || h.events == 0 {
		return
	}
	switch {
	case h.messages > 0:
		p.note(n, "The stream had a message without a task, which must be its only content")
	case p.ev.Kind == a2a.EventMessage:
		p.note(n, "The stream of a task contains a message without a task")
	}
}

// badSilence is the silence that proxies may not tolerate.
const badSilence = 15 * time.Second

// noSilence checks the time since the record before. A comment that belongs to the frame may have
// come in between.
func noSilence(p *pass, _ jsontok.Node) {
	h := &p.x.stream
	if p.r.Kind != a2a.KindEvent || h.at.IsZero() || bytes.HasPrefix(p.r.Raw, []byte(":")) {
		return
	}
	switch gap := p.r.Time.Sub(h.at) - p.r.PauseTime; {
	case gap >= badSilence:
		p.note(jsontok.Node{}, "Nothing came for "+units.Duration(gap)+" before this")
	case gap >= a2a.StallAfter:
		p.noteAs(a2a.Info, jsontok.Node{}, "Nothing came for "+units.Duration(gap)+" before this")
	}
}

// kindOf returns the kind of events in 0.2 and 0.3.
func kindOf(k a2a.EventKind) string {
	switch k {
	case a2a.EventStatus:
		return "status-update"
	case a2a.EventArtifact:
		return "artifact-update"
	default:
		return "" // the rules about tasks and messages check those
	}
}

func saysWhat(p *pass, n jsontok.Node) {
	if p.in&v10 == 0 {
		if want := kindOf(p.ev.Kind); want != "" && !n.Get("kind").Is(want) {
			p.note(n.GetAny("kind"), "“kind” of the event is not “"+want+"”")
		}
		return
	}
	if p.call.Op != a2a.OpSend && !p.streaming() || statusOf(p.ev) == nil && p.ev.Kind != a2a.EventArtifact && p.ev.Kind != a2a.EventMessage {
		return
	}
	outer := p.object()
	if outer == n {
		p.note(n, "The answer has no wrapper that names its kind")
		return
	}
	if count(outer, "task", "message", "statusUpdate", "artifactUpdate") > 1 { // one is required
		p.note(outer, "The answer has several wrappers at once")
	}
}
