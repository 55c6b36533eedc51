package engine

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
)

// A provenWay is the way in which an agent has answered a message. It decides the way to speak
// to the agent until its card names other interfaces or the user pins something: a missing
// method, a refused probe and an unreadable card prove nothing against it.
type provenWay struct {
	way        a2a.Way
	interfaces []a2a.Interface // of the card at that time
	record     a2a.RecordID    // of the answer, 0 while the call is in progress
	method     string
}

// noteAnswer notes the first event of an answer to a message.
func (e *Engine) noteAnswer(fw *follower) {
	e.mu.Lock()
	defer e.mu.Unlock()
	live := e.agents[fw.agent.id]
	if live == nil || fw.agent.aside || !fw.agent.pins.Empty() {
		return // a pin lasts only as long as the user wants
	}
	way := fw.agent.profile.Way()
	if live.proven.way == way && live.proven.record != 0 {
		return
	}
	live.proven = provenWay{way: way, method: model.MethodOf(&fw.agent.profile, fw.call.Op)}
	if live.card != nil {
		live.proven.interfaces = live.card.Interfaces
	}
}

// noteProof notes the record that holds such an answer.
func (e *Engine) noteProof(id a2a.AgentID, out *a2a.Answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[id]; a != nil && a.proven.way.Dialect != a2a.Unknown && a.proven.record == 0 && out.Events > 0 {
		a.proven.record = out.Record()
	}
}

// provenWay returns the way in which the agent has answered a message. It reports false if it has
// not answered one, if its card names other interfaces now, or if the user pinned the way. The
// caller holds the engine's lock.
func (a *remote) provenWay() (provenWay, bool) {
	switch {
	case a.proven.way.Dialect == a2a.Unknown || !a.pins.Empty():
		return provenWay{}, false
	case a.card != nil && a.proven.interfaces != nil && !slices.Equal(a.card.Interfaces, a.proven.interfaces):
		return provenWay{}, false
	}
	return a.proven, true
}

// withProvenWay makes a profile use the way in which the agent has answered, in spite of
// detection. The caller holds the engine's lock.
func (a *remote) withProvenWay(p a2a.Profile) a2a.Profile {
	was, ok := a.provenWay()
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
	if !p.ContradictsCard() {
		return ""
	}
	unknown := ""
	if _, known := a2a.ParseVersion(p.Claim); !known {
		unknown = ", which is none of 0.1 – 1.0,"
	}
	return fmt.Sprintf("The card says A2A %s%s but the agent speaks %s", p.Claim, unknown, p.Dialect.Number())
}

// A dispatch is one operation on its way to an agent: in the way of its profile and, if the
// agent has no such method, in other possible ways. A missing method proves that nothing was
// started, so nothing is ever started twice.
type dispatch struct {
	e       *Engine
	agent   a2a.AgentID
	a       *remote
	t       model.Target
	call    *a2a.Call
	req     a2a.Request
	history *int
	only    []string // extensions that are requested, nil for those of the agent
	fw      *follower
	out     a2a.Answer

	op           a2a.Op           // the intended operation: a stream may have become a plain call
	tried        []a2a.Way        // the ways that were tried before this one
	closed       []string         // the addresses at which nobody was
	first        a2a.Profile      // of the agent before
	firstFailure failure          // how the first way failed, which is the one that the card declares
	probed       *a2a.ProbeResult // what probes found after the first way was refused; nil if none were sent
	cleared      string           // what shows that the agent is where the request was refused; empty if nothing does
	vacant       bool             // no probe was answered where the request was refused
	rpc          bool             // some way was answered as JSON-RPC does
}

// run performs the operation.
func (d *dispatch) run(ctx context.Context) {
	d.op, d.first = d.call.Op, d.a.profile
	d.try(ctx)
	for d.mayTryAgain() && !d.isRefusedOnTheWay(ctx) && (d.sendWithoutWebhook(ctx) || d.sendPlain(ctx) || d.tryOtherWay(ctx) || d.startNewTask(ctx)) {
	}
	d.conclude(ctx)
}

// mayTryAgain reports whether the operation may be tried once more: nothing was started so far.
func (d *dispatch) mayTryAgain() bool {
	return !task.SendsMessage(d.op) || d.e.runOf(d.call.Turn).mayTryAgain()
}

// again returns the call of another attempt, which differs from the one before in what the caller sets.
func (d *dispatch) again(why a2a.Why) *a2a.Call {
	call := *d.call
	call.Attempt, call.Why, call.Because = max(call.Attempt, d.fw.attempt, 1)+1, why, d.e.Mask(answerFailure(d.out).sentence)
	return &call
}

