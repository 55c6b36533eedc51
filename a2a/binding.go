package a2a

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A binding maps operations to HTTP requests. Answers need none: [Decode] reads
// them by what they hold.
type binding interface {
	// encode writes an operation as one request; id is for bindings that number
	// their requests. The error is an [*EncodeError].
	encode(req Request, id string) (outgoingRequest, error)
	// next returns the request that must follow an answer to complete the operation, and a
	// sentence with the reason; ok is false if none must follow. It repeats a request only if
	// the answer proves that nothing was started.
	next(req *Request, sent outgoingRequest, o *Answer) (follow outgoingRequest, why string, ok bool)
}

// An outgoingRequest is an encoded request without its credentials.
type outgoingRequest struct {
	method string
	url    string
	header http.Header
	body   []byte
	rpcID  string // the request's JSON-RPC id as JSON text, empty if it has none
	// path is set for a request that a carrier sends: the method below the endpoint. binary is
	// the message, of which body is the rendering; nil if it is JSON.
	path   string
	binary *Binary
	tried  repeats
	// dialect is the dialect of a repetition, empty for that of the call.
	dialect DialectName
	// from is the URL that was redirected to this one, nil without a redirect; home is then the origin of
	// the first request.
	from *url.URL
	home string
}

// repeats are the second attempts that were already made for a request.
type repeats uint8

const (
	triedMedia    repeats = 1 << iota // the other content type
	triedVerb                         // POST where one text of the specification says GET, and the reverse
	triedSpelling                     // the other names of members
	triedFollow                       // the separate stream of a gateway
	triedMethod                       // the method in the place of a GET, or the reverse
)

// bindingFor returns the binding of a profile, or a sentence that says why there is none. A
// dialect that implies a binding decides it.
func bindingFor(p Profile) (b binding, problem string) {
	if p.Problem != "" {
		return nil, p.Problem
	}
	d, ok := p.Spoken()
	name := p.Dialect
	if ok {
		name = d.name
	}
	_, implied := name.version()
	switch {
	case name == V10Draft:
		return nil, "Parley reads the drafts of 1.0 but does not send them: choose 1.0 or 0.3."
	case !ok:
		return nil, fmt.Sprintf("Parley does not speak an A2A dialect named “%s”: choose one from 0.1 to 1.0.", p.Dialect)
	case p.Binding == BindingMQTT || implied == BindingMQTT:
		return meshBindingFor(&p, d)
	case IsMesh(p.Endpoint) && strings.HasPrefix(strings.ToLower(p.Endpoint), "mqtt"): // a WebSocket may be anything
		return nil, "The address is that of a broker, where only MQTT is spoken: choose that binding, or another address."
	case name == SAMHTTP:
		return samBinding{dialect: d, base: p.Endpoint, agent: p.Agent}, ""
	case implied == BindingREST:
		return restBinding{dialect: d, base: p.Endpoint}, ""
	case implied == BindingGRPC:
		return grpcBinding{dialect: d, endpoint: GRPCEndpoint(p.Endpoint)}, ""
	case p.Binding == BindingJSONRPC || p.Binding == "":
		return jsonrpcBinding{dialect: d, endpoint: p.Endpoint}, ""
	case p.Binding == BindingREST, p.Binding == BindingGRPC:
		return nil, fmt.Sprintf("Parley does not speak %s over %s: ask whether the agent also has a JSON-RPC endpoint.", d.title(), p.Binding)
	default:
		return nil, fmt.Sprintf("The agent speaks %s, which Parley does not support: "+
			"ask whether it also has a JSON-RPC or HTTP+JSON endpoint.", p.Binding)
	}
}

// Spoken returns the dialect in which an agent of this profile is spoken to: that of
// the binding, if one version has several. It reports false if there is none.
func (p *Profile) Spoken() (*Dialect, bool) {
	name := p.Dialect
	switch p.Binding {
	case BindingREST:
		name = overREST(name)
	case BindingGRPC:
		name = overGRPC(name)
	case BindingMQTT:
		name = overMQTT(name)
	}
	return LookupDialect(name)
}

// overREST returns the HTTP+JSON dialect of a version. The first agents with that binding
// declared 0.2 and used the shapes that 0.3 released.
func overREST(name DialectName) DialectName {
	switch name {
	case V10:
		return V10REST
	case V03, V02:
		return V03REST
	default:
		return name
	}
}
