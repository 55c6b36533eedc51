package tap

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/tap/relay"
)

func TestSecretsOfClientsPassAndAreNotRecorded(t *testing.T) {
	t.Parallel()
	secrets := []string{"bearer-of-the-client", "cookie-of-the-client", "key-in-the-card", "key-in-the-query", "short-lived-password"}
	s := newSession(t)
	var got http.Header
	var query string
	base, _, _ := tapped(t, s, func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "agent-card.json") {
			_, _ = io.WriteString(w, `{"name":"A","skills":[],"capabilities":{},"securitySchemes":{"k":{"apiKeySecurityScheme":{"name":"X-Ident","location":"header"}}},"url":"http://other.example/"}`)
			return
		}
		got, query = req.Header.Clone(), req.URL.RawQuery
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Echo", "key-in-the-card")
		_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"ctx-of-the-client","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"you are bearer-of-the-client"}]}}}}}`+"\n\n")
		for _, half := range []string{"cookie-of-", "the-client"} {
			_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"ctx-of-the-client","append":true,"artifact":{"artifactId":"a","parts":[{"text":"`+half+`"}]}}}}`+"\n\n")
		}
	})
	ask(t, "GET", base+"/.well-known/agent-card.json", "")
	s.ends(1)
	s.waitNote(log.NoteOpened, "")
	_, body := ask(t, "POST", base+"/a2a?api_key=key-in-the-query", rpc("1", "SendStreamingMessage", `{"message":{"messageId":"m","contextId":"ctx-of-the-client","role":"ROLE_USER","parts":[{"data":{"password":"short-lived-password"}}]}}`),
		"Authorization", "Bearer bearer-of-the-client", "Cookie", "sid=cookie-of-the-client", "X-Ident", "key-in-the-card", "X-Session-Id", "ctx-of-the-client")
	if got.Get("Authorization") != "Bearer bearer-of-the-client" || got.Get("X-Ident") != "key-in-the-card" || query != "api_key=key-in-the-query" || !strings.Contains(body, "you are bearer-of-the-client") {
		t.Errorf("got %v and %q at the agent, %q at the client, want everything to pass", got, query, body)
	}
	s.ends(2)
	all := s.everything()
	for _, secret := range secrets {
		if strings.Contains(all, secret) {
			t.Errorf("got %q in the session, want it masked:\n%s", secret, all)
		}
	}
	if c := s.state.Agents[0].Conversations; len(c) != 1 || c[0].ContextID != "ctx-of-the-client" {
		t.Errorf("got %+v, want the context readable, although a header repeats it", c)
	}
}

func TestACardInAContentCodingLeadsThroughTheTap(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	var agent string
	base, tap, target := tapped(t, s, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, cardAt(agent))
		_ = z.Close()
	})
	agent = target.String()
	_, card := ask(t, "GET", base+"/.well-known/agent-card.json", "", "Accept-Encoding", "gzip")
	if !strings.Contains(card, base+"/a2a") || strings.Contains(card, "signatures") {
		t.Errorf("got %q, want the card decoded, at the tap", card)
	}
	s.ends(1)
	s.waitNote(log.NoteOpened, "")
	body := s.records(a2a.KindBody)[0].Record
	if body.Coding == nil || body.Coding.Names != "gzip" || string(body.Raw) != cardAt(agent) || len(body.Coding.Bytes) == 0 {
		t.Errorf("got %+v, want the card as the agent sent it", body.Coding)
	}
	if a := s.state.Agent(tap.Agent()); a.Card == nil || a.Card.Name != "Clerk" {
		t.Errorf("got %+v, want the card of the agent", a.Card)
	}
}

// Everything passes; what is beyond a limit is counted.
func TestEndlessAnswersPassAndAreRecordedUpToALimit(t *testing.T) {
	t.Parallel()
	const size = 300_000
	long := strings.Repeat("x", size)
	var artifacts strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&artifacts, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"artifactUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"artifact\":{\"artifactId\":\"a%d\",\"parts\":[{\"text\":\"x\"}]}}}}\n\n", i)
	}
	for _, c := range []struct{ name, media, body string }{
		{"a body", "application/json", `{"jsonrpc":"2.0","id":1,"result":"` + long + `"}`},
		{"an event", "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\ndata: " + long},
		{"comments", "text/event-stream", ": " + strings.Repeat("y\n: ", size/4)},
		{"events", "text/event-stream", strings.Repeat("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}}\n\n", 3000)},
		{"artifacts", "text/event-stream", artifacts.String()},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSession(t)
			base, _, _ := tapped(t, s, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.media)
				_, _ = io.WriteString(w, c.body)
			}, func(o *Options) {
				o.Limits[a2a.LimitItems] = 1000
				o.Limits[a2a.LimitAnswer], o.Limits[a2a.LimitEvent], o.Limits[a2a.LimitStream] = 10_000, 10_000, 200_000
			})
			if _, got := ask(t, "POST", base+"/", rpc("1", "SendStreamingMessage", message("go", ""))); got != c.body {
				t.Errorf("got %d bytes at the client, want %d", len(got), len(c.body))
			}
			s.ends(1)
			recorded := 0
			for _, it := range s.items {
				if r := &it.Record; r.Kind == a2a.KindBody || r.Kind == a2a.KindEvent || r.Kind == a2a.KindEnd {
					recorded += len(r.Raw) + r.Omitted
				}
			}
			end := s.records(a2a.KindEnd)[0].Record
			if recorded != len(c.body) || end.End.Class != a2a.ClassLimit || end.End.Reason != a2a.Ended || !strings.Contains(end.End.Sentence, "the client got all of it") {
				t.Errorf("got %d bytes and %+v, want all %d bytes recorded or counted, and a limit", recorded, end.End, len(c.body))
			}
		})
	}
}

func TestACardThatIsTooLongPassesAndIsNoted(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	card := `{"name":"A","skills":[],"capabilities":{},"url":"http://x/","description":"` + strings.Repeat("d", 20_000_000) + `"}`
	base, _, _ := tapped(t, s, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, card) })
	if _, got := ask(t, "GET", base+"/.well-known/agent-card.json", ""); got != card {
		t.Errorf("got %d bytes, want the card as it is", len(got))
	}
	s.ends(1)
	s.waitNote(log.NoteTap, "The card passed unchanged")
}

// Agents and clients label things wrongly, and send what is no request of A2A.
func TestLyingTrafficIsShown(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	answers := []struct{ media, body string }{
		{"application/json", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"id\":\"t1\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}}\n\n"},
		{"text/event-stream", `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t2","contextId":"c2","status":{"state":"TASK_STATE_COMPLETED"}}}}`},
		{"text/plain", "\xff\xfe\x00 not JSON"},
		{"", `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"no"}}]`},
		{"text/html", "<html><title>Hello</title>"},
	}
	n := 0
	base, _, _ := tapped(t, s, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", answers[n].media)
		_, _ = io.WriteString(w, answers[n].body)
		n++
	})
	for i, body := range []string{
		rpc("1", "SendStreamingMessage", message("a", "")), rpc("1", "SendStreamingMessage", message("b", "")), "\x00\xff{{{",
		"[" + rpc("1", "GetTask", `{"id":"t1"}`) + "," + rpc("2", "GetTask", `{"id":"t2"}`) + "]", strings.Repeat("[", 100_000),
	} {
		if _, got := ask(t, "POST", base+"/", body, "Content-Type", "text/plain"); got != answers[i].body {
			t.Errorf("answer %d: got %q, want it to pass", i, got)
		}
	}
	s.ends(5)
	if one, two := s.state.Task(s.state.Agents[0].ID, "t1"), s.state.Task(s.state.Agents[0].ID, "t2"); one == nil || two == nil {
		t.Errorf("got tasks %v and %v, want both in spite of their labels\n%s", one, two, s.describe())
	}
	for i, it := range s.records(a2a.KindRequest) {
		if op := it.Record.Call.Op; (i == 2 || i == 4) != (op == "") {
			t.Errorf("request %d: got operation %q", i, op)
		}
	}
}

