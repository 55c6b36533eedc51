package a2a

import (
	"context"
	"crypto/tls"
	"net/http/httptrace"
	"sync"
	"time"
)

// Timing holds the times between a request and the head of its response. DNS, Connect and TLS
// are the durations of these phases, all 0 on a connection that was already open; Sent and
// FirstByte count from the start of the request, right after its record. A value of 0 means
// that the phase did not happen, was not observed, or was shorter than the clock's resolution.
type Timing struct {
	DNS       time.Duration `json:"dns,omitempty"`
	Connect   time.Duration `json:"connect,omitempty"`
	TLS       time.Duration `json:"tls,omitempty"`
	Sent      time.Duration `json:"sent,omitempty"`      // until all of the request was written
	FirstByte time.Duration `json:"firstByte,omitempty"` // until the response began
	Reused    bool          `json:"reused,omitempty"`
	// Remote is the address of the server, or of the proxy if there is one.
	Remote string `json:"remote,omitempty"`
}

// A stopwatch times one request by the reports of net/http, which come on other goroutines:
// some come late and concern connections of later requests.
type stopwatch struct {
	now func() time.Time

	mu     sync.Mutex
	start  time.Time
	t      Timing
	bound  bool // the connection is chosen
	lookup time.Time
	dials  map[string]time.Time // by address, of which several are tried at once
	shake  time.Time
}

// newStopwatch returns a stopwatch that runs.
func newStopwatch(now func() time.Time) *stopwatch {
	return &stopwatch{now: now, start: now(), dials: map[string]time.Time{}}
}

// withTrace returns a context with which a request is timed by s.
func (s *stopwatch) withTrace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { s.begin() },
		DNSStart:     func(httptrace.DNSStartInfo) { s.mark(func(at time.Time) { s.lookup = at }) },
		DNSDone:      func(httptrace.DNSDoneInfo) { s.mark(func(at time.Time) { s.t.DNS = since(s.lookup, at) }) },
		ConnectStart: func(_, addr string) { s.mark(func(at time.Time) { s.dials[addr] = at }) },
		ConnectDone: func(_, addr string, err error) {
			if err == nil {
				s.mark(func(at time.Time) { s.t.Connect = since(s.dials[addr], at) })
			}
		},
		TLSHandshakeStart: func() { s.mark(func(at time.Time) { s.shake = at }) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err == nil { // net/http reports again a handshake that is already over
				s.mark(func(at time.Time) { s.t.TLS = max(s.t.TLS, since(s.shake, at)) })
			}
		},
		GotConn:              s.onConnection,
		WroteRequest:         func(httptrace.WroteRequestInfo) { s.onProgress(&s.t.Sent) },
		GotFirstResponseByte: func() { s.onProgress(&s.t.FirstByte) },
	})
}

// begin forgets an attempt on a connection that the agent had closed: net/http retries by
// itself.
func (s *stopwatch) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t, s.bound = Timing{}, false
	clear(s.dials)
}

// mark does f unless the connection is chosen: later reports concern another one.
func (s *stopwatch) mark(f func(at time.Time)) {
	at := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.bound {
		f(at)
	}
}

func (s *stopwatch) onConnection(got httptrace.GotConnInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bound = true
	if got.Reused {
		s.t = Timing{Reused: true}
	}
	if addr := got.Conn.RemoteAddr(); addr != nil {
		s.t.Remote = addr.String()
	}
}

// onProgress notes when a request reached to, one of the fields of s.t.
func (s *stopwatch) onProgress(to *time.Duration) {
	at := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	*to = since(s.start, at)
}

// timing returns what is known so far.
func (s *stopwatch) timing() *Timing {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.t
	return &t
}

// since is the time from one moment to another, 0 if the first is not known or the
// clock went back.
func since(from, to time.Time) time.Duration {
	if from.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}
