package serve

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// markHeader is the header, over gRPC the metadata, of an answer that the agent did not send so: it says
// from which one the answer is made.
const markHeader = "Parley-Made"

// becomes reports whether the exchange can answer a request for the operation that streams, or does not: it
// knows how it ended.
func (x *exchange) becomes(f *facts) bool {
	if f.Op == x.facts.Op || f.Op == a2a.OpStream || !x.streams() || x.resultAt(f.AtOnce) >= 0 {
		return true
	}
	reason := x.reason()
	return reason == a2a.Cut || reason == a2a.TimedOut
}

// as returns the exchange as the answer to a request: itself if it was recorded for the same operation,
// one made from it if one of both streams. problem is a sentence that says why that cannot be. until
// is how many parts the client has then.
func (x *exchange) as(f *facts) (made *exchange, until int, problem string) {
	switch {
	case f.Op == x.facts.Op || !f.Sends(), x.head != nil && x.brokenHead() != nil, x.status() >= http.StatusMultipleChoices:
		return x, len(x.parts), ""
	case f.Op == a2a.OpStream:
		return x.asStream(f), len(x.parts), ""
	default:
		return x.asPlain(f)
	}
}

// asPlain returns a stream as the answer to a plain send: the message, the error, or the task as it
// stood at the end or when it waited for somebody.
func (x *exchange) asPlain(f *facts) (made *exchange, until int, problem string) {
	if len(x.parts) > 0 && !x.streams() {
		return x, len(x.parts), "" // it was refused, or answered plainly
	}
	at := x.resultAt(f.AtOnce)
	if at < 0 {
		if reason := x.reason(); reason == a2a.Cut || reason == a2a.TimedOut {
			made = x.like(x.end, plainMedia, "from the stream")
			end := *x.end
			end.Raw = nil // the beginning of an event that never came
			made.head, made.end = nil, &end
			return made, len(x.parts), ""
		}
		if x.reason() == a2a.Ended {
			return nil, 0, fmt.Sprintf("The stream of record %d has no task and no message.", x.id)
		}
		return nil, 0, fmt.Sprintf("The recording does not know how the stream of record %d went on.", x.id)
	}
	for i := range x.parts[:at+1] {
		if omitted := x.parts[i].Omitted; omitted > 0 {
			return nil, 0, fmt.Sprintf("The recording lacks %d bytes of the stream of record %d.", omitted, x.id)
		}
	}
	made = x.like(&x.parts[at], plainMedia, "from the stream")
	made.end = &a2a.Record{Kind: a2a.KindEnd, Time: x.parts[at].Time, End: &a2a.End{Reason: a2a.Ended}}
	if x.meaning[at].failure {
		made.parts = []a2a.Record{x.parts[at]}
		if x.parts[at].Binary == nil {
			made.failWith(x.payload(&x.parts[at], x.asLines()))
		}
		return made, at + 1, ""
	}
	result := x.result(at)
	if result == nil {
		return nil, 0, fmt.Sprintf("The stream of record %d has no task and no message.", x.id)
	}
	part, ok := made.part(f, result, false, x.parts[at].Time)
	if !ok {
		return nil, 0, fmt.Sprintf("What the stream of record %d says is no message of gRPC.", x.id)
	}
	made.parts = []a2a.Record{part}
	return made, at + 1, ""
}

// reason returns how the answer ended; Parley may have stopped it.
func (x *exchange) reason() a2a.EndReason {
	if x.end == nil || x.end.End == nil {
		return a2a.Cancelled
	}
	if x.end.End.Break != "" {
		return a2a.Cut
	}
	return x.end.End.Reason
}

// resultAt returns the part of a stream with which a plain send has its result, -1 if it never came.
// With atOnce, the first state is enough. An error after the end of the task is none of the plain send.
func (x *exchange) resultAt(atOnce bool) int {
	task, over := "", false
	for i := range x.meaning {
		m := &x.meaning[i]
		task = cmp.Or(m.task, task)
		if m.failure && !over || m.message && task == "" || m.state.Interrupted() || atOnce && m.state != a2a.StateUnknown {
			return i
		}
		over = over || m.state.Terminal()
	}
	if over || x.reason() == a2a.Ended && len(x.parts) > 0 || x.reason() == a2a.Cancelled && x.settled {
		at := len(x.parts) - 1
		for over && x.meaning[at].failure {
			at--
		}
		return at
	}
	return -1
}

// result returns the task or the message that the parts of a stream up to one bring, as JSON in the form of
// a plain answer; nil if there is none.
func (x *exchange) result(at int) []byte {
	task := ""
	for i := range x.meaning[:at+1] {
		task = cmp.Or(x.meaning[i].task, task)
	}
	if x.meaning[at].message && task == "" {
		return x.object(at)
	}
	t := taskPieces{id: task}
	if t.read(x, at+1); task == "" || t.status == nil && len(t.artifacts) == 0 {
		return nil
	}
	return t.result()
}

// object returns the object of a part, without the envelope of JSON-RPC; nil if it is no JSON.
func (x *exchange) object(at int) []byte {
	var doc jsontok.Doc
	body := x.payload(&x.parts[at], x.asLines())
	if doc.Parse(body) != nil {
		return nil
	}
	if result := doc.Root().Get("result"); result.Exists() {
		return result.Raw()
	}
	return body
}

// result returns the task as the answer to a message.
func (t *taskPieces) result() []byte {
	if t.wrapped {
		return append(append([]byte(`{"task":`), t.json()...), '}')
	}
	return t.json()
}

