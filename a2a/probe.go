package a2a

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Limits of the probes of one endpoint. Requests that follow a redirect count.
const (
	maxProbes    = 7
	probeTimeout = 5 * time.Second
)

// A ProbeResult is the result of the probes of one endpoint.
type ProbeResult struct {
	// Profile is how the endpoint speaks; its Problem says why it is unknown.
	Profile  Profile
	Attempts []Lookup // every probe, in order; Sentence says what the answer means
	// Class is set if probing ended early: the host does not answer, or requires credentials.
	// The profile's Problem says which.
	Class string
	Hop   Hop // who gave the answer by which the dialect was recognised, as far as it says
}

// Probe finds out how an endpoint speaks when no card says so. It asks for a task
// that cannot exist, in one dialect after the other, and reads from the refusals
// which methods are known. Nothing is ever sent that could start work. At most seven
// requests are made, none is repeated, and each has five seconds. Options.NewID is
// required; call says on whose behalf the probes are made. Only the bindings that Options.Pins allow are
// probed, and a gateway is searched for only if there is no card.
func Probe(ctx context.Context, endpoint string, call *Call, o Options) ProbeResult {
	p := newProber(ctx, endpoint, call, &o)
	defer p.wire.close()
	p.found.Profile.Endpoint = endpoint
	if IsMesh(endpoint) {
		p.found.Profile.Problem = "Nothing can be probed on a broker, where agents answer messages alone"
		return p.found
	}
	if IsGRPC(endpoint) {
		if p.wire.lines[BindingGRPC] != nil && !p.grpc() && p.found.Class == "" {
			p.found.Profile.Problem = fmt.Sprintf("Parley recognised no A2A service at %s: none of %d probes got the answer of an agent. Check the address", p.shownURL(), len(p.found.Attempts))
		}
		return p.found
	}
	if !p.any() && p.found.Class == "" {
		p.found.Profile.Problem = fmt.Sprintf("Parley recognised no A2A dialect at %s: none of %d probes got the answer of an agent. "+
			"Check the URL, or pin a dialect (--dialect) to try it", p.shownURL(), len(p.found.Attempts))
	}
	return p.found
}

// ProbeWay asks for a task that does not exist in one way alone, over JSON-RPC or HTTP+JSON, and reports whether
// an agent answered.
func ProbeWay(ctx context.Context, w Way, call *Call, o Options) bool {
	p := newProber(ctx, w.Endpoint, call, &o)
	defer p.wire.close()
	var r probeAnswer
	switch {
	case w.Binding == BindingJSONRPC:
		r = p.method(w.Dialect, OpGet)
	case w.Binding == BindingREST && w.Dialect == V10:
		dialect, _ := LookupDialect(V10)
		r = p.path(V10, "/tasks/"+p.task, dialect.Headers(OpGet))
	case w.Binding == BindingREST:
		r = p.path(w.Dialect, "/v1/tasks/"+p.task, http.Header{})
	}
	return r.means == methodKnown && r.confidence > Guess
}

// LacksStreams reports whether nothing is at the path of streams of a way over HTTP+JSON. It asks by OPTIONS, which
// starts nothing (RFC 9110 §9.3.7), and which servers answer with another status than 404 where they have the path.
func LacksStreams(ctx context.Context, w Way, call *Call, o Options) bool {
	b, problem := bindingFor(Profile{Dialect: w.Dialect, Binding: w.Binding, Endpoint: w.Endpoint})
	rest, ok := b.(restBinding)
	if !ok || problem != "" {
		return false
	}
	path := strings.TrimPrefix(rest.dialect.Method(OpStream), "POST ")
	out, err := rest.request(&Request{Call: &Call{Op: OpStream}, Tenant: w.Tenant}, http.MethodOptions, path, nil)
	if err != nil {
		return false
	}
	p := newProber(ctx, w.Endpoint, call, &o)
	defer p.wire.close()
	return p.ask("OPTIONS "+path, w.Dialect, BindingREST, out).status == http.StatusNotFound
}

