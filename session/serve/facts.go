package serve

import (
	"net/url"

	"parley/a2a/jsontok"
	"parley/session/request"
)

// facts are what identifies a request, recorded or received.
type facts struct {
	request.Facts
	// authorized is set if the request has credentials in the usual header.
	authorized bool
	// isJSON is set if the body of a request that is no operation is JSON.
	isJSON bool
}

// readHTTP reads the facts of an HTTP request.
func readHTTP(verb string, target *url.URL, body []byte) facts {
	f := facts{Facts: request.ReadHTTP(verb, target, nil, body)}
	f.isJSON = f.Binding == "" && jsontok.Check(body) == nil
	return f
}