// Clients that use the same ids of JSON-RPC at the same time do not mix, nor do their conversations.
func TestClientsAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	base, tap, _ := tapped(t, s, func(w http.ResponseWriter, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		text := between(string(b), `"text":"`, `"`)
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(result string) {
			_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"result":`+result+"}\n\n")
			_ = http.NewResponseController(w).Flush()
		}
		send(`{"task":{"id":"task-` + text + `","contextId":"ctx-` + text + `","status":{"state":"TASK_STATE_WORKING"}}}`)
		for range 20 {
			send(`{"artifactUpdate":{"taskId":"task-` + text + `","contextId":"ctx-` + text + `","append":true,"artifact":{"artifactId":"a","parts":[{"text":"` + text + ` "}]}}}`)
		}
		send(`{"statusUpdate":{"taskId":"task-` + text + `","contextId":"ctx-` + text + `","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	})
	const clients = 8
	var work sync.WaitGroup
	for i := range clients {
		work.Go(func() {
			text := fmt.Sprint("c", i)
			for _, more := range []string{"", `,"contextId":"ctx-` + text + `"`} {
				ask(t, "POST", base+"/", rpc("1", "SendStreamingMessage", message(text, more)), "User-Agent", text)
			}
		})
	}
	work.Wait()
	s.ends(2 * clients)
	a := s.state.Agent(tap.Agent())
	if len(a.Conversations) != clients {
		t.Fatalf("got %d conversations, want one of each of %d clients", len(a.Conversations), clients)
	}
	for _, c := range a.Conversations {
		client := c.Turns[0].Client
		if len(c.Turns) != 2 || c.ContextID != "ctx-"+client || c.Turns[1].Client != client || c.Turns[1].Message.Text() != client {
			t.Errorf("got %+v of client %s, want its own two turns", c, client)
		}
	}
}

// A hostile client names many contexts, and an agent many tasks: what is remembered is bounded.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	_, tap, _ := tapped(t, s, http.NotFound)
	first := play(t, tap, rpc("1", "SendMessage", message("x", `,"contextId":"first"`)), nil)
	for i := range maxPlaces {
		tap.places.contexts.put(fmt.Sprint("c-", i), place{a2a.ConversationID(i + 100), 1})
	}
	if n := len(tap.places.contexts.at); n != maxPlaces || len(tap.places.contexts.order) != maxPlaces {
		t.Errorf("got %d contexts, want %d", n, maxPlaces)
	}
	if again := play(t, tap, rpc("1", "SendMessage", message("x", `,"contextId":"first"`)), nil); again.conversation == first.conversation {
		t.Errorf("got %+v, want another conversation for a context that was forgotten", again)
	}
	if newest := play(t, tap, rpc("1", "SendMessage", message("x", fmt.Sprintf(`,"contextId":"c-%d"`, maxPlaces-1))), nil); newest.conversation != maxPlaces+99 {
		t.Errorf("got %+v, want the newest conversation", newest)
	}
	play(t, tap, rpc("1", "SendMessage", message("x", `,"contextId":"`+strings.Repeat("z", 1<<20)+`"`)), nil)
	for i := range 2 * maxHooks {
		tap.newHook(fmt.Sprint("http://h/", i))
	}
	if n := len(tap.hooks.by); n != maxHooks {
		t.Errorf("got %d webhooks, want %d", n, maxHooks)
	}
}

// play lets one exchange pass without a network, and returns where it belongs.
func play(t testing.TB, tap *Tap, request string, pieces [][]byte) place {
	t.Helper()
	at := time.Now()
	x, _ := tap.Begin(relay.Client{Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, Connection: 1}, relay.Head{Time: at, Method: "POST", URI: "/", Host: "h", Proto: "HTTP/1.1"})
	x.RequestBody(at, []byte(request))
	x.RequestEnd(at)
	if pieces != nil {
		x.Response(relay.Head{Time: at, Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}}})
		for _, piece := range pieces {
			x.ResponseBody(at, piece)
		}
	}
	x.End(relay.End{Time: at, Cause: relay.Complete})
	call := x.(*exchange).call
	return place{call.Conversation, call.Turn}
}

// Whatever bytes pass, nothing panics, and every byte of the answer is recorded or counted.
func FuzzExchange(f *testing.F) {
	f.Add(rpc("1", "SendStreamingMessage", message("a", "")), []byte("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\ndata: x"), 3)
	f.Add("", []byte{0, 0, 0, 0, 5, 1, 2}, 1)
	f.Add("{", []byte("{\"a\":1}\n{\"b\":"), 100)
	f.Fuzz(func(t *testing.T, request string, answer []byte, size int) {
		s := newSession(nil)
		tap := New(Options{Target: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}, Recorder: s.rec})
		size = max(size, 1)
		var pieces [][]byte
		for rest := answer; len(rest) > 0 && len(pieces) < 1000; {
			n := min(size, len(rest))
			if len(pieces) == 999 {
				n = len(rest)
			}
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		pieces = append(pieces, nil)
		play(t, tap, request, pieces)
		items, err := s.feed.Next(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		got, late := 0, 0
		for _, it := range items {
			switch r := &it.Record; r.Kind {
			case a2a.KindBody, a2a.KindEvent, a2a.KindEnd:
				got += len(r.Raw) + r.Omitted
				if r.SSE != nil && r.SSE.LateLF {
					late++
				}
			}
		}
		if got+late != len(answer) && !bytes.Contains(answer, []byte("eyJ")) {
			t.Errorf("got %d bytes recorded, want %d", got, len(answer))
		}
	})
}