// newProber returns a prober of an endpoint.
func newProber(ctx context.Context, endpoint string, call *Call, o *Options) *prober {
	p := &prober{ctx: ctx, options: o, endpoint: endpoint, task: o.NewID(), left: maxProbes}
	if call != nil {
		p.call = *call
	}
	p.call.Op = OpProbe
	// Only the trace sees the whole body.
	put := o.Trace.Put
	o.Trace.Put = func(r Record, u Update) RecordID {
		if r.Kind == KindBody {
			p.body = r.Raw
		}
		return put(r, u)
	}
	p.wire = newWire(o, o.Card)
	return p
}

// A prober sends one probe after the other until the answers are conclusive.
type prober struct {
	ctx      context.Context
	options  *Options
	wire     *wire
	call     Call
	endpoint string
	task     string // an id that no task has
	left     int    // requests that may be made
	body     []byte // of the newest answer
	found    ProbeResult
}

func (p *prober) shownURL() string {
	shown, _ := p.wire.mask.url(p.endpoint)
	return shown
}

// any probes one binding after the other, as far as the pins allow, and reports whether one was
// recognised. It ends early if the answers say that further ones are useless.
func (p *prober) any() bool {
	pinned := p.options.Pins.Binding
	for _, by := range [...]struct {
		ask  bool
		find func() bool
	}{
		{pinned == "" || pinned == BindingJSONRPC, p.rpc},
		{pinned == "" || pinned == BindingREST, p.rest},
		{pinned == "" && p.options.Card == nil, p.gateway},
	} {
		if by.ask && (by.find() || p.found.Class != "") {
			return p.found.Class == ""
		}
	}
	return false
}

// rpc probes JSON-RPC and reports whether a dialect was recognised.
func (p *prober) rpc() bool {
	first := p.method(V10, OpGet)
	switch first.means {
	case methodKnown:
		if first.foreign && first.offers != Unknown {
			return p.recognise(&first, first.offers, BindingJSONRPC)
		}
		return p.recognise(&first, V10, BindingJSONRPC)
	case nothingThere, giveUp:
		return false
	}
	second := p.method(V03, OpGet)
	switch {
	case second.means == methodKnown:
		return p.older(&second)
	case second.means == otherVersion && first.means == otherVersion:
		second.confidence = Likely
		return p.recognise(&second, V10, BindingJSONRPC) // it requires a version after all
	case first.offers != Unknown && second.means != giveUp:
		return p.recognise(&first, first.offers, BindingJSONRPC) // it said so when it refused
	case second.means == nothingKnown:
		return p.mesh()
	}
	return false
}

// mesh recognises the agent that the documentation of Solace Agent Mesh describes: it has a
// method to cancel a task but none to get one, which every version of A2A has.
func (p *prober) mesh() bool {
	cancel := p.method(SAMDoc, OpCancel)
	if cancel.means != methodKnown || cancel.result {
		return false
	}
	cancel.says += "; it does not know tasks/get, as the documentation of Solace Agent Mesh describes"
	cancel.confidence = Likely
	if !p.recognise(&cancel, SAMDoc, BindingJSONRPC) {
		return false
	}
	p.found.Profile.Warnings = append(p.found.Profile.Warnings,
		"The agent knows tasks/cancel but not tasks/get: Parley assumes the dialect sam-doc, which the documentation of Solace Agent Mesh describes; pin a dialect if it is another")
	return true
}

// older distinguishes 0.1, 0.2 and 0.3, which share the method that was answered. Each is
// recognised by a method that only it has. All of these are optional, so a missing one proves
// nothing. If none is known, 0.3 is the guess.
func (p *prober) older(get *probeAnswer) bool {
	if get.offers != Unknown { // somebody's task came, in the shape of its dialect
		return p.recognise(get, get.offers, BindingJSONRPC)
	}
	push := p.method(V03, OpPushGet)
	switch push.means {
	case methodKnown:
		return p.newest(get)
	case giveUp:
		return p.recogniseGuess(get)
	}
	push = p.method(V01, OpPushGet)
	switch push.means {
	case methodKnown:
		return p.recognise(&push, V01, BindingJSONRPC)
	case giveUp:
		return p.recogniseGuess(get)
	}
	card := p.method(V03, OpExtendedCard)
	if knowsCard(&card) {
		return p.recognise03(&card)
	}
	return p.recogniseGuess(get)
}

