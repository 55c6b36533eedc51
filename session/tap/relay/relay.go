package relay

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/session/listen"
)

// Options are the parameters of a relay.
type Options struct {
	// Target is the agent: http or https, and a host. Its path does not count: the path of a client
	// goes on as it is.
	Target *url.URL
	// Listen is the host and port to listen at; empty means a free port on loopback.
	Listen string
	// TLS, if it is set, is how the relay proves itself to clients; without it they speak plainly.
	TLS *tls.Config
	// TargetTLS returns how the relay checks a server behind https at a host: its agent, or another
	// target of a [Plan], which gets no certificate of the relay. Nil is as usual.
	TargetTLS func(host string) *tls.Config
	// Dial opens connections to agents; nil as is usual.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Proxy returns the proxy on the way to a target, as [http.Transport] asks for it; nil uses none.
	// Socks asks a proxy of SOCKS 5, to which dial connects; nil knows none.
	Proxy func(*http.Request) (*url.URL, error)
	Socks func(ctx context.Context, proxy *url.URL, address string, dial func(ctx context.Context, network, address string) (net.Conn, error)) (net.Conn, error)
	// Observer learns of every exchange; nil if nobody does.
	Observer Observer
	// Token is what clients must know if the relay does not listen on loopback: as the first segment
	// of the path, as in [Relay.URL], or in the field Parley-Token. Neither reaches the agent.
	Token string
	// Sockets is shared by the relays that may stand behind one another; nil for one relay.
	Sockets *Sockets
	Limits  Limits
}

// Limits are what a relay takes from its clients and agents. A zero means the default.
type Limits struct {
	Connections int           // of clients at a time; 1000
	Head        int           // bytes of a head; 1 MiB
	HeadTime    time.Duration // in which a head must be whole; 30 s
	IdleTime    time.Duration // after which a connection without an exchange is closed; 10 min
	DialTime    time.Duration // to reach an agent, with TLS; 30 s
	Edit        int           // bytes of a body that is held to be changed; MaxEdit
}

func (l Limits) orDefaults() Limits {
	set := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	if l.Connections <= 0 {
		l.Connections = 1000
	}
	if l.Head <= 0 {
		l.Head = 1 << 20
	}
	if l.Edit <= 0 {
		l.Edit = MaxEdit
	}
	set(&l.HeadTime, 30*time.Second)
	set(&l.IdleTime, 10*time.Minute)
	set(&l.DialTime, 30*time.Second)
	return l
}

// A Relay passes on what clients and an agent send each other until it is closed.
type Relay struct {
	options  Options
	limits   Limits
	listener net.Listener
	loopback bool
	base     string

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	count  atomic.Uint64 // connections so far
	guard  *loopGuard

	mu     sync.Mutex
	open   map[*client]bool
	closed bool
}

// Start begins to listen. The error is a sentence without an end.
func Start(ctx context.Context, o Options) (*Relay, error) {
	if err := checkTarget(o.Target); err != nil {
		return nil, err
	}
	host, port, err := listen.Split(o.Listen)
	if err != nil {
		return nil, err
	}
	loopback := listen.Loopback(host)
	if !loopback && o.Token == "" {
		return nil, fmt.Errorf("%s can be reached from other machines, and no token protects it", o.Listen)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Addr != nil {
			return nil, fmt.Errorf("the tap cannot listen at %s (%v)", op.Addr, op.Err)
		}
		return nil, fmt.Errorf("the tap cannot listen (%v)", err)
	}
	if o.Observer == nil {
		o.Observer = nobody{}
	}
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	if o.Sockets == nil {
		o.Sockets = NewSockets()
	}
	r := &Relay{options: o, limits: o.Limits.orDefaults(), loopback: loopback, open: map[*client]bool{}, guard: newLoopGuard()}
	r.listener = listen.Limit(l, r.limits.Connections)
	r.base = r.makeURL()
	r.ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.work.Go(crash.Guarded(r.accept))
	r.work.Go(crash.Guarded(r.closeIdle))
	return r, nil
}

// checkTarget says what is wrong with a target.
func checkTarget(u *url.URL) error {
	switch {
	case u == nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("the agent of a tap is an http:// or https:// URL with a host")
	case u.User != nil:
		return errors.New("the URL of the agent contains a user or a password; clients send their own credentials")
	}
	return nil
}

func (r *Relay) makeURL() string {
	scheme := "http"
	if r.options.TLS != nil {
		scheme = "https"
	}
	base := scheme + "://" + listen.Dialable(r.listener.Addr())
	if !r.loopback {
		base += "/" + url.PathEscape(r.options.Token)
	}
	return base
}

// URL returns the base that clients use in place of the agent's, without a slash at its end.
func (r *Relay) URL() string { return r.base }

// Addr returns the address at which the relay listens.
func (r *Relay) Addr() net.Addr { return r.listener.Addr() }

// Close ends every exchange and returns when nothing runs any more.
func (r *Relay) Close() {
	_ = r.listener.Close() // nothing is lost
	r.mu.Lock()
	r.closed = true
	open := make([]*client, 0, len(r.open))
	for c := range r.open {
		open = append(open, c)
	}
	r.mu.Unlock()
	for _, c := range open {
		c.fail(End{Cause: Closed, Err: errors.New("the tap was closed")})
	}
	r.cancel()
	r.work.Wait()
}

// add registers a client; it reports whether the relay is still open.
func (r *Relay) add(c *client) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.open[c] = true
	return true
}

func (r *Relay) remove(c *client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, c)
}

// nobody observes nothing.
type nobody struct{}

func (nobody) Begin(Client, Head) (Exchange, Plan) { return nobody{}, Plan{} }
func (nobody) RequestBody(time.Time, []byte)       {}
func (nobody) RequestEnd(time.Time)                {}
func (nobody) Sent(Head)                           {}
func (nobody) Response(Head)                       {}
func (nobody) ResponseBody(time.Time, []byte)      {}
func (nobody) End(End)                             {}
