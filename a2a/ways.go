package a2a

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// MethodNotFound reports whether the agent has no such method or path at all, so that
// nothing was started: JSON-RPC's own error for that (-32601), or a status of HTTP that
// says so and is about no task.
func (o *Outcome) MethodNotFound() bool {
	if o.Events > 0 || o.End.Reason == Refused {
		return false
	}
	var rpc *RPCError
	if errors.As(o.Err, &rpc) {
		switch {
		case rpc.Code == -32601:
			return true
		case rpc.Code == -32001, rpc.Code <= -32600 && rpc.Code >= -32700:
			return false // whatever the status: the agent understood the request
		}
	}
	return notHere(o)
}

// notHere reports whether nothing is served at a path, or nothing that takes this verb;
// that a task is not there is another matter.
func notHere(o *Outcome) bool {
	switch o.Status {
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	case http.StatusNotFound:
		var rpc *RPCError
		return !errors.As(o.Err, &rpc) || rpc.Reason == "" && !strings.Contains(strings.ToLower(rpc.Message), "task")
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

// Way returns how the agent of the profile is spoken to.
func (p *Profile) Way() Way { return Way{p.Dialect, p.Binding, p.Endpoint, p.Tenant} }

// maxWays bounds in how many ways one message is tried.
const maxWays = 8

// OtherWays returns how else an agent may be spoken to that does not have the method or
// the path by which it was asked, the likeliest way first: what its card offers besides,
// then what the same endpoint may speak. RPC says that it answered as JSON-RPC does, so
// that there is no point in HTTP+JSON. A POST that found nothing at the endpoint itself
// speaks against the address and not against the dialect.
func (p *Profile) OtherWays(rpc bool) []Way {
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

// Contradicted reports whether the agent is spoken to in another version than its card
// names.
func (p *Profile) Contradicted() bool {
	return p.Claim != "" && p.Dialect != Unknown && p.Claim != p.Dialect.Number()
}

// Proven reports whether some answer of the agent says that it speaks the dialect of the
// profile: to a probe, or to a message.
func (p *Profile) Proven() bool {
	return slices.ContainsFunc(p.Evidence, func(e Evidence) bool {
		return e.Field == "dialect" && e.Value == string(p.Dialect) && e.Record != 0 && e.Confidence > Guess && e.Confidence != Pinned
	})
}

// Pinned reports whether the user decided about a field of the profile: dialect,
// binding, endpoint or tenant.
func (p *Profile) Pinned(field string) bool {
	return slices.ContainsFunc(p.Evidence, func(e Evidence) bool { return e.Field == field && e.Confidence == Pinned })
}

// PinnedFields returns the names of the fields that the user decided about, in the
// order dialect, transport, endpoint, tenant.
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
