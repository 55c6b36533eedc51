package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A tape writes a session file line by line.
type tape struct {
	text strings.Builder
	n    int
	at   time.Time
}

// epoch is when recordings of tests begin.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newTape() *tape {
	tp := &tape{at: epoch}
	tp.text.WriteString(`{"parley":"session","version":1,"created":"2026-03-01T12:00:00Z"}` + "\n")
	return tp
}

// line adds a record a moment after the one before it.
func (tp *tape) line(kind string, exchange int, members string, after time.Duration) int {
	tp.n++
	if exchange == 0 {
		exchange = tp.n
	}
	tp.at = tp.at.Add(after)
	fmt.Fprintf(&tp.text, `{"id":%d,"exchange":%d,"kind":%q,"time":%q%s}`+"\n", tp.n, exchange, kind, tp.at.Format(time.RFC3339Nano), members)
	return tp.n
}

func text(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

const moment = 100 * time.Millisecond

// card adds the exchange of a card.
func (tp *tape) card(body string) {
	x := tp.line("request", 0, `,"dir":"out","call":{"agent":1,"op":"card"},"head":{"method":"GET","url":"http://agent.example/.well-known/agent-card.json"}`, moment)
	tp.line("response", x, `,"dir":"in","head":{"status":200,"header":{"Content-Type":["application/json"],"Etag":["abc"]}}`, moment)
	tp.line("body", x, `,"dir":"in","raw":`+text(body), 0)
	tp.end(x, "ended", "")
	tp.line("note", 0, fmt.Sprintf(`,"note":{"type":"opened","attrs":{"agent":"1","record":"%d"}}`, x+2), 0)
}

// request adds a request of JSON-RPC.
func (tp *tape) request(op, body string) int {
	return tp.line("request", 0, `,"dir":"out","call":{"agent":1,"op":"`+op+`","dialect":"v0.3","binding":"JSONRPC","endpoint":"http://agent.example/a2a"},"head":{"method":"POST","url":"http://agent.example/a2a"},"raw":`+text(body), moment)
}

// call adds a request of a dialect.
func (tp *tape) call(op, dialect, binding, path, body string) int {
	return tp.line("request", 0, `,"dir":"out","call":{"agent":1,"op":"`+op+`","dialect":"`+dialect+`","binding":"`+binding+`","endpoint":"http://agent.example/a2a"},"head":{"method":"POST","url":"http://agent.example`+path+`"},"raw":`+text(body), moment)
}

// send adds a request with a message.
func (tp *tape) send(method, prompt, more string) int {
	op := map[string]string{"message/send": "send", "message/stream": "stream"}[method]
	return tp.request(op, sendBody(`"rec-1"`, method, prompt, more))
}

// sendBody is a request with a message; more are members of the message.
func sendBody(id, method, prompt, more string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"message":{"role":"user","messageId":"m-` + fmt.Sprint(len(prompt)) + `","parts":[{"kind":"text","text":` + text(prompt) + `}]` + more + `}}}`
}

func (tp *tape) head(x int, media string, after time.Duration) {
	tp.line("response", x, `,"dir":"in","head":{"status":200,"header":{"Content-Type":["`+media+`"]}}`, after)
}

func (tp *tape) body(x int, raw string) {
	tp.head(x, "application/json", moment)
	tp.line("body", x, `,"dir":"in","raw":`+text(raw), moment)
	tp.end(x, "ended", "")
}

func (tp *tape) event(x int, raw string) { tp.line("event", x, `,"dir":"in","raw":`+text(raw), moment) }

func (tp *tape) end(x int, reason, detail string) {
	tp.line("end", x, `,"dir":"in","end":{"reason":"`+reason+`","detail":`+text(detail)+`}`, moment)
}

// answer adds a message and an answer with a task.
func (tp *tape) answer(prompt, more, task, context, said string) int {
	x := tp.send("message/send", prompt, more)
	tp.body(x, taskBody(`"rec-1"`, task, context, said))
	return x
}

func taskBody(id, task, context, said string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"kind":"task","id":"` + task + `","contextId":"` + context + `","status":{"state":"completed","message":{"kind":"message","role":"agent","messageId":"a","parts":[{"kind":"text","text":` + text(said) + `}]}}}}`
}

// load writes the file and reads it.
func (tp *tape) load(t testing.TB) *Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(tp.text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A testServer is a server whose clock does not wait.
type testServer struct {
	*Server
	URL string

	mu     sync.Mutex
	log    []string
	sleeps []time.Duration
	now    time.Time
	// After so many, a sleep sends to held and goes on only when its context ends; held is nil if none does.
	after int
	held  chan struct{}
}

// advance lets time pass.
func (ts *testServer) advance(d time.Duration) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.now = ts.now.Add(d)
}

// serve serves the agents of a tape without waiting.
func (tp *tape) serve(t testing.TB, o Options) *testServer {
	t.Helper()
	ts := &testServer{now: epoch}
	o.Log = func(line string) {
		ts.mu.Lock()
		defer ts.mu.Unlock()
		ts.log = append(ts.log, line)
	}
	fake := clock{
		now: func() time.Time { ts.mu.Lock(); defer ts.mu.Unlock(); return ts.now },
		sleep: func(ctx context.Context, d time.Duration) error {
			ts.mu.Lock()
			held := ts.held
			if len(ts.sleeps) < ts.after {
				held = nil
			}
			if held == nil {
				ts.sleeps, ts.now = append(ts.sleeps, d), ts.now.Add(d)
			}
			ts.mu.Unlock()
			if held != nil {
				held <- struct{}{}
				<-ctx.Done()
			}
			return ctx.Err()
		},
	}
	s, err := start(t.Context(), []*Session{tp.load(t)}, o, fake)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	ts.Server, ts.URL = s, s.Agents[0].URL
	return ts
}

// post sends a body and returns what comes, with the error that ended it.
func (ts *testServer) post(t testing.TB, body string) (string, error) {
	t.Helper()
	resp, err := http.Post(ts.URL+"/a2a", "application/json", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}
