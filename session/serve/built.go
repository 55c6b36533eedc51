package serve

import (
	"bytes"
	"slices"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// built returns a task as it was sent in this run so far, with the recorded ids and in the shape of
// the dialect; ok is false if nothing of it was sent. Its pieces are the recorded JSON.
func (a *Agent) built(r *run, task string) (t taskPieces, ok bool) {
	t = taskPieces{id: task}
	for _, sent := range r.answered {
		if slices.Contains(sent.x.taskIDs, task) {
			t.from, t.sent = sent, sent.position(a.clock.now(), a.speed)
			t.read(sent.x, t.sent)
		}
	}
	if canceled, ok := r.canceled[task]; ok {
		t.status = canceled
	}
	return t, t.status != nil || len(t.artifacts) > 0
}

// taskPieces are the parts of a task under assembly, as JSON.
type taskPieces struct {
	id, context string
	kind        bool // tasks of 0.2 and 0.3 over JSON-RPC say that they are tasks
	session     bool // 0.1 has sessions in place of contexts
	wrapped     bool // in 1.0 and in protocol buffers, an object around it says what it is
	status      []byte
	artifacts   []artifactPieces
	history     [][]byte
	metadata    []byte

	from *answered // the newest exchange that was read, and how many of its parts
	sent int
}

// state returns the state in the status.
func (t *taskPieces) state() a2a.State {
	var doc jsontok.Doc
	_ = doc.Parse(slices.Clone(t.status)) // an unknown state is the answer for what is no status
	return a2a.ParseState(doc.Root().Get("state").Text())
}

// artifactPieces are the first chunk of an artifact, and the parts of all chunks.
type artifactPieces struct {
	key      string
	whole    []byte // the first chunk
	from, to int    // where its list of parts is, both 0 if it has none
	parts    [][]byte
}

// read reads the first parts of an answer.
func (t *taskPieces) read(x *exchange, sent int) {
	lines := x.asLines()
	for i := range x.parts[:min(sent, len(x.parts))] {
		var doc jsontok.Doc
		if doc.Parse(slices.Clone(x.payload(&x.parts[i], lines))) != nil {
			continue
		}
		n := doc.Root()
		if result := n.Get("result"); result.Exists() {
			n = result
		}
		inner := unwrapped(n)
		t.event(inner, inner.Offset() != n.Offset())
	}
}

// unwrapped returns the object that an object of 1.0 or of a protocol buffer wraps, any other as it is.
func unwrapped(n jsontok.Node) jsontok.Node {
	for _, wrapper := range [...]string{"task", "statusUpdate", "artifactUpdate", "status_update", "artifact_update"} {
		if inner := n.Get(wrapper); inner.Kind() == jsontok.Object {
			return inner
		}
	}
	return n
}

// event adds an event: a task replaces everything, an update adds to it.
func (t *taskPieces) event(n jsontok.Node, wrapped bool) {
	of := n.GetAny("taskId", "task_id").Text()
	if of == "" {
		of = n.Get("id").Text()
	}
	if of != t.id {
		return
	}
	t.wrapped = t.wrapped || wrapped
	if context := n.GetAny("contextId", "context_id", "sessionId").Text(); context != "" {
		t.context = context
	}
	t.session = t.session || n.Get("sessionId").Exists()
	if n.Get("kind").Text() != "" {
		t.kind = true
	}
	if status := n.Get("status"); status.Exists() {
		t.status = status.Raw()
	}
	if n.Get("id").Text() == t.id && n.Get("artifacts").Kind() == jsontok.Array {
		t.artifacts = nil
		for e := range n.Get("artifacts").Elems() {
			t.artifact(e, false)
		}
	}
	if history := n.Get("history"); n.Get("id").Text() == t.id && history.Exists() {
		t.history = nil
		for e := range history.Elems() {
			t.history = append(t.history, e.Raw())
		}
	}
	if metadata := n.Get("metadata"); n.Get("id").Text() == t.id && metadata.Kind() == jsontok.Object {
		t.metadata = metadata.Raw()
	}
	if artifact := n.Get("artifact"); artifact.Exists() {
		add, _ := n.Get("append").Bool()
		if inner, ok := artifact.Get("append").Bool(); ok { // 0.1
			add = inner
		}
		t.artifact(artifact, add)
	}
}

// artifact adds an artifact or a chunk of one.
func (t *taskPieces) artifact(n jsontok.Node, add bool) {
	a := artifactPieces{key: string(n.GetAny("artifactId", "artifact_id", "index").Raw()), whole: n.Raw()}
	parts := n.Get("parts")
	for part := range parts.Elems() {
		a.parts = append(a.parts, part.Raw())
	}
	if parts.Exists() {
		a.from, a.to = parts.Offset()-n.Offset(), parts.End()-n.Offset()
	}
	i := slices.IndexFunc(t.artifacts, func(known artifactPieces) bool { return known.key == a.key })
	switch {
	case i < 0:
		t.artifacts = append(t.artifacts, a)
	case add:
		t.artifacts[i].parts = append(t.artifacts[i].parts, a.parts...)
	default:
		t.artifacts[i] = a
	}
}

// json returns the task.
func (t *taskPieces) json() []byte {
	context := `,"contextId":`
	if t.session {
		context = `,"sessionId":`
	}
	b := append([]byte(`{"id":`), jsontok.Quote(t.id)...)
	if t.context != "" {
		b = append(append(b, context...), jsontok.Quote(t.context)...)
	}
	if t.status != nil {
		b = append(append(b, `,"status":`...), t.status...)
	}
	var artifacts [][]byte
	for i := range t.artifacts {
		artifacts = append(artifacts, t.artifacts[i].json())
	}
	b = appendList(b, "artifacts", artifacts)
	b = appendList(b, "history", t.history)
	if t.metadata != nil {
		b = append(append(b, `,"metadata":`...), t.metadata...)
	}
	if t.kind {
		b = append(b, `,"kind":"task"`...)
	}
	return append(b, '}')
}

// json returns the artifact with all of its parts.
func (a *artifactPieces) json() []byte {
	if a.to == 0 {
		return a.whole
	}
	return jsontok.Apply(a.whole, []jsontok.Edit{{From: a.from, To: a.to, With: list(a.parts)}})
}

// appendList appends a member with a list unless it is empty.
func appendList(b []byte, name string, elements [][]byte) []byte {
	if len(elements) == 0 {
		return b
	}
	return append(append(b, `,"`+name+`":`...), list(elements)...)
}

// list returns JSON values as a list.
func list(elements [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(elements, []byte(",")), []byte("]"))
}
