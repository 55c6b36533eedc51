package a2a_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/internal/pipetest"
)

func stream(chunks ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, c := range chunks {
			_, _ = io.WriteString(w, c)
			_ = http.NewResponseController(w).Flush()
		}
	}
}

func vector(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEveryFrameIsARecordWhileTheStreamIsOpen(t *testing.T) { // alone: it looks at all goroutines
	tp := newTape()
	states := []string{"SUBMITTED", "WORKING", "COMPLETED"}
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for i, s := range states {
			_, _ = io.WriteString(w, status(s))
			_ = http.NewResponseController(w).Flush()
			if err := tp.wait(a2a.KindEvent, i+1); err != nil {
				t.Error(err)
				return
			}
		}
	})
	o, updates := do(t, tp, agent.URL, a2a.OpStream)
	if o.Err != nil || !o.Streamed || o.Events != 3 || o.State != a2a.StateCompleted || o.Unfinished() || len(updates) != 3 {
		t.Errorf("got answer %+v with %d updates, want a completed stream of 3 events", o, len(updates))
	}
	if want := status(states[0]) + status(states[1]) + status(states[2]); tp.body() != want {
		t.Errorf("got body %q, want %q", tp.body(), want)
	}
	noGoroutines(t)
}

func TestStreamsInEveryFramingAreRead(t *testing.T) {
	t.Parallel()
	two := status("WORKING") + status("COMPLETED")
	tests := []struct {
		name, kind, body string
		op               a2a.Op
		events           int
		records          int
	}{
		{"CRLF", "text/event-stream", strings.ReplaceAll(two, "\n", "\r\n"), a2a.OpStream, 2, 2},
		{"CR", "text/event-stream", strings.ReplaceAll(two, "\n", "\r"), a2a.OpStream, 2, 2},
		{"no space", "text/event-stream", strings.ReplaceAll(two, "data: ", "data:"), a2a.OpStream, 2, 2},
		{"many lines", "text/event-stream", strings.ReplaceAll(two, `"result":`, "\ndata: \"result\":\ndata: "), a2a.OpStream, 2, 2},
		{"comments and ids", "text/event-stream", ": hi\n\nid: 7\nevent: x\n" + two + ": bye\n\n", a2a.OpStream, 2, 2},
		{"byte order mark", "text/event-stream", "\xEF\xBB\xBF" + two, a2a.OpStream, 2, 2},
		{"no last blank line", "text/event-stream", strings.TrimRight(two, "\n"), a2a.OpStream, 2, 2},
		{"labelled as JSON", "application/json", two, a2a.OpStream, 2, 2},
		{"labelled as nothing", "", ": hi\n" + two, a2a.OpStream, 2, 2},
		{"in answer to a plain call", "text/event-stream", two, a2a.OpSend, 2, 2},
		{"mislabelled in answer to a plain call", "text/plain", two, a2a.OpSend, 2, 2},
		{"one JSON document per line", "application/x-ndjson", strings.ReplaceAll(strings.ReplaceAll(two, "data: ", ""), "\n\n", "\n"), a2a.OpStream, 2, 2},
		{"lines labelled as JSON", "application/json", strings.ReplaceAll(strings.ReplaceAll(two, "data: ", ""), "\n\n", "\r\n"), a2a.OpStream, 2, 2},
		{"lines with gaps, the last one without end", "", strings.TrimRight(strings.ReplaceAll(two, "data: ", ""), "\n"), a2a.OpStream, 2, 2},
		{"JSON without framing, labelled as events", "text/event-stream", taskAnswer, a2a.OpStream, 1, 1},
		{"a bad frame in the middle", "text/event-stream", status("WORKING") + "data: {\"jsonrpc\"\n\n" + status("COMPLETED"), a2a.OpStream, 2, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			agent := serve(t, answer(200, tt.kind, tt.body))
			tp := newTape()
			o, updates := do(t, tp, agent.URL, tt.op)
			if o.Err != nil || o.End.Reason != a2a.Ended || o.Events != tt.events || o.State != a2a.StateCompleted || !o.Streamed {
				t.Errorf("got answer %+v, want a completed stream of %d events", o, tt.events)
			}
			if len(updates) != tt.records || len(tp.of(a2a.KindEvent)) != tt.records {
				t.Errorf("got %d updates and %d event records, want %d of each", len(updates), len(tp.of(a2a.KindEvent)), tt.records)
			}
			if tp.body() != tt.body {
				t.Errorf("got body %q,\nwant %q", tp.body(), tt.body)
			}
		})
	}
}