// recogniseGuess assumes 0.3 for an agent of which only a method is known that 0.1 has too.
func (p *prober) recogniseGuess(get *probeAnswer) bool {
	p.found.Class, p.found.Profile.Problem = "", ""
	get.confidence = Guess
	get.says = strings.TrimSuffix(get.says, ".") + "; 0.1, 0.2 and 0.3 share it, and nothing distinguishes them"
	return p.recognise(get, V03, BindingJSONRPC)
}

// knowsCard reports whether the agent knows the method of the extended card, which only 0.3
// has.
func knowsCard(card *probeAnswer) bool {
	return card.means == methodKnown || card.means == giveUp && card.status == http.StatusUnauthorized
}

// recognise03 recognises 0.3 by the method of the extended card.
func (p *prober) recognise03(card *probeAnswer) bool {
	card.confidence, card.says = Certain, "the method is known"
	p.found.Class, p.found.Profile.Problem = "", ""
	return p.recognise(card, V03, BindingJSONRPC)
}

// newest distinguishes 0.3 from 0.2, only for display.
func (p *prober) newest(get *probeAnswer) bool {
	card := p.method(V03, OpExtendedCard)
	if knowsCard(&card) {
		return p.recognise03(&card)
	}
	p.found.Class, p.found.Profile.Problem = "", ""
	get.confidence = Likely
	return p.recognise(get, V02, BindingJSONRPC)
}

// method calls a method of a dialect over JSON-RPC for the task that does not exist.
func (p *prober) method(d DialectName, op Op) probeAnswer {
	dialect, _ := LookupDialect(d)
	req := Request{Call: &Call{Op: op}, TaskID: p.task}
	out, err := jsonrpcBinding{dialect: dialect, endpoint: p.endpoint}.encode(req, p.options.NewID())
	if err != nil {
		return probeAnswer{means: nothingThere}
	}
	r := p.ask(dialect.Method(op), d, BindingJSONRPC, out)
	r.ofMethod(op)
	p.note(&r)
	return r
}

// rest probes HTTP+JSON and reports whether a dialect was recognised.
func (p *prober) rest() bool {
	dialect, _ := LookupDialect(V10)
	header := dialect.Headers(OpGet)
	newer := p.path(V10, "/tasks/"+p.task, header)
	before := string(p.body)
	if newer.means == giveUp || newer.means == methodKnown && newer.confidence > Guess {
		return newer.means == methodKnown && p.recognise(&newer, V10, BindingREST)
	}
	older := p.path(V03, "/v1/tasks/"+p.task, http.Header{})
	everywhere := before == strings.ReplaceAll(string(p.body), "/v1/tasks/", "/tasks/")
	switch {
	case older.means == methodKnown && older.confidence > Guess:
		return p.recognise(&older, V03, BindingREST)
	case older.means == giveUp || everywhere: // it answers every path alike
		return false
	case newer.means == methodKnown:
		return p.recognise(&newer, V10, BindingREST)
	default:
		return older.means == methodKnown && p.recognise(&older, V03, BindingREST)
	}
}

// path asks for a resource below the endpoint.
func (p *prober) path(d DialectName, path string, header http.Header) probeAnswer {
	header.Set("Accept", "application/a2a+json, application/json")
	out := outgoingRequest{method: http.MethodGet, url: join(p.endpoint, path, nil), header: header}
	r := p.ask("GET "+strings.TrimSuffix(path, p.task)+"…", d, BindingREST, out)
	r.ofPath(d, p.body)
	p.note(&r)
	return r
}

