package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/a2a/httphead"
	"parley/internal/crash"
)

// Options say where a receiver listens and who gets what it receives.
type Options struct {
	// Listen is the address to listen at, "host:port"; empty is a free port of
	// 127.0.0.1.
	Listen string
	// Public is the URL under which agents reach that address, for example through a tunnel or
	// a proxy; empty if they reach the address itself.
	Public string
	// NewKey makes unguessable text: keys, tokens, credentials. Required.
	NewKey func() string
	// Now is the time of a call. Required.
	Now func() time.Time
	// Take is called with every reported call in order. Agents do not wait for it. Required.
	Take func(Call)
	// Judge verifies the signature of a call to a webhook, after its body was read. A call whose
	// token is wrong or missing is accepted if its signature proves who calls. Nil verifies none.
	// It is called by several goroutines.
	Judge func(h *Hook, header http.Header, body []byte) Judgement
	// MaxBody is the longest body that is read, in bytes; 0 is 8 MiB.
	MaxBody int64
	// ReadTimeout is how long a call may take to be read; 0 is 15 s.
	ReadTimeout time.Duration
}

// A Judgement is what is known about the signature of a call; the zero value says that there is
// none.
type Judgement struct {
	Verdict string // in one or two words
	Why     string // in one sentence, empty if there is nothing to say
	Proves  bool   // it proves who calls
	Forged  bool   // somebody trusted signed something else: the call is rejected
}

// A Call is one HTTP request to the receiver.
type Call struct {
	Verdict Verdict
	Hook    *Hook // nil if its path names none
	Time    time.Time
	Method  string
	URL     string // as requested, with the Host header's host
	Proto   string
	Header  http.Header
	// Message is the head as it was received and what came after the body, as far as they are
	// known; a call with a refused head has nothing else.
	Message httphead.Message
	Body    []byte
	Remote  string // address of who called
	// Signature is what is known about its signature.
	Signature Judgement

	unproven Verdict // the verdict unless its signature proves who calls
	// HeadStatus is the status that a call with the verdict [Head] was answered with, 0 if
	// it was not answered. See [Call.Status].
	HeadStatus int
	// Unreported is how many calls were rejected before this one without a report, because there
	// were too many.
	Unreported int
}

// Status returns the status of the answer to a call, 0 without an answer.
func (c *Call) Status() int {
	if c.Verdict == Head {
		return c.HeadStatus
	}
	return c.Verdict.Status()
}

// size is how many bytes of a call wait in memory.
func (c *Call) size() int64 {
	return int64(len(c.Body) + len(c.Message.Head) + len(c.Message.Trailer))
}

// Limits for anyone who reaches the address.
const (
	maxBody        = 8 << 20
	maxStrange     = 64 << 10 // bytes read of a rejected call
	maxHead        = 32 << 10
	maxValidation  = 1 << 10 // bytes of a validationToken
	maxConns       = 128
	maxReaders     = 8   // bodies that are read at the same time
	maxQueued      = 256 // calls that wait to be taken
	maxQueuedBytes = 64 << 20
	readTimeout    = 15 * time.Second
	headTimeout    = 5 * time.Second
	answerTime     = 2 * time.Second // for the last answers, when the receiver is closed
)

// A Receiver is an HTTP server for the webhooks of one session.
type Receiver struct {
	o           Options
	base        string // of the URLs of webhooks, without a slash at the end
	server      *http.Server
	readers     chan struct{}
	queue       chan Call
	queuedBytes atomic.Int64 // bytes of the calls in queue
	stopped     atomic.Bool  // connections that break now were broken by the receiver
	answering   sync.RWMutex // read-locked from the time when a call is queued until it is answered
	done        sync.WaitGroup

	mu         sync.Mutex
	hooks      map[string]*Hook
	strangers  bucket
	unreported int
	closed     bool
}

// Start listens. The error is a sentence for a user.
func Start(o Options) (*Receiver, error) {
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:0")
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("webhooks cannot be received at %s: %s; choose another address with --push-listen", o.Listen, reason(err))
	}
	base, err := baseURL(o.Public, l.Addr())
	if err != nil {
		_ = l.Close() // no other process uses it
		return nil, err
	}
	return serve(o, l, base), nil
}

