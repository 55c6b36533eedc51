package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
)

// The limits for clients.
const (
	maxBody       = 32 << 20  // of a request
	maxBodies     = 256 << 20 // of all requests that are being read
	maxOpen       = 1000      // connections of one agent
	readTimeout   = 30 * time.Second
	headTimeout   = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	writeTimeout  = time.Minute // of one part: a client must read
	maxHeadOfHTTP = 256 << 10
)

// ServeHTTP answers a request from the recording.
func (p *port) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !p.server.expects(req.Host) {
		http.Error(w, "This address serves only clients of this machine.", http.StatusForbidden)
		return
	}
	body, status := p.server.readBody(w, req)
	if status != 0 {
		http.Error(w, http.StatusText(status), status)
		p.log(clip(req.Method+" "+req.URL.EscapedPath()) + ": refused, " + strings.ToLower(http.StatusText(status)))
		return
	}
	f := readHTTP(req.Method, req.URL, body)
	f.authorized = req.Header.Get("Authorization") != ""
	if version := req.Header.Get("A2A-Version"); f.Binding == a2a.BindingREST && version != a2a.V10.Number() {
		f.Dialect = p.agent.dialectOverREST(f.Dialect)
	}
	done, ok := answer{}, false
	if f.Binding != a2a.BindingJSONRPC {
		c := p.agent.card
		if at := p.seenAs(req); at != p.at {
			c = p.agent.placed(at)
		}
		done, ok = p.agent.cardAnswer(c, req.Method, req.URL.EscapedPath())
	}
	if !ok {
		done = p.agent.match(&f)
	}
	if done.extended {
		done.made = p.agent.placed(p.seenAs(req)).json
	}
	p.report(&f, &done)
	switch {
	case done.miss != nil:
		done.miss.write(w, &f)
	case done.x == nil:
		p.writeMade(w, &f, &done)
	default:
		p.playback(req.Context(), &done, p.seenAs(req)).play(&httpSink{w: w, rc: http.NewResponseController(w)})
	}
}

// seenAs returns the address of the agent for the client of a request: a client elsewhere reaches a
// server that listens everywhere by the name that it used.
func (p *port) seenAs(req *http.Request) address {
	at := p.at
	host, _, err := net.SplitHostPort(req.Host)
	if !p.server.anywhere || err != nil || host == "" {
		return at
	}
	at.http = req.Host
	if _, port, err := net.SplitHostPort(at.grpc); err == nil {
		at.grpc = net.JoinHostPort(host, port)
	}
	return at
}

// playback returns the playback of an answer to a client that knows the agent at an address.
func (p *port) playback(ctx context.Context, done *answer, at address) *playback {
	o := &p.server.options
	pb := &playback{
		ctx: ctx, x: done.x, swap: done.swap, made: done.made, kept: done.kept, task: done.task, last: done.last,
		faults: o.Faults, speed: o.Speed, clock: p.server.clock, began: done.began, paused: done.paused, log: p.log,
	}
	if pb.began.IsZero() {
		pb.began = p.server.clock.now()
	}
	if pb.swap == nil {
		pb.swap = &swap{}
	}
	if done.x.facts.Op == a2a.OpExtendedCard {
		pb.placer = p.agent.placer(at)
	}
	return pb
}

// writeMade sends a card or a task that was not recorded as it is.
func (p *port) writeMade(w http.ResponseWriter, f *facts, done *answer) {
	body := done.made
	if done.swap != nil {
		body = jsontok.Apply(body, done.swap.edits(body))
	}
	if f.Binding == a2a.BindingJSONRPC {
		body = slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), []byte(f.RPCID), []byte(`,"result":`), body, []byte("}"))
	}
	if done.mark() != "" {
		w.Header().Set(markHeader, done.mark())
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may have gone
}

// readBody reads the body of a request within the limits; status is that of a refusal.
func (s *Server) readBody(w http.ResponseWriter, req *http.Request) (body []byte, status int) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(readTimeout)) // where it is not possible, the limits remain
	counted := &countedBody{from: http.MaxBytesReader(w, req.Body, maxBody), all: &s.reading}
	defer counted.release()
	body, err := io.ReadAll(counted)
	_ = rc.SetReadDeadline(time.Time{})
	_, tooLong := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLong:
		return nil, http.StatusRequestEntityTooLarge
	case errors.Is(err, errBusy):
		return nil, http.StatusServiceUnavailable
	case err != nil:
		return nil, http.StatusBadRequest
	}
	return body, 0
}

var errBusy = errors.New("too many bytes are being read")

// A countedBody counts the bytes of all bodies that are being read.
type countedBody struct {
	from io.Reader
	all  *atomic.Int64
	mine int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.mine += int64(n)
	if b.all.Add(int64(n)) > maxBodies {
		return n, errBusy
	}
	return n, err
}

func (b *countedBody) release() { b.all.Add(-b.mine) }

// An httpSink sends an answer over HTTP/1.1.
type httpSink struct {
	w      http.ResponseWriter
	rc     *http.ResponseController
	stream bool
}

// ownHeaders are those that the server makes itself, or that described what is no longer so.
var ownHeaders = []string{"Content-Length", "Transfer-Encoding", "Content-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "Alt-Svc", "Strict-Transport-Security"}

func (s *httpSink) head(x *exchange, size int64) error {
	h := s.w.Header()
	h["Date"], h["Content-Type"] = nil, nil // unless they were recorded
	status := http.StatusOK
	if x != nil && x.head != nil && x.head.Head != nil {
		status = x.head.Head.Status
		for name, values := range x.head.Head.Header {
			name = http.CanonicalHeaderKey(name)
			masked := func(v string) bool { return strings.Contains(v, a2a.Mask) }
			if !slices.Contains(ownHeaders, name) && !slices.ContainsFunc(values, masked) {
				h[name] = slices.Clone(values)
			}
		}
	}
	if to, err := url.Parse(h.Get("Location")); err == nil && x != nil && to.Host != "" && hostname.Of(to) == hostname.Of(x.target) {
		to.Scheme, to.Host = "", "" // a redirect stays here
		h.Set("Location", to.String())
	}
	if size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
	s.w.WriteHeader(status)
	s.stream = x != nil && x.streams()
	if s.stream || size < 0 {
		return s.flush()
	}
	return nil
}

func (s *httpSink) write(b []byte) error {
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeTimeout)) // as for reading
	if _, err := s.w.Write(b); err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		return err
	}
	return s.flush()
}

func (s *httpSink) flush() error { return s.rc.Flush() }

func (s *httpSink) raw(b []byte) {
	if conn := s.hijack(); conn != nil {
		_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout))
		_, _ = conn.Write(b) // the client may have gone
		_ = conn.Close()
	}
}

func (s *httpSink) sever(reset bool) {
	conn := s.hijack()
	if conn == nil {
		return
	}
	if tcp, ok := conn.(interface{ SetLinger(int) error }); ok && reset {
		_ = tcp.SetLinger(0) // at worst the connection ends less abruptly
	}
	_ = conn.Close()
}

// hijack takes the connection over; nil if it has gone.
func (s *httpSink) hijack() net.Conn {
	conn, _, err := s.rc.Hijack()
	if err != nil {
		return nil
	}
	return conn
}

func (s *httpSink) end(trailer http.Header, _ *a2a.Binary) {
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeTimeout)) // that of the last write may be over
	for name, values := range trailer {
		s.w.Header()[http.TrailerPrefix+name] = values
	}
}
