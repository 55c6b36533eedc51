package cli

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// An agent that never ends its answer ends the probe, and the failure does not say that the user did.
func TestAProbeThatTakesTooLongBlamesTheAgent(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*asked, http.ResponseWriter){
		"silent": func(q *asked, _ http.ResponseWriter) { <-q.req.Context().Done() },
		"endless": func(q *asked, w http.ResponseWriter) {
			for q.req.Context().Err() == nil {
				_, _ = w.Write([]byte(" "))
				_ = http.NewResponseController(w).Flush()
				time.Sleep(time.Millisecond)
			}
		},
	} {
		s := newStub(t, plainCard, answer)
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		a := &app{ctx: t.Context(), streams: Streams{In: null, Out: null, Err: null}, after: time.After}
		op, err := a.within(t.Context()).begin(&callFlags{ref: s.URL, output: "text", poll: defaultPoll})
		if err != nil {
			t.Fatal(err)
		}
		defer op.end()
		if err := op.open(); err != nil {
			t.Fatal(err)
		}
		op.answer.noted = true
		sig, err := op.limited(op.probes()[0].start(), 50*time.Millisecond)
		if err != nil || sig.Class != a2a.ClassTimeout || !strings.Contains(sig.Sentence, "no complete answer within 50 ms") {
			t.Errorf("%s: got %+v, %v, want that the agent did not answer in time", name, sig, err)
		}
	}
}

// Which operations an agent has follows from the dialect that it turns out to speak. What that one lacks is
// skipped, with the reason, and is no failure of the agent.
func TestAnOperationThatTheSpokenDialectLacksIsSkipped(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		switch q.Method {
		case "tasks/get", "tasks/cancel":
			q.fail(w, -32001, "Task not found")
		default:
			q.fail(w, -32601, "Method not found")
		}
	})
	r := parley(t, "doctor", s.URL)
	for _, want := range []string{"Warning: version: The card says A2A 1.0; the agent speaks A2A 0.3: ", "Ok: requests: 2 read-only requests answered as A2A says; 1 not asked: A2A 0.3 has no such operation",
		"Result: the agent can be reached, with 1 warning"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s%s", want, r.out, r.err)
		}
	}
	c := parley(t, "check", s.URL)
	if r.code != 0 || c.code != 0 || !strings.Contains(c.out, "Skipped: tasks are listed, or listing is refused as unsupported: A2A 0.3 has no such operation.") {
		t.Errorf("got exit %d of doctor, %d of check\n%s%s", r.code, c.code, c.out, c.err)
	}
}

// The version that a refusal expects was sent: neither the agent nor its card is blamed.
func TestADroppedVersionIsNotTheAgents(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.fail(w, -32009, "A2A version '0.3' is not supported by this handler. Expected version '1.0'.")
	})
	for _, args := range [][]string{{"doctor", s.URL}, {"check", s.URL}, {"send", "-a", s.URL, "hi"}} {
		r := parley(t, args...)
		said := r.out + r.err
		if r.code == 0 || !strings.Contains(said, "drops the header") || strings.Contains(said, "does not speak A2A") || strings.Contains(said, "'..") {
			t.Errorf("%s: got exit %d\n%s", args[0], r.code, said)
		}
	}
	if n := len(s.asked("tasks/get")) + len(s.asked("message/send")); n != 0 {
		t.Errorf("got %d requests of 0.3, want none", n)
	}
}

// A guess that was refused is not what the agent answered.
func TestTheDoctorTellsAWrongPrefix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		body, want string
	}{
		"strict":  {400, `{"error":{"code":400,"status":"UNIMPLEMENTED","message":"Expected version '1.0'","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org"}]}}`, "Failed: requests: Nothing exists at "},
		"lenient": {404, `{"error":{"code":404,"status":"NOT_FOUND","message":"Task not found","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]}}`, "Warning: interface: Nothing answers A2A 1.0 over HTTP+JSON at "},
	} {
		card := strings.Replace(strings.Replace(plainCard, "JSONRPC", "HTTP+JSON", 1), "%s/rpc", "%s", 1)
		s := newStub(t, card, func(*asked, http.ResponseWriter) {})
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "card.json"):
				s.ServeHTTP(w, r)
			case strings.HasPrefix(r.URL.Path, "/v1/"):
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			default:
				http.NotFound(w, r)
			}
		})
		r := parley(t, "doctor", s.URL)
		if !strings.Contains(r.out, c.want) || !strings.Contains(r.out, "the URL in the card lacks the prefix /v1") || !strings.Contains(r.out, "--endpoint "+s.URL+"/v1") || strings.Contains(r.out, "does not speak A2A 1.0") {
			t.Errorf("%s: got exit %d\n%s%s", name, r.code, r.out, r.err)
		}
	}
}