// TestAPauseInsideALineEndHoldsNothingUp uses an agent that writes the LF of a blank line only
// after the event was recorded.
func TestAPauseInsideALineEndHoldsNothingUp(t *testing.T) {
	t.Parallel()
	tp := newTape()
	first := strings.ReplaceAll(status("WORKING"), "\n", "\r\n")
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, strings.TrimSuffix(first, "\n"))
		_ = http.NewResponseController(w).Flush()
		if err := tp.wait(a2a.KindEvent, 1); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, "\n"+status("COMPLETED"))
	})
	o, _ := do(t, tp, agent.URL, a2a.OpStream)
	if want := first + status("COMPLETED"); o.Err != nil || o.Events != 2 || tp.body() != want {
		t.Fatalf("got answer %+v, body %q; want 2 events and body %q", o, tp.body(), want)
	}
	for _, r := range tp.records {
		if r.Kind == a2a.KindEvent && strings.HasPrefix(string(r.Raw), "\n") {
			t.Errorf("got event %q, want the previous event's line end in that event", r.Raw)
		}
	}
}

func TestByteByByteGivesTheSame(t *testing.T) {
	t.Parallel()
	body := strings.ReplaceAll(status("WORKING")+": c\n\n"+status("COMPLETED"), "\n", "\r\n")
	agent := serve(t, stream(strings.Split(body, "")...))
	tp := newTape()
	o, _ := do(t, tp, agent.URL, a2a.OpStream)
	if o.Err != nil || o.Events != 2 || tp.body() != body {
		t.Errorf("got answer %+v, body %q; want 2 events and body %q", o, tp.body(), body)
	}
}

func TestStreamCallAnsweredByOneDocument(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bad/030-json-instead-of-stream.json", "bad/031-json-task-instead-of-stream.json"} {
		body := vector(t, name)
		tp := newTape()
		o, updates := do(t, tp, serve(t, answer(200, "application/json", body)).URL, a2a.OpStream)
		if len(updates) != 1 || len(tp.of(a2a.KindBody)) != 1 || o.Streamed || tp.body() != body || o.End.Reason != a2a.Ended {
			t.Errorf("%s: got answer %+v, body %q; want one update and body %q", name, o, tp.body(), body)
		}
	}
}

func TestStreamsWithoutEventsAreSaidAsSuch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, kind, body string
		status           int
		says             string
	}{
		{"empty", "text/event-stream", "", 200, "without sending an event"},
		{"comments only", "text/event-stream", ": keep\n\nretry: 3000\n\n", 200, "without sending an event"},
		{"204", "", "", 204, "204 No Content"},
		{"a page", "text/event-stream", "<html><title>Login</title>", 200, "titled “Login”"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tp := newTape()
			o, _ := do(t, tp, serve(t, answer(tt.status, tt.kind, tt.body)).URL, a2a.OpStream)
			if o.End.Reason != a2a.Ended || o.End.Class != a2a.ClassBody || o.Err == nil || tp.body() != tt.body {
				t.Errorf("got answer %+v, body %q; want class %q and body %q", o, tp.body(), a2a.ClassBody, tt.body)
			}
			sentence(t, o.End.Sentence, tt.says)
		})
	}
}

