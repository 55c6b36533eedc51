package a2a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"parley/a2a/jsontok"
)

// Input is one payload to decode and what is known about where it came from.
// The [Update] made from it aliases Body, which must not change afterwards.
type Input struct {
	// Body is a whole response body, or the data of one stream frame.
	Body []byte
	// Status is the HTTP status, 0 if unknown.
	Status int
	// ContentType is that of the response, empty if unknown.
	ContentType string
	// Stream is set when Body is one frame of a stream. It is not set when a
	// streaming call was answered by a plain body.
	Stream bool
	// Torn is set when the connection ended inside Body.
	Torn bool
	// Unprefixed is set when lines without a field name were joined to the data.
	Unprefixed bool
	// Omitted is how many bytes were left out of Body because it is too long.
	Omitted int
	// Values is how many JSON values are read at most, as in [jsontok.Doc]; 0 is the default.
	Values int
	// Event is the SSE event name, empty if there was none.
	Event string
	// Kind is the type of the message of which Body is the rendering, as in [Binary]; empty for
	// JSON. Fault is where its bytes break, nil if they are whole.
	Kind  string
	Fault *Fault
	// RPCID is the JSON text of the request's id (`"c41f-1"`), empty if it is
	// not to be compared.
	RPCID string
}

// Decode reads one payload of an answer to call, which may be nil when nothing is
// known about the exchange. It looks at the members of every object and never
// trusts a version, so it reads every dialect whatever the call was sent in;
// the call decides only what is truly ambiguous: what a code means, whether an
// empty answer is a success, and whether a 0.1 object is a task or a status.
//
// Decode is pure and takes any bytes. It never returns nothing: an Update has an
// event, or Err, or both when the payload is good up to some byte.
func Decode(call *Call, in Input) Update {
	u, _ := decode(call, in)
	return u
}

// decode is Decode, and also returns the position of a chunk of text.
func decode(call *Call, in Input) (u Update, at layout) {
	u = catchPanic(func() Update {
		d := decoders.Get().(*decoder)
		if call != nil {
			d.call = *call
			version, binding := call.Dialect.version()
			d.call.Dialect = version
			if binding != "" {
				d.call.Binding = binding
			}
		}
		d.in = in
		d.payload()
		u := d.update
		at = d.at
		d.reset()
		decoders.Put(d)
		return u
	})
	return u, at
}

// catchPanic turns a panic into an Update, so that one unforeseen payload ends neither the stream
// nor the program.
func catchPanic(read func() Update) (u Update) {
	defer func() {
		if r := recover(); r != nil {
			u = Update{Err: &DecodeError{
				Sentence: "Parley could not read this payload because of a fault of its own; the bytes are recorded as they came.",
				Offset:   -1,
				Cause:    fmt.Errorf("panic: %v", r),
			}}
		}
	}()
	return read()
}

// decoders pools token indexes; otherwise a stream of many small frames would allocate one for
// each.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// nothing replaces a document that was read.
var nothing = []byte("null")

// maxFindings bounds the findings of one hostile payload.
const maxFindings = 50

// decoder reads one payload.
type decoder struct {
	call     Call
	in       Input
	doc      jsontok.Doc
	base     int // offset of the document that doc holds in the payload
	nested   bool
	features feature
	at       layout // of the newest chunk of text
	update   Update
}

// reset forgets everything that belongs to one payload.
func (d *decoder) reset() {
	// The index must not keep a body of many megabytes in memory.
	_ = d.doc.Parse(nothing)
	*d = decoder{doc: d.doc}
}

