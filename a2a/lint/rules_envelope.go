package lint

import (
	"strconv"

	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// envelopeRules are about JSON and the JSON-RPC envelope. The decoder applies them to answers;
// the checks here are for requests, and for what the decoder does not need.
var envelopeRules = [...]rule{
	{
		id: "ENV-001", envelope: true, severity: a2a.Error, in: envelopes, section: "0.1 §6.11, 0.3 §6.11, 1.0 §9.1",
		checks: "“jsonrpc” exists and is exactly \"2.0\"", fix: "Set “jsonrpc” to \"2.0\"",
		at: atRequest, run: requestVersion,
	},
	{
		id: "ENV-002", severity: a2a.Error, in: anywhere, section: "RFC 8259",
		checks: "A body is strict JSON: no comments, trailing commas or NaN; a byte order mark is a warning",
		fix:    "Send strict JSON", at: atRequest, run: requestSyntax,
	},
	{
		id: "ENV-003", severity: a2a.Warning, in: envelopes, section: "0.2 §6.11.1, 0.3 §6.11.1",
		checks: "A request has an id that is not null", fix: "Give every request its own id",
		at: atRequest, run: requestHasID,
	},
	{
		id: "ENV-004", envelope: true, severity: a2a.Error, in: envelopes, section: "0.1 §6.11.2, 0.3 §6.11.2",
		checks: "A response has the id of its request, of the same type", fix: "Repeat the id of the request",
	},
	{
		id: "ENV-005", envelope: true, severity: a2a.Error, in: envelopes, section: "0.1 §6.11.2, 0.3 §6.11.2",
		checks: "A response has either a result or an error", fix: "Answer with one of the two",
		at: atAnswer, run: resultAndError,
	},
	{
		id: "ENV-006", envelope: true, severity: a2a.Info, in: envelopes, section: "0.1 §6.11.2, 0.3 §6.11.2",
		checks: "Neither “error” nor “result” is null beside the other", fix: "Omit the member that is null",
		at: atAnswer, run: nullResult,
	},
	{
		id: "ENV-007", envelope: true, severity: a2a.Error, in: envelopes, section: "0.1 §6.12, 0.3 §6.12",
		checks: "An error is an object whose code is an integer and whose message is a string", fix: "Send {\"code\": integer, \"message\": string}",
		at: atError, run: errorShape,
	},
	{
		id: "ENV-008", severity: a2a.Warning, in: anywhere, section: "RFC 8259 §4",
		checks: "No object has a member twice", fix: "Write each member once",
		at: atRequest, run: requestDuplicates,
	},
	{
		id: "ENV-009", severity: a2a.Error, in: anywhere, section: "RFC 8259 §8.1",
		checks: "Text is valid UTF-8; half of a surrogate pair is a warning", fix: "Send UTF-8",
		at: atRequest, run: requestEncoding,
	},
	{
		id: "ENV-010", severity: a2a.Error, in: anywhere, section: "0.3 §3.2.1",
		checks: "A body is a single object: not a batch, and without anything after it", fix: "Send one object",
		at: atRequest, run: requestSingle,
	},
	{
		id: "ENV-011", severity: a2a.Warning, in: envelopes, section: "JSON-RPC 2.0 §4",
		checks: "No two requests of a session have the same id", fix: "Give every request its own id",
		at: atRequest, run: requestIDTwice,
	},
	{
		id: "ENV-012", severity: a2a.Warning, in: envelopes, section: "0.1 §6.11.1, 0.3 §6.11.1",
		checks: "An id that is a number is an integer below 2^53", fix: "Use a string as the id",
		at: atRequest, run: requestNumber,
	},
	{
		id: "ENV-013", severity: a2a.Error, in: anywhere,
		checks: "A string does not contain encoded JSON", fix: "Encode the answer once",
	},
	{
		id: "ENV-014", severity: a2a.Warning, in: anywhere, section: "RFC 8259 §9",
		checks: "The nesting of a body does not exceed what readers support", fix: "Nest less deeply",
		at: atRequest, run: requestDepth,
	},
}

func requestVersion(p *pass, n jsontok.Node) {
	if n.Kind() == jsontok.Object && p.rpc() && p.envelope.JSONRPC != jsonrpc.Version {
		p.note(n.Get("jsonrpc"), `“jsonrpc” is not "2.0"`)
	}
}

func requestSyntax(p *pass, n jsontok.Node) {
	if p.doc().BOM() {
		p.noteAs(a2a.Warning, jsontok.Node{}, "The body starts with a byte order mark")
	}
	if syntax := p.syntax; syntax != nil && !syntax.Deep && len(p.doc().Tail()) == 0 {
		p.noteAt(a2a.Error, p.doc().At(syntax.Offset), syntax.Offset, "The body is not JSON: "+syntax.Msg)
	}
}

// requestDepth finds JSON whose only fault is that it exceeds the nesting that is read. RFC
// 8259 lets every reader set a limit.
func requestDepth(p *pass, _ jsontok.Node) {
	if syntax := p.syntax; syntax != nil && syntax.Deep {
		p.noteAt(a2a.Warning, p.doc().At(syntax.Offset), syntax.Offset, "The body has "+syntax.Msg)
	}
}

// requestHasID leaves a batch to ENV-010.
func requestHasID(p *pass, n jsontok.Node) {
	if n.Kind() != jsontok.Object || !p.rpc() {
		return
	}
	switch id := p.envelope.ID; {
	case id.Missing():
		p.note(n, "The request has no id, which makes it a notification without an answer")
	case id.IsNull():
		p.note(n.Get("id"), "The request's id is null")
	}
}

func resultAndError(p *pass, _ jsontok.Node) {
	if p.envelope.Failed() && get(p.envelope.Node, "result").Exists() {
		p.note(p.envelope.Error, "The response has both a result and an error")
	}
}

func nullResult(p *pass, _ jsontok.Node) {
	if p.envelope.Failed() && p.envelope.Result.Kind() == jsontok.Null {
		p.note(p.envelope.Result, "“result” is null beside an error")
	}
}

func errorShape(p *pass, n jsontok.Node) {
	switch {
	case !p.envelope.Failed():
		return
	case n.Kind() != jsontok.Object:
		if p.envelope.HasJSONRPC {
			p.note(n, "The error is "+kindName(n.Kind())+", not an object")
		}
		return
	}
	if !n.Get("code").Exists() {
		p.note(n, "The error has no code")
	}
	if message := n.Get("message"); !message.IsText() {
		if !message.Exists() {
			message = n
		}
		p.note(message, "The error's message is missing or not a string")
	}
}

func requestDuplicates(p *pass, _ jsontok.Node) {
	for name := range p.doc().Duplicates() {
		p.note(name, "The member “"+clip(name.Text())+"” occurs twice in one object; the last one counts")
	}
}

func requestEncoding(p *pass, _ jsontok.Node) {
	if at, bad := p.doc().InvalidUTF8(); bad {
		p.noteAt(a2a.Error, p.doc().At(at), at, "A string is not valid UTF-8")
	}
	if at, bad := p.doc().LoneSurrogate(); bad {
		p.noteAt(a2a.Warning, p.doc().At(at), at, "A \\u escape is half of a surrogate pair")
	}
}

func requestSingle(p *pass, n jsontok.Node) {
	switch {
	case n.Kind() == jsontok.Array:
		p.note(n, "The request is a batch of "+strconv.Itoa(n.Len())+"; A2A has no batches")
	case len(p.doc().Tail()) > 0:
		p.noteAt(a2a.Error, jsontok.Node{}, p.doc().TailOffset(), "Other text follows the JSON document")
	}
}

// requestIDTwice leaves other clients, which may all begin at 1, to CLNT-002.
func requestIDTwice(p *pass, n jsontok.Node) {
	if p.envelope.ID.Missing() || p.envelope.ID.IsNull() {
		return
	}
	id := p.envelope.ID.String()
	if first, twice := p.agent.rpcIDs.get(id); twice && first != p.r.ID && !p.keepsIDs() && p.call.Tapped == nil {
		p.note(n.Get("id"), "The id "+clip(id)+" is also that of request #"+strconv.FormatUint(uint64(first), 10))
	}
	p.agent.rpcIDs.put(id, p.r.ID)
}

// keepsIDs reports whether the request was edited from another one of the session and kept its
// ids, which is the user's choice.
func (p *pass) keepsIDs() bool { return p.r.Call != nil && p.r.Call.EditedFrom != 0 }

func requestNumber(p *pass, n jsontok.Node) {
	id := n.Get("id")
	if id.Kind() != jsontok.Number || !p.rpc() {
		return
	}
	if v, ok := id.Int(); !ok || v >= 1<<53 || v <= -1<<53 {
		p.note(id, "The id "+clip(id.Number())+" is a number that some programs cannot represent exactly")
	}
}
