package httphead

import (
	"net/http"
	"net/http/httptrace"
)

// RoundTrip sends a request and returns the response. If the connection that was chosen for it had been idle, and
// ended before anything of the request was written, the request is sent on another one: net/http does that only for
// requests that may be sent twice, but this one was not sent at all.
func RoundTrip(t http.RoundTripper, req *http.Request) (*http.Response, error) {
	for {
		var idle *Conn // that was chosen
		var before int64
		ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
			if idle, _ = got.Conn.(*Conn); !got.Reused {
				idle = nil
			} else if idle != nil {
				before = idle.written.Load()
			}
		}})
		resp, err := t.RoundTrip(req.WithContext(ctx))
		if err == nil || idle == nil || idle.written.Load() > before || ctx.Err() != nil {
			return resp, err
		}
		switch {
		case req.Body == nil || req.Body == http.NoBody:
		case req.GetBody == nil: // it may have been read
			return nil, err
		default:
			if req.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}
