package tap

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/a2a"
	"parley/session/request"
	"parley/session/tap/relay"
)

// An exchange is one request of a client and its answer, as they pass.
type exchange struct {
	tap    *Tap
	client relay.Client
	head   relay.Head
	target *url.URL // of the request at the agent
	grpc   bool

	mu      sync.Mutex // of what the relay's plan shares with its reports
	body    []byte     // of the request, up to the limit
	omitted int
	known   int // bytes of the body from which the facts were read, -1 before
	facts   request.Facts
	// recognised is set when the facts and the webhook change no more.
	recognised bool
	changed    []string // what the tap changes in the request
	hook       *hook    // the webhook that it registers, nil if that does not lead through the tap
	past       bool     // it registers one that goes past the tap
	fault      *Fault   // that the tap injects, nil for none
	// faultNoted is set once the session says so.
	faultNoted bool

	call      *a2a.Call
	seen      *a2a.Observed // nil until the request is recorded
	answering *a2a.Observed // the same once an answer comes; the tap's lock guards it
	sent      [][]byte      // heads that were written before the request was recorded
	sentAt    time.Time
	messages  grpcMessages // of the request
	late      int          // bytes of its body that came after it was recorded
	status    int
	media     string
	passed    int64 // bytes of the body of the answer

	unedited      atomic.Bool // the answer is to be changed and has not been yet
	card          *a2a.Card   // in the answer
	task, context string      // that the answer named last
	named         int
}

var _ relay.Exchange = (*exchange)(nil)

// Begin observes an exchange.
func (t *Tap) Begin(client relay.Client, head relay.Head) (relay.Exchange, relay.Plan) {
	head.Header = head.Header.Clone()
	if name, ok := webhookName(head.URI); ok {
		return t.beginDelivery(client, head, name)
	}
	x := &exchange{tap: t, client: client, head: head, grpc: isGRPC(head.Header), known: -1}
	x.target = t.at(head.URI, x.grpc)
	t.mu.Lock()
	t.open[x] = true
	t.counts.Exchanges++
	t.mu.Unlock()
	return x, x.plan()
}

// at returns where a request goes.
func (t *Tap) at(uri string, grpc bool) *url.URL {
	u, err := url.ParseRequestURI(t.withoutToken(uri))
	if err != nil {
		u = &url.URL{Path: "/"}
	}
	at := *u
	at.Scheme, at.Host, at.User = t.o.Target.Scheme, t.o.Target.Host, nil
	if grpc {
		at.Scheme = map[string]string{"https": "grpcs"}[at.Scheme]
		at.Scheme = cmp.Or(at.Scheme, "grpc")
	}
	return &at
}

// withoutToken returns the target of a request without the token of the tap at its beginning.
func (t *Tap) withoutToken(uri string) string {
	t.mu.Lock()
	base, err := url.Parse(t.base)
	t.mu.Unlock()
	if err != nil || base.Path == "" {
		return uri
	}
	if rest, ok := strings.CutPrefix(uri, base.EscapedPath()); ok && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "?")) {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return uri
}

func isGRPC(h http.Header) bool {
	return strings.HasPrefix(strings.ToLower(h.Get("Content-Type")), "application/grpc")
}

