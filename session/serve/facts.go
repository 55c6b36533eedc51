package serve

import (
	"net/url"

	"parley/session/request"
)

// facts are what identifies a request, recorded or received.
type facts struct {
	request.Facts
	// authorized is set if the request has credentials in the usual header.
	authorized bool
}

// readHTTP reads the facts of an HTTP request.
func readHTTP(verb string, target *url.URL, body []byte) facts {
	return facts{Facts: request.ReadHTTP(verb, target, nil, body)}
}