// payload reads every document in the payload, of which there should be one.
func (d *decoder) payload() {
	if isFile(&d.call, d.in.Status) {
		d.update.Events = []Event{{Kind: EventNotA2A}} // a file, which the record has
		return
	}
	if d.in.Stream && d.foreignFrame() {
		return
	}
	if d.in.Unprefixed {
		d.note("SSE-004", Error, jsontok.Node{}, "Lines of this frame have no field name",
			"Start every line of a frame with “data:”")
	}
	body := d.in.Body
	d.doc.Values = d.in.Values
	for {
		err := d.doc.Parse(body)
		tail := d.doc.Tail()
		if err != nil && (len(tail) == 0 || !startsJSON(d.doc.Root().Raw())) {
			d.unreadable(body, err)
			break
		}
		d.document()
		if len(tail) == 0 {
			break
		}
		if d.base == 0 {
			d.noteDocuments()
		}
		if !startsJSON(tail) || !d.allowsMany() {
			break // an answer has one document: the first
		}
		d.base += d.doc.TailOffset()
		body = tail
	}
	if d.broken(); d.update.Err != nil {
		return
	}
	if d.in.Torn && d.in.Stream {
		d.note("SSE-003", Warning, jsontok.Node{}, "The last event is not followed by a blank line",
			"End every event with a blank line")
	}
	d.finish()
}

// allowsMany reports whether a payload may hold several answers: those of a stream, however it is
// divided.
func (d *decoder) allowsMany() bool {
	return d.in.Stream || d.streaming() || strings.Contains(d.in.ContentType, "ndjson") || strings.Contains(d.in.ContentType, "jsonl")
}

// noteDocuments notes that a second document follows the first.
func (d *decoder) noteDocuments() {
	switch {
	case d.in.Stream:
		d.note("SSE-002", Error, jsontok.Node{}, "One frame contains more than one JSON document",
			"Put a blank line between events")
	case d.streaming():
		d.note("SSE-001", Error, jsontok.Node{}, "The stream is JSON lines, not an event stream",
			"Answer streaming calls with text/event-stream")
	default:
		said := "Other text follows the JSON document"
		if startsJSON(d.doc.Tail()) && !d.allowsMany() {
			said = fmt.Sprintf("One body contains more than one JSON document; the first one is used, and %d bytes from byte %d are not", len(d.doc.Tail()), d.base+d.doc.TailOffset())
		}
		d.note("ENV-010", Error, jsontok.Node{}, said, "Answer with one JSON document")
	}
}

func startsJSON(b []byte) bool { return len(b) > 0 && (b[0] == '{' || b[0] == '[') }

// finish adds what can only be said about the whole payload.
func (d *decoder) finish() {
	if d.features&sawSnake != 0 && d.call.Dialect != SAMDoc && d.call.Binding != BindingMQTT {
		d.note("CASE-001", Error, jsontok.Node{}, "Members are written in snake_case", "Write members in camelCase")
	}
	if d.features&sawWrapper != 0 && d.features&sawKind != 0 {
		d.noteMixture()
	}
	pure := d.features&^(sawWrapper|sawProtoWord) == 0
	for i := range d.update.Events {
		ev := &d.update.Events[i]
		ev.markV1(pure)
		if d.call.Binding == BindingMQTT && ev.Final == True {
			ev.Final = False // it ends a turn of the model; the task ends with its last answer
		}
	}
	// A gateway streams in a second request.
	if d.streaming() && !d.in.Stream && d.call.Binding != BindingOther && len(d.update.Events) == 1 && d.update.Events[0].Kind != EventError {
		d.note("STRM-008", Warning, jsontok.Node{}, "A streaming call was answered without a stream",
			"Answer with text/event-stream, or declare streaming as false in the card")
	}
	d.evidence()
}

// noteMixture notes a wrapper around an object with “kind”. Over HTTP+JSON 0.3 has the wrapper
// too, and only “kind” is superfluous.
func (d *decoder) noteMixture() {
	if d.call.Dialect == V03REST || d.call.Dialect == V03 && (d.call.Binding == BindingREST || d.call.Binding == BindingGRPC) {
		d.note("MIX-001", Info, jsontok.Node{}, "The object in the wrapper has “kind”, which 0.3 uses over JSON-RPC only",
			"Omit “kind” over HTTP+JSON")
		return
	}
	d.note("MIX-001", Warning, jsontok.Node{}, "The answer mixes the wrapper of 1.0 with the “kind” of 0.3",
		"Use the shapes of one version")
}

