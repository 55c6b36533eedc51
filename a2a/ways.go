package a2a

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// MethodNotFound reports whether the agent has no such method or path at all, so that nothing
// was started: JSON-RPC's own error for that (-32601), or an HTTP status that says so and does
// not concern a task.
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
	return o.lacksHandler()
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
// the likeliest first: the card's other offers, then what the same endpoint may speak. RPC says
// that it answered as JSON-RPC, so that HTTP+JSON is pointless. A POST that found nothing at
// the endpoint itself indicates a wrong address, not a wrong dialect.
func (p *Profile) OtherWays(rpc bool) []Way {
	if IsMesh(p.Endpoint) { // nothing but the topic of the agent is known there
		return nil
	}
	ways := slices.Clone(p.Alternatives)
	at := func(b Binding, dialects ...DialectName) {
		for _, d := range dialects {
			ways = append(ways, Way{d, b, p.Endpoint, p.Tenant})
		}
	}
	switch {
	case rpc:
		at(BindingJSONRPC, V10, V03, V01)
	case p.Binding == BindingREST:
		at(BindingREST, V10, V03)
		at(BindingJSONRPC, V10, V03, V01)
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
