package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/internal/pipetest"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// A turnstile is an agent whose card declares 0.3. The test decides what happens to requests of
// 0.3; those of 1.0 are answered.
type turnstile struct {
	*httptest.Server
	send http.HandlerFunc
	new  bool // it speaks 1.0 too

	mu   sync.Mutex
	sent []string // methods of the messages, in order
}

func newTurnstile(t *testing.T, streams, new bool, send http.HandlerFunc) *turnstile {
	t.Helper()
	return startTurnstile(t, streams, new, send, httptest.NewServer)
}

func startTurnstile(t *testing.T, streams, new bool, send http.HandlerFunc, serve func(http.Handler) *httptest.Server) *turnstile {
	t.Helper()
	ts := &turnstile{send: send, new: new}
	card := strings.Replace(card03, `"capabilities":{}`, fmt.Sprintf(`"capabilities":{"streaming":%v}`, streams), 1)
	ts.Server = serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var req struct {
			ID     json.RawMessage
			Method string
		}
		switch {
		case json.Unmarshal(body, &req) == nil && req.Method != "":
			ts.call(w, r, req.Method, req.ID)
		case strings.HasSuffix(r.URL.Path, "/agent-card.json"):
			_, _ = io.WriteString(w, strings.ReplaceAll(card, "{{url}}", ts.URL))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(ts.Close)
	return ts
}

func (ts *turnstile) call(w http.ResponseWriter, r *http.Request, method string, id json.RawMessage) {
	old := strings.Contains(method, "/")
	if strings.Contains(strings.ToLower(method), "send") || strings.HasSuffix(method, "/stream") {
		ts.mu.Lock()
		ts.sent = append(ts.sent, method)
		ts.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case old && strings.HasPrefix(method, "message/"):
		ts.send(w, r)
	case old || !ts.new:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, id)
	case method == "SendMessage", method == "SendStreamingMessage":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id, reply10)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id, noSuchTask)
	}
}

func (ts *turnstile) methods() []string {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Clone(ts.sent)
}

// countReturnedDrafts counts how often a turn's draft was returned.
func (d *harness) countReturnedDrafts(turn *model.Turn) (n int) {
	for _, ch := range d.changes {
		if givenBack(ch) == turn {
			n++
		}
	}
	return n
}

func TestAStatusThatSaysThatNothingWasStartedLetsTheMessageBeSentOnceMore(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType} {
		for i, body := range []string{"no", `{"detail":"no"}`, ""} {
			t.Run(fmt.Sprint(status, " ", body), func(t *testing.T) {
				streams, want := false, []string{"message/send", "SendMessage"}
				if i == 0 {
					streams, want = true, []string{"message/stream", "SendStreamingMessage"}
				}
				ts := newTurnstile(t, streams, true, replies(status, "application/json", body))
				d := newHarness(t, nil)
				turn, sig := d.sendText(model.Target{Agent: d.openAgent(ts.URL)}, "hello", model.SendOptions{})
				if sig.Sentence != "" || !slices.Equal(ts.methods(), want) {
					t.Errorf("got turn end %+v, requests %v; want no failure, %v\n%s", sig, ts.methods(), want, d.log())
				}
				if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Class != problem.ClassFallback || d.countReturnedDrafts(turn) != 0 {
					t.Errorf("got problems %s, draft returned %d times; want one of class fallback, 0", sessiontest.Sentences(turn), d.countReturnedDrafts(turn))
				}
				d.finish()
			})
		}
	}
}

// Without another dialect the message is not sent again, and its draft is returned once.
func TestNothingStartedAndNoOtherWayGivesTheDraftBackOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType} {
		ts := newTurnstile(t, true, false, replies(status, "text/plain", "no"))
		d := newHarness(t, nil)
		turn, sig := d.sendText(model.Target{Agent: d.openAgent(ts.URL)}, "hello", model.SendOptions{})
		if sig.Sentence == "" || !slices.Equal(ts.methods(), []string{"message/stream"}) || d.countReturnedDrafts(turn) != 1 {
			t.Errorf("status %d: got turn end %+v, requests %v, draft returned %d times; want a failure, one message/stream, 1", status, sig, ts.methods(), d.countReturnedDrafts(turn))
		}
		d.finish()
	}
}

