package engine

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/problem"
	"parley/session/task"
)

// An interface of a card may be out of reach while another one answers: its port is closed to
// this network, its name has no address, or something else listens there. An operation that did
// not arrive is then sent over the next interface of the card.

// elsewhere returns the next interface of an agent's card for an operation that did not arrive, or for which the
// address is vacant: nothing answers there.
// It reports false when there is none, when the agent has answered where it is not reached now,
// which means that it may come back, or when the user chose the way.
func (e *Engine) elsewhere(a *remote, call *a2a.Call, out *a2a.Answer, vacant bool) (a2a.Way, bool) {
	if !task.IsRequired(call.Op) || !out.NotArrived() && !vacant || a.aside || call.Raw {
		return a2a.Way{}, false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	live := e.agents[a.id]
	if live == nil {
		return a2a.Way{}, false
	}
	if _, held := live.provenWay(); held || live.pins.Fix() {
		return a2a.Way{}, false
	}
	i := slices.IndexFunc(a.profile.Alternatives, func(w a2a.Way) bool {
		same := dialAddress(w.Endpoint) == dialAddress(a.profile.Endpoint)
		return live.pins.Allow(w) && !(same && problem.IsUnreachable(out.End.Class)) && keepsSecret(a, w.Endpoint)
	})
	if i < 0 {
		return a2a.Way{}, false
	}
	return a.profile.Alternatives[i], true
}

// keepsSecret reports whether an operation may go to another endpoint: one that is not encrypted
// is no substitute for one that is, unless it is on this machine or gave the card. The caller
// holds the engine's lock.
func keepsSecret(a *remote, endpoint string) bool {
	encrypted := func(endpoint string) bool { return strings.HasPrefix(a2a.Origin(endpoint), "https:") }
	u, err := url.Parse(endpoint)
	return !encrypted(a.profile.Endpoint) || encrypted(endpoint) || a2a.Origin(endpoint) == a.origin || err == nil && a2a.ReachOf(u.Hostname()) == a2a.ReachMachine
}

// moveElsewhere makes an agent speak over the next interface of its card, and says so in the
// turn. It reports false when there is none.
func (d *dispatch) moveElsewhere() (*remote, bool) {
	next, ok := d.e.elsewhere(d.a, d.call, &d.out, d.vacant)
	if !ok {
		return nil, false
	}
	why := d.out.End.Cause()
	if d.vacant {
		why = fmt.Sprintf("%s answered the request with %s, and probes not as A2A", a2a.MaskReference(d.a.profile.Endpoint), d.out.Said)
	}
	p := d.a.profile
	p.Evidence, p.Alternatives = slices.Clone(p.Evidence), nil
	p.Dialect, p.Binding, p.Endpoint, p.Tenant, p.Claim = next.Dialect, next.Binding, next.Endpoint, next.Tenant, next.Dialect.Number()
	for _, w := range d.a.profile.Alternatives {
		if !w.Same(next) {
			p.Alternatives = append(p.Alternatives, w)
		}
	}
	for _, field := range [][2]string{{"dialect", string(next.Dialect)}, {"binding", string(next.Binding)}, {"endpoint", next.Endpoint}} {
		p.Evidence = append(p.Evidence, a2a.Evidence{Field: field[0], Value: field[1], Reason: "the card offers it too, and " + why, Confidence: a2a.Certain})
	}
	other, ok := d.become(p, failure{sentence: fmt.Sprintf("%s; Parley sent the request as A2A %s, which the card offers too.", why, problem.WayName(next)), class: ""})
	if ok {
		other.substitute = true
	}
	return other, ok
}

// become gives the agent another profile for the rest of the operation, and says why.
func (d *dispatch) become(p a2a.Profile, said failure) (*remote, bool) {
	e := d.e
	live := e.agent(d.agent)
	if live == nil {
		return nil, false
	}
	e.change(live, p, nil, d.call.Turn, said)
	e.mu.Lock()
	defer e.mu.Unlock()
	if th := e.convs[d.call.Conversation]; th != nil && d.call.Dialect == a2a.V01 {
		th.contextID = "" // it was made here, only for 0.1
	}
	copied := *live
	return &copied, copied.client != nil
}

// watchAgain watches an agent of which no interface was reached, at its first one.
func (d *dispatch) watchAgain() {
	e := d.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if live := e.agents[d.agent]; live != nil && d.out.NotArrived() && problem.IsUnreachable(d.out.End.Class) {
		live.stopWatch()
		e.startWatch(live)
	}
}