// RequestBody takes the next bytes of the request.
func (x *exchange) RequestBody(_ time.Time, piece []byte) {
	if x.grpc {
		x.messages.count(piece)
	}
	if x.seen != nil {
		x.late += len(piece)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	room := max(x.tap.o.Limits.Of(a2a.LimitAnswer)-int64(len(x.body)), 0)
	kept := piece[:min(int64(len(piece)), room)]
	x.body = append(x.body, kept...)
	x.omitted += len(piece) - len(kept)
}

// RequestEnd records the request.
func (x *exchange) RequestEnd(time.Time) { x.record(false) }

// Sent takes the head of the request as it was written.
func (x *exchange) Sent(head relay.Head) {
	if x.sentAt.IsZero() {
		x.sentAt = head.Time
	}
	wire := slices.Clone(head.Wire)
	if x.seen == nil {
		x.sent = append(x.sent, wire)
		return
	}
	x.seen.Sent(wire)
}

// record records the request, once.
func (x *exchange) record(torn bool) {
	if x.seen != nil {
		return
	}
	x.recognise()
	f := &x.facts
	t := x.tap
	t.mu.Lock()
	unknown := t.places.unknown(f)
	if f.Op == "" {
		t.counts.Other++
	}
	t.mu.Unlock()
	if unknown {
		t.settle(x)
	}
	at := t.place(f)
	x.call = t.call(x, at)
	x.seen = t.observer.Begin(&a2a.ObservedRequest{
		Call: x.call, Time: x.head.Time, Method: x.head.Method, URL: x.target.String(), Path: x.path(), Proto: x.head.Proto,
		Header: withHost(x.head.Header, x.head.Host), Wire: x.head.Wire, Body: x.body, Omitted: x.omitted, Torn: torn,
		RPCID: f.RPCID, PushURL: f.PushURL, IDs: []string{f.TaskID, f.ContextID, f.MessageID, f.PushID},
	})
	for _, wire := range x.sent {
		x.seen.Sent(wire)
	}
	x.body, x.sent = nil, nil
	t.noteOperation(x)
	x.noteHook()
	x.noteFault()
	t.react(x)
}

// withHost adds the field that is not in the header.
func withHost(h http.Header, host string) http.Header {
	h = h.Clone()
	if h == nil {
		h = http.Header{}
	}
	if host != "" {
		h.Set("Host", host)
	}
	return h
}

// path returns the method of gRPC, empty over HTTP.
func (x *exchange) path() string {
	if x.grpc {
		return x.target.Path
	}
	return ""
}

// recognise reads which operation the request is, for good.
func (x *exchange) recognise() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.recogniseBody(x.body)
	x.recognised, x.past = true, x.hook == nil && x.registers()
}

// recogniseBody does so by a body, of which more may have come than before. The caller holds the lock.
func (x *exchange) recogniseBody(body []byte) {
	if len(body) <= x.known {
		return
	}
	x.known = len(body)
	o := &x.tap.o
	switch {
	case x.grpc:
		_, text := x.tap.observer.RenderRequest(x.target.Path, x.head.Header, body)
		x.facts = request.ReadGRPC(x.target.Path, text)
	case cardPath(x.head.Method, x.target.Path):
		x.facts = request.Facts{Op: a2a.OpCard, Method: x.head.Method + " " + x.target.Path, Sure: true}
	default:
		plain, _ := a2a.DecodeBody(x.head.Header, body, o.Codings, o.Limits.Of(a2a.LimitAnswer)) // what can be read of it decides
		x.facts = request.ReadHTTP(x.head.Method, x.target, x.head.Header, plain)
		x.tap.doubt(&x.facts, x.head.Header)
	}
	x.tap.speak(&x.facts)
}

// cardPaths are the paths at which clients look for a card.
var cardPaths = []string{"/.well-known/agent-card.json", "/.well-known/agent.json"}

func cardPath(method, path string) bool {
	return (method == http.MethodGet || method == http.MethodHead) && slices.ContainsFunc(cardPaths, func(known string) bool { return strings.HasSuffix(path, known) })
}

// doubt takes a request for no operation if its path is common and nothing says that the agent speaks
// HTTP+JSON.
func (t *Tap) doubt(f *request.Facts, header http.Header) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.Binding != a2a.BindingREST {
		return
	}
	declared := slices.ContainsFunc(t.profiles, func(w a2a.Way) bool { return w.Binding == a2a.BindingREST })
	t.rest = t.rest || f.Sure || declared || header.Get("A2A-Version") != ""
	if !t.rest {
		*f = request.Facts{Method: f.Method}
	}
}