// try performs it in the way of the profile.
func (d *dispatch) try(ctx context.Context) {
	d.a.setExtensions(d.only)
	d.fw = d.e.follow(d.a, d.call)
	d.fw.history = d.history
	d.out = d.e.do(ctx, d.a, d.req, d.fw)
	if len(d.tried) == 0 {
		d.firstFailure = answerFailure(d.out)
	}
	if d.out.NotArrived() && problem.IsUnreachable(d.out.End.Class) {
		d.closed = append(d.closed, dialAddress(d.a.profile.Endpoint))
	}
	d.rpc = d.rpc || d.speaksRPC()
}

// speaksRPC reports whether the agent said in JSON-RPC that it has no such method.
func (d *dispatch) speaksRPC() bool {
	rpc := rpcError(d.out.Err)
	return d.a.profile.Binding != a2a.BindingREST && rpc != nil && rpc.Code == -32601
}

// sendPlain sends a message without a stream if the agent does not stream or has no such method.
func (d *dispatch) sendPlain(ctx context.Context) bool {
	if d.call.Op != a2a.OpStream || d.fw.hasEvents() || ctx.Err() != nil {
		return false
	}
	missing := d.out.MethodNotFound() && (d.a.profile.Binding == a2a.BindingREST || d.speaksRPC())
	refused := d.call.RefusesStream(rpcError(d.out.Err))
	switch unsupported := d.unsupported(); {
	case unsupported && d.isExplained(), !unsupported && !missing && !refused:
		return false
	}
	d.call = d.again(a2a.WhyWithoutStream)
	d.call.Op, d.req.Call = a2a.OpSend, d.call
	d.fw.call = d.call
	d.out = d.e.do(ctx, d.a, d.req, d.fw)
	switch {
	case missing && !d.out.MethodNotFound():
		d.noteNoStream()
	case refused && d.out.Err == nil:
		d.e.noteStreaming(d.a, a2a.False)
	}
	return true
}

// unsupported reports whether the agent says that it does not support what it was asked, or the
// server of HTTP+JSON does, by a status without a reason.
func (d *dispatch) unsupported() bool {
	rpc := rpcError(d.out.Err)
	unnamed := rpc == nil || rpc.Name == ""
	return rpc.Unsupported() || unnamed && d.out.Status == http.StatusNotImplemented && d.a.profile.Binding == a2a.BindingREST
}

// isExplained reports whether the agent need not mean the stream by that: it has streamed, or the
// message is for a task, which may be over.
func (d *dispatch) isExplained() bool {
	known := d.e.streaming(d.a)
	return known == a2a.True || model.AnswersTask(d.call) && known != a2a.False
}

// noteNoStream notes that an agent accepts messages but has no method to stream them.
func (d *dispatch) noteNoStream() {
	e := d.e
	e.mu.Lock()
	live := e.agents[d.agent]
	if live == nil || !live.profile.Streaming || !live.profile.Way().Same(d.a.profile.Way()) {
		e.mu.Unlock()
		return
	}
	p := live.withProvenWay(live.profile)
	e.mu.Unlock()
	method := model.MethodOf(&p, a2a.OpStream)
	p.Streaming = false
	p.Evidence = append(slices.Clone(p.Evidence), a2a.Evidence{
		Field: "streaming", Value: "no", Reason: "the agent has no " + method, Confidence: a2a.Certain, Record: d.out.Record(),
	})
	e.change(live, p, nil, 0, failure{sentence: "The agent has no " + method + "; Parley sends it messages without a stream.", class: ""})
}

