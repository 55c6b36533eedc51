package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a/grpc/grpctest"
)

// A tracedSpan is a span of an export as traces.
type tracedSpan struct {
	SpanID, ParentSpanID, Name string
	Attributes                 []struct {
		Key   string
		Value struct{ StringValue string }
	}
	Status struct {
		Code    int
		Message string
	}
}

func (s *tracedSpan) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.StringValue
		}
	}
	return ""
}

// traced runs a command, and returns the spans of its recording.
func traced(t *testing.T, args ...string) []tracedSpan {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	run := parley(t, append(args, "--record", path)...)
	r := parley(t, "export", path, "--as", "otlp", "-o", "-")
	var doc struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []tracedSpan }
		}
	}
	if err := json.Unmarshal([]byte(r.out), &doc); r.code != 0 || err != nil {
		t.Fatalf("got exit %d, %v\n%s%s\nafter exit %d\n%s", r.code, err, r.out, r.err, run.code, run.err)
	}
	return doc.ResourceSpans[0].ScopeSpans[0].Spans
}

// checkSpans checks the spans of a name, those of streams and turns apart: some has this status,
// and only this one if it is no error.
func checkSpans(t *testing.T, what string, spans []tracedSpan, turn bool, name string, code int, kind, message string) {
	t.Helper()
	found := false
	for _, s := range spans {
		if s.Name != name || (s.attribute("parley.end") == "") != turn {
			continue
		}
		if s.attribute("a2a.method.name") != name {
			t.Errorf("%s: got the method %q of span %s", what, s.attribute("a2a.method.name"), name)
		}
		found = found || s.Status.Code == code && s.attribute("error.type") == kind && strings.Contains(s.Status.Message, message)
	}
	if !found {
		t.Errorf("%s: got %+v\nwant a span %s (turn: %v) with status %d, error.type %q and %q", what, spans, name, turn, code, kind, message)
	}
}

// The status of a span says whether the call failed, in every binding, and with what.
func TestTracesSayWhatFailed(t *testing.T) {
	t.Parallel()
	demo, grpcServer := demos(t), grpctest.Start(t, grpcAgent)
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		switch textIn(q) {
		case "rpc":
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"no such \u001b[31mtask"}}`, q.ID)
		case "unnamed":
			q.fail(w, 4711, "")
		case "secret":
			q.fail(w, -32603, "who sent abcdefgh12345678?")
		case "page":
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>nothing here")
		case "odd":
			w.WriteHeader(499)
		case "no JSON":
			_, _ = io.WriteString(w, `{"jsonrpc":`)
		case "cut":
			cut(w)
		}
	})
	const ok, failed = 1, 2
	for _, c := range []struct {
		agent, text     string
		method          string
		code            int // of the exchange
		kind, message   string
		turn            int
		turnKind, words string
	}{
		{s.URL, "rpc", "SendMessage", failed, "TaskNotFoundError", "TaskNotFoundError (-32001): no such ", failed, "TaskNotFoundError", "no such "},
		{s.URL, "unnamed", "SendMessage", failed, "4711", "4711", failed, "4711", "4711"},
		{s.URL, "secret", "SendMessage", failed, "InternalError", "who sent •••", failed, "InternalError", "•••"},
		{s.URL, "page", "SendMessage", failed, "502", "502", failed, "502", "502"},
		{s.URL, "odd", "SendMessage", failed, "499", "499", failed, "499", "499"},
		{s.URL, "cut", "SendMessage", failed, "cut", "closed the connection", failed, "cut", "closed the connection"},
		{s.URL, "no JSON", "SendMessage", failed, "decode", "ends in the middle", failed, "decode", "ends in the middle"},
		{demo["Travel Desk"], "Book the 1969 Concorde to New York", "SendStreamingMessage", failed, "failed", "The task is failed: The aircraft is in a museum", failed, "failed", "museum"},
		{demo["Travel Desk"], "Book me a flight to the Moon", "SendStreamingMessage", failed, "rejected", "We do not fly", failed, "rejected", "We do not fly"},
		{demo["Travel Desk"], "Hold a seat for me, then let it go", "SendStreamingMessage", ok, "", "", ok, "", ""},
		{demo["Travel Desk"], "Book me a flight", "SendStreamingMessage", ok, "", "", ok, "", ""},
		{demo["Scribe"], "Write an essay on tides", "message/stream", ok, "", "", ok, "", ""},
		{demo["Old Clerk"], "I wish to complain about you", "tasks/sendSubscribe", failed, "failed", "complaints", failed, "failed", "complaints"},
		{"grpc://" + grpcServer.Address, "hello", "SendStreamingMessage", ok, "", "", ok, "", ""},
	} {
		spans := traced(t, "send", "-a", c.agent, c.text, "--bearer", "abcdefgh12345678")
		checkSpans(t, c.text, spans, false, c.method, c.code, c.kind, c.message)
		checkSpans(t, c.text, spans, true, c.method, c.turn, c.turnKind, c.words)
		if all, _ := json.Marshal(spans); strings.Contains(string(all), "abcdefgh12345678") || strings.Contains(string(all), `\u001b`) {
			t.Errorf("%s: got a secret, or an escape, in %s", c.text, all)
		}
	}
	resumed := traced(t, "demo", writeScript(t, "Open demo Saboteur\nSay 'Cut the stream between two events'\n"), "--headless", "--fast")
	checkSpans(t, "a stream that was taken up again", resumed, false, "SendStreamingMessage", failed, "cut", "broke")
	checkSpans(t, "a stream that was taken up again", resumed, false, "SubscribeToTask", ok, "", "")
	checkSpans(t, "a stream that was taken up again", resumed, true, "SendStreamingMessage", ok, "", "")
	spans := traced(t, "task", "get", "-a", "grpc://"+grpcServer.Address, "nope")
	checkSpans(t, "gRPC", spans, false, "GetTask", failed, "TaskNotFoundError", "no such task")
}