// speak chooses among the dialects that have the operation of a request the one that the agent's
// card names.
func (t *Tap) speak(f *request.Facts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, way := range t.profiles {
		d, known := (&a2a.Profile{Dialect: way.Dialect, Binding: way.Binding}).Spoken()
		if known && way.Binding == f.Binding && f.Op != "" && d.Method(f.Op) == f.Method {
			f.Dialect = d.Name()
			return
		}
	}
}

// call describes a request in local terms.
func (t *Tap) call(x *exchange, at place) *a2a.Call {
	f := &x.facts
	c := &a2a.Call{
		Agent: t.agent, Conversation: at.conversation, Turn: at.turn, Op: f.Op, Dialect: f.Dialect, Binding: f.Binding, Endpoint: x.endpoint(),
		TaskID: t.observer.MaskText(f.TaskID), ContextID: t.observer.MaskText(f.ContextID), PushID: t.observer.MaskText(f.PushID),
		Tapped: &a2a.Tapped{Tap: t.Name(), Client: t.clientName(x.client, x.head.Header), Connection: x.client.Connection, Changed: x.changed},
	}
	return c
}

// endpoint returns the address of the agent that the client called.
func (x *exchange) endpoint() string {
	at := *x.target
	at.RawQuery, at.Fragment = "", ""
	switch {
	case x.grpc:
		at.Path, at.RawPath = "", ""
	case x.facts.Binding == a2a.BindingREST:
		return at.Scheme + "://" + at.Host + x.facts.Base
	}
	return at.String()
}

// maxClient is how many bytes of a User-Agent are kept.
const maxClient = 120

// clientName names a client: as it does itself, or by its address.
func (t *Tap) clientName(client relay.Client, header http.Header) string {
	if said := t.observer.MaskText(strings.TrimSpace(header.Get("User-Agent"))); said != "" {
		return strings.ToValidUTF8(said[:min(len(said), maxClient)], "")
	}
	if client.Addr == nil {
		return ""
	}
	host, _, err := net.SplitHostPort(client.Addr.String())
	if err != nil {
		return client.Addr.String()
	}
	return host
}

// Response records the head of the answer.
func (x *exchange) Response(head relay.Head) {
	x.record(false)
	x.noteFault()
	x.status, x.media = head.Status, head.Header.Get("Content-Type")
	h := &a2a.ObservedHead{
		Time: head.Time, Status: head.Status, Proto: head.Proto, Header: head.Header.Clone(), Wire: slices.Concat(head.Early, head.Wire),
		Timing: &a2a.Timing{FirstByte: max(head.Time.Sub(x.head.Time), 0), Remote: x.target.Host},
	}
	if !x.sentAt.IsZero() {
		h.Timing.Sent = max(x.sentAt.Sub(x.head.Time), 0)
	}
	x.seen.Respond(h, x.decoded)
	x.tap.mu.Lock()
	x.answering = x.seen
	x.tap.mu.Unlock()
}

// decoded takes the meaning of a part of the answer.
func (x *exchange) decoded(u a2a.Update) {
	x.tap.learn(x, &u)
	for i := range u.Events {
		if c := u.Events[i].Card; c != nil {
			x.card = c
		}
	}
}

// ResponseBody records the next bytes of the answer.
func (x *exchange) ResponseBody(at time.Time, piece []byte) {
	x.passed += int64(len(piece))
	if x.seen != nil {
		x.seen.Write(at, piece)
	}
}

// End records the end.
func (x *exchange) End(end relay.End) {
	x.record(x.status == 0 && end.Cause == relay.ClientBroke)
	x.seen.End(a2a.ObservedEnd{Time: end.Time, Trailer: end.Trailer, Break: x.breakOf(&end), Left: end.Left})
	t := x.tap
	x.noteFault()
	x.noteUnedited(&end)
	x.noteUnrecorded()
	t.noteCard(x)
	t.tried(x, &end)
	t.mu.Lock()
	delete(t.open, x)
	t.mu.Unlock()
}
