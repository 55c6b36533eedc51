package engine

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
)

// ProbeDialect probes an agent's endpoint again, without side effects. The result is added to
// the agent's profile; the dialect changes only if the evidence against the result was not
// certain.
func (e *Engine) ProbeDialect(agent a2a.AgentID) {
	a := e.agent(agent)
	if a == nil || a.tapped {
		return
	}
	e.start(func() {
		e.mu.Lock()
		endpoint, profile, held, binding := a.profile.Endpoint, a.profile, a.held != "", a.pins.Binding
		e.mu.Unlock()
		e.probes.Delete(probed{endpoint, binding})
		if endpoint == "" || held {
			e.Reopen(agent)
			return
		}
		p := e.probe(e.ctx, a, endpoint)
		if e.ctx.Err() == nil {
			e.change(a, e.addProbe(a, profile, &p), p.Attempts, 0, failure{})
		}
	})
}

// probe probes an endpoint once, as far as the user did not pin how to speak to it, and saves the
// answer.
func (e *Engine) probe(ctx context.Context, a *remote, endpoint string) a2a.ProbeResult {
	e.mu.Lock()
	o := e.clientOptions(a)
	o.Pins = a.pins
	e.mu.Unlock()
	what := probed{endpoint, o.Pins.Binding}
	if known, ok := e.probes.Load(what); ok {
		return known.(a2a.ProbeResult)
	}
	p := a2a.Probe(ctx, endpoint, &a2a.Call{Agent: a.id}, o)
	if ctx.Err() == nil && !problem.IsUnreachable(p.Class) && unreached(p.Attempts) == "" { // which may be over soon
		e.probes.Store(what, p)
	}
	return p
}

// unreached returns the status of the last probe if servers that do not reach the agent answered all of them,
// empty otherwise: such probes show nothing of the endpoint.
func unreached(probes []a2a.Lookup) (status string) {
	for i := range probes {
		code := probes[i].Status
		if !a2a.CannotReach(code) {
			return ""
		}
		status = strings.TrimSpace(fmt.Sprint(code, " ", http.StatusText(code)))
	}
	return status
}

// A probed is what was probed: an endpoint, over one binding if that is pinned.
type probed struct {
	endpoint string
	binding  a2a.Binding
}

// verify probes if discovery leaves a doubt: there is no card, or the card allows only a guess.
func (e *Engine) verify(ctx context.Context, a *remote, f *a2a.Discovery) {
	e.mu.Lock()
	pins := a.pins
	pinned := pins.Dialect != a2a.Unknown
	_, held := a.provenWay()
	before := a.profile
	confirmed := a.confirms(f.Profile.Endpoint) && a.confirms(f.Endpoint) && a.held == ""
	e.mu.Unlock()
	unreadable := f.Card == nil && (f.Class == a2a.ClassNoCard || f.Class == a2a.ClassBadCard || f.Class == a2a.ClassStatus)
	recalls := unreadable || f.Card == nil && (f.Class == a2a.ClassCut || forbids(f))
	switch {
	case ctx.Err() != nil || f.Card == nil && problem.IsUnreachable(f.Class):
	case recalls && (pinned || !held) && recollection{e, a}.recall(ctx, f):
	case pinned && f.Card == nil:
		f.Profile.Endpoint = f.Endpoint
		f.Profile.Warnings = append(f.Profile.Warnings, f.Cause()+"; the agent's capabilities are unknown")
	case pinned:
	case held && recalls:
		f.Profile = before
		said := f.Cause() + "; Parley continues to use the dialect that the agent answered in before"
		if !slices.Contains(before.Warnings, said) {
			f.Profile.Warnings = append(slices.Clone(before.Warnings), said)
		}
		f.Sentence, f.Class = "", ""
	case held, !confirmed:
	case f.Card != nil && f.Profile.Endpoint != "" && f.Profile.Dialect != a2a.Unknown && isDoubtful(f.Card, &f.Profile):
		p := e.probe(ctx, a, f.Profile.Endpoint)
		f.Attempts = append(f.Attempts, p.Attempts...)
		f.Profile = withProbe(f.Profile, &p)
	case unreadable && cmp.Or(pins.Endpoint, f.Endpoint) != "":
		p := e.probe(ctx, a, cmp.Or(pins.Endpoint, f.Endpoint))
		f.Attempts = append(f.Attempts, p.Attempts...)
		if said := unreached(p.Attempts); p.Profile.Problem != "" && said != "" {
			f.Sentence += fmt.Sprintf(" Parley also probed the address as an endpoint: all %d probes were answered with %s. The agent may be down or starting behind what answers: wait, then try again.",
				len(p.Attempts), said)
			return
		} else if p.Profile.Problem != "" {
			f.Sentence += " Parley also probed the address as an endpoint: " + p.Profile.Problem + "."
			return
		}
		f.Profile = pins.Apply(p.Profile)
		guess := "Parley guesses that " + a2a.MaskReference(p.Profile.Endpoint) + " is the endpoint, because probes were answered there"
		if pins.Endpoint != "" {
			guess = "probes show that the pinned address is an endpoint"
		}
		f.Profile.Warnings = append(slices.Clone(f.Profile.Warnings), f.Cause()+"; "+guess+", but the agent's capabilities are unknown")
		f.Sentence, f.Class = "", ""
	}
}