// like returns an exchange without parts that answers as this one, in a media type, with a head of its own
// at the time of a record, or at once, and the mark.
func (x *exchange) like(at *a2a.Record, media, mark string) *exchange {
	made := *x
	made.parts, made.meaning = nil, nil
	if x.facts.Binding == a2a.BindingJSONRPC {
		made.facts.RPCID = cmp.Or(x.facts.RPCID, "0")
	}
	header := http.Header{}
	if x.head != nil && x.head.Head != nil {
		maps.Copy(header, x.head.Head.Header)
	}
	header.Set("Content-Type", media)
	header.Del("Content-Length")
	header.Del("Content-Encoding")
	header.Set(markHeader, mark+" of record "+strconv.FormatUint(uint64(x.id), 10))
	made.head = &a2a.Record{Kind: a2a.KindHead, Time: x.sent, Head: &a2a.Head{Status: http.StatusOK, Header: header}}
	if at == nil {
		return &made
	}
	made.head.Time, made.head.PauseTime = at.Time, x.pausedBefore(len(x.parts))
	for i := range x.parts {
		if &x.parts[i] == at {
			made.head.PauseTime = x.pausedBefore(i + 1)
		}
	}
	return &made
}

// pausedBefore returns how long the recording user had paused before a part.
func (x *exchange) pausedBefore(part int) (all time.Duration) {
	if x.head != nil {
		all = x.head.PauseTime
	}
	for i := range x.parts[:part] {
		all += x.parts[i].PauseTime
	}
	return all
}

// The media types of answers that are made.
const (
	plainMedia  = "application/json"
	streamMedia = "text/event-stream"
)

// failWith makes an error of a stream the answer: over HTTP+JSON the status is that of the error.
func (x *exchange) failWith(body []byte) {
	x.parts[0] = a2a.Record{Kind: a2a.KindBody, Time: x.parts[0].Time, Raw: body}
	if x.facts.Binding != a2a.BindingREST {
		return
	}
	var doc jsontok.Doc
	_ = doc.Parse(body) // what has no status is an error of the server
	x.head.Head.Status = http.StatusInternalServerError
	if status, ok := doc.Root().Get("error").Get("code").Int(); ok && status >= http.StatusBadRequest && status < 600 {
		x.head.Head.Status = int(status)
	}
}

// part returns JSON as a part of the answer to a request: as an event of a stream, or as a body. ok is
// false if it is no message of gRPC.
func (x *exchange) part(f *facts, result []byte, event bool, at time.Time) (r a2a.Record, ok bool) {
	r = a2a.Record{Kind: a2a.KindBody, Time: at}
	if event {
		r.Kind = a2a.KindEvent
	}
	if x.facts.Binding == a2a.BindingGRPC {
		if x.format == nil {
			return r, false
		}
		built, err := x.format.Rebuild(x.format.Answers(f.Method), result)
		r.Binary = built
		return r, err == nil
	}
	if r.Raw = result; x.facts.Binding == a2a.BindingJSONRPC {
		r.Raw = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, cmp.Or(x.facts.RPCID, "null"), result)
	}
	if event && x.asLines() {
		r.Raw = append(r.Raw, '\n')
	} else if event {
		r.Raw = frameOf(r.Raw)
	}
	return r, true
}

// asStream returns a plain answer as the answer to a stream: its task or message as the only event. An answer
// that is no JSON stays as it is.
func (x *exchange) asStream(f *facts) *exchange {
	if len(x.parts) != 1 || x.streams() || x.parts[0].Binary != nil && x.parts[0].Binary.Kind == a2a.KindStatus {
		return x
	}
	body := &x.parts[0]
	made := x.like(body, streamMedia, "from the answer")
	if x.head != nil {
		made.head.Time, made.head.PauseTime = x.head.Time, x.head.PauseTime
	}
	result := x.object(0)
	switch {
	case body.Torn: // it breaks as it did
		return made
	case result == nil, body.Omitted > 0:
		return x
	case x.meaning[0].failure:
		made.parts = []a2a.Record{{Kind: a2a.KindEvent, Time: body.Time, Raw: frameOf(body.Raw)}}
		return made
	}
	var ok bool
	if made.parts, ok = made.events(f, result, body.Time, true); !ok {
		return x
	}
	return made
}

// events returns a task or a message as events of a stream: in 0.1, where streams have no tasks, one for
// each artifact and one for the status.
func (x *exchange) events(f *facts, result []byte, at time.Time, final bool) (all []a2a.Record, ok bool) {
	pieces := [][]byte{result}
	var doc jsontok.Doc
	if doc.Parse(result) == nil && x.call.Dialect == a2a.V01 {
		pieces = nil
		id := doc.Root().Get("id").Raw()
		for artifact := range doc.Root().Get("artifacts").Elems() {
			pieces = append(pieces, fmt.Appendf(nil, `{"id":%s,"artifact":%s}`, id, artifact.Raw()))
		}
		pieces = append(pieces, fmt.Appendf(nil, `{"id":%s,"status":%s,"final":%t}`, id, doc.Root().Get("status").Raw(), final))
		if len(id) == 0 || !doc.Root().Get("status").Exists() {
			pieces = [][]byte{result}
		}
	}
	for _, piece := range pieces {
		r, ok := x.part(f, piece, true, at)
		if !ok {
			return nil, false
		}
		all = append(all, r)
	}
	return all, true
}
