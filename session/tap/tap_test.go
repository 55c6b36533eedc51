package tap

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// ask sends a request and returns the status and the body of the answer.
func ask(t *testing.T, method, target, body string, header ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Logf("the body broke: %v", err)
	}
	return resp.StatusCode, string(b)
}

// cardAt is a card of an agent with interfaces at a base and elsewhere.
func cardAt(base string) string {
	return fmt.Sprintf(`{"name":"Clerk","description":"d","version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":[],"defaultOutputModes":[],`+
		`"supportedInterfaces":[{"url":"%s/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"%s/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},{"url":"https://other.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"signatures":[{"protected":"x","signature":"y"}]}`, base, base)
}

func rpc(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func message(text, more string) string {
	return `{"message":{"messageId":"m-` + text + `","role":"ROLE_USER","parts":[{"text":"` + text + `"}]` + more + `}}`
}

// clerk answers over JSON-RPC and HTTP+JSON of 1.0: every message begins a task of its context.
func clerk(base *string) http.HandlerFunc {
	tasks := 0
	return func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		context := between(string(body), `"contextId":"`, `"`)
		if context == "" {
			context = fmt.Sprintf("ctx-%d", tasks+1)
		}
		w.Header().Set("Content-Type", "application/json")
		task := func(id, state string) string {
			return `{"id":"` + id + `","contextId":"` + context + `","status":{"state":"` + state + `"},"artifacts":[{"artifactId":"a","parts":[{"text":"one two three"}]}]}`
		}
		switch {
		case strings.HasSuffix(req.URL.Path, "/agent-card.json"):
			_, _ = io.WriteString(w, cardAt(*base))
		case strings.HasSuffix(req.URL.Path, "message:send"):
			tasks++
			_, _ = io.WriteString(w, `{"task":`+task(fmt.Sprintf("task-%d", tasks), "TASK_STATE_COMPLETED")+`}`)
		case strings.Contains(string(body), "SendStreamingMessage"):
			tasks++
			w.Header().Set("Content-Type", "text/event-stream")
			id := fmt.Sprintf("task-%d", tasks)
			send := func(result string) {
				_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"result":`+result+"}\n\n")
				_ = http.NewResponseController(w).Flush()
			}
			send(`{"task":{"id":"` + id + `","contextId":"` + context + `","status":{"state":"TASK_STATE_WORKING"}}}`)
			for _, text := range []string{"one ", "two ", "three"} {
				send(`{"artifactUpdate":{"taskId":"` + id + `","contextId":"` + context + `","append":true,"artifact":{"artifactId":"a","parts":[{"text":"` + text + `"}]}}}`)
			}
			send(`{"statusUpdate":{"taskId":"` + id + `","contextId":"` + context + `","status":{"state":"TASK_STATE_COMPLETED"}}}`)
		case strings.Contains(string(body), "GetTask"):
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+task(between(string(body), `"id":"`, `"`), "TASK_STATE_COMPLETED")+`}`)
		case strings.Contains(string(body), "SendMessage"):
			tasks++
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"task":`+task(fmt.Sprintf("task-%d", tasks), "TASK_STATE_COMPLETED")+`}}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}
}

// An agent whose connection breaks after the task is over has answered its client completely.
func TestABreakAfterTheTaskIsNoneOfTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	var agent string
	answers := clerk(&agent)
	base, _, _ := tapped(t, s, func(w http.ResponseWriter, r *http.Request) {
		answers(w, r)
		if r.Method == http.MethodPost {
			panic(http.ErrAbortHandler) // without a last chunk
		}
	})
	agent = base
	_, body := ask(t, http.MethodPost, base+"/a2a", rpc("1", "SendStreamingMessage", message("hi", "")))
	s.ends(1)
	end := s.records(a2a.KindEnd)[0].Record.End
	if !strings.Contains(body, "COMPLETED") || end.Reason != a2a.Ended || end.Class != "" || !strings.Contains(end.Break, "closed the connection") {
		t.Errorf("got end %+v after %q, want a complete answer and its break", end, body)
	}
}

func between(s, before, after string) string {
	_, s, ok := strings.Cut(s, before)
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, after)
	return s
}

func TestTrafficOfOthersIsShownAsConversations(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	var agent string
	base, tap, target := tapped(t, s, clerk(&agent), func(o *Options) { o.Name = "desk" })
	agent = target.String()

	_, card := ask(t, "GET", base+"/.well-known/agent-card.json", "")
	if want := strings.ReplaceAll(strings.Replace(cardAt(base), `,"signatures":[{"protected":"x","signature":"y"}]`, "", 1), agent, base); card != want {
		t.Errorf("got card %s\nwant %s", card, want)
	}
	ask(t, "POST", base+"/a2a", rpc("1", "SendStreamingMessage", message("first", "")), "A2A-Version", "1.0", "User-Agent", "gopher/1")
	ask(t, "POST", base+"/a2a", rpc("1", "SendMessage", message("second", `,"contextId":"ctx-1"`)), "A2A-Version", "1.0")
	ask(t, "POST", base+"/a2a", rpc("1", "GetTask", `{"id":"task-1"}`), "A2A-Version", "1.0")
	ask(t, "POST", base+"/rest/message:send", message("third", ""), "A2A-Version", "1.0")
	ask(t, "GET", base+"/health", "")
	s.ends(6)

	a := s.state.Agent(tap.Agent())
	if a == nil || a.Card == nil || a.Card.Name != "Clerk" || a.Phase != model.Ready || a.Tap != "desk" {
		t.Fatalf("got agent %+v, want Clerk, ready, behind the tap desk", a)
	}
	if a.Profile.Endpoint != agent+"/a2a" || a.Profile.Dialect != a2a.V10 {
		t.Errorf("got profile %+v, want that of the agent's own address", a.Profile)
	}
	if len(a.Conversations) != 2 {
		t.Fatalf("got %d conversations, want 2\n%s", len(a.Conversations), s.describe())
	}
	first, third := a.Conversations[0], a.Conversations[1]
	if len(first.Turns) != 2 || first.ContextID != "ctx-1" || first.Turns[0].Message.Text() != "first" || first.Turns[1].Message.Text() != "second" || first.Turns[0].Client != "gopher/1" {
		t.Errorf("got %+v, want first by gopher/1 and second in one context", first)
	}
	if len(first.Tasks) == 0 || string(first.Tasks[0].Artifacts[0].Text) != "one two three" || first.Tasks[0].State != a2a.StateCompleted {
		t.Errorf("got tasks %+v, want the artifact of the stream", first.Tasks)
	}
	if len(third.Turns) != 1 || third.Turns[0].Message.Text() != "third" || third.Turns[0].Pending {
		t.Errorf("got %+v, want the message over HTTP+JSON, answered", third)
	}
	var get *a2a.Call
	for _, it := range s.records(a2a.KindRequest) {
		if it.Record.Call.Op == a2a.OpGet {
			get = it.Record.Call
		}
		if it.Record.Call.Tapped == nil {
			t.Errorf("record %d: got a call that is not tapped", it.Record.ID)
		}
	}
	if get == nil || get.Conversation != first.ID || get.Turn != first.Turns[0].ID || get.Dialect != a2a.V10 || get.Endpoint != agent+"/a2a" {
		t.Errorf("got %+v, want the get in the turn of its task", get)
	}
	if said := strings.Join(s.notes(log.NoteTap), "\n"); !strings.Contains(said, "2 interfaces of the card lead through the tap; its signatures were dropped") || !strings.Contains(said, "other.example stays") {
		t.Errorf("got notes %q, want what the tap does to the card", said)
	}
	for _, it := range s.records(a2a.KindBody) {
		if it.Record.Call.Op == a2a.OpCard && string(it.Record.Raw) != cardAt(agent) {
			t.Errorf("got %s, want the card as the agent sent it", it.Record.Raw)
		}
	}
	for _, it := range s.records(a2a.KindHead) {
		if h := it.Record.Head; h.Wire == "" || h.Sent == "" || h.Timing == nil || !strings.HasPrefix(string(h.Sent), "GET ") && !strings.HasPrefix(string(h.Sent), "POST ") {
			t.Errorf("record %d: got %+v, want both heads as they were written", it.Record.ID, h)
		}
	}
	if c := tap.Counts(); c.Exchanges != 6 || c.Other != 1 {
		t.Errorf("got %+v, want 6 exchanges, of which 1 is not A2A", c)
	}
}

// A session of a tap shows the same when it is opened again.
func TestARecordedSessionShowsTheSame(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	var agent string
	base, _, target := tapped(t, s, clerk(&agent))
	agent = target.String()
	ask(t, "GET", base+"/.well-known/agent-card.json", "")
	ask(t, "POST", base+"/a2a", rpc("1", "SendStreamingMessage", message("first", "")), "Authorization", "Bearer some-long-token")
	ask(t, "POST", base+"/a2a", rpc("1", "GetTask", `{"id":"task-1"}`))
	ask(t, "GET", base+"/other", "")
	s.ends(4)
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(s.everything()), 0o600); err != nil {
		t.Fatal(err)
	}
	recording, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	again := sessiontest.ReplayState(t, recording, nil)
	if live, opened := sessiontest.Dump(s.state), sessiontest.Dump(again); live != opened {
		t.Errorf("got another state:\n%s", sessiontest.Difference(live, opened))
	}
}