// isDoubtful reports whether the dialect of a profile is a guess, claimed by a card that is not
// written in it, or one that Parley does not speak.
func isDoubtful(c *a2a.Card, p *a2a.Profile) bool {
	switch {
	case p.Binding == a2a.BindingMQTT: // its topic is all there is
		return false
	case p.Problem != "":
		return true
	}
	confidence := p.Reason("dialect").Confidence
	ofOne := func(i a2a.Interface) bool { return i.Origin == a2a.FromSupported }
	return confidence == a2a.Guess || p.Dialect == a2a.V10 && !slices.ContainsFunc(c.Interfaces, ofOne)
}

// addProbe adds the result of probes to the profile of an agent, unless the agent has answered
// in another way. The caller does not hold the engine's lock.
func (e *Engine) addProbe(a *remote, p a2a.Profile, found *a2a.ProbeResult) a2a.Profile {
	e.mu.Lock()
	defer e.mu.Unlock()
	if was, held := a.provenWay(); held && found.Profile.Problem == "" && !found.Profile.Way().Same(was.way) {
		q := p
		q.Evidence = slices.Concat(p.Evidence, found.Profile.Evidence)
		q.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf(
			"Probes indicate A2A %s, but the agent has answered in %s: Parley continues with %s; pin a dialect to change that",
			found.Profile.Dialect.Number(), was.way.Dialect.Number(), was.way.Dialect.Number()))
		return q
	}
	return withProbe(p, found)
}

// withProbe adds the result of probes to a profile. It replaces less certain facts, and
// otherwise becomes a warning beside what the card says.
func withProbe(p a2a.Profile, found *a2a.ProbeResult) a2a.Profile {
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(p.Warnings)
	p.Warnings = append(p.Warnings, found.Profile.Warnings...)
	if found.Profile.Problem != "" {
		p.Evidence = append(p.Evidence, a2a.Evidence{Field: "probe", Value: "nothing recognised", Reason: found.Profile.Problem})
		if cause, _, advises := strings.Cut(p.Problem, a2a.PinAdvice); advises && found.Class == "" {
			p.Problem = cause + ", and probes in these versions were not answered as an agent does" // so a pin does not help
		}
		return p
	}
	before, proof := p.Reason("dialect").Confidence, found.Profile.Reason("dialect")
	now := proof.Confidence
	p.Evidence = append(p.Evidence, found.Profile.Evidence...)
	speak := func() {
		p.Dialect, p.Binding, p.Problem = found.Profile.Dialect, found.Profile.Binding, ""
		if said := contradiction(&p); said != "" {
			p.Warnings = append(p.Warnings, said+": "+proof.Reason)
		}
	}
	switch {
	case p.Problem != "":
		if at := p.Reason("endpoint"); at.Value != "" && at.Confidence == a2a.Guess {
			p.Warnings = append(p.Warnings, "The card declares no endpoint; "+at.Value+", the address of the card, is a guess that a probe has confirmed")
		}
		speak()
	case p.Way().Same(found.Profile.Way()):
	case before < a2a.Certain && (before < now || before == a2a.Guess):
		speak()
	default:
		says := "is written as"
		if p.Claim != "" {
			says = "says"
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf(
			"The card %s A2A %s but probes indicate %s: Parley continues with %s; pin a dialect to change that",
			says, p.Dialect.Number(), found.Profile.Dialect.Number(), p.Dialect.Number()))
	}
	return p
}

