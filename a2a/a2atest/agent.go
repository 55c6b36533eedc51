package a2atest

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Options are the parameters of an agent besides its script.
type Options struct {
	// Pace scales every pause of the script: 1 is as written, 0 does not wait.
	Pace float64
	// Now is the agent's clock, time.Now if nil.
	Now func() time.Time
	// NewID makes task, context and message ids, random UUIDs if nil. It is
	// called from several goroutines.
	NewID func() string
	// Record keeps every request for [Agent.Requests].
	Record bool
}

// An Agent plays a script at a loopback address.
type Agent struct {
	// URL is http://127.0.0.1:port, without a path.
	URL string

	script  *Script
	options Options
	ctx     context.Context // of the agent; every life derives from it
	end     context.CancelFunc
	work    sync.WaitGroup // connections, scenes without a client, the listener

	mu       sync.Mutex
	pages    map[string]page // besides the script's routes
	server   *http.Server
	life     context.Context // until the next restart
	endLife  context.CancelFunc
	fresh    map[net.Conn]bool // connections that have not sent anything yet
	tasks    map[string]*task
	gates    map[string]chan struct{}
	requests []Request
	restarts int
	away     bool // between two lives
	closed   bool
}

// Start plays a script at a free loopback port until Close is called or ctx ends.
func Start(ctx context.Context, s *Script, o Options) (*Agent, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = newUUID
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("no port for agent %s: %w", s.Name, err)
	}
	a := &Agent{
		URL: "http://" + l.Addr().String(), script: s, options: o,
		fresh: map[net.Conn]bool{}, tasks: map[string]*task{}, gates: map[string]chan struct{}{},
	}
	a.ctx, a.end = context.WithCancel(ctx)
	a.serve(l)
	context.AfterFunc(ctx, a.Close)
	return a, nil
}

// A page answers GET requests for one path.
type page struct {
	mediaType string
	body      []byte
}

// Publish answers GET requests for a path from now on, before the script is asked.
func (a *Agent) Publish(path, mediaType string, body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pages == nil {
		a.pages = map[string]page{}
	}
	a.pages[path] = page{mediaType, body}
}

// published answers a request for a published page, and reports whether it is one.
func (a *Agent) published(w http.ResponseWriter, req *http.Request) bool {
	a.mu.Lock()
	p, ok := a.pages[req.URL.Path]
	a.mu.Unlock()
	if !ok || req.Method != http.MethodGet {
		return false
	}
	w.Header().Set("Content-Type", p.mediaType)
	_, _ = w.Write(p.body) // the client may be gone
	return true
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// serve begins a life of the agent on a listener, which it takes over.
func (a *Agent) serve(l net.Listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		_ = l.Close() // no other process uses it
		return
	}
	a.life, a.endLife = context.WithCancel(a.ctx)
	a.away = false
	a.server = &http.Server{
		Handler: a, ConnState: a.connState, ReadHeaderTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // the terminal belongs to the program
	}
	server := a.server
	a.work.Go(func() { _ = server.Serve(l) }) // always ends with ErrServerClosed
}

// connState counts the connections, so that Close can wait for them.
func (a *Agent) connState(c net.Conn, s http.ConnState) {
	a.mu.Lock()
	if s == http.StateNew {
		a.fresh[c] = true
	} else {
		delete(a.fresh, c)
	}
	a.mu.Unlock()
	switch s {
	case http.StateNew:
		a.work.Add(1)
	case http.StateClosed, http.StateHijacked:
		a.work.Done()
	}
}

// Close ends every stream regularly, closes the listener and all connections, and returns when
// nothing of the agent runs any more.
func (a *Agent) Close() {
	a.mu.Lock()
	a.closed = true
	server := a.server
	for c := range a.fresh {
		_ = c.Close() // the server would wait for its first request
	}
	a.mu.Unlock()
	a.end()
	// A client that does not read blocks its handler in a write: cut it off.
	grace, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	if server.Shutdown(grace) != nil {
		_ = server.Close()
	}
	a.work.Wait()
}

// Restart takes the agent away, cutting all connections, and brings it back at the same address
// after d at the agent's pace, without its tasks. It returns when the agent is away. An agent
// that is already away stays so.
func (a *Agent) Restart(d time.Duration) {
	a.leave(time.After(time.Duration(float64(d) * a.options.Pace)))
}

// Leave takes the agent away as Restart does, but until back is called, which returns
// when the agent is there again, or closed.
func (a *Agent) Leave() (back func()) {
	call := make(chan time.Time)
	there := a.leave(call)
	return sync.OnceFunc(func() {
		close(call)
		<-there
	})
}

// leave takes the agent away until a channel delivers; the channel that it returns is closed
// when the agent is there again.
func (a *Agent) leave(until <-chan time.Time) (there <-chan struct{}) {
	back := make(chan struct{})
	a.mu.Lock()
	if a.closed || a.away {
		a.mu.Unlock()
		close(back)
		return back
	}
	a.away = true
	a.restarts++
	a.tasks = map[string]*task{}
	server, endLife := a.server, a.endLife
	a.work.Go(func() {
		defer close(back)
		if l := a.listenAgain(until); l != nil {
			a.serve(l)
		}
	})
	a.mu.Unlock()
	// The listener closes first: a client whose stream ends must not reach the agent again.
	_ = server.Close() // the connections break, as intended
	endLife()
	return back
}

// listenAgain listens at the agent's address when a value comes from until. While another
// process has the port it keeps trying; it returns nil when the agent was closed.
func (a *Agent) listenAgain(until <-chan time.Time) net.Listener {
	for ; ; until = time.After(50 * time.Millisecond) {
		select {
		case <-a.ctx.Done():
			return nil
		case <-until:
		}
		l, err := new(net.ListenConfig).Listen(a.ctx, "tcp", a.URL[len("http://"):])
		if err == nil {
			return l
		}
	}
}

// Restarts returns how often the agent was taken away.
func (a *Agent) Restarts() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.restarts
}

// Requests returns what the agent received so far, oldest first.
func (a *Agent) Requests() []Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

// Release opens a gate for the scenes that hang there now or later.
func (a *Agent) Release(gate string) {
	g := a.gate(gate)
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-g:
	default:
		close(g)
	}
}

func (a *Agent) gate(name string) chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gates[name] == nil {
		a.gates[name] = make(chan struct{})
	}
	return a.gates[name]
}

func (a *Agent) remember(t *task) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tasks[t.id] = t
}