func TestAMessageThatMayHaveBegunIsNeverSentAgain(t *testing.T) {
	t.Parallel()
	rpc := func(code int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"id-1","error":{"code":%d,"message":"no"}}`, code)
	}
	abort := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	mute := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for _, c := range []struct {
		name string
		send http.HandlerFunc
		back int // how often the draft is returned: never when work may have begun
	}{
		{"500", replies(500, "text/plain", "boom"), 0},
		{"500 that says internal error", replies(500, "application/json", rpc(-32603)), 0},
		{"502", replies(502, "text/html", page), 0},
		{"504", replies(504, "text/plain", "slow"), 0},
		{"400", replies(400, "text/plain", "no"), 1}, // it will not process the request (RFC 9110 §15.5.1)
		{"429", replies(429, "text/plain", "slow down"), 1},
		{"503 of a server on the way", replies(503, "text/plain", "later"), 0},
		{"503 that says when", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			replies(503, "text/plain", "later")(w, r)
		}, 0},
		{"internal error with a 503 that says when", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			replies(503, "application/json", rpc(-32603))(w, r)
		}, 0},
		{"rate limit with a 503", replies(503, "application/json", rpc(-32010)), 1},
		{"internal error", replies(200, "application/json", rpc(-32603)), 0},
		{"rate limit", replies(200, "application/json", rpc(-32010)), 1},
		{"an error of its own", replies(200, "application/json", rpc(-32099)), 0},
		{"timeout", mute, 0},
		{"cut", abort, 0},
		{"cut inside the answer", frames(true), 0},
		{"page", replies(200, "text/html", page), 0},
		{"empty", replies(200, "application/json", ""), 0},
	} {
		for _, streams := range []bool{false, true} {
			if streams && c.name == "timeout" {
				continue // streams have none
			}
			check := func(t *testing.T, serve func(http.Handler) *httptest.Server, client a2a.Options) {
				ts := startTurnstile(t, streams, true, c.send, serve)
				d := newHarness(t, func(o *options) {
					o.Resubscribe, o.WatchEvery = 5, -1
					o.Client = func(string) a2a.Options { return client }
				})
				turn, sig := d.sendText(model.Target{Agent: d.openAgent(ts.URL)}, "hello", model.SendOptions{})
				if sig.Sentence == "" || len(sessiontest.Problems(turn)) != 1 || len(ts.methods()) != 1 {
					t.Errorf("got turn end %+v, requests %v; want a failure and one problem after 1 request\n%s\n%s", sig, ts.methods(), sessiontest.Sentences(turn), d.log())
				}
				if got := d.countReturnedDrafts(turn); got != c.back {
					t.Errorf("draft returned %d times, want %d", got, c.back)
				}
				if c.back == 0 && (strings.Contains(sig.Sentence, "ry again in") || sessiontest.Problems(turn)[0].Busy) {
					t.Errorf("got turn end %q, want nothing that starts work twice", sig.Sentence)
				}
				d.finish()
			}
			t.Run(fmt.Sprintf("%s, streams %v", c.name, streams), func(t *testing.T) {
				if c.name != "timeout" {
					check(t, httptest.NewServer, a2a.Options{})
					return
				}
				synctest.Test(t, func(t *testing.T) {
					pipes := pipetest.New()
					check(t, pipes.Serve, a2a.Options{AnswerTimeout: time.Second, Dial: pipes.Dial})
				})
			})
		}
	}
}

func TestABusyAgentSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	const date = "Sun, 01 Mar 2026 12:00:00 GMT"
	for _, c := range []struct {
		name   string
		status int
		after  string
		body   string
		says   string
	}{
		{"429 in seconds", 429, "7", "slow down", "try again in 7 s."},
		{"429 by a date", 429, "Sun, 01 Mar 2026 12:00:30 GMT", "slow down", "try again in 30 s."},
		{"429 that does not say", 429, "", "slow down", "try again later."},
		{"429 in minutes", 429, "120", "", "try again in 2 min."},
		{"rate limit", 200, "", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32010,"message":"too fast"}}`, "try again later."},
		{"rate limit in seconds", 200, "9", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32010,"message":"too fast"}}`, "try again in 9 s."},
		{"rate limit in its data", 200, "", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32010,"message":"too fast","data":{"retryAfter":9}}}`, "try again in 9 s."},
		{"429 around a rate limit", 429, "9", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32010,"message":"too fast"}}`, "too fast. It is busy: try again in 9 s."},
		{"503 around a rate limit", 503, "9", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32010,"message":"too fast"}}`, "too fast. It is busy: try again in 9 s."},
	} {
		t.Run(c.name, func(t *testing.T) {
			ts := newTurnstile(t, true, true, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", date)
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				replies(c.status, "application/json", c.body)(w, r)
			})
			d := newHarness(t, nil)
			turn, sig := d.sendText(model.Target{Agent: d.openAgent(ts.URL)}, "hello", model.SendOptions{})
			list := sessiontest.Problems(turn)
			if len(list) != 1 || !strings.HasSuffix(list[0].Sentence, c.says) || sig.Sentence != list[0].Sentence {
				t.Errorf("got problems %s, turn end %q; want %q", sessiontest.Sentences(turn), sig.Sentence, c.says)
			}
			if again := !strings.HasSuffix(c.says, "later."); len(list) == 1 && (!list[0].Busy || list[0].Again.IsZero() == again) {
				t.Errorf("got busy %v, again at %v; want busy, and a time only if the answer names one", list[0].Busy, list[0].Again)
			}
			if d.countReturnedDrafts(turn) != 1 || len(ts.methods()) != 1 {
				t.Errorf("got draft returned %d times, requests %v; want 1, one request", d.countReturnedDrafts(turn), ts.methods())
			}
			d.finish()
		})
	}
}
