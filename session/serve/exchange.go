package serve

import (
	"bytes"
	"cmp"
	"mime"
	"net/url"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/session/log"
)

// An exchange is a recorded request with its answer.
type exchange struct {
	id     a2a.RecordID
	call   *a2a.Call
	target *url.URL // of the request
	facts  facts
	sent   time.Time
	format a2a.Format // nil if messages are JSON

	head  *a2a.Record // nil if none came
	parts []a2a.Record
	end   *a2a.Record // nil if the recording stops before

	// ids are those of the tasks and contexts in the answer, in order.
	taskIDs, contextIDs []string
	// begins is set if the request continues nothing.
	begins bool
	// mesh is set if it was recorded on a broker.
	mesh bool
	// settled is set if the last event says that nothing more comes.
	settled bool
	// meaning has an element for each part.
	meaning []meaning
}

// meaning is what a part of an answer says.
type meaning struct {
	task    string    // of the last event
	state   a2a.State // of that task
	message bool      // it is a message
	failure bool      // it is an error
}

// playable reports whether the exchange has something to send: a connection that was never made
// has not.
func (x *exchange) playable() bool {
	return x.head != nil || len(x.parts) > 0 || x.end != nil && x.end.End != nil && x.end.End.Reason != a2a.Refused
}

// left reports whether the recorded client left before anything of the answer came, such as at the end
// of the recording. Nobody knows what the answer would have been.
func (x *exchange) left() bool {
	return len(x.parts) == 0 && x.end != nil && x.end.End != nil && x.end.End.Reason == a2a.Cancelled
}

// streams reports whether the answer is a stream.
func (x *exchange) streams() bool {
	return len(x.parts) > 0 && x.parts[0].Kind == a2a.KindEvent
}

// asLines reports whether every event is a line of JSON instead of a frame.
func (x *exchange) asLines() bool {
	if !x.streams() {
		return false
	}
	media := ""
	if x.head != nil && x.head.Head != nil {
		media, _, _ = mime.ParseMediaType(x.head.Head.Header.Get("Content-Type"))
	}
	return media != "text/event-stream" && bytes.HasPrefix(bytes.TrimLeft(x.parts[0].Raw, " \t\r\n\xEF\xBB\xBF"), []byte("{"))
}

// rendering returns the JSON of a record's message.
func (x *exchange) rendering(r *a2a.Record) []byte {
	if r.Binary == nil || r.Binary.Bytes == nil || x.format == nil {
		return r.Raw
	}
	text, _ := x.format.Render(r.Binary)
	return text
}

// payload returns the JSON of an event or a body.
func (x *exchange) payload(r *a2a.Record, lines bool) []byte {
	switch {
	case r.Binary != nil:
		return x.rendering(r)
	case r.Kind != a2a.KindEvent:
		return r.Raw
	case lines:
		return bytes.TrimSpace(r.Raw)
	}
	if data, ok := log.PlainFrame(r.Raw); ok {
		return data
	}
	if f, err := sse.NewDecoder(bytes.NewReader(r.Raw)).Next(); err == nil {
		return f.Data
	}
	return nil
}

// updates calls take with the update in each part of the answer, in order.
func (x *exchange) updates(take func(part int, u a2a.Update)) {
	var decoder a2a.Decoder
	lines, status, media := x.asLines(), 0, ""
	if x.head != nil && x.head.Head != nil {
		status, media = x.head.Head.Status, x.head.Head.Header.Get("Content-Type")
	}
	for i := range x.parts {
		r := &x.parts[i]
		in := a2a.Input{Body: x.payload(r, lines), Status: status, ContentType: media, Stream: r.Kind == a2a.KindEvent, Torn: r.Torn, Omitted: r.Omitted}
		if r.Binary != nil {
			in.Kind = r.Binary.Kind
		}
		take(i, decoder.Decode(x.call, in))
	}
}

// survey reads the ids in the answer, and what its parts say.
func (x *exchange) survey() {
	seen := map[string]bool{}
	add := func(to *[]string, id string) {
		if id != "" && !seen[id] && !strings.Contains(id, a2a.Mask) {
			seen[id] = true
			*to = append(*to, id)
		}
	}
	x.meaning = make([]meaning, len(x.parts))
	x.updates(func(part int, u a2a.Update) {
		for i := range u.Events {
			ev := &u.Events[i]
			if ev.Kind == a2a.EventTaskList {
				for k := range ev.Tasks {
					add(&x.taskIDs, ev.Tasks[k].ID)
					add(&x.contextIDs, ev.Tasks[k].ContextID)
				}
				continue
			}
			add(&x.taskIDs, ev.TaskID)
			add(&x.contextIDs, ev.ContextID)
			x.settled = settles(ev)
			x.meaning[part].read(ev)
		}
	})
}

// read reads an event of the part.
func (m *meaning) read(ev *a2a.Event) {
	switch {
	case ev.Kind == a2a.EventMessage: // which may refer to a task
		m.message = true
		return
	case ev.Kind == a2a.EventStatus && ev.Status != nil:
		m.state = ev.Status.State
	case ev.Kind == a2a.EventTask && ev.Task != nil:
		m.state = ev.Task.Status.State
	case ev.Kind == a2a.EventError:
		m.failure = true
	}
	m.task = cmp.Or(ev.TaskID, m.task)
}

// settles reports whether nothing follows an event in its stream.
func settles(ev *a2a.Event) bool {
	switch {
	case ev.Kind == a2a.EventMessage && ev.TaskID == "", ev.Kind == a2a.EventError, ev.Final == a2a.True:
		return true
	case ev.Kind == a2a.EventStatus && ev.Status != nil:
		return ev.Status.State.Terminal() || ev.Status.State.Interrupted()
	case ev.Kind == a2a.EventTask && ev.Task != nil:
		return ev.Task.Status.State.Terminal() || ev.Task.Status.State.Interrupted()
	default:
		return false
	}
}
