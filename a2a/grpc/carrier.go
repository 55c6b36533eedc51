package grpc

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	_ "google.golang.org/grpc/encoding/gzip" // reads what some servers compress unasked
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	"parley/a2a"
	"parley/internal/crash"
)

// A Carrier makes the calls of [a2a.BindingGRPC].
type Carrier struct{ format *Format }

// New returns a carrier. It costs nothing before its first use.
func New() *Carrier { return &Carrier{NewFormat()} }

// Format returns the format of the messages.
func (c *Carrier) Format() a2a.Format { return c.format }

// Connect returns a line to an agent. It makes no connection.
func (c *Carrier) Connect(o a2a.LineOptions) a2a.Line {
	return &line{options: o, hosts: map[string]*host{}}
}

// A line has a host for every endpoint to which something was sent: those of an agent and of
// requests that a user wrote.
type line struct {
	options a2a.LineOptions

	mu    sync.Mutex
	hosts map[string]*host // by endpoint
}

// A host is an endpoint and the connection to it.
type host struct {
	options *a2a.LineOptions
	name    string // for sentences
	target  *url.URL
	conn    *grpc.ClientConn

	mu      sync.Mutex
	newest  *connection
	dialErr error // why there is none
	fresh   bool  // no call has used the newest connection
	calls   int   // that are open
	retired bool  // no more calls will come
}

// Open begins a call.
func (l *line) Open(ctx context.Context, c a2a.Carriage) (a2a.Flow, error) {
	h, err := l.host(c.URL)
	if err != nil {
		return nil, err
	}
	return h.open(ctx, c)
}

// Close closes the connections of calls that are over. A connection with calls on it closes with
// the last one.
func (l *line) Close() {
	l.mu.Lock()
	hosts := l.hosts
	l.hosts = map[string]*host{}
	l.mu.Unlock()
	for _, h := range hosts {
		h.retire()
	}
}

// host returns the host of an endpoint.
func (l *line) host(endpoint string) (*host, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.hosts[endpoint]; h != nil {
		return h, nil
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	h := &host{options: &l.options, name: a2a.ShownHost(u), target: u}
	if err := h.connect(); err != nil {
		return nil, err
	}
	l.hosts[endpoint] = h
	return h, nil
}

// Keep-alive: a ping after so long without a byte finds connections that are gone. Servers close
// those that ping more often than every five minutes.
const (
	pingAfter   = 5*time.Minute + 10*time.Second
	pingTimeout = 20 * time.Second
	retryAfter  = 100 * time.Millisecond // of a connection; a call that fails is not repeated
)

func (h *host) connect() error {
	limit := int(min(h.options.MaxMessage, math.MaxInt32))
	conn, err := grpc.NewClient("passthrough:///"+h.target.Host,
		grpc.WithContextDialer(h.dial),
		grpc.WithTransportCredentials(dialed{h.secure()}),
		grpc.WithAuthority(h.target.Host),
		grpc.WithUserAgent(h.options.UserAgent),
		grpc.WithDisableRetry(), grpc.WithDisableServiceConfig(), grpc.WithDisableHealthCheck(),
		grpc.WithStatsHandler(watch{}),
		grpc.WithMaxHeaderListSize(uint32(min(h.options.MaxHead, math.MaxUint32))),
		grpc.WithReadBufferSize(64<<10),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{BaseDelay: retryAfter, Multiplier: 1, MaxDelay: retryAfter}, MinConnectTimeout: time.Minute,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: pingAfter, Timeout: pingTimeout}),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(Codec{}), grpc.MaxCallRecvMsgSize(limit), grpc.MaxCallSendMsgSize(math.MaxInt32)),
	)
	h.conn = conn
	return err
}

func (h *host) secure() bool { return h.target.Scheme == "grpcs" }

func (h *host) local() bool { return a2a.ReachOf(h.target.Hostname()) == a2a.ReachMachine }