// gateway searches for the list of agents of a gateway of Solace Agent Mesh.
func (p *prober) gateway() bool {
	out := outgoingRequest{method: http.MethodGet, url: join(p.endpoint, gatewayCards, nil), header: http.Header{"Accept": {"application/json"}}}
	r := p.ask("GET "+gatewayCards, SAMHTTP, BindingREST, out)
	cards, _, failure := ParseCard(p.body, out.url)
	// A server that answers every path with its own card lists nothing.
	list := bytes.HasPrefix(bytes.TrimLeft(p.body, " \t\r\n"), []byte("["))
	if failure != nil || !list || r.status != http.StatusOK {
		r.says = "no list of agents"
		p.note(&r)
		return false
	}
	r.says, r.confidence = fmt.Sprintf("lists %d agents of a gateway", len(cards)), Certain
	p.note(&r)
	if !p.recognise(&r, SAMHTTP, BindingREST) {
		return false
	}
	p.found.Profile.Agent = cards[0].Name
	return true
}

// ask makes one request and reads what any answer proves.
func (p *prober) ask(name string, d DialectName, b Binding, out outgoingRequest) probeAnswer {
	r := probeAnswer{name: name, means: giveUp, says: "not probed, because enough probes were sent"}
	if p.left == 0 {
		return r
	}
	ctx, cancel := context.WithTimeoutCause(p.ctx, probeTimeout, &timeoutError{after: probeTimeout})
	defer cancel()
	p.call.Dialect, p.call.Binding = d, b
	p.call.Endpoint, _ = p.wire.mask.url(out.url)
	p.body = nil
	by := byCard
	if p.wire.gate.allowed[Origin(out.url)] {
		by = byUser
	}
	got := p.follow(ctx, out, by)
	r.url, r.record, r.answer = p.call.Endpoint, got.Exchange, got.Proof()
	r.read(&got)
	return r
}

// follow performs a request and the redirects that may be followed, as long as
// requests are left.
func (p *prober) follow(ctx context.Context, out outgoingRequest, by pointer) Answer {
	for w := p.wire; ; {
		p.left--
		x := w.exchange(p.call, Hooks{})
		next, end := x.hop(ctx, out, by, p.left > 0)
		if next == nil {
			return x.tally.answer(x, end)
		}
		if Origin(next.url) != Origin(out.url) {
			by = byRedirect
		}
		out, w = *next, w.toward(next)
	}
}

// note keeps what a probe found.
func (p *prober) note(r *probeAnswer) {
	if r.record == 0 {
		return
	}
	p.found.Attempts = append(p.found.Attempts, Lookup{
		URL: r.url, Record: r.record, Status: r.status, Probe: r.name, Sentence: asSentence(r.says), Class: r.class,
	})
	if r.means == giveUp {
		p.found.Class = r.class
		p.found.Profile.Problem = strings.TrimSuffix(r.says, ".")
	}
	if r.foreign {
		warning := "The agent answers with a task although no task has that id: it ignores ids"
		p.found.Profile.Warnings = append(p.found.Profile.Warnings, warning)
	}
}

// recognise fills the profile.
func (p *prober) recognise(r *probeAnswer, d DialectName, b Binding) bool {
	to := &p.found.Profile
	to.Dialect, to.Binding, to.Endpoint = d, b, p.endpoint
	p.found.Hop = r.hop
	if _, problem := bindingFor(*to); problem != "" {
		to.Problem = strings.TrimSuffix(problem, ".")
		return false
	}
	reason := "the probe " + r.name + " was answered: " + strings.TrimSuffix(r.says, ".")
	to.Evidence = append(to.Evidence,
		Evidence{Field: "dialect", Value: string(d), Reason: reason, Confidence: r.confidence, Record: r.answer},
		Evidence{Field: "binding", Value: string(b), Reason: reason, Confidence: r.confidence, Record: r.answer})
	return true
}