func TestCutStreamsKeepWhatArrived(t *testing.T) { // alone: it looks at all goroutines
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	whole, part := status("WORKING"), `data: {"jsonrpc":"2.0","id":"id-1","res`
	chunk := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
	reset := func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }
	tests := []struct {
		name  string
		sends string
		reset bool
		body  string
	}{
		{"chunked, no last chunk", head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(whole) + chunk(part), false, whole + part},
		{"chunked, inside a chunk", head + "Transfer-Encoding: chunked\r\n\r\nffff\r\n" + whole + part, false, whole + part},
		{"chunked, between events", head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(whole), false, whole},
		{"shorter than its length", head + "Content-Length: 9999\r\n\r\n" + whole + part, false, whole + part},
		{"closed inside an event", head + "Connection: close\r\n\r\n" + whole + part, false, whole + part},
		{"closed inside a word", head + "Connection: close\r\n\r\n" + whole + "da", false, whole + "da"},
		{"regular end inside an event", head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(whole+part) + "0\r\n\r\n", false, whole + part},
		{"reset", head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(whole) + chunk(part), true, whole + part},
		{"bad chunk size", head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(whole) + "zz\r\n", false, whole},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tp := newTape()
			url := serveRaw(t, func(c net.Conn) {
				_, _ = io.WriteString(c, tt.sends)
				if tt.reset { // a reset discards what was not read yet
					if err := tp.wait(a2a.KindEvent, 1); err != nil {
						t.Error(err)
					}
					reset(c)
				}
			})
			o, updates := do(t, tp, url, a2a.OpStream)
			var te *a2a.TransportError
			if !errors.As(o.Err, &te) || o.End.Reason != a2a.Cut || o.End.Class != a2a.ClassCut || o.Events != 1 || len(updates) != 1 {
				t.Fatalf("got answer %+v with %d updates, want a cut stream of 1 event", o, len(updates))
			}
			sentence(t, o.End.Sentence)
			if words := strings.ToLower(o.End.Sentence); strings.Contains(words, "again") || strings.Contains(words, "get the task") {
				t.Errorf("got sentence %q, want the cause alone", o.End.Sentence)
			}
			if !o.Unfinished() || o.RejectedUnread() {
				t.Errorf("got Unfinished %v, RejectedUnread %v; want true, false", o.Unfinished(), o.RejectedUnread())
			}
			if got := tp.body(); got != tt.body && !(tt.reset && strings.HasPrefix(tt.body, got)) {
				t.Errorf("got body %q,\nwant %q", got, tt.body)
			}
			if end := tp.records[len(tp.records)-1]; end.Torn != (len(end.Raw) > 0) {
				t.Errorf("end record has Raw %q and Torn %v, want Torn only with bytes", end.Raw, end.Torn)
			}
			noGoroutines(t)
		})
	}
}

func TestEventThatIsWholeButForItsBlankLineCounts(t *testing.T) {
	t.Parallel()
	url := serveRaw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 999\r\n\r\n"+strings.TrimRight(status("COMPLETED"), "\n"))
	})
	tp := newTape()
	o, _ := do(t, tp, url, a2a.OpStream)
	if o.Events != 1 || o.State != a2a.StateCompleted || o.Err != nil || o.End.Break == "" || !tp.of(a2a.KindEvent)[0].Torn {
		t.Errorf("got answer %+v, want a completed task of one torn event, and the break", o)
	}
}

func TestPlainBodyThatIsCutIsKept(t *testing.T) {
	t.Parallel()
	const part = `{"jsonrpc":"2.0","id":"id-1","result":{"task":`
	url := serveRaw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n"+part)
	})
	for _, op := range []a2a.Op{a2a.OpGet, a2a.OpStream} {
		tp := newTape()
		o, _ := do(t, tp, url, op)
		if o.End.Reason != a2a.Cut || tp.body() != part || o.Err == nil {
			t.Errorf("%s: got answer %+v, body %q; want a cut body %q", op, o, tp.body(), part)
		}
	}
}

