package lint

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// A pass is one record under inspection.
type pass struct {
	l     *Linter
	r     *a2a.Record
	u     *a2a.Update
	fold  *a2a.Fold // the agent's tasks before this record, may be nil
	call  *a2a.Call // never nil
	in    scope     // the one dialect that the rules are chosen by
	card  scope     // the dialect of the card in the record, 0 without one
	agent *agent
	x     *exchange

	sent     *a2a.Update // the decoder's reading of a request with a message, see [pass.reading]
	parsed   bool
	syntax   *jsontok.SyntaxError // of the payload, nil if it is JSON
	envelope jsonrpc.Envelope
	ev       *a2a.Event // under inspection, nil in requests

	nulls   a2a.Tri // whether the payload may contain nulls that matter
	notes   int     // attempts to add a finding
	objects int     // objects, to the rules

	place    place // that is passed to the rules
	retold   bool  // the parts belong to a history, whose messages may be the user's
	rule     *rule // that runs
	findings []a2a.Finding
}

// note adds a finding of the running rule about a node; the zero Node means the whole record.
func (p *pass) note(n jsontok.Node, message string) { p.noteAs(p.rule.severity, n, message) }

// noteAs is note with another severity than the table has.
func (p *pass) noteAs(s a2a.Severity, n jsontok.Node, message string) {
	p.noteAt(s, n, offsetOf(n), message)
}

// offsetOf returns the offset of a node in the payload, -1 for the whole record.
func offsetOf(n jsontok.Node) int {
	if n.Exists() {
		return n.Offset()
	}
	return -1
}

// finding returns a finding of the running rule.
func (p *pass) finding(s a2a.Severity, n jsontok.Node, offset int, message string) a2a.Finding {
	return a2a.Finding{Rule: p.rule.id, Severity: s, Pointer: n.Pointer(), Offset: offset, Message: message, Fix: p.rule.fix}
}

// noteAt is noteAs for one byte in or outside of a node.
func (p *pass) noteAt(s a2a.Severity, n jsontok.Node, offset int, message string) {
	// Finding the position of a node takes a step for each of its neighbours.
	if p.notes++; len(p.findings) >= maxPerRecord || p.notes > maxNotes {
		return
	}
	f := p.finding(p.l.must.cap(p.rule.id, p.in, s), n, offset, message)
	same := func(o a2a.Finding) bool { return o.Rule == f.Rule && o.Pointer == f.Pointer }
	if slices.ContainsFunc(p.u.Findings, same) || slices.ContainsFunc(p.findings, same) {
		return
	}
	p.findings = append(p.findings, f)
}

// subject returns the dialect by which the decoder's findings are judged: that of the
// card in the record, or that of the call.
func (p *pass) subject() scope {
	if p.card != 0 {
		return p.card
	}
	return p.in
}

// root returns the JSON value of the record, which is parsed on demand. It is zero if there is
// none or it is too long.
func (p *pass) root() jsontok.Node {
	if !p.parsed {
		body := p.r.Payload()
		if len(body) == 0 || len(body) > maxPayload {
			return jsontok.Node{}
		}
		p.parsed = true
		p.syntax, _ = errors.AsType[*jsontok.SyntaxError](p.l.doc.ParseLike(body))
		p.envelope = p.readEnvelope()
	}
	return p.l.doc.Root()
}

// readEnvelope reads only the meaning of an answer, which is sufficient for the frames of a
// stream.
func (p *pass) readEnvelope() jsonrpc.Envelope {
	if root := p.l.doc.Root(); !p.out() && root.Kind() == jsontok.Object {
		if p.r.Binary != nil { // has none
			return jsonrpc.Envelope{Node: root}
		}
		e := jsonrpc.Envelope{Node: root, Result: root.Get("result"), Error: root.Get("error")}
		if e.Result.Exists() || e.Error.Exists() {
			e.HasJSONRPC = root.Get("jsonrpc").Exists()
			return e
		}
	}
	return jsonrpc.Find(&p.l.doc, jsonrpc.ParseID(p.x.rpcID))
}

// doc returns the index of the payload; rules about the text of JSON need it.
func (p *pass) doc() *jsontok.Doc {
	if !p.parsed {
		return &p.l.none // l.doc was read before
	}
	return &p.l.doc
}

// rpc reports whether the record has, or must have, a JSON-RPC envelope.
func (p *pass) rpc() bool {
	root := p.root()
	if p.plain() {
		return false
	}
	return p.in&jsonRPC != 0 || root.Exists() && p.envelope.HasJSONRPC
}

// plain reports whether the call has no envelope by definition. Calls of an unknown binding may have
// one.
func (p *pass) plain() bool {
	switch p.call.Op {
	case a2a.OpCard, a2a.OpDelivery, a2a.OpArtifact, a2a.OpCatalog:
		return true
	}
	return p.call.Binding != "" && !p.call.Enveloped()
}

// enveloped reports whether rules about the envelope apply to the record. An HTTP error without one is
// an answer of a server or of something on the way, which need not know what the agent speaks.
func (p *pass) enveloped() bool {
	if p.plain() {
		return false
	}
	required := p.in&jsonRPC != 0 || p.call.Enveloped()
	return p.root().Exists() && p.envelope.HasJSONRPC || required && (p.out() || p.x.status() < 300)
}

