package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
)

// An answered is the way in which an agent has answered a message. It decides the way to speak
// to the agent until its card names other interfaces or the user pins something: a missing
// method, a refused probe and an unreadable card prove nothing against it.
type answered struct {
	way        a2a.Way
	interfaces []a2a.Interface // of the card at that time
	record     a2a.RecordID    // of the answer, 0 while the call is in progress
	method     string
}

// hasAnswered notes the first event of an answer to a message.
func (e *Engine) hasAnswered(fw *follower) {
	e.mu.Lock()
	defer e.mu.Unlock()
	live := e.agents[fw.agent.id]
	if live == nil || !fw.agent.pins.Empty() {
		return // a pin lasts only as long as the user wants
	}
	way := fw.agent.profile.Way()
	if live.spoke.way == way && live.spoke.record != 0 {
		return
	}
	live.spoke = answered{way: way, method: methodOf(&fw.agent.profile, fw.call.Op)}
	if live.card != nil {
		live.spoke.interfaces = live.card.Interfaces
	}
}

// proven notes the record that holds such an answer.
func (e *Engine) proven(id a2a.AgentID, out *a2a.Outcome) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[id]; a != nil && a.spoke.way.Dialect != a2a.Unknown && a.spoke.record == 0 && out.Events > 0 {
		a.spoke.record = out.Record()
	}
}

// methodOf returns the name of an operation in the dialect of a profile.
func methodOf(p *a2a.Profile, op a2a.Op) string {
	if d, known := p.Spoken(); known {
		return d.Method(op)
	}
	return string(op)
}

// talks reports whether an operation carries a message.
func talks(op a2a.Op) bool { return op == a2a.OpSend || op == a2a.OpStream }

// locked returns the way in which the agent has answered a message. It reports false if it has
// not answered one, if its card names other interfaces now, or if the user pinned the way. The
// caller holds the engine's lock.
func (a *remote) locked() (answered, bool) {
	switch {
	case a.spoke.way.Dialect == a2a.Unknown || !a.pins.Empty():
		return answered{}, false
	case a.card != nil && a.spoke.interfaces != nil && !slices.Equal(a.card.Interfaces, a.spoke.interfaces):
		return answered{}, false
	}
	return a.spoke, true
}

// keep makes a profile use the way in which the agent has answered, in spite of detection. The
// caller holds the engine's lock.
func (a *remote) keep(p a2a.Profile) a2a.Profile {
	was, ok := a.locked()
	if !ok {
		return p
	}
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(p.Warnings)
	p.Evidence = append(p.Evidence, a2a.Evidence{
		Field: "dialect", Value: string(was.way.Dialect), Reason: was.method + " was answered", Confidence: a2a.Certain, Record: was.record,
	})
	if p.Problem == "" && p.Way().Same(was.way) {
		return p
	}
	p.Dialect, p.Binding, p.Endpoint, p.Tenant, p.Problem = was.way.Dialect, was.way.Binding, was.way.Endpoint, was.way.Tenant, ""
	if said := contradiction(&p); said != "" {
		p.Warnings = append(p.Warnings, said+": "+was.method+" was answered")
	}
	return p
}

// contradiction says which version Parley speaks although the card names another, empty if they
// agree.
func contradiction(p *a2a.Profile) string {
	if !p.Contradicted() {
		return ""
	}
	return fmt.Sprintf("The card says A2A %s and the agent speaks %s", p.Claim, p.Dialect.Number())
}

// A dispatch is one operation on its way to an agent: in the way of its profile and, if the
// agent has no such method, in other possible ways. A missing method proves that nothing was
// started, so nothing is ever started twice.
type dispatch struct {
	e       *Engine
	agent   a2a.AgentID
	a       *remote
	t       Target
	call    *a2a.Call
	req     a2a.Request
	history *int
	only    []string // extensions that are requested, nil for those of the agent
	fw      *follower
	out     a2a.Outcome

	op    a2a.Op      // the intended operation: a stream may have become a plain call
	tried []a2a.Way   // the ways that were tried before this one
	first a2a.Profile // of the agent before
	unmet failure     // how the first way failed
	rpc   bool        // some way was answered as JSON-RPC does
}

// run performs the operation.
func (d *dispatch) run(ctx context.Context) {
	d.op, d.first = d.call.Op, d.a.profile
	d.try(ctx)
	for d.unhooked(ctx) || d.plain(ctx) || d.elsewhere(ctx) || d.anew(ctx) {
	}
	d.conclude(ctx)
}

// try performs it in the way of the profile.
func (d *dispatch) try(ctx context.Context) {
	d.a.only(d.only)
	d.fw = d.e.follow(d.a, d.call)
	d.fw.history = d.history
	d.out = d.e.do(ctx, d.a, d.req, d.fw)
	if len(d.tried) == 0 {
		d.unmet = outcomeFailure(d.out)
	}
	d.rpc = d.rpc || d.speaksRPC()
}

