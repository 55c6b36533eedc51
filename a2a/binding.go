package a2a

import (
	"fmt"
	"net/http"
)

// A binding maps operations to HTTP requests. Answers need none: [Decode] reads
// them by what they hold.
type binding interface {
	// encode writes an operation as one request; id is for bindings that number
	// their requests. The error is an [*EncodeError].
	encode(req Request, id string) (outgoing, error)
}

// An outgoing request, before credentials.
type outgoing struct {
	method string
	url    string
	header http.Header
	body   []byte
	rpcID  string // the request's JSON-RPC id as JSON text, empty if it has none
}

// bindingFor returns the binding of a profile, or in one sentence why there is
// none.
func bindingFor(p Profile) (b binding, problem string) {
	if p.Problem != "" {
		return nil, p.Problem
	}
	d, ok := Lookup(p.Dialect)
	switch {
	case !ok:
		return nil, fmt.Sprintf("No dialect of A2A named “%s” is spoken here: choose one from 0.1 to 1.0.", p.Dialect)
	case p.Binding == BindingJSONRPC || p.Binding == "":
		return jsonrpcBinding{dialect: d, endpoint: p.Endpoint}, ""
	default:
		return nil, fmt.Sprintf("The agent is reached over %s, which is not spoken here: "+
			"ask whether it has a JSON-RPC endpoint too.", p.Binding)
	}
}
