package interop

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
)

// A peer is a client of one agent that stores all records.
type peer struct {
	t       *testing.T
	client  *a2a.Client
	card    *a2a.Card
	profile a2a.Profile

	mu      sync.Mutex
	records []a2a.Record
	updates []a2a.Update
	done    map[a2a.Op]bool // operations that succeeded
}

// connect discovers the agent from its URL alone, or with pins for HTTP+JSON or for an endpoint
// that the card does not name.
func (s *sdk) connect(t *testing.T, url string) *peer {
	t.Helper()
	p := &peer{t: t, done: map[a2a.Op]bool{}}
	o := a2a.Options{
		UserAddresses: []string{url}, Pins: s.pins(url), AnswerTimeout: time.Minute,
		NewID: newID, Carriers: carriers(), Trace: a2a.Trace{Put: p.put, Now: time.Now},
	}
	found := a2a.Discover(t.Context(), url, nil, o, a2a.Hooks{})
	if found.Card == nil {
		t.Fatalf("got no card: %s", found.Sentence)
	}
	p.card, p.profile = found.Card, found.Profile
	p.client = a2a.NewClient(found.Profile, found.Card, o)
	t.Cleanup(p.client.Close)
	return p
}

// pins are the user's pins for an endpoint.
func (s *sdk) pins(url string) a2a.Pins {
	switch {
	case s.path != "":
		return a2a.Pins{Dialect: s.dialect, Binding: a2a.BindingREST, Endpoint: url + s.path, Tenant: s.tenant}
	case s.overHTTP():
		return a2a.Pins{Binding: a2a.BindingREST}
	case s.binding() == a2a.BindingGRPC:
		version, binding, _ := a2a.ParseDialect(string(s.dialect))
		return a2a.Pins{Dialect: version, Binding: binding}
	default:
		return a2a.Pins{}
	}
}

func newID() string { return strings.ToLower(rand.Text()) }

func (p *peer) put(r a2a.Record, u a2a.Update) a2a.RecordID {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.ID = a2a.RecordID(len(p.records) + 1)
	p.records, p.updates = append(p.records, r), append(p.updates, u)
	return r.ID
}

// do performs an operation and returns its events.
func (p *peer) do(op a2a.Op, req a2a.Request) (a2a.Answer, []a2a.Event) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	return p.follow(ctx, op, req, func(a2a.Event) {})
}

// follow is do with a callback for each event.
func (p *peer) follow(ctx context.Context, op a2a.Op, req a2a.Request, see func(a2a.Event)) (a2a.Answer, []a2a.Event) {
	p.t.Helper()
	req.Call = &a2a.Call{Op: op}
	var events []a2a.Event
	out := p.client.Do(ctx, req, a2a.Hooks{Recorded: func(u a2a.Update) {
		events = append(events, u.Events...)
		for _, ev := range u.Events {
			see(ev)
		}
	}})
	p.mu.Lock()
	defer p.mu.Unlock()
	if out.Err == nil || out.Events > 0 && ctx.Err() != nil {
		p.done[op] = true
	}
	return out, events
}

// must performs an operation that must succeed with an event of a kind.
func (p *peer) must(op a2a.Op, req a2a.Request, want a2a.EventKind) a2a.Event {
	p.t.Helper()
	out, events := p.do(op, req)
	if out.Err != nil {
		p.t.Fatalf("%s: got error %v, want none\n%s", op, out.Err, p.wire())
	}
	for _, ev := range events {
		if ev.Kind == want {
			return ev
		}
	}
	p.t.Fatalf("%s: got %v, want %s\n%s", op, events, want, p.wire())
	return a2a.Event{}
}

// mustFail performs an operation that must fail with a named error, or with an HTTP status
// without an A2A error.
func (p *peer) mustFail(op a2a.Op, req a2a.Request, name string) {
	p.t.Helper()
	out, _ := p.do(op, req)
	var failure *a2a.RPCError
	got := ""
	if errors.As(out.Err, &failure) {
		got = failure.Name
	}
	if got == "" && out.Err != nil {
		got = strconv.Itoa(out.Status)
	}
	if got != name {
		p.t.Errorf("%s: got %s, want %s: %v\n%s", op, got, name, out.Err, p.wire())
	}
}

// wire lists the records for a failure message.
func (p *peer) wire() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for i, r := range p.records {
		fmt.Fprintf(&b, "%3d %-8s %.600s", i+1, r.Kind, bytes.TrimSpace(r.Payload()))
		for _, f := range p.updates[i].Findings {
			fmt.Fprintf(&b, "\n      %s %s %s: %s", f.Rule, f.Severity, f.Pointer, f.Message)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// textRequest returns a request that sends a text to a task, or starts one.
func (p *peer) textRequest(text, task, contextID string) a2a.Request {
	if task == "" && p.profile.Dialect == a2a.V01 {
		task = newID() // in 0.1 the client makes it
	}
	return a2a.Request{
		Message: &a2a.Message{ID: newID(), Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(text)}},
		TaskID:  task, ContextID: contextID, Config: a2a.SendConfig{Wait: true},
	}
}

// startTask starts a task without a stream and returns it.
func (p *peer) startTask(text string) *a2a.Task {
	p.t.Helper()
	return p.must(a2a.OpSend, p.textRequest(text, "", ""), a2a.EventTask).Task
}

// startWorkingTask streams a task and returns its id once it is working. The stream continues
// until it ends or stop is called.
func (p *peer) startWorkingTask(words string) (task string, stop func()) {
	p.t.Helper()
	ids, over := make(chan string, 1), make(chan struct{})
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	req := p.textRequest(words, "", "")
	go func() {
		defer close(over)
		p.follow(ctx, a2a.OpStream, req, func(ev a2a.Event) {
			if ev.Kind == a2a.EventStatus && ev.Status.State == a2a.StateWorking {
				ids <- ev.TaskID
			}
		})
	}()
	select {
	case task = <-ids:
	case <-over:
		p.t.Fatalf("got the end of the stream, want a working task first\n%s", p.wire())
	}
	return task, func() {
		cancel()
		<-over
	}
}
