package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/internal/pipetest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// A wreck is an agent of 1.0 with a valid card and an endpoint that behaves as the test says.
type wreck struct {
	*httptest.Server
	pipes    *pipetest.Network // nil if it has sockets
	card     string            // "" for a valid one
	endpoint string            // "" for its own
	answer   http.HandlerFunc
}

func newWreck(t *testing.T, answer http.HandlerFunc) *wreck {
	t.Helper()
	return startWreck(t, answer, httptest.NewServer)
}

// newWreckOnPipes returns a wreck for a test in a bubble.
func newWreckOnPipes(t *testing.T, answer http.HandlerFunc) *wreck {
	t.Helper()
	pipes := pipetest.New()
	w := startWreck(t, answer, pipes.Serve)
	w.pipes = pipes
	return w
}

func startWreck(t *testing.T, answer http.HandlerFunc, serve func(http.Handler) *httptest.Server) *wreck {
	t.Helper()
	w := &wreck{answer: answer}
	w.Server = serve(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/rpc":
			w.answer(rw, r)
		case strings.HasSuffix(r.URL.Path, "/agent-card.json"):
			endpoint := cmp.Or(w.endpoint, w.URL+"/rpc")
			io.WriteString(rw, cmp.Or(w.card, `{"name":"Wreck","description":"d","version":"1","supportedInterfaces":[{"url":"`+endpoint+
				`","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":true},"skills":[]}`))
		default:
			http.NotFound(rw, r)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

// replies answers every call in the same way.
func replies(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// frames opens a stream, sends the frames and closes the connection; if cut is set, before an
// event of the announced length is complete.
func frames(cut bool, data ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, d := range data {
			fmt.Fprintf(w, "data: %s\n\n", d)
		}
		w.(http.Flusher).Flush()
		if cut {
			panic(http.ErrAbortHandler)
		}
	}
}

const (
	frameWorking   = `{"jsonrpc":"2.0","id":"x","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`
	frameCompleted = `{"jsonrpc":"2.0","id":"x","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}`
	page           = `<!doctype html><html><head><title>Sign in</title></head><body>please</body></html>`
)

// machineWords must not occur in a sentence for a user.
var machineWords = regexp.MustCompile(`dial tcp|connectex|EOF|x509|tls: |lookup |Get "|Post "|invalid character|context |i/o |json:|%!|<nil>|goroutine`)

func TestEachFailureIsOneSentenceForAUser(t *testing.T) {
	t.Parallel()
	mute := func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client disconnected
		<-r.Context().Done()
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		change func(*wreck, *options)
		plain  bool // a plain call
		slow   bool // it takes time, of a bubble
		open   bool // the agent may have begun to work
		class  string
		says   []string
	}{
		{name: "refused", change: func(w *wreck, _ *options) { w.endpoint = "http://" + closedPort(t) + "/rpc" },
			class: a2a.ClassRefused, says: []string{"127.0.0.1:", "refused the connection", "Start the agent"}},
		{name: "dns", change: func(w *wreck, o *options) {
			w.endpoint = "http://nowhere.example/rpc"
			withDial(o, func(ctx context.Context, network, address string) (net.Conn, error) {
				if strings.HasPrefix(address, "nowhere") {
					return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: "nowhere.example", IsNotFound: true}}
				}
				return new(net.Dialer).DialContext(ctx, network, address)
			})
		}, class: a2a.ClassDNS, says: []string{"no host named nowhere.example, which the card names", "pin it with --endpoint"}},
		{name: "tls", change: func(w *wreck, _ *options) {
			s := httptest.NewUnstartedServer(http.NotFoundHandler())
			s.Config.ErrorLog = quiet()
			s.StartTLS()
			t.Cleanup(s.Close)
			w.endpoint = s.URL + "/rpc"
		}, class: a2a.ClassTLS, says: []string{"certificate of 127.0.0.1:", "--insecure"}},
		{name: "401", answer: replies(401, "text/plain", "who are you"), class: a2a.ClassNoCredentials, says: []string{"401", "--bearer"}},
		{name: "403", answer: replies(403, "application/json", `{"error":"forbidden"}`), class: a2a.ClassStatus,
			says: []string{", or something on the way to it, refused the request (403 Forbidden: “forbidden”), although the agent's card requires no credentials"}},
		{name: "403 with a page", answer: replies(403, "text/html", "<html><title>Blocked by WAF</title></html>"), class: a2a.ClassStatus,
			says: []string{"refused the request (403 Forbidden with a web page titled “Blocked by WAF”), although the agent's card requires no credentials: something on the way may have refused it."}},
		{name: "404", answer: replies(404, "text/plain", "404 page not found\n"), class: a2a.ClassStatus, says: []string{"Nothing exists at http://127.0.0.1:", "/rpc", "404", "check the URL"}},
		{name: "500 with a page", answer: replies(500, "text/html", page), open: true, class: a2a.ClassStatus, says: []string{"500", "Sign in", "check the agent's log"}},
		{name: "502", answer: replies(502, "text/plain", "no upstream"), open: true, class: a2a.ClassStatus,
			says: []string{"Something on the way to 127.0.0.1:", "answered 502 Bad Gateway within a second: “no upstream”.", "The agent may have taken the message."}},
		{name: "null", answer: replies(200, "application/json", `{"jsonrpc":"2.0","id":"x","result":null}`), open: true, class: a2a.ClassBody,
			says: []string{"/rpc answered 200 OK with the result null: neither a task nor a message."}},
		{name: "200 with a page", answer: replies(200, "text/html", page), open: true, class: a2a.ClassBody, says: []string{"web page", "Sign in", "check whether the URL"}},
		{name: "text", answer: replies(200, "text/plain", "hello there"), class: a2a.ClassBody, open: true, says: []string{"/rpc answered 200 OK with “hello there”", "check the URL"}},
		{name: "nothing", answer: replies(200, "application/json", ""), class: a2a.ClassBody, open: true, says: []string{"an empty body", "check the agent's log"}},
		{name: "empty stream", answer: frames(false), class: a2a.ClassBody, open: true, says: []string{"without sending an event", "check the agent's log"}},
		{name: "JSON that stops", answer: replies(200, "application/json", frameWorking[:60]), plain: true, open: true, class: problem.ClassDecode, says: []string{"ends in the middle"}},
		{name: "malformed frame", answer: frames(false, frameWorking, `{"jsonrpc":`, frameCompleted), class: problem.ClassDecode, says: []string{"ends in the middle", "the stream continues"}},
		{name: "frame that is no JSON", answer: frames(false, frameWorking, `{"a":nope}`, frameCompleted), class: problem.ClassDecode, says: []string{"not valid JSON", "the stream continues"}},
		{name: "cut in an event", answer: func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "data: "+frameWorking+"\n\ndata: "+frameCompleted[:40])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, class: a2a.ClassCut, open: true, says: []string{"connection broke"}},
		{name: "cut between events", answer: frames(true, frameWorking), class: a2a.ClassCut, open: true, says: []string{"connection broke"}},
		{name: "closed while working", answer: frames(false, frameWorking), class: problem.ClassUnfinished, open: true, says: []string{"while the task was still working"}},
		{name: "result and error", answer: frames(false, `{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"boom"},"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}`),
			class: problem.ClassRPC, says: []string{"answered InternalError: boom.", "check the agent's log"}},
		{name: "error", answer: replies(200, "application/json", `{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"parts must not be empty\nat line 3\nat line 4"}}`),
			class: problem.ClassRPC, says: []string{"InvalidParams: parts must not be empty … ", "the recorded request"}},
		{name: "error without a message", answer: replies(200, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"message":""}}`),
			class: problem.ClassRPC, says: []string{"answered an error: no message."}},
		{name: "422", answer: replies(422, "application/json", `{"detail":[{"loc":["body","params"],"msg":"field required","type":"missing"}]}`),
			class: a2a.ClassStatus, says: []string{"422", "params: field required", "correct the request"}},
		{name: "redirect", answer: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) },
			class: a2a.ClassRedirect, says: []string{"/login", "302"}},
		{name: "redirect of credentials elsewhere", answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/rpc", http.StatusTemporaryRedirect)
		}, change: withBearer, class: a2a.ClassOrigin, says: []string{"https://elsewhere.example", "http://127.0.0.1:", "--allow-origin"}},
		{name: "credentials for another origin", change: func(w *wreck, o *options) {
			w.endpoint = "https://elsewhere.example/rpc"
			withBearer(w, o)
		}, class: a2a.ClassOrigin, says: []string{"https://elsewhere.example", "http://127.0.0.1:", "--allow-origin"}},
		{name: "timeout", answer: mute, plain: true, slow: true, change: func(w *wreck, o *options) {
			o.Client = func(string) a2a.Options { return a2a.Options{AnswerTimeout: time.Second, Dial: w.pipes.Dial} }
		}, class: a2a.ClassTimeout, open: true, says: []string{"did not answer within 1s"}},
	}
	for _, tt := range tests {
		check := func(t *testing.T, w *wreck) {
			d := newHarness(t, func(o *options) {
				o.WatchEvery = -1
				if tt.change != nil {
					tt.change(w, o)
				}
			})
			o := model.SendOptions{Async: true}
			if tt.plain {
				o.Stream = a2a.False
			}
			turn, over := d.sendText(model.Target{Agent: d.openAgent(w.URL)}, "hello", o)
			list := sessiontest.Problems(turn)
			if len(list) != 1 {
				t.Fatalf("got %d problems, want 1:\n%s\n%s", len(list), sessiontest.Sentences(turn), d.log())
			}
			pr := list[0]
			t.Logf("%s\n   (%s; %s)", pr.Sentence, pr.Class, pr.Detail)
			if pr.Open != tt.open {
				t.Errorf("open %v, want %v", pr.Open, tt.open)
			}
			if words := strings.ToLower(pr.Sentence); tt.open && (strings.Contains(words, "again") || strings.Contains(words, "get the task")) {
				t.Errorf("got problem %q, want the cause alone: the agent may be at work", pr.Sentence)
			}
			if pr.Class != tt.class {
				t.Errorf("class %q, want %q", pr.Class, tt.class)
			}
			for _, want := range tt.says {
				if !strings.Contains(pr.Sentence, want) {
					t.Errorf("got problem %q, want one with %q", pr.Sentence, want)
				}
			}
			if pr.Class == a2a.ClassCut && strings.Contains(pr.Sentence, "connection broke") && len(pr.Sentence) > 78 {
				t.Errorf("got %d characters, want at most 78: %s", len(pr.Sentence), pr.Sentence)
			}
			if machineWords.MatchString(pr.Sentence) || !strings.HasSuffix(pr.Sentence, ".") || strings.Contains(pr.Sentence, "\n") {
				t.Errorf("got problem %q, want a sentence for a user", pr.Sentence)
			}
			if over.Sentence != "" && over.Sentence != pr.Sentence {
				t.Errorf("got turn end %q, want the problem's sentence %q", over.Sentence, pr.Sentence)
			}
			d.finish()
		}
		t.Run(tt.name, func(t *testing.T) {
			if tt.slow {
				synctest.Test(t, func(t *testing.T) { check(t, newWreckOnPipes(t, tt.answer)) })
				return
			}
			check(t, newWreck(t, tt.answer))
		})
	}
}

func TestEachFailureOfACardIsOneSentenceForAUser(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, card, class string
		says              []string
	}{
		{"page", page, a2a.ClassNoCard, []string{"no agent card at 127.0.0.1:", "addresses tried"}},
		{"text", "not a card", a2a.ClassBadCard, []string{"not a card"}},
		{"half", `{"name":"W`, a2a.ClassBadCard, []string{"not valid JSON", "ask its author"}},
		{"no card", `{"hello":"world"}`, a2a.ClassBadCard, []string{"card"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWreck(t, nil)
			w.card = tt.card
			d := newHarness(t, nil)
			id := d.Open(w.URL)
			sig := d.waitForSignal(log.SignalOpened)
			a := d.state.Agent(id)
			t.Log(a.Problem)
			if a.Phase != model.Failed || a.Problem != sig.Sentence || sig.Class != tt.class {
				t.Errorf("got phase %d, problem %q, signal class %q, sentence %q; want failed, class %q, the same sentence", a.Phase, a.Problem, sig.Class, sig.Sentence, tt.class)
			}
			for _, want := range tt.says {
				if !strings.Contains(a.Problem, want) {
					t.Errorf("got problem %q, want one with %q", a.Problem, want)
				}
			}
			if machineWords.MatchString(a.Problem) || !strings.HasSuffix(a.Problem, ".") {
				t.Errorf("got problem %q, want a sentence for a user", a.Problem)
			}
			d.finish()
		})
	}
}

