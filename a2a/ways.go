package a2a

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// MethodNotFound reports whether the agent has no such method or path at all, so that nothing
// was started: JSON-RPC's own error for that (-32601), or an HTTP status that says so and does
// not concern a task. Over JSON-RPC such a status says nothing about a method: see [Answer.NothingThere].
func (o *Answer) MethodNotFound() bool {
	if o.Events > 0 || o.End.Reason == Refused {
		return false
	}
	if rpc, ok := errors.AsType[*RPCError](o.Err); ok {
		switch {
		case rpc.Code == -32601:
			return true
		case rpc.Code == -32001, rpc.Code <= -32600 && rpc.Code >= -32700:
			return false // for any status: the agent understood the request
		}
	}
	return o.lacksHandler() && !(o.call.Binding == BindingJSONRPC && o.NothingThere())
}

// NothingThere reports whether a URL was answered for as one at which nothing is, or nothing that takes the
// request, and not by an error of A2A. The server that answered so may be one on the way to the agent.
func (o *Answer) NothingThere() bool {
	if o.Events > 0 || o.End.Reason == Refused || o.call.Binding != BindingJSONRPC && o.call.Binding != BindingREST {
		return false
	}
	rpc, ok := errors.AsType[*RPCError](o.Err)
	said := ok && (rpc.Code != 0 || rpc.Name != "" || rpc.Reason != "")
	return !said && (o.Status == http.StatusNotFound || o.Status == http.StatusMethodNotAllowed)
}

// lacksHandler is [LacksHandler] of an answer.
func (o *Answer) lacksHandler() bool {
	rpc, _ := errors.AsType[*RPCError](o.Err)
	return LacksHandler(o.Status, rpc)
}

// LacksHandler reports whether a path has no handler, or none for this verb, by the status and the
// error of an answer over HTTP+JSON; a missing task is another matter, and so is an error whose
// reason says that an agent made it. The error may be nil.
func LacksHandler(status int, e *RPCError) bool {
	switch status {
	case http.StatusMethodNotAllowed:
		return true
	case http.StatusNotImplemented:
		return e == nil || e.Reason == ""
	case http.StatusNotFound:
		return e == nil || e.Reason == "" && !strings.Contains(strings.ToLower(e.Message), "task")
	}
	return false
}

// Same reports whether the same bytes go to the same place in both ways. 0.2 and 0.3
// differ only in name.
func (w Way) Same(as Way) bool {
	for _, v := range []*Way{&w, &as} {
		if v.Dialect == V02 {
			v.Dialect = V03
		}
		v.Tenant = ""
	}
	return w == as
}

// Way returns how Parley speaks to the agent of the profile.
func (p *Profile) Way() Way { return Way{p.Dialect, p.Binding, p.Endpoint, p.Tenant} }

// CardWays returns the ways that a card offers and Parley speaks, in the order in which they
// would be tried.
func CardWays(card *Card) []Way {
	p := Detect(card)
	if p.Problem != "" || p.Endpoint == "" {
		return nil
	}
	return append([]Way{p.Way()}, p.Alternatives...)
}

// maxWays limits in how many ways one message is tried.
const maxWays = 8

// OtherWays returns other ways to speak to an agent that lacks the method or path of a request,
// the likeliest first: the card's other offers, then guesses, which are what the same endpoint may
// speak, and the endpoint without the path of an operation. RPC says that it answered as JSON-RPC, so
// that HTTP+JSON is pointless. A POST that found nothing at the endpoint itself indicates a wrong
// address, not a wrong dialect.
func (p *Profile) OtherWays(rpc bool) []Way {
	if IsMesh(p.Endpoint) { // nothing but the topic of the agent is known there
		return nil
	}
	ways := slices.Clone(p.Alternatives)
	at := func(endpoint string, b Binding, dialects ...DialectName) {
		for _, d := range dialects {
			ways = append(ways, Way{d, b, endpoint, p.Tenant})
		}
	}
	switch {
	case rpc:
		at(p.Endpoint, BindingJSONRPC, V10, V03, V01)
	case p.Binding == BindingREST:
		at(p.Endpoint, BindingREST, V10, V03)
		at(p.Endpoint, BindingJSONRPC, V10, V03, V01)
	}
	if base := p.baseEndpoint(); base != "" {
		at(base, BindingJSONRPC, p.Dialect)
		if !rpc && canSpeak(p.Dialect, BindingREST) {
			at(base, BindingREST, p.Dialect)
		}
	}
	var out []Way
	for _, w := range ways {
		known := func(o Way) bool { return o.Same(w) }
		if !w.Same(p.Way()) && !slices.ContainsFunc(out, known) && len(out) < maxWays {
			out = append(out, w)
		}
	}
	return out
}

