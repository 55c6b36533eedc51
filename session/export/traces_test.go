package export_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/sessiontest"
)

// spans returns a line for each span of a session: its name, status and message.
func spans(t *testing.T, tape *sessiontest.Tape) string {
	t.Helper()
	var doc struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []struct {
					Name   string
					Status struct {
						Code    int
						Message string
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, "otlp", "x", tape.State, excerpt.Choice{})), &doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range doc.ResourceSpans[0].ScopeSpans[0].Spans {
		b.WriteString(s.Name + " " + [...]string{"unset", "ok", "error"}[s.Status.Code] + " " + s.Status.Message + "\n")
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// began returns a tape with a turn whose task works, and the exchange of its stream.
func began() (*sessiontest.Tape, a2a.ExchangeID, *a2a.Call) {
	tape, call := sessiontest.NewTape(), sessiontest.CallOf(a2a.OpStream, 1)
	x := tape.Ask(call, "hi")
	tape.Head(x, call)
	tape.Event(x, call, `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)
	return tape, x, call
}

// What the user canceled is no error, nor is what Parley closed, or a turn whose task came to its
// end in another way.
func TestTracesKnowWhatIsNoError(t *testing.T) {
	canceled, x, call := began()
	canceled.Event(x, call, sessiontest.StatusWord("CANCELED"))
	canceled.End(x, call, a2a.End{Reason: a2a.Ended})
	if got, want := spans(t, canceled), "SendStreamingMessage ok\nSendStreamingMessage ok\nstream ok\n"; got != want {
		t.Errorf("canceled: got\n%s\nwant\n%s", got, want)
	}
	left, x, call := began()
	left.End(x, call, a2a.End{Reason: a2a.Cancelled, Sentence: "Closed by Parley."})
	if got, want := spans(t, left), "SendStreamingMessage ok\nSendStreamingMessage ok\nstream ok\n"; got != want {
		t.Errorf("left: got\n%s\nwant\n%s", got, want)
	}
	late, x, call := began()
	late.Event(x, call, sessiontest.StatusWord("COMPLETED"))
	late.End(x, call, a2a.End{Reason: a2a.Ended})
	late.Fails(a2a.OpGet, `{"code":-32001,"message":"gone"}`, a2a.End{Reason: a2a.Ended})
	if got := spans(t, late); !strings.HasPrefix(got, "SendStreamingMessage ok\n") || !strings.Contains(got, " error TaskNotFoundError (-32001): gone\n") {
		t.Errorf("a later get: got\n%s", got)
	}
	open, _, _ := began()
	if got := spans(t, open); strings.Contains(got, "error") {
		t.Errorf("open: got\n%s", got)
	}
}

// An error within a stream, a cut and a failed task are errors of the exchange and of the turn.
func TestTracesKnowWhatIsAnError(t *testing.T) {
	for what, c := range map[string]struct {
		event string
		end   a2a.End
		want  string
	}{
		"error":              {`"error":{"code":-32603,"message":"out\nof order"}`, a2a.End{Reason: a2a.Ended}, "error InternalError (-32603): out of order\n"},
		"cut":                {"", a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "The connection broke."}, "error The connection broke.\n"},
		"cut without a word": {"", a2a.End{Reason: a2a.Cut}, "error cut\n"},
	} {
		tape, x, call := began()
		if c.event != "" {
			data := `{"jsonrpc":"2.0","id":"r",` + c.event + `}`
			tape.Put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)})
		}
		tape.End(x, call, c.end)
		got := spans(t, tape)
		if want := "SendStreamingMessage " + c.want + "SendStreamingMessage " + c.want + "stream " + c.want; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
	failed, x, call := began()
	failed.Event(x, call, sessiontest.StatusSays("FAILED", "m", "The engine "+strings.Repeat("x", 1000)))
	failed.End(x, call, a2a.End{Reason: a2a.Ended})
	if got := spans(t, failed); !strings.HasPrefix(got, "SendStreamingMessage error The task is failed: The engine xx") || len(got) > 600 || !strings.HasSuffix(got, "stream ok\n") {
		t.Errorf("failed: got\n%s", got)
	}
}

// A request is named by its method, in every binding, also where the bytes name none.
func TestMethodsAreThoseOfA2A(t *testing.T) {
	for _, c := range []struct {
		call a2a.Call
		url  string
		raw  string
		want string
	}{
		{a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10REST, Binding: a2a.BindingREST}, "http://h/message:stream", `{"method":"no method of A2A"}`, "SendStreamingMessage"},
		{a2a.Call{Op: a2a.OpGet, Dialect: a2a.V03REST, Binding: a2a.BindingREST}, "http://h/v1/tasks/t", "", "tasks/get"},
		{a2a.Call{Op: a2a.OpCancel, Dialect: a2a.V10GRPC, Binding: a2a.BindingGRPC}, "grpc://h/lf.a2a.v1.A2AService/CancelTask", "", "CancelTask"},
		{a2a.Call{Op: a2a.OpSend, Dialect: a2a.V01, Binding: a2a.BindingJSONRPC}, "http://h/", `{"jsonrpc":"2.0","id":1,"method":"tasks/send"}`, "tasks/send"},
		{a2a.Call{Op: a2a.OpSend, Binding: a2a.BindingJSONRPC}, "http://h/", `no JSON`, ""},
		{a2a.Call{Op: a2a.OpCard}, "http://h/.well-known/agent-card.json", "", ""},
	} {
		r := a2a.Record{Kind: a2a.KindRequest, Call: &c.call, Raw: []byte(c.raw), Head: &a2a.Head{Method: http.MethodPost, URL: c.url}}
		if got := log.Method(&r); got != c.want {
			t.Errorf("%s: got %q, want %q", c.url, got, c.want)
		}
	}
}