func TestAPlainAnswerToAStreamCallIsNoFailure(t *testing.T) {
	t.Parallel()
	w := newWreck(t, replies(200, "application/json", strings.Replace(frameWorking, "WORKING", "COMPLETED", 1)))
	d := newHarness(t, nil)
	turn, over := d.sendText(model.Target{Agent: d.openAgent(w.URL)}, "hello", model.SendOptions{})
	if len(sessiontest.Problems(turn)) != 0 || over.Sentence != "" || turn.Blocks[0].Task.State != a2a.StateCompleted {
		t.Errorf("got turn end %+v, want a completed task without problems\n%s\n%s", over, sessiontest.Sentences(turn), d.log())
	}
	d.finish()
}

func TestAnAnswerOfAnotherKindIsShownAsItCame(t *testing.T) {
	t.Parallel()
	w := newWreck(t, replies(200, "application/json", `{"jsonrpc":"2.0","id":"x","result":[{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}]}`))
	d := newHarness(t, nil)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(w.URL)}, "hello", model.SendOptions{})
	if len(turn.Blocks) != 1 || turn.Blocks[0].Entries[0].Kind != model.EntryUnknown || !strings.HasPrefix(string(turn.Blocks[0].Entries[0].Raw), "[{") {
		t.Errorf("want the answer as an unknown event, got state\n%s\n%s", sessiontest.Dump(d.state), d.log())
	}
	d.finish()
}

func withBearer(_ *wreck, o *options) {
	o.Client = func(ref string) a2a.Options { return a2a.Options{Bearer: "s3cret", UserAddresses: []string{ref}} }
}

func withDial(o *options, dial func(context.Context, string, string) (net.Conn, error)) {
	o.Client = func(string) a2a.Options { return a2a.Options{Dial: dial} }
}

// closedPort returns an address at which nothing listens, and nothing can until the test ends:
// it is the local end of an open connection.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.LocalAddr().String()
}

// listenAt listens at an address of [reservePort], which is free as soon as an earlier listener
// is closed.
func listenAt(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	for deadline := time.Now().Add(time.Minute); err != nil && time.Now().Before(deadline); l, err = net.Listen("tcp", address) {
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("after a minute %s is not free: %v", address, err)
	}
	return l
}

func quiet() *stdlog.Logger { return stdlog.New(io.Discard, "", 0) }