func TestStreamThatEndsEarlyIsUnfinished(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		chunks     []string
		unfinished bool
	}{
		{"working", []string{status("SUBMITTED"), status("WORKING")}, true},
		{"completed", []string{status("WORKING"), status("COMPLETED")}, false},
		{"input required", []string{status("INPUT_REQUIRED")}, false},
		{"auth required", []string{status("AUTH_REQUIRED")}, false},
		{"a message and no task", []string{`data: {"jsonrpc":"2.0","id":"id-1","result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}}` + "\n\n"}, false},
		{"chunks and no status", []string{`data: {"jsonrpc":"2.0","id":"id-1","result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"hi"}]}}}}` + "\n\n"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, _ := do(t, newTape(), serve(t, stream(tt.chunks...)).URL, a2a.OpStream)
			if o.Err != nil || o.End != (a2a.End{Reason: a2a.Ended}) || o.Unfinished() != tt.unfinished {
				t.Errorf("got answer %+v, Unfinished %v; want no error, Unfinished %v", o, o.Unfinished(), tt.unfinished)
			}
		})
	}
}

func TestErrorFrameMidStreamIsTheError(t *testing.T) {
	t.Parallel()
	const frame = `data: {"jsonrpc":"2.0","id":"id-1","error":{"code":-32603,"message":"boom"}}` + "\n\n"
	o, updates := do(t, newTape(), serve(t, stream(status("WORKING"), frame)).URL, a2a.OpStream)
	var rpc *a2a.RPCError
	if !errors.As(o.Err, &rpc) || rpc.Code != -32603 || len(updates) != 2 || o.RejectedUnread() {
		t.Errorf("got answer %+v with %d updates, want RPC error -32603 and 2 updates", o, len(updates))
	}
	o, _ = do(t, newTape(), serve(t, stream(frame, status("COMPLETED"))).URL, a2a.OpStream)
	if o.Err != nil || o.Events != 1 {
		t.Errorf("error before a terminal status: got answer %+v, want no error and 1 event", o)
	}
}

func TestCancelEndsTheStreamAtOnce(t *testing.T) { // alone: it looks at all goroutines
	tp := newTape()
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		stream(status("WORKING"), "data: {")(w, r)
		<-r.Context().Done() // the connection closes because the client left
	})
	c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, options(tp, agent.URL))
	ctx, cancel := context.WithCancel(t.Context())
	o := c.Do(ctx, request(a2a.OpStream), a2a.Hooks{Recorded: func(a2a.Update) { cancel() }})
	tp.check(t)
	if o.End.Reason != a2a.Cancelled || !errors.Is(o.Err, context.Canceled) || o.Events != 1 || !strings.HasPrefix(tp.body(), status("WORKING")) {
		t.Errorf("got answer %+v, body %q; want one event, then %q", o, tp.body(), a2a.Cancelled)
	}
	c.Close()
	noGoroutines(t)
}

// An event without its blank line is not reported as incomplete if the client closed the
// stream.
func TestClosingFromHereIsNoFaultOfTheAgents(t *testing.T) {
	t.Parallel()
	for _, op := range []a2a.Op{a2a.OpStream, a2a.OpGet} {
		const whole = `{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}}`
		synctest.Test(t, func(t *testing.T) {
			pipes := pipetest.New()
			agent := pipes.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if op == a2a.OpStream {
					stream("data: "+whole+"\n")(w, r)
				} else {
					answer(200, "application/json", whole)(w, r)
				}
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}))
			defer agent.Close()
			tp := newTape()
			with := options(tp, agent.URL)
			with.Dial = pipes.Dial
			ctx, cancel := context.WithCancel(t.Context())
			c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, with)
			go func() {
				synctest.Wait() // until the client has read everything and waits for more
				cancel()
			}()
			o := c.Do(ctx, request(op), a2a.Hooks{})
			c.Close()
			if o.End.Reason != a2a.Cancelled || o.Events != 1 {
				t.Errorf("%s: got answer %+v, want one event, then %q", op, o, a2a.Cancelled)
			}
			for _, u := range tp.updates {
				if len(u.Findings) > 0 {
					t.Errorf("%s: got findings %v, want none", op, u.Findings)
				}
			}
		})
	}
}