// dial makes a connection. On this machine TLS is tried before a connection without it, because
// cards do not say which of the two an agent expects.
func (h *host) dial(ctx context.Context, address string) (net.Conn, error) {
	to := a2a.Destination{Address: address, TLS: true, Protocols: []string{"h2"}}
	made, err := a2a.Connection{}, error(nil)
	local := h.local()
	if h.secure() || local {
		made, err = h.options.Dial(ctx, to)
	}
	if !h.secure() && (!local || unsecured(err)) {
		to.TLS, to.Protocols = false, nil
		made, err = h.options.Dial(ctx, to)
	}
	if err == nil && made.TLS && made.Protocol != "h2" {
		made.Close()
	}
	if err == nil && made.TLS && made.Protocol != "h2" || err != nil && strings.Contains(err.Error(), "no application protocol") {
		err = &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: h.name + " speaks TLS but not HTTP/2 on this port, which gRPC requires: check the port."}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dialErr = err
	if err != nil {
		return nil, err
	}
	h.newest, h.fresh = newConnection(made, h.options.ConnectTimeout), true
	return h.newest, nil
}

// unsecured reports whether a handshake failed because the other side does not speak TLS. A
// certificate that is not trusted is no reason to go on without one.
func unsecured(err error) bool {
	var record tls.RecordHeaderError
	return errors.As(err, &record) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, context.DeadlineExceeded)
}

// open begins a call. A connection that failed a moment ago is tried again at once, because the
// user, or the engine, has waited already.
func (h *host) open(ctx context.Context, c a2a.Carriage) (a2a.Flow, error) {
	if s := h.conn.GetState(); s == connectivity.TransientFailure {
		h.conn.ResetConnectBackoff()
		h.conn.WaitForStateChange(briefly(ctx), s)
	}
	h.entered()
	ctx, cancel := context.WithCancel(ctx)
	f := &flow{host: h, ctx: ctx, cancel: cancel, start: h.options.Now()}
	ctx = metadata.NewOutgoingContext(context.WithValue(ctx, flowKey{}, f), outgoing(c.Header))
	stream, err := h.conn.NewStream(ctx, &grpc.StreamDesc{StreamName: c.Path, ServerStreams: true, ClientStreams: true}, c.Path)
	if err != nil {
		defer f.Close()
		return nil, f.explain(err)
	}
	f.stream = stream
	if err := stream.SendMsg(&c.Bytes); err == nil {
		_ = stream.CloseSend() // what is wrong, Head says
	}
	return f, nil
}

// briefly limits a wait for a connection that is being made anew.
func briefly(ctx context.Context) context.Context {
	ctx, cancel := context.WithTimeout(ctx, 2*retryAfter)
	context.AfterFunc(ctx, crash.Guarded(cancel))
	return ctx
}

// retire closes the connection when its last call is over.
func (h *host) retire() {
	h.mu.Lock()
	h.retired = true
	idle := h.calls == 0
	h.mu.Unlock()
	if idle {
		_ = h.conn.Close() // it was open
	}
}

// entered counts a call, and left ends it.
func (h *host) entered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
}

func (h *host) left() {
	h.mu.Lock()
	h.calls--
	last := h.retired && h.calls == 0
	h.mu.Unlock()
	if last {
		_ = h.conn.Close() // it was open
	}
}

// outgoing converts headers to metadata, whose names are in lower case.
func outgoing(h http.Header) metadata.MD {
	md := metadata.MD{}
	for name, values := range h {
		name = strings.ToLower(name)
		if name == "user-agent" || name == "te" || name == "content-type" || strings.HasPrefix(name, "grpc-") || strings.HasPrefix(name, ":") {
			continue // those of gRPC itself
		}
		md[name] = append(md[name], values...)
	}
	return md
}

// incoming converts metadata to headers. Binary values are base64, as they crossed the wire.
func incoming(md metadata.MD) http.Header {
	h := make(http.Header, len(md))
	for name, values := range md {
		key := http.CanonicalHeaderKey(name)
		for _, v := range values {
			if strings.HasSuffix(name, "-bin") {
				v = encodeBinary(v)
			}
			h[key] = append(h[key], v)
		}
	}
	return h
}
