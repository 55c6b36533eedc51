package a2a

import (
	"strings"

	"parley/a2a/jsontok"
)

// object reads one event or answer, by its kind if it has one and by its members otherwise.
func (d *decoder) object(n jsontok.Node) {
	if d.pageOrCard(n) {
		return
	}
	switch kind := get(n, "kind"); {
	case !kind.IsText() || d.contradicts(kind, n):
	case string(kind.Raw()) == `"artifact-update"`:
		d.features |= sawKind
		d.artifactEvent(n, n)
		return
	case string(kind.Raw()) == `"status-update"`:
		d.features |= sawKind
		d.statusEvent(n, n)
		return
	case string(kind.Raw()) == `"task"`:
		d.taskEvent(n, n)
		return
	case string(kind.Raw()) == `"message"`:
		d.messageEvent(n, n)
		return
	}
	if !d.wrapper(n) {
		d.byMembers(n)
	}
}

// summary reads the text “summary” of a delivery, which takes the place of a message that
// its status lacks.
func (d *decoder) summary(n jsontok.Node, s *Status) {
	if d.call.Op != OpDelivery || s.Message != nil {
		return
	}
	text := get(n, "summary")
	if !text.IsText() || strings.TrimSpace(text.Text()) == "" {
		return
	}
	s.Message = &Message{Role: RoleAgent, Parts: []Part{TextPart(text.Text())}, Raw: text.Raw(), Summary: true}
	makeID(s.Message)
}

// contradicts reports whether “kind” says something else than the members do, so that the
// members decide. A message that also has the members of a task stays a message.
func (d *decoder) contradicts(kind, n jsontok.Node) bool {
	own, other := "", [2]string{}
	switch string(kind.Raw()) {
	case `"artifact-update"`:
		own, other = "artifact", [2]string{"status", "parts"}
	case `"status-update"`:
		own, other = "status", [2]string{"artifact", "parts"}
	case `"task"`:
		own, other = "status", [2]string{"parts", "artifact"}
	case `"message"`:
		if !get(n, "status").Exists() && !get(n, "artifacts").Exists() {
			return false
		}
		d.note("STRM-013", Error, kind, "“kind” is “message”, but the object has the members of a task", "Set “kind” to what the object is")
		return !get(n, "parts").Exists()
	}
	if own == "" || get(n, own).Exists() || !get(n, other[0]).Exists() && !get(n, other[1]).Exists() {
		return false
	}
	d.note("STRM-013", Error, kind, "“kind” is “"+kind.Text()+"”, but the object has no “"+own+"”", "Set “kind” to what the object is")
	return true
}

// wrapper reads the stream response of 1.0, an object with one member that says
// what it holds.
func (d *decoder) wrapper(n jsontok.Node) bool {
	var ev *Event
	if v := d.either(n, "artifactUpdate", "artifact_update"); v.Kind() == jsontok.Object {
		ev = d.artifactEvent(n, v)
	} else if v := d.either(n, "statusUpdate", "status_update"); v.Kind() == jsontok.Object {
		ev = d.statusEvent(n, v)
	} else if v := get(n, "task"); v.Kind() == jsontok.Object {
		ev = d.taskEvent(n, v)
	} else if v := get(n, "message"); v.Kind() == jsontok.Object {
		ev = d.messageEvent(n, v)
	} else if v := get(n, "msg"); v.Kind() == jsontok.Object { // the original name in the protocol buffer of 0.3
		ev = d.messageEvent(n, v)
	} else {
		return false
	}
	d.features |= sawWrapper
	ev.wrapped = true
	return true
}

// byMembers reads an object without a kind.
func (d *decoder) byMembers(n jsontok.Node) {
	var (
		taskID  = d.either(n, "taskId", "task_id").Exists()
		id      = get(n, "id").Exists()
		status  = get(n, "status").Exists()
		history = get(n, "artifacts").Exists() || get(n, "history").Exists()
	)
	switch {
	case get(n, "artifact").Exists() && (taskID || id || d.in.Stream):
		d.artifactEvent(n, n)
	case status && !history && (taskID || id && d.isStatusOf01(n)):
		d.statusEvent(n, n)
	case status, history:
		d.taskEvent(n, n)
	case d.looksLikeMessage(n):
		d.messageEvent(n, n)
	case d.in.Event == "close" || isPing(n):
		d.emit(EventNotA2A, n)
	case n.Len() == 0, get(n, "message").IsText():
		d.emit(EventEmpty, n)
	default:
		ev := d.unknown(n)
		ev.TaskID = d.id(d.either(n, "taskId", "task_id"))
		ev.ContextID = word(d.either(n, "contextId", "context_id"))
	}
}