// judges reports whether a rule applies to the record. Nobody is to blame for what Parley did by
// itself: for its guesses, and for requests that repeat or replace one of the user. What comes after an
// answer spoils the next one, whatever was asked.
func (p *pass) judges(r *rule) bool {
	switch {
	case p.r.Kind == a2a.KindSurplus:
		return true
	case p.guesses(), p.edited():
		return false
	case p.out() && p.ownDoing():
		return r.address
	case r.envelope:
		return p.enveloped()
	}
	return true
}

// edited reports whether an export masked parts of the record that match a pattern of the user, so that it is not what
// the agent sent. Unlike the mask of a secret, such a mask says nothing of the original.
func (p *pass) edited() bool {
	return slices.ContainsFunc(p.r.Redactions, func(m a2a.Redaction) bool { return m.Same() == "" && m.Credential == nil })
}

// guesses reports whether the record belongs to a call that Parley made only to see whether the agent
// speaks like that, and no answer shows yet that it does. The answer to a probe proves nothing: probes
// use dialects that the agent may not have.
func (p *pass) guesses() bool {
	if p.call.Raw {
		return false
	}
	return p.call.Op == a2a.OpProbe || (p.call.Guess || p.unknownMethod()) && !p.x.meant && p.agent.meant&p.in == 0
}

// unknownMethod reports whether the agent refuses a request because it does not know the method, in a dialect that its
// card does not name. The client may have guessed the dialect, as Parley does.
func (p *pass) unknownMethod() bool {
	if len(p.u.Events) == 0 || p.u.Events[0].Err == nil || p.u.Events[0].Err.Name != "MethodNotFoundError" {
		return false
	}
	d := &p.agent.declared
	return !d.known || !d.names(p.call.Dialect)
}

// mean notes that an answer shows that the agent understood the request.
func (p *pass) mean() {
	if len(p.u.Events) == 0 || p.x.meant {
		return
	}
	switch p.u.Events[0].Kind {
	case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage, a2a.EventTaskList, a2a.EventPushConfig, a2a.EventCard:
		p.x.meant = true
		if p.in != onUnknown {
			p.agent.meant |= p.in
		}
	}
}

// ownDoing reports whether Parley made the call without being asked. What a user wrote by hand is not its
// doing, whatever it was written from.
func (p *pass) ownDoing() bool {
	return !p.call.Raw && (p.call.Why.Own() || p.call.Check || p.call.AuthPoll || p.call.Rest)
}

// decoded returns the decoder's findings that apply to the record, with their severity in its dialect.
func (p *pass) decoded() []a2a.Finding {
	found := p.l.must.judge(p.subject(), p.u.Findings)
	dropped := func(f a2a.Finding) bool {
		r := p.l.byID[f.Rule]
		return r != nil && !p.judges(r)
	}
	if !slices.ContainsFunc(found, dropped) {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), dropped)
}

// out reports whether Parley sent the record to the agent.
func (p *pass) out() bool { return p.r.Kind == a2a.KindRequest }

// noteEach notes every member of an object that has one of some names, in a sentence with the
// name in place of %s.
func (p *pass) noteEach(n jsontok.Node, sentence string, names ...string) {
	for _, name := range names {
		if v := n.Get(name); v.Exists() {
			p.note(v, fmt.Sprintf(sentence, "“"+name+"”"))
		}
	}
}

// header returns the headers of the record, nil if it has none.
func (p *pass) header() http.Header {
	if p.r.Head == nil {
		return nil
	}
	return p.r.Head.Header
}

// messages reports whether the call sends a message, which gives the agent work to do.
func (p *pass) messages() bool { return p.call.Op == a2a.OpSend || p.call.Op == a2a.OpStream }

// sends reports whether the record is the request of such a call.
func (p *pass) sends() bool { return p.out() && p.messages() }

// streaming reports whether the call asked for a stream.
func (p *pass) streaming() bool { return p.call.Op == a2a.OpStream || p.call.Op == a2a.OpSubscribe }

// get returns a member, treating null as absent.
func get(n jsontok.Node, name string) jsontok.Node {
	if v := n.Get(name); v.Kind() != jsontok.Null {
		return v
	}
	return jsontok.Node{}
}

// either returns a member by its first name or by its second, such as the snake_case spelling,
// which a separate rule checks.
func either(n jsontok.Node, camel, snake string) jsontok.Node {
	if v := get(n, camel); v.Exists() {
		return v
	}
	return get(n, snake)
}

// count returns how many of the members an object has.
func count(n jsontok.Node, names ...string) (found int) {
	for _, name := range names {
		if n.Get(name).Exists() {
			found++
		}
	}
	return found
}

// lacking returns the names that a list does not have.
func lacking(names, list []string) (missing []string) {
	for _, name := range names {
		if !slices.Contains(list, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// listed lists foreign names in a sentence.
func listed(names []string) string {
	var words []string
	for _, name := range names {
		words = append(words, clip(name))
	}
	return strings.Join(words, ", ")
}

// clip shortens foreign text for a sentence.
func clip(s string) string {
	const most = 60
	s = s[:min(len(s), 8*most)]
	s = a2a.Visible(strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD"))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