// Moved returns the endpoint at which an agent speaks the version that its card names, if it did not
// answer in the way w, which the card declares, but in another one over HTTP+JSON. The paths of 0.3
// begin with /v1 and those of 1.0 do not, so an answer in the other version can mean that the URL in
// the card lacks that prefix, or has it where the version adds it itself. Fault says which.
func (w Way) Moved(answered Way) (endpoint, fault string) {
	const prefix = "/v1"
	if w.Binding != BindingREST || answered.Binding != BindingREST || w.Endpoint != answered.Endpoint {
		return "", ""
	}
	u := httpURL(w.Endpoint)
	switch base, has := strings.CutSuffix(strings.TrimSuffix(w.Endpoint, "/"), prefix); {
	case u == nil || u.RawQuery != "":
		return "", ""
	case w.Dialect == V10 && answered.Dialect == V03:
		return strings.TrimSuffix(w.Endpoint, "/") + prefix, "lacks the prefix " + prefix
	case w.Dialect == V03 && answered.Dialect == V10 && has:
		return base, "has the prefix " + prefix + ", which A2A 0.3 adds itself"
	}
	return "", ""
}

// Offers reports whether a way is one that the card declares or that the user pinned, not a guess.
func (p *Profile) Offers(w Way) bool {
	return p.Way().Same(w) || slices.ContainsFunc(p.Alternatives, w.Same)
}

// Reason returns the strongest evidence for the value of a field that is in use, the newest of equal
// ones. The zero evidence means that nothing supports the value.
func (p *Profile) Reason(field string) Evidence {
	value := map[string]string{
		"dialect": string(p.Dialect), "binding": string(p.Binding), "endpoint": p.Endpoint, "tenant": p.Tenant,
		"streaming": map[bool]string{true: "yes", false: "no"}[p.Streaming],
	}[field]
	var best Evidence
	for _, ev := range p.Evidence {
		if ev.Field == field && ev.Value == value && (best.Field == "" || ev.Confidence >= best.Confidence) {
			best = ev
		}
	}
	return best
}

// ContradictsCard reports whether Parley speaks another version to the agent than its card names.
func (p *Profile) ContradictsCard() bool {
	return p.Claim != "" && p.Dialect != Unknown && p.Claim != p.Dialect.Number()
}

// Proven reports whether some answer of the agent says that it speaks the dialect of the
// profile: to a probe, or to a message.
func (p *Profile) Proven() bool {
	return slices.ContainsFunc(p.Evidence, func(e Evidence) bool {
		return e.Field == "dialect" && e.Value == string(p.Dialect) && e.Record != 0 && e.Confidence > Guess && e.Confidence != Pinned
	})
}

// Pinned reports whether the user chose a field of the profile: dialect, binding, endpoint or
// tenant.
func (p *Profile) Pinned(field string) bool {
	return slices.ContainsFunc(p.Evidence, func(e Evidence) bool { return e.Field == field && e.Confidence == Pinned })
}

// PinnedFields returns the names of the fields that the user chose, in the order dialect,
// transport, endpoint, tenant.
func (p *Profile) PinnedFields() []string {
	var out []string
	for _, f := range [...]struct{ field, name string }{
		{"dialect", "dialect"}, {"binding", "transport"}, {"endpoint", "endpoint"}, {"tenant", "tenant"},
	} {
		if p.Pinned(f.field) {
			out = append(out, f.name)
		}
	}
	return out
}
