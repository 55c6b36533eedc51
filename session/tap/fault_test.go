package tap

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// A stopper calls the functions of a tap when the test says so.
type stopper chan func()

func (s stopper) after(_ time.Duration, f func()) func() bool {
	s <- f
	return func() bool { return true }
}

func TestFaultsAreInjectedAndJudged(t *testing.T) {
	t.Parallel()
	send, get := rpc("1", "SendMessage", message("work", "")), rpc("2", "GetTask", `{"id":"task-1"}`)
	stream := rpc("1", "SendStreamingMessage", message("work", ""))
	for _, c := range []struct {
		name    string
		fault   Fault
		first   string
		then    []string
		verdict string
	}{
		{"503, again at once", Fault{Kind: FaultUnavailable, Op: a2a.OpSend, For: time.Hour, Times: 1}, send, []string{send}, "ignored Retry-After"},
		{"503 for all, asked again", Fault{Kind: FaultUnavailable, Times: 1}, get, []string{get}, "asked again"},
		{"401", Fault{Kind: FaultUnauthorized, Times: 1}, send, []string{send}, "sent the message again with the same messageId"},
		{"cut, subscribed", Fault{Kind: FaultCut, Op: a2a.OpStream, Times: 1}, stream, []string{get, rpc("3", "SubscribeToTask", `{"id":"task-1"}`)}, "got the task"},
		{"cut, sent twice", Fault{Kind: FaultCut, Times: 1}, stream, []string{stream}, "does the work twice"},
		{"cut, another id", Fault{Kind: FaultCut, Times: 1}, stream, []string{strings.Replace(stream, "m-work", "m-2", 1)}, "another messageId"},
		{"cut, resubscribed", Fault{Kind: FaultCut, Times: 1}, stream, []string{rpc("3", "SubscribeToTask", `{"id":"task-1"}`)}, "subscribed to the task again"},
		{"cut, given up", Fault{Kind: FaultCut, Times: 1}, stream, nil, "gave up"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, clock := newSession(t), make(stopper, 8)
			var agent string
			base, tap, _ := tapped(t, s, clerk(&agent), func(o *Options) { o.AfterFunc = clock.after })
			tap.Faults().On(c.fault)
			post(t, base+"/a2a", c.first)
			s.ends(1)
			for i, body := range c.then {
				post(t, base+"/a2a", body)
				s.ends(i + 2)
			}
			if c.then == nil {
				(<-clock)()
			}
			s.waitNote(log.NoteVerdict, c.verdict)
			if said := strings.Join(s.notes(log.NoteTap), " "); !strings.Contains(said, "On purpose, the tap") {
				t.Errorf("got notes %q, want the fault said", said)
			}
			if n := len(s.notes(log.NoteVerdict)); n != 1 {
				t.Errorf("got %d verdicts, want 1", n)
			}
			if len(tap.Faults().All()) != 0 {
				t.Errorf("got %+v, want the fault off after one use", tap.Faults().All())
			}
		})
	}
}

// post sends a request whose answer may break off.
func post(t *testing.T, target, body string) {
	t.Helper()
	req, _ := http.NewRequestWithContext(t.Context(), "POST", target, strings.NewReader(body))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

// A fault of one operation leaves the others alone, and can be taken off.
func TestAFaultHitsItsOperationAlone(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	var agent string
	base, tap, _ := tapped(t, s, clerk(&agent))
	tap.Faults().On(Fault{Kind: FaultUnavailable, Op: a2a.OpGet})
	for range 2 {
		if status, _ := ask(t, "POST", base+"/a2a", rpc("1", "GetTask", `{"id":"x"}`)); status != http.StatusServiceUnavailable {
			t.Errorf("got %d for a get, want 503", status)
		}
	}
	if status, _ := ask(t, "POST", base+"/a2a", rpc("1", "SendMessage", message("hi", ""))); status != http.StatusOK {
		t.Errorf("got %d for a message, want 200", status)
	}
	if status, _ := ask(t, "GET", base+"/health", ""); status != http.StatusNotFound {
		t.Errorf("got %d for what is no operation, want the agent's 404", status)
	}
	tap.Faults().Off(FaultUnavailable)
	if status, _ := ask(t, "POST", base+"/a2a", rpc("1", "GetTask", `{"id":"x"}`)); status != http.StatusOK {
		t.Errorf("got %d after the fault was taken off, want 200", status)
	}
	tap.Close()
	s.ends(5)
	s.waitNote(log.NoteVerdict, "asked again")
}

// The end says who broke an exchange off.
func TestEndsSayWhoBroke(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	left := make(chan struct{})
	base, _, target := tapped(t, s, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`+"\n\ndata: {\"jsonr")
		_ = http.NewResponseController(w).Flush()
		if strings.Contains(req.Header.Get("User-Agent"), "leaves") {
			<-req.Context().Done()
			close(left)
			return
		}
		panic(http.ErrAbortHandler)
	})
	stream := rpc("1", "SendStreamingMessage", message("work", ""))
	post(t, base+"/", stream)
	s.ends(1)
	end := s.records(a2a.KindEnd)[0].Record
	if end.End.Reason != a2a.Cut || end.End.Class != a2a.ClassCut || !strings.Contains(end.End.Sentence, "The agent at "+target.Host) || !end.Torn || string(end.Raw) != `data: {"jsonr` {
		t.Errorf("got %+v with %q, want a cut by the agent with the torn event", end.End, end.Raw)
	}
	req, _ := http.NewRequestWithContext(t.Context(), "POST", base+"/", strings.NewReader(stream))
	req.Header.Set("User-Agent", "leaves")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = bufio.NewReader(resp.Body).ReadString('\n')
	resp.Body.Close()
	<-left
	s.ends(2)
	end = s.records(a2a.KindEnd)[1].Record
	if end.End.Reason != a2a.Cut || end.End.Class != a2a.ClassClient || !strings.HasPrefix(end.End.Sentence, "The client closed the connection") {
		t.Errorf("got %+v, want a cut by the client", end.End)
	}
}