func TestLargeEventsArriveWhole(t *testing.T) {
	t.Parallel()
	for _, size := range slices.Compact([]int{12 << 20, hugeEvent}) {
		text := strings.Repeat("abcdefgh", size/8)
		frame := `data: {"jsonrpc":"2.0","id":"id-1","result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"` +
			text + `"}]}}}}` + "\n\n"
		tp := newTape()
		o, updates := do(t, tp, serve(t, answer(200, "text/event-stream", frame+status("COMPLETED"))).URL, a2a.OpStream)
		if o.Err != nil || o.Events != 2 || len(updates) != 2 || len(tp.body()) != len(frame)+len(status("COMPLETED")) {
			t.Fatalf("event of %d bytes: got answer %+v, want 2 events", size, o)
		}
		if got := updates[0].Events[0].Artifact.Parts[0].Text; got != text {
			t.Errorf("got text of %d bytes, want %d", len(got), len(text))
		}
		body := `{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":"t1","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"` + text + `"}]}}}}}`
		tp = newTape()
		o, _ = do(t, tp, serve(t, answer(200, "application/json", body)).URL, a2a.OpGet)
		if o.Err != nil || tp.body() != body {
			t.Errorf("body of %d bytes: got end %+v and %d bytes", size, o.End, len(tp.body()))
		}
	}
}

// A trace that blocks in Put stops the reading and so the agent's writing: no data accumulates
// in between.
func TestSlowTraceSlowsTheConnection(t *testing.T) {
	t.Parallel()
	frame := `data: {"pad":"` + strings.Repeat("x", 64<<10) + `"}` + "\n\n"
	const frames = 2000 // 128 MB, more than the socket buffers
	blocked := make(chan struct{})
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(blocked)
		w.Header().Set("Content-Type", "text/event-stream")
		for n := range frames {
			if n > 0 { // the first one does not block
				_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
			}
			if _, err := io.WriteString(w, frame); err != nil {
				return
			}
		}
		t.Error("agent wrote the whole stream, want it to block as long as Put does")
	})
	tp := newTape()
	tp.before = func(r a2a.Record) {
		if r.Kind == a2a.KindEvent {
			<-blocked
		}
	}
	o, updates := do(t, tp, agent.URL, a2a.OpStream)
	if o.End.Reason != a2a.Cut || len(updates) == 0 || len(updates) >= frames {
		t.Errorf("got %d updates and end %+v, want a cut stream", len(updates), o.End)
	}
}

func TestWhatWasDecodedIsToldBeforeItIsRecorded(t *testing.T) {
	t.Parallel()
	for name, agent := range map[string]*httptest.Server{
		"a stream": serve(t, answer(200, "text/event-stream", status("WORKING")+status("COMPLETED"))),
		"a body":   serve(t, answer(200, "application/json", taskAnswer)),
	} {
		tp := newTape()
		o := options(tp, agent.URL)
		known, put := o.Trace.Put, 0
		told := 0
		o.Trace.Put = func(r a2a.Record, u a2a.Update) a2a.RecordID {
			if len(u.Events) > 0 {
				if put++; told != put {
					t.Errorf("%s: event %d was put after %d calls of Decoded, want %d", name, put, told, put)
				}
			}
			return known(r, u)
		}
		c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
		c.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{Decoded: func(u a2a.Update) { told += len(u.Events) }})
		c.Close()
		if told == 0 || put != told {
			t.Errorf("%s: Decoded got %d events, Put got %d, want as many", name, told, put)
		}
	}
}