// isStatusOf01 tells the status event of 0.1, {id, status}, from a task, which
// looks the same: on a stream of 0.1 tasks do not occur.
func (d *decoder) isStatusOf01(n jsontok.Node) bool {
	if get(n, "final").Exists() {
		return true
	}
	if !d.in.Stream || d.call.Dialect != V01 && d.call.Dialect != Unknown {
		return false
	}
	return !get(n, "sessionId").Exists() && !d.either(n, "contextId", "context_id").Exists()
}

func (d *decoder) looksLikeMessage(n jsontok.Node) bool {
	return get(n, "role").IsText() || d.either(n, "messageId", "message_id").Exists() &&
		(get(n, "parts").Exists() || get(n, "content").Exists())
}

// isPing recognises keep-alive objects such as {"type":"ping"}.
func isPing(n jsontok.Node) bool {
	return pingWord(get(n, "type").Text()) || pingWord(get(n, "event").Text())
}

// taskEvent reads a task; holder is the object that wraps it, or the task itself.
func (d *decoder) taskEvent(holder, n jsontok.Node) *Event {
	ev := d.emit(EventTask, holder)
	ev.Task = new(Task)
	d.task(n, ev.Task)
	ev.TaskID, ev.ContextID, ev.Metadata = ev.Task.ID, ev.Task.ContextID, ev.Task.Metadata
	d.fallback(ev)
	d.summary(n, &ev.Task.Status)
	return ev
}

func (d *decoder) messageEvent(holder, n jsontok.Node) *Event {
	ev := d.emit(EventMessage, holder)
	ev.Message = new(Message)
	d.message(n, ev.Message)
	ev.TaskID, ev.ContextID, ev.Metadata = ev.Message.TaskID, ev.Message.ContextID, ev.Message.Metadata
	return ev
}

func (d *decoder) statusEvent(holder, n jsontok.Node) *Event {
	ev := d.emit(EventStatus, holder)
	d.eventIDs(ev, n)
	ev.Status = new(Status)
	d.status(get(n, "status"), ev.Status)
	d.summary(n, ev.Status)
	if final := get(n, "final"); final.Exists() {
		d.features |= sawFinal
		ev.Final = TriOf(truth(final))
		if !get(n, "kind").Exists() && !d.either(n, "taskId", "task_id").Exists() {
			d.features |= sawIDStatus
		}
	}
	return ev
}

func (d *decoder) artifactEvent(holder, n jsontok.Node) *Event {
	ev := d.emit(EventArtifact, holder)
	d.eventIDs(ev, n)
	artifact := get(n, "artifact")
	ev.Artifact = new(Artifact)
	d.artifact(artifact, ev.Artifact)
	ev.Append, ev.LastChunk = truth(get(n, "append")), truth(d.either(n, "lastChunk", "last_chunk"))
	if d.features&sawIndex != 0 { // 0.1 has the marks inside the artifact
		ev.Append = ev.Append || truth(get(artifact, "append"))
		ev.LastChunk = ev.LastChunk || ev.Artifact.Sealed
	}
	ev.Artifact.Sealed = ev.LastChunk
	if final := get(n, "final"); final.Exists() {
		ev.Final = TriOf(truth(final))
		d.features |= sawFinal
	}
	return ev
}

// eventIDs reads the ids of the task and the context. In 0.1 the task's id is just id.
func (d *decoder) eventIDs(ev *Event, n jsontok.Node) {
	id := d.either(n, "taskId", "task_id")
	if !id.Exists() {
		id = get(n, "id")
	}
	ev.TaskID = d.id(id)
	ev.ContextID = word(d.either(n, "contextId", "context_id"))
	ev.Metadata = metadata(get(n, "metadata"))
	d.fallback(ev)
}

// fallback gives an event that names no task the task of the call, so that it can be routed.
// The task inside the event remains unchanged.
func (d *decoder) fallback(ev *Event) {
	if ev.TaskID == "" {
		ev.TaskID = d.call.TaskID
	}
}
