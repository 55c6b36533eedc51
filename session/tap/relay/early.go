package relay

import (
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
)

// An early passes on the informational heads (1xx) of a stream. A transport reports them on a goroutine
// of its own, which does not wait for the end of the request: after that, nothing may be written.
type early struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	over bool
}

// trace returns what a transport calls.
func (e *early) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.over {
			return http.ErrAbortHandler
		}
		header := e.w.Header()
		maps.Copy(header, http.Header(h))
		// With this field, of which no value is sent, net/http writes a copy of the header. Without, it
		// may still read the header after WriteHeader has returned, if the client leaves meanwhile.
		header["Content-Length"] = nil
		e.w.WriteHeader(code)
		clear(header)
		return nil
	}}
}

// end returns when nothing is written any more.
func (e *early) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
}