// speaksRPC reports whether the agent said in JSON-RPC that it has no such method.
func (d *dispatch) speaksRPC() bool {
	rpc := rpcError(d.out.Err)
	return d.a.profile.Binding != a2a.BindingREST && rpc != nil && rpc.Code == -32601
}

// plain sends a message without a stream if the agent declares no streaming or has no such
// method.
func (d *dispatch) plain(ctx context.Context) bool {
	if d.call.Op != a2a.OpStream || d.fw.heard() || ctx.Err() != nil {
		return false
	}
	rpc := rpcError(d.out.Err)
	missing := d.out.MethodNotFound() && (d.a.profile.Binding == a2a.BindingREST || d.speaksRPC())
	if !missing && (rpc == nil || !refusesStream(d.call, rpc)) {
		return false
	}
	again := *d.call
	again.Op = a2a.OpSend
	d.call, d.req.Call = &again, &again
	d.fw.call = d.call
	d.out = d.e.do(ctx, d.a, d.req, d.fw)
	if missing && !d.out.MethodNotFound() {
		d.streamless()
	}
	return true
}

// streamless notes that an agent accepts messages but has no method to stream them.
func (d *dispatch) streamless() {
	e := d.e
	e.mu.Lock()
	live := e.agents[d.agent]
	if live == nil || !live.profile.Streaming || !live.profile.Way().Same(d.a.profile.Way()) {
		e.mu.Unlock()
		return
	}
	p := live.keep(live.profile)
	e.mu.Unlock()
	method := methodOf(&p, a2a.OpStream)
	p.Streaming = false
	p.Evidence = append(slices.Clone(p.Evidence), a2a.Evidence{
		Field: "streaming", Value: "no", Reason: "the agent has no " + method, Confidence: a2a.Certain, Record: d.out.Record(),
	})
	e.change(live, p, nil, 0, failure{"The agent has no " + method + ", so messages to it are sent as plain calls.", ""})
}

// elsewhere tries another way to the agent, if there is one.
func (d *dispatch) elsewhere(ctx context.Context) bool {
	if d.fw.heard() {
		return false
	}
	other, ok := d.e.turnAround(ctx, d)
	if !ok {
		return false
	}
	d.tried = append(d.tried, d.a.profile.Way())
	d.a = other
	task := d.t.TaskID
	if !talks(d.op) {
		task = d.call.TaskID
	}
	d.call = &a2a.Call{Agent: d.agent, Conversation: d.call.Conversation, Turn: d.call.Turn, Op: d.op, TaskID: task}
	d.e.address(d.a, d.t, d.call)
	d.req.Call, d.req.ContextID, d.req.Tenant = d.call, d.call.ContextID, d.a.profile.Tenant
	if talks(d.op) {
		d.req.TaskID = d.call.TaskID
	}
	d.try(ctx)
	return true
}

// ways returns the ways in which the operation may be tried, the likeliest first.
func (d *dispatch) ways() []a2a.Way {
	rpc := d.speaksRPC()
	return append(d.first.OtherWays(rpc), d.a.profile.OtherWays(rpc)...)
}

// conclude restores the agent's profile if none of the ways worked.
func (d *dispatch) conclude(ctx context.Context) {
	rpc := rpcError(d.out.Err)
	if len(d.tried) == 0 || d.fw.heard() || d.out.Err == nil || rpc != nil && !d.out.NothingStarted() || ctx.Err() != nil && !d.out.NothingStarted() {
		return
	}
	if live := d.e.agent(d.agent); live != nil {
		f := failure{}
		if d.out.MethodNotFound() {
			f = d.exhausted()
		}
		d.e.change(live, d.first, nil, d.call.Turn, f)
	}
}

// failure is why the operation failed, the zero value if it did not.
func (d *dispatch) failure() failure {
	if len(d.tried) > 0 && !d.fw.heard() && d.out.MethodNotFound() {
		return d.exhausted()
	}
	f := outcomeFailure(d.out)
	if talks(d.op) && !d.fw.heard() && d.out.MethodNotFound() {
		f.sentence += pinned(&d.a.profile)
	}
	return f
}

// exhausted says that the agent has none of the methods that were tried.
func (d *dispatch) exhausted() failure {
	if !d.rpc {
		f := d.unmet
		f.sentence += " It was tried as A2A " + listOf(d.names()) + "."
		return f
	}
	what := "a message is sent"
	if !talks(d.op) {
		what = "this is asked for"
	}
	return failure{fmt.Sprintf("The agent has no method by which %s: it was tried as A2A %s, and nothing was started. Check the URL, or pin the dialect that it speaks.",
		what, listOf(d.names())), ProblemRPC}
}

// names returns the tried ways for a sentence.
func (d *dispatch) names() []string {
	var names []string
	for _, w := range append(slices.Clone(d.tried), d.a.profile.Way()) {
		names = append(names, spokenAs(w))
	}
	return names
}

// spokenAs names a way in a sentence.
func spokenAs(w a2a.Way) string { return w.Dialect.Number() + " over " + w.Binding.String() }

// listOf joins words as a sentence does.
func listOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
