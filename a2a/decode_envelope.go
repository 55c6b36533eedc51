package a2a

import (
	"bytes"
	"strconv"

	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// document reads the document in doc: a JSON-RPC response, or an object of a binding without
// envelopes.
func (d *decoder) document() {
	d.soundness()
	root := d.doc.Root()
	if d.in.Kind == KindStatus && root.Kind() == jsontok.Object {
		d.grpcError(root)
		return
	}
	switch root.Kind() {
	case jsontok.Object, jsontok.Array:
		e := jsonrpc.Find(&d.doc, jsonrpc.ParseID(d.in.RPCID))
		switch {
		case e.Batch == 0 && root.Kind() == jsontok.Object:
			d.envelope(e)
		case e.HasJSONRPC || e.Result.Exists():
			d.note("ENV-010", Error, root, "The answer is a batch of "+strconv.Itoa(e.Batch)+"; one response was expected",
				"Answer with one response object")
			d.envelope(e)
		case d.in.Status >= 300:
			d.scalarError(root)
		default:
			d.list(root)
		}
		return
	}
	if d.in.Status >= 300 {
		d.scalarError(root)
		return
	}
	switch root.Kind() {
	case jsontok.String:
		d.text(root)
	case jsontok.Null:
		d.nothing(root)
	default:
		d.unknown(root)
	}
}

// soundness notes what strict readers would refuse.
func (d *decoder) soundness() {
	if d.doc.BOM() {
		d.note("ENV-002", Warning, jsontok.Node{}, "The body starts with a byte order mark", "Send UTF-8 without a mark")
	}
	for name := range d.doc.Duplicates() {
		d.note("ENV-008", Warning, name, "The member “"+clip(name.Text())+"” occurs twice in one object; the last one counts",
			"Write each member once")
	}
	if at, bad := d.doc.LoneSurrogate(); bad {
		d.noteAt("ENV-009", Warning, at, "A \\u escape is half of a surrogate pair", "Escape both halves, or send UTF-8")
	}
	if at, bad := d.doc.InvalidUTF8(); bad {
		d.noteAt("ENV-009", Error, at, "A string is not valid UTF-8", "Send UTF-8")
	}
}

// envelope reads a response, or an object without an envelope.
func (d *decoder) envelope(e jsonrpc.Envelope) {
	rpc := e.HasJSONRPC || e.Result.Exists()
	if rpc && e.JSONRPC != jsonrpc.Version {
		d.note("ENV-001", Error, e.Node.Get("jsonrpc"), `“jsonrpc” is not "2.0"`, `Set “jsonrpc” to "2.0"`)
	}
	first := len(d.update.Events)
	switch {
	case e.Failed():
		d.failure(e.Node, e.Error, rpc)
	case e.Result.Exists():
		if e.Error.Exists() {
			d.note("ENV-006", Info, e.Error, "“error” is null beside a result", "Omit “error”")
		}
		d.result(e.Result)
	case e.Method != "" && e.Params.Exists():
		d.note("MIX-001", Warning, e.Node.Get("method"), "The answer is shaped like a request; Parley reads its parameters as the event",
			"Send events as the “result” of a response")
		d.object(e.Params)
	case rpc:
		d.withoutResult(e.Node)
	default:
		d.bare(e.Node)
	}
	if rpc && (e.Failed() || e.Result.Exists()) {
		d.matchID(e)
	}
	for i := range d.update.Events[first:] {
		d.update.Events[first+i].RPCID = e.ID.String()
	}
}

// matchID compares the response's id with the request's.
func (d *decoder) matchID(e jsonrpc.Envelope) {
	sent, got := jsonrpc.ParseID(d.in.RPCID), e.ID
	if got == sent && !got.Missing() {
		return
	}
	id := e.Node.Get("id")
	switch {
	case got.Missing() && e.Failed():
		d.note("ENV-004", Warning, id, "The error response has no id", "Repeat the id of the request, or null if it could not be read")
	case got.Missing(), got.IsNull() && !e.Failed():
		d.note("ENV-004", Error, id, "The response has no id", "Repeat the id of the request")
	case sent.Missing(), got.IsNull():
	case got.Equal(sent):
		d.note("ENV-004", Warning, id, "The response's id has another type than the request's", "Repeat the id exactly")
	case d.in.Stream:
		d.note("STRM-007", Error, id, "The frame carries another id than the request", "Repeat the id of the request in every frame")
	default:
		d.note("ENV-004", Error, id, "The response's id is not the request's", "Repeat the id of the request")
	}
}

// withoutResult reads an envelope without result and error, which some servers send when they
// have nothing to report.
func (d *decoder) withoutResult(n jsontok.Node) {
	if d.call.Op == OpPushDelete {
		d.emit(EventEmpty, n)
		return
	}
	d.note("ENV-005", Error, n, "The response has neither a result nor an error", "Answer with one of the two")
	d.update.Err = &DecodeError{
		Sentence: "The agent answered without a result and without an error: get the task again, or report this to the agent's author.",
		Offset:   -1,
	}
}

// result reads what a call returned.
func (d *decoder) result(n jsontok.Node) {
	switch n.Kind() {
	case jsontok.Object:
		d.object(n)
	case jsontok.Array:
		d.list(n)
	case jsontok.String:
		d.text(n)
	case jsontok.Null:
		d.nothing(n)
	case jsontok.True:
		d.emit(EventEmpty, n)
	default:
		d.unknown(n)
	}
}

// nothing reads a null where an answer should be.
func (d *decoder) nothing(n jsontok.Node) {
	d.emit(EventEmpty, n)
	if !d.call.clears() && d.call.Op != "" {
		d.note("ENV-005", Error, n, "The agent returned null", "Answer with a task or a message")
	}
}

// text reads a string that may hold JSON once more.
func (d *decoder) text(n jsontok.Node) {
	inner := bytes.TrimSpace([]byte(n.Text()))
	if d.nested || !startsJSON(inner) {
		d.unknown(n)
		return
	}
	sub := decoder{call: d.call, in: d.in, nested: true}
	if err := sub.doc.Parse(inner); err != nil {
		d.unknown(n)
		return
	}
	d.note("ENV-013", Error, n, "The answer is JSON inside a string", "Encode the answer once")
	if e := jsonrpc.ParseEnvelope(&sub.doc); e.HasJSONRPC {
		sub.envelope(e)
	} else {
		sub.result(sub.doc.Root())
	}
	d.features |= sub.features | sawOther
	d.update.Events = append(d.update.Events, sub.update.Events...)
	d.update.Findings = append(d.update.Findings, sub.update.Findings...)
	d.update.Err = sub.update.Err
}

// unknown keeps an object that nothing defines.
func (d *decoder) unknown(n jsontok.Node) *Event {
	if d.call.Op == OpCard && n.Get("specVersion").IsText() && n.Get("entries").Kind() == jsontok.Array {
		return d.emit(EventUnknown, n) // an AI catalog, which is not of A2A
	}
	fix := "Answer with a task, a message or an update"
	if d.call.Op == OpCard || d.call.Op == OpExtendedCard {
		fix = "Answer with an agent card, or with 404 where there is none"
	}
	d.note("MIX-002", Warning, n, "This object is not defined in any known A2A version", fix)
	return d.emit(EventUnknown, n)
}

// bare reads an object without an envelope: the HTTP+JSON binding's answers, a
// webhook's body, or what a framework in front of the agent says.
func (d *decoder) bare(n jsontok.Node) {
	if d.in.Status >= 300 || d.looksLikeError(n) {
		d.httpError(n)
		return
	}
	d.object(n)
	ping := len(d.update.Events) > 0 && d.update.Events[len(d.update.Events)-1].Kind == EventNotA2A
	if d.call.Enveloped() && !ping {
		d.note("ENV-001", Error, n, "The answer is not a JSON-RPC response", "Wrap the answer in jsonrpc, id and result")
	}
}