// streaming reports whether the call asked for a stream.
func (d *decoder) streaming() bool { return d.call.Op == OpStream || d.call.Op == OpSubscribe }

// emit adds an event and returns it so that the caller fills in its details.
func (d *decoder) emit(kind EventKind, n jsontok.Node) *Event {
	d.at.event = stretchOf(n)
	d.update.Events = append(d.update.Events, Event{Kind: kind, Raw: n.Raw()})
	return &d.update.Events[len(d.update.Events)-1]
}

// note adds a finding about a node; the zero Node stands for the whole payload.
func (d *decoder) note(rule string, sev Severity, n jsontok.Node, message, fix string) {
	if len(d.update.Findings) >= maxFindings {
		return
	}
	f := Finding{Rule: rule, Severity: sev, Offset: -1, Message: message, Fix: fix}
	if n.Exists() && !d.nested {
		f.Pointer, f.Offset = n.Pointer(), d.base+n.Offset()
	}
	d.update.Findings = append(d.update.Findings, f)
}

// noteAt adds a finding about a byte of the current document.
func (d *decoder) noteAt(rule string, sev Severity, offset int, message, fix string) {
	n := jsontok.Node{}
	if offset >= 0 {
		n = d.doc.At(offset)
	}
	before := len(d.update.Findings)
	d.note(rule, sev, n, message, fix)
	if len(d.update.Findings) > before && !d.nested && offset >= 0 {
		d.update.Findings[before].Offset = d.base + offset
	}
}

// get returns a member, treating null as absent.
func get(n jsontok.Node, name string) jsontok.Node {
	if v := n.Get(name); v.Kind() != jsontok.Null {
		return v
	}
	return jsontok.Node{}
}

// either returns a member by its name or by its snake_case spelling, which some
// servers leak from the language they are written in.
func (d *decoder) either(n jsontok.Node, camel, snake string) jsontok.Node {
	if v := get(n, camel); v.Exists() {
		return v
	}
	v := get(n, snake)
	if v.Exists() {
		d.features |= sawSnake
	}
	return v
}

// word returns a scalar as text, digits exactly as they came.
func word(n jsontok.Node) string {
	switch n.Kind() {
	case jsontok.String:
		return n.Text()
	case jsontok.Number:
		return n.Number()
	default:
		return ""
	}
}

// content returns a scalar as text that may share memory with the body, which the record keeps
// anyway.
func content(n jsontok.Node) string {
	if n.Kind() == jsontok.String {
		return n.SharedText()
	}
	return word(n)
}

// id returns an id as text. One that the call already knows costs nothing.
func (d *decoder) id(n jsontok.Node) string {
	raw, known := n.Raw(), d.call.TaskID
	if len(raw) == len(known)+2 && raw[0] == '"' && string(raw[1:len(raw)-1]) == known {
		return known
	}
	return word(n)
}

// words returns a list of strings; one string stands for a list of itself.
func words(n jsontok.Node) []string {
	switch n.Kind() {
	case jsontok.String:
		return []string{n.Text()}
	case jsontok.Array:
		list := make([]string, 0, min(n.Len(), 64))
		for e := range n.Elems() {
			if w := word(e); w != "" {
				list = append(list, w)
			}
		}
		return list
	default:
		return nil
	}
}

// metadata returns a metadata object, nil if it says nothing.
func metadata(n jsontok.Node) json.RawMessage {
	if n.Kind() != jsontok.Object || n.Len() == 0 {
		return nil
	}
	return n.Raw()
}

// truth returns a boolean, which may be written as text.
func truth(n jsontok.Node) bool {
	v, ok := n.Bool()
	return ok && v || n.IsText() && bytes.EqualFold(n.Raw(), []byte(`"true"`))
}