// serve receives what comes through a listener.
func serve(o Options, l net.Listener, base string) *Receiver {
	if o.MaxBody <= 0 {
		o.MaxBody = maxBody
	}
	if o.ReadTimeout <= 0 {
		o.ReadTimeout = readTimeout
	}
	r := &Receiver{
		o: o, base: base, hooks: map[string]*Hook{}, strangers: bucket{tokens: strangersAtOnce},
		readers: make(chan struct{}, maxReaders), queue: make(chan Call, maxQueued),
	}
	r.server = &http.Server{
		Handler: r, ReadHeaderTimeout: min(headTimeout, o.ReadTimeout), ReadTimeout: o.ReadTimeout, WriteTimeout: 2 * o.ReadTimeout,
		IdleTimeout: 30 * time.Second, MaxHeaderBytes: maxHead, ConnContext: withConn,
		// Every request must come here, because its head is taken from the connection.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0), // the terminal belongs to the program
	}
	r.done.Go(func() {
		defer crash.Guard()
		_ = r.server.Serve(&taps{Listener: l, room: make(chan struct{}, maxConns), closed: r.refused}) // always ends with ErrServerClosed
	})
	r.done.Go(r.hand)
	return r
}

// hand passes the calls to Take.
func (r *Receiver) hand() {
	defer crash.Guard()
	for c := range r.queue {
		r.queuedBytes.Add(-c.size())
		r.o.Take(c)
	}
}

// Close stops listening, aborts incomplete calls, and returns when all that was received has
// been taken.
func (r *Receiver) Close() {
	r.stopped.Store(true)
	r.awaitAnswers()
	_ = r.server.Close() // the connections break, as intended
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.mu.Unlock()
	r.done.Wait()
}

// awaitAnswers waits until the calls that were queued are answered, for a moment: whoever takes a
// call may close the receiver before its answer is on the wire.
func (r *Receiver) awaitAnswers() {
	answered := make(chan struct{})
	go func() {
		defer crash.Guard()
		r.answering.Lock()
		close(answered)
		r.answering.Unlock()
	}()
	late := time.NewTimer(answerTime)
	defer late.Stop()
	select {
	case <-answered:
	case <-late.C: // a caller that does not read
	}
}

// Base returns the URL below which agents reach the webhooks.
func (r *Receiver) Base() string { return r.base }

// Register makes a webhook. With authorize it requires an Authorization header besides the
// token, as 1.0 prescribes.
func (r *Receiver) Register(authorize bool) *Hook {
	h := &Hook{Key: r.o.NewKey(), Token: r.o.NewKey()}
	h.URL = r.base + "/" + h.Key
	if authorize {
		h.Scheme, h.Credentials = "Bearer", r.o.NewKey()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hooks[h.Key] = h
	return h
}

// baseURL returns the URL below which webhooks are reached.
func baseURL(public string, at net.Addr) (string, error) {
	if public == "" {
		addr, err := netip.ParseAddrPort(at.String())
		if err == nil && addr.Addr().IsUnspecified() {
			return "", fmt.Errorf("webhooks are received at every address of this machine (%s); choose the address for agents with --push-url", at)
		}
		return "http://" + at.String() + "/push", nil
	}
	u, err := url.Parse(public)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("the URL of --push-url is not an http or https URL without a query")
	}
	return strings.TrimRight(public, "/"), nil
}

// reason says in a few words why it is impossible to listen at an address.
func reason(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		err = op.Err
	}
	switch s := err.Error(); {
	case strings.Contains(s, "address already in use"), strings.Contains(s, "Only one usage"):
		return "another program listens there"
	case strings.Contains(s, "permission denied"), strings.Contains(s, "forbidden"):
		return "this needs more rights than the program has"
	case strings.Contains(s, "cannot assign"), strings.Contains(s, "not valid in its context"):
		return "this machine has no such address"
	default:
		return "it is not an address of the form host:port"
	}
}

// A bucket limits how often something happens: a number at once, and a rate per second.
type bucket struct {
	tokens float64
	last   time.Time
}

const (
	strangersAtOnce    = 30
	strangersPerSecond = 5
)

// take reports whether there is room for one more at this time.
func (b *bucket) take(now time.Time) bool {
	if !b.last.IsZero() {
		b.tokens = min(strangersAtOnce, b.tokens+strangersPerSecond*max(0, now.Sub(b.last).Seconds()))
	}
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