// findOtherWay finds another way to an agent that rejected an operation unread because of a wrong
// dialect. It reports false when there is none, when work may have begun, when the user pinned the way,
// or when the refusal says that the agent did not read the version. Only mandatory methods count: a
// missing optional method says nothing about the dialect.
func (e *Engine) findOtherWay(ctx context.Context, d *dispatch) (*remote, bool) {
	out, call := &d.out, d.call
	rpc := rpcError(out.Err)
	if !task.IsRequired(call.Op) || !out.RejectedUnread() || out.End.Reason == a2a.Refused || ctx.Err() != nil || rpc != nil && problem.IsTaskUnknown(rpc) {
		return nil, false
	}
	e.mu.Lock()
	live := e.agents[d.agent]
	var pins a2a.Pins
	held := false
	if live != nil {
		pins = live.pins
		_, held = live.provenWay()
	}
	e.mu.Unlock()
	if live == nil || pins.Fix() || rpc != nil && rpc.Unread || held && !(task.SendsMessage(call.Op) && out.MethodNotFound()) {
		return nil, false
	}
	next, why := e.otherWay(ctx, d, pins)
	if next.Dialect == a2a.Unknown || ctx.Err() != nil {
		return nil, false
	}
	p := d.a.profile
	now := problem.WayName(next)
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(d.first.Warnings)
	for _, field := range [...]struct{ name, before, value string }{
		{"dialect", "", string(next.Dialect)}, {"binding", string(p.Binding), string(next.Binding)}, {"endpoint", p.Endpoint, next.Endpoint},
	} {
		if why.Field, why.Value = field.name, field.value; field.before != field.value {
			p.Evidence = append(p.Evidence, why)
		}
	}
	p.Dialect, p.Binding, p.Endpoint, p.Tenant = next.Dialect, next.Binding, next.Endpoint, next.Tenant
	p.Alternatives = slices.DeleteFunc(slices.Clone(p.Alternatives), next.Same)
	said := contradiction(&p)
	if said == "" {
		said = fmt.Sprintf("Parley assumed A2A %s for the agent and now speaks %s", problem.WayName(d.first.Way()), now)
	}
	p.Warnings = append(p.Warnings, said+": "+why.Reason)
	if why.Confidence == a2a.Guess {
		now += ", a guess"
	}
	sentence := fmt.Sprintf("The agent rejected the request unread as A2A %s; Parley sent it again as %s, because %s.", problem.JoinWords(d.names()), now, why.Reason)
	return d.become(p, failure{sentence: sentence, class: ""})
}

// otherWay returns another way to speak to the agent and the evidence for it: the way that the agent
// names itself, those of its card and guesses for an agent without the method, and otherwise the way
// that probes find. Guesses that were refused are followed by no probe.
func (e *Engine) otherWay(ctx context.Context, d *dispatch, pins a2a.Pins) (next a2a.Way, why a2a.Evidence) {
	p := &d.a.profile
	current := p.Way()
	open := func(w a2a.Way) bool {
		known := func(o a2a.Way) bool { return o.Same(w) }
		return w.Dialect != a2a.Unknown && !w.Same(current) && !slices.ContainsFunc(d.tried, known) && pins.Allow(w) &&
			!slices.Contains(d.closed, dialAddress(w.Endpoint))
	}
	why = a2a.Evidence{Confidence: a2a.Likely, Record: d.out.Proof()}
	for _, saw := range d.out.Last.Saw {
		offered := current
		offered.Dialect = a2a.DialectName(saw.Value)
		if why.Reason = saw.Reason; saw.Field == "dialect" && open(offered) {
			return offered, why
		}
	}
	if found := d.probed; found != nil && !d.out.MethodNotFound() && found.Profile.Problem == "" && len(d.tried) == 0 && open(found.Profile.Way()) {
		return found.Profile.Way(), found.Profile.Reason("dialect")
	}
	if d.out.MethodNotFound() || d.out.NothingThere() {
		if why.Reason = "the agent has no " + model.MethodOf(p, d.call.Op); d.vacant || !d.out.MethodNotFound() {
			why.Reason = "nothing answers A2A at " + a2a.MaskReference(p.Endpoint)
		}
		for _, w := range d.ways() {
			if !open(w) {
				continue
			}
			if !d.first.Offers(w) {
				why.Confidence = a2a.Guess
			}
			if w.Dialect == a2a.V01 && w.Binding == a2a.BindingJSONRPC {
				if found := e.probe(ctx, d.a, w.Endpoint); found.Profile.Dialect == a2a.SAMDoc && open(found.Profile.Way()) {
					return found.Profile.Way(), found.Profile.Reason("dialect")
				}
			}
			return w, why
		}
		if p.Binding == a2a.BindingREST {
			return a2a.Way{}, why
		}
	}
	if len(d.tried) > 0 {
		return a2a.Way{}, why
	}
	return d.probedWay(ctx, open, why.Record)
}

