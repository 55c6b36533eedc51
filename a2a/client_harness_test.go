package a2a_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
)

// limit ends a test that hangs. No time is measured against it.
const limit = time.Minute

// inTime calls try with longer and longer times until it succeeds, because the speed of a busy
// machine is unknown.
func inTime(t *testing.T, try func(allowed time.Duration) bool) {
	t.Helper()
	for allowed := 50 * time.Millisecond; !try(allowed); allowed *= 3 {
		if allowed > limit {
			t.Fatalf("condition is still false after %v, want true", limit)
		}
	}
}

// A tape is a trace that stores all records.
type tape struct {
	mu      sync.Mutex
	changed *sync.Cond
	records []a2a.Record
	updates []a2a.Update
	before  func(a2a.Record) // called in Put before the record is stored
	now     func() time.Time // the clock
}

func newTape() *tape {
	t := &tape{now: time.Now}
	t.changed = sync.NewCond(&t.mu)
	return t
}

func (t *tape) trace() a2a.Trace { return a2a.Trace{Put: t.put, Now: t.now} }

func (t *tape) put(r a2a.Record, u a2a.Update) a2a.RecordID {
	if t.before != nil {
		t.before(r)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r.ID = a2a.RecordID(len(t.records) + 1)
	if r.Exchange == 0 {
		r.Exchange = r.ID
	}
	t.records, t.updates = append(t.records, r), append(t.updates, u)
	t.changed.Broadcast()
	return r.ID
}

// wait returns when n records of a kind are there, or with an error when the test runs out of
// time.
func (t *tape) wait(kind a2a.RecordKind, n int) error {
	stop := time.AfterFunc(limit, func() {
		t.mu.Lock()
		t.changed.Broadcast()
		t.mu.Unlock()
	})
	defer stop.Stop()
	deadline := time.Now().Add(limit)
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.of(kind)) < n {
		if time.Now().After(deadline) {
			return fmt.Errorf("got %d records of kind %s, want %d", len(t.of(kind)), kind, n)
		}
		t.changed.Wait()
	}
	return nil
}

func (t *tape) of(kind a2a.RecordKind) []a2a.Record {
	var list []a2a.Record
	for _, r := range t.records {
		if r.Kind == kind {
			list = append(list, r)
		}
	}
	return list
}

// body returns the body of the last exchange as the records have it.
func (t *tape) body() string {
	var b bytes.Buffer
	last := t.records[len(t.records)-1].Exchange
	for _, r := range t.records {
		if r.Exchange == last && (r.Kind == a2a.KindBody || r.Kind == a2a.KindEvent || r.Kind == a2a.KindEnd) {
			if r.SSE != nil && r.SSE.LateLF {
				b.WriteByte('\n')
			}
			b.Write(r.Raw)
		}
	}
	return b.String()
}

// check fails unless each exchange begins with its request and has exactly one end, which only a surplus
// may follow.
func (t *tape) check(test testing.TB) {
	test.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	open, ended := map[a2a.ExchangeID]bool{}, map[a2a.ExchangeID]bool{}
	for _, r := range t.records {
		switch {
		case r.Kind == a2a.KindRequest:
			open[r.Exchange] = true
		case !open[r.Exchange]:
			test.Errorf("record %d (%s) has no request", r.ID, r.Kind)
		case r.Kind == a2a.KindSurplus && ended[r.Exchange]:
		case ended[r.Exchange] || r.Kind == a2a.KindSurplus:
			test.Errorf("record %d (%s) is on the wrong side of the end of exchange %d", r.ID, r.Kind, r.Exchange)
		case r.Kind == a2a.KindEnd:
			ended[r.Exchange] = true
		}
		if r.Call == nil || r.Time.IsZero() {
			test.Errorf("record %d has no call or no time", r.ID)
		}
	}
	if len(open) != len(ended) {
		test.Errorf("got %d exchanges and %d ends, want as many ends", len(open), len(ended))
	}
}

// serve starts an agent that answers every request with h.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// answer returns a handler that answers with one body.
func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// serveRaw starts a server that reads a request and then writes to the connection itself, so
// that it can break HTTP. It returns the server's URL.
func serveRaw(t testing.TB, speak func(net.Conn)) string {
	t.Helper()
	return serveConns(t, func(conn net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		speak(conn)
	})
}

// serveConns accepts connections and closes each after it was served.
func serveConns(t testing.TB, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); group.Wait() })
	group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(limit))
				serve(conn)
			})
		}
	})
	return "http://" + l.Addr().String()
}

// options are those of a client that talks to url without credentials.
func options(t *tape, urls ...string) a2a.Options {
	n := 0
	o := a2a.Options{Trace: t.trace(), UserAddresses: urls, NewID: func() string { n++; return fmt.Sprintf("id-%d", n) }}
	o.Limits[a2a.LimitAnswer], o.Limits[a2a.LimitEvent] = 100_000_000, 100_000_000 // some answers are very large
	return o
}

func profile(d a2a.DialectName, endpoint string) a2a.Profile {
	return a2a.Profile{Dialect: d, Binding: a2a.BindingJSONRPC, Endpoint: endpoint, Streaming: true}
}

func request(op a2a.Op) a2a.Request {
	r := a2a.Request{Call: &a2a.Call{Op: op}, TaskID: "t1"}
	if op == a2a.OpSend || op == a2a.OpStream {
		r.Message = &a2a.Message{ID: "m1", Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("hello")}}
	}
	return r
}

// do performs one 1.0 operation against url and returns all updates.
func do(t testing.TB, tp *tape, url string, op a2a.Op) (a2a.Answer, []a2a.Update) {
	t.Helper()
	c := a2a.NewClient(profile(a2a.V10, url), nil, options(tp, url))
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var updates []a2a.Update
	o := c.Do(ctx, request(op), a2a.Hooks{Recorded: func(u a2a.Update) { updates = append(updates, u) }})
	tp.check(t)
	return o, updates
}

// status is one frame of a 1.0 stream.
func status(state string) string {
	return `data: {"jsonrpc":"2.0","id":"id-1","result":{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_` +
		state + `"}}}}` + "\n\n"
}

// sentence fails unless s is a sentence for a user that contains all the given parts.
func sentence(t testing.TB, s string, holds ...string) {
	t.Helper()
	if !strings.HasSuffix(s, ".") || strings.Contains(s, "dial tcp") || strings.Contains(s, "net/http") || strings.Contains(s, "Post ") {
		t.Errorf("got %q, want a sentence without Go's error texts", s)
	}
	for _, part := range holds {
		if !strings.Contains(s, part) {
			t.Errorf("got sentence %q, want it to contain %q", s, part)
		}
	}
}

// noGoroutines fails if goroutines of the client's connections still run.
func noGoroutines(t testing.TB) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if !bytes.Contains(stacks, []byte("net/http.(*persistConn)")) && !bytes.Contains(stacks, []byte("parley/a2a.(*exchange)")) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("goroutines still run after Close, want none:\n%s", stacks)
		}
		runtime.Gosched()
	}
}
