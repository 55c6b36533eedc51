package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// servePieces starts an agent that sends the bytes of the test, when the test says so, over a real
// connection.
func servePieces(t *testing.T, media string) (url string, pieces chan string) {
	t.Helper()
	pieces = make(chan string)
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && media != "" {
			fmt.Fprintf(w, `{"name":"Drip","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
				"capabilities":{"streaming":%t},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`, s.URL, media == "text/event-stream")
			return
		}
		w.Header().Set("Content-Type", media)
		for text := range pieces {
			_, _ = fmt.Fprint(w, text)
			_ = http.NewResponseController(w).Flush()
		}
	}))
	stop := sync.OnceFunc(func() { close(pieces) })
	t.Cleanup(func() { stop(); s.CloseClientConnections(); s.Close() })
	return s.URL, pieces
}

// step is a number of bytes that is reported at once when its time has come.
const step = 2 * countFrom

// Bytes of something incomplete are counted as they come: the state has the count, and 0 when
// it is complete.
func TestBytesOfWhatIsNotCompleteAreCounted(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("x", step)
	const begun = "data: {\"jsonrpc\":\"2.0\",\"result\":{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}}\n\n"
	for _, c := range []struct{ name, media, begin, piece string }{
		{"a line", "text/event-stream", begun + "data: ", filler},
		{"comments", "text/event-stream", begun, strings.Repeat(": ping\n\n", step/8)},
		{"an answer", "application/json", `{"jsonrpc":"2.0","result":"`, filler},
		{"a card", "", `{"name":"`, filler},
	} {
		t.Run(c.name, func(t *testing.T) {
			var late atomic.Int64
			began := time.Now()
			d := newHarness(t, func(o *options) {
				o.Now = func() time.Time { return began.Add(time.Duration(late.Load())) }
			})
			url, pieces := servePieces(t, c.media)
			var turn a2a.TurnID
			var agent a2a.AgentID
			count := func() int64 { return d.state.Agent(agent).Incomplete }
			if c.media == "" {
				agent = d.Open(url)
			} else {
				agent = d.openAgent(url)
				turn = d.Send(model.Target{Agent: agent}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
				count = func() int64 { return d.state.Turn(turn).Incomplete }
			}
			pieces <- c.begin
			if strings.Contains(c.begin, begun) {
				d.until("the first event", func(it log.Item) bool { return len(it.Update.Events) > 0 && it.Record.Kind == a2a.KindEvent })
			}
			late.Add(int64(countAfter))
			before := int64(0)
			for n := range 3 {
				late.Add(int64(countEvery))
				pieces <- c.piece
				sig := d.waitForSignal(log.SignalBytes)
				if got := count(); got <= before || got != sig.Bytes || sig.Turn != turn || sig.Agent != agent {
					t.Fatalf("step %d: got %d bytes after %d, signal %+v; want a growing count that the signal reports for its turn and agent", n, got, before, sig)
				}
				before = count()
			}
			d.Close()
			d.until("the end of the count", func(it log.Item) bool {
				return it.Signal != nil && it.Signal.Kind == log.SignalBytes && it.Signal.Bytes == 0
			})
			if count() != 0 {
				t.Errorf("got %d bytes after completion, want 0", count())
			}
		})
	}
}

// However many reads there are, they allocate nothing and cause few signals; none while events
// become complete.
func TestABytesSignalIsRare(t *testing.T) {
	now := time.Unix(0, 0)
	feed := log.NewFeed()
	e := New(Base{Recorder: journal.NewRecorder(feed, nil), Now: func() time.Time { return now }, After: time.After, NewID: func() string { return "" }}, Use{})
	defer e.Close()
	signals := func() int {
		feed.Append(log.Item{})
		items, err := feed.Next(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(items) - 1
	}
	c := newByteCounter(e, &a2a.Call{Agent: 1})
	if n := testing.AllocsPerRun(1000, func() { c.count(32 << 10) }); n != 0 {
		t.Errorf("got %v allocations per read, want 0", n)
	}
	for range 10_000 { // 100 s of events, each in many reads
		now = now.Add(10 * time.Millisecond)
		for range 10 {
			c.count(32 << 10)
		}
		c.noteUpdate(a2a.Update{Events: make([]a2a.Event, 1)})
	}
	if n := signals(); n != 0 {
		t.Errorf("got %d signals while events become complete, want 0", n)
	}
	for range 10_000 { // 10 s of one event
		now = now.Add(time.Millisecond)
		c.count(32 << 10)
	}
	if n, most := signals(), int(10*time.Second/countEvery); n < most/2 || n > most {
		t.Errorf("got %d signals in 10 s, want %d to %d", n, most/2, most)
	}
	c.reset()
	c.reset()
	if n := signals(); n != 1 {
		t.Errorf("got %d signals at completion, want 1", n)
	}
	now = now.Add(time.Hour)
	c.count(countFrom - 1)
	if n := signals(); n != 0 {
		t.Errorf("got %d signals for few bytes, want 0", n)
	}
}
