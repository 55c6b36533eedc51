package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"parley/a2a"
	"parley/internal/crash"
	"parley/session/listen"
)

// Options are the parameters of a server.
type Options struct {
	// Listen is the host and port of the first agent. Every further listener has the next port;
	// with port 0, any that is free. Empty means a free port on loopback.
	Listen string
	// Speed divides the recorded pauses; 0 does not wait.
	Speed  float64
	Faults Faults
	// GRPC serves calls of gRPC at a listener until stop is called. Without it, agents are served
	// over HTTP alone.
	GRPC   func(l net.Listener, limit int, answer func(a2a.IncomingCall) a2a.FlowEnd) (stop func())
	Format a2a.Format // of gRPC
	// Log takes one line for every request, without a line end. It is called from several
	// goroutines.
	Log func(line string)
}

// A Server serves agents until it is closed.
type Server struct {
	Agents []Served

	options  Options
	clock    clock
	loopback bool
	anywhere bool         // it listens at all addresses of this machine
	reading  atomic.Int64 // bytes of bodies that are being read
	closers  []func()
	work     sync.WaitGroup
}

// Served is an agent that answers.
type Served struct {
	Session string   // the file
	Name    string   // of the agent
	Ref     string   // how the recorded session named it, masked
	URL     string   // its base
	Card    string   // the URL of its card
	GRPC    string   // host and port, empty without gRPC
	Prompts []string // that were recorded
	// Notices are sentences without an end about what differs from the recording.
	Notices []string
}

// port is an agent at its address.
type port struct {
	server *Server
	agent  *Agent
	at     address
}

// Start serves the agents of sessions, each at a port of its own. The error is a sentence without
// an end.
func Start(ctx context.Context, sessions []*Session, o Options) (*Server, error) {
	return start(ctx, sessions, o, realClock)
}

func start(ctx context.Context, sessions []*Session, o Options, clock clock) (*Server, error) {
	host, first, err := listen.Split(o.Listen)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	s := &Server{options: o, clock: clock, loopback: listen.Loopback(host), anywhere: net.ParseIP(host).IsUnspecified()}
	next := func() (net.Listener, error) {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(first)))
		if first != 0 {
			first++
		}
		return l, err
	}
	for _, session := range sessions {
		for _, a := range session.Agents {
			if err := s.add(session, a, next); err != nil {
				s.Close()
				return nil, err
			}
		}
	}
	return s, nil
}

// expects reports whether a request names a host under which this server may be asked.
func (s *Server) expects(host string) bool { return !s.loopback || listen.NamesLoopback(host) }

// add begins to serve an agent.
func (s *Server) add(session *Session, a *Agent, next func() (net.Listener, error)) error {
	p := &port{server: s, agent: a}
	l, err := next()
	if err != nil {
		return listenFailure(err)
	}
	p.at.http = listen.Dialable(l.Addr())
	var calls net.Listener
	if s.options.GRPC != nil && a.bindings()[a2a.BindingGRPC] {
		if calls, err = next(); err != nil {
			_ = l.Close() // nobody uses it
			return listenFailure(err)
		}
		p.at.grpc = listen.Dialable(calls.Addr())
	}
	a.card, a.clock, a.speed = a.placed(p.at), s.clock, s.options.Speed
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeadOfHTTP,
		ErrorLog: log.New(io.Discard, "", 0), // a client that breaks off is no news
	}
	s.work.Go(func() {
		defer crash.Guard()
		_ = server.Serve(listen.Limit(l, maxOpen)) // always ends with ErrServerClosed
	})
	s.closers = append(s.closers, func() { _ = server.Close() })
	if calls != nil {
		s.closers = append(s.closers, s.options.GRPC(listen.Limit(calls, maxOpen), maxBody, p.answerCall))
	}
	base := "http://" + p.at.http
	s.Agents = append(s.Agents, Served{
		Session: session.Path, Name: a.Name(), Ref: a.ref, URL: base + a.basePath(), Card: a.cardURL(base), GRPC: p.at.grpc,
		Prompts: a.Prompts(), Notices: a.card.notices,
	})
	return nil
}

// listenFailure says why there is no listener.
func listenFailure(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return fmt.Errorf("parley serve cannot listen at %s (%v); choose another address with --listen", op.Addr, op.Err)
	}
	return fmt.Errorf("parley serve cannot listen (%v); choose another address with --listen", err)
}

// basePath returns the path of the agent's base: where its card was, without the well-known part.
func (a *Agent) basePath() string {
	if a.card.x == nil {
		return ""
	}
	path := a.card.x.target.EscapedPath()
	for _, known := range wellKnown {
		if base, ok := strings.CutSuffix(path, known); ok {
			return base
		}
	}
	return ""
}

// Close ends every answer and returns when nothing runs any more.
func (s *Server) Close() {
	for _, end := range s.closers {
		end()
	}
	s.work.Wait()
}

// log writes a line about a request to the agent.
func (p *port) log(text string) { p.server.options.Log(p.agent.Name() + ": " + text) }

// report writes the line of a request.
func (p *port) report(f *facts, done *answer) {
	what := clip(f.Label())
	if f.Text != "" {
		what += " “" + clip(f.Text) + "”"
	}
	switch {
	case done.miss != nil:
		p.log(what + ": " + done.miss.sentence)
	case done.x == nil && done.mark() != "":
		p.log(what + ": made " + done.mark())
	case done.x == nil:
		p.log(what + ": " + done.how)
	default:
		p.log(what + ": record " + strconv.FormatUint(uint64(done.x.id), 10) + ", " + done.how)
	}
}

// clip shortens a text of a client to a few words in one line.
func clip(text string) string {
	const most = 60
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