// tryOtherWay tries another way to the agent, if there is one.
func (d *dispatch) tryOtherWay(ctx context.Context) bool {
	if d.fw.hasEvents() || d.a.aside { // the user chose the way
		return false
	}
	var other *remote
	ok := false
	if !d.vacant { // where nothing answers, what the card declares comes before guesses
		other, ok = d.e.findOtherWay(ctx, d)
	}
	if !ok && ctx.Err() == nil {
		other, ok = d.moveElsewhere()
	}
	if !ok && d.vacant {
		other, ok = d.e.findOtherWay(ctx, d)
	}
	if !ok {
		return false
	}
	d.tried = append(d.tried, d.a.profile.Way())
	d.a = other
	id := d.t.TaskID
	if !task.SendsMessage(d.op) {
		id = d.call.TaskID
	}
	next := d.again(a2a.WhyOtherDialect)
	if other.substitute {
		next.Why = a2a.WhyNextInterface
	}
	d.call = &a2a.Call{Agent: d.agent, Conversation: d.call.Conversation, Turn: d.call.Turn, Op: d.op, TaskID: id,
		Attempt: next.Attempt, Why: next.Why, Because: next.Because, Guess: !d.first.Offers(d.a.profile.Way())}
	d.e.address(d.a, d.t, d.call)
	d.req.Call, d.req.ContextID, d.req.Tenant = d.call, d.call.ContextID, d.a.profile.Tenant
	if task.SendsMessage(d.op) {
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
	if len(d.closed) > 0 && !d.out.RejectedUnread() {
		return // where the message may have been taken, the agent is asked about it
	}
	if d.keepDeclared() || d.tellProbes() || len(d.tried) == 0 || d.fw.hasEvents() || d.out.Err == nil || rpc != nil && !d.out.RejectedUnread() || ctx.Err() != nil && !d.out.RejectedUnread() {
		return
	}
	if live := d.e.agent(d.agent); live != nil {
		f := failure{}
		if d.refused() {
			f = d.failure()
		}
		if problem.IsUnreachable(f.class) { // the first way, but another one was answered
			f.class = ""
		}
		if d.out.NotArrived() {
			f = failure{}
			f.class = d.out.End.Class
		}
		d.e.change(live, d.first, nil, d.call.Turn, f)
		d.watchAgain()
	}
}

// refused reports whether the way that the card declares was refused, and all others too, so that
// what is told is the refusal of the first one.
func (d *dispatch) refused() bool {
	rpc := rpcError(d.out.Err)
	return !d.fw.hasEvents() && (d.out.MethodNotFound() || d.out.NothingThere() || d.out.NotArrived() ||
		len(d.tried) > 0 && d.out.RejectedUnread() && (rpc == nil || !problem.IsTaskUnknown(rpc)))
}

// failure is why the operation failed, the zero value if it did not: what was answered in the way that
// the card declares, and after it what was answered to guesses.
func (d *dispatch) failure() failure {
	f := answerFailure(d.out)
	before := f.sentence
	switch {
	case len(d.tried) > 0 && d.refused():
		f = d.describeRefusals()
	case d.cleared != "": // the card is right, and the user can change nothing in it
		f.sentence = d.describeClearance()
	case d.a.profile.AtOperation() && f.class == a2a.ClassStatus:
		f.sentence += " The card declares the path of one operation of HTTP+JSON for this agent, which may take that operation alone."
	}
	f.sentence += d.probes()
	f.sentence += d.pinHint()
	if f.sentence != before {
		f.cause = "" // it does not say all
	}
	return f
}

// pinHint names the user's pins where they may be the reason why a message was refused unread, empty elsewhere.
func (d *dispatch) pinHint() string {
	if !task.SendsMessage(d.op) || d.fw.hasEvents() || !d.out.MethodNotFound() && !problem.IsUnread(d.out.Status, rpcError(d.out.Err)) {
		return ""
	}
	return problem.PinHint(&d.a.profile)
}

// explain says of a message that a task did not accept what its state explains.
func (d *dispatch) explain(f failure) failure {
	rpc := rpcError(d.out.Err)
	if rpc == nil || f.class != problem.ClassRPC || d.fw.hasEvents() || !model.AnswersTask(d.call) {
		return f
	}
	state := a2a.StateUnknown
	d.e.withTask(d.agent, d.call.TaskID, func(k *knownTask) { state = k.State })
	f.sentence = problem.ForTaskState(f.sentence, rpc, state)
	return f
}

// describeRefusals says what was answered in the way that the card declares, and what came of the
// others.
func (d *dispatch) describeRefusals() failure {
	names := d.names()
	if d.out.MethodNotFound() && d.rpc {
		what, guesses := "sending a message", ""
		if !task.SendsMessage(d.op) {
			what = "this operation"
		}
		if others := slices.Concat(d.tried[1:], []a2a.Way{d.a.profile.Way()}); !slices.ContainsFunc(others, d.first.Offers) {
			guesses = ", all but the first as guesses"
		}
		return failure{sentence: fmt.Sprintf("The agent has no method for %s: Parley tried A2A %s%s, and nothing was started. Check the URL, or pin the dialect that the agent speaks (--dialect).",
			what, problem.JoinWords(names), guesses), class: problem.ClassRPC}

	}
	f := d.firstFailure
	if d.out.NotArrived() {
		f.sentence += " Parley tried A2A " + problem.JoinWords(names) + "."
		return f
	}
	also := " Parley also tried A2A " + problem.JoinWords(names[1:])
	if !d.first.Offers(d.a.profile.Way()) {
		also += ", a guess"
	}
	f.sentence += also + "."
	rpc := rpcError(d.out.Err)
	if d.out.MethodNotFound() || d.out.NothingThere() || rpc == nil {
		return f
	}
	f.sentence = fmt.Sprintf("%s, which was answered: “%s”.", strings.TrimSuffix(f.sentence, "."), strings.TrimSuffix(problem.Clip(rpc.Error()), "."))
	if endpoint, fault := d.first.Way().Moved(d.a.profile.Way()); endpoint != "" {
		f.sentence = moved(endpoint, fault) + ". " + f.sentence // the cause first
	}
	return f
}

// names returns the tried ways for a sentence.
func (d *dispatch) names() []string {
	var names []string
	for _, w := range append(slices.Clone(d.tried), d.a.profile.Way()) {
		names = append(names, problem.WayName(w))
	}
	return names
}