// probedWay returns the way in which probes are answered where an operation was refused, or another one of the
// card if none is.
func (d *dispatch) probedWay(ctx context.Context, open func(a2a.Way) bool, refusal a2a.RecordID) (next a2a.Way, why a2a.Evidence) {
	found := d.probed
	if found == nil {
		now := d.probe(ctx)
		found = &now
	}
	why = a2a.Evidence{Confidence: a2a.Likely, Record: refusal, Reason: "the card also offers that"}
	if w := found.Profile.Way(); found.Profile.Problem == "" && open(w) {
		return w, found.Profile.Reason("dialect")
	} else if found.Profile.Problem == "" {
		return a2a.Way{}, why // it does speak that dialect, and refused for another reason
	}
	for _, alt := range d.a.profile.Alternatives {
		if open(alt) {
			return alt, why
		}
	}
	return a2a.Way{}, why
}

// keepDeclared restores the agent's profile if the card explains why a guess was answered: the agent
// speaks the version that the card names, and the URL in the card is wrong. Parley says which URL is
// right and does not take it.
func (d *dispatch) keepDeclared() bool {
	live := d.e.agent(d.agent)
	if live == nil || len(d.tried) == 0 || d.a.aside || !d.fw.hasEvents() && !d.knowsGuess() {
		return false
	}
	endpoint, fault := d.first.Way().Moved(d.a.profile.Way())
	if endpoint == "" || d.first.Claim == "" || d.first.ContradictsCard() || d.out.Shape == d.a.profile.Dialect {
		return false
	}
	said := fmt.Sprintf("Nothing answers A2A %s at %s. %s", problem.WayName(d.first.Way()), a2a.MaskReference(d.first.Endpoint), moved(endpoint, fault))
	p := d.first
	if p.Warnings = slices.Clone(p.Warnings); !slices.Contains(p.Warnings, said) {
		p.Warnings = append(p.Warnings, said)
	}
	d.e.mu.Lock()
	live.proven = provenWay{}
	d.e.mu.Unlock()
	turn := d.call.Turn
	if !d.fw.hasEvents() { // the answer stays what the turn tells
		turn = 0
	}
	d.e.change(live, p, nil, turn, failure{sentence: said + ".", class: ""})
	return true
}

// knowsGuess reports whether the agent refused a guess because it does not know the task, which it
// looked for.
func (d *dispatch) knowsGuess() bool {
	rpc := rpcError(d.out.Err)
	return rpc != nil && problem.IsTaskUnknown(rpc)
}

// moved says that the URL in the card is wrong, and how to use the right one.
func moved(endpoint, fault string) string {
	at := a2a.MaskReference(endpoint)
	return fmt.Sprintf("The agent answers below %s: the URL in the card %s. To use that endpoint, pin it with --endpoint %s or in the finder", at, fault, at)
}

// change gives an agent another profile and records it for replays.
func (e *Engine) change(a *remote, p a2a.Profile, attempts []a2a.Lookup, turn a2a.TurnID, said failure) {
	e.mu.Lock()
	e.speak(a, p)
	p = a.maskProfile(a.profile)
	e.mu.Unlock()
	attrs := profileNote(a.id, p)
	attrs[log.AttrSentence], attrs[log.AttrClass] = said.sentence, said.class
	if turn != 0 {
		attrs[log.AttrTurn] = log.IDText(turn)
	}
	setJSON(attrs, log.AttrAttempts, attempts)
	e.note(log.NoteProfile, attrs)
}
