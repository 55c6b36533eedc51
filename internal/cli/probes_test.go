package cli

import (
	"fmt"
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
		sig, err := (&prober{op: op}).limited((&prober{op: op}).readOnly()[0].start(), 50*time.Millisecond)
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
	for _, want := range []string{"Warning: version: The card says A2A 1.0; the agent speaks A2A 0.3: ", "Ok: requests: 2 read-only requests answered as A2A says; 1 skipped: A2A 0.3 has no such operation",
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
		"strict":  {400, `{"error":{"code":400,"status":"UNIMPLEMENTED","message":"Expected version '1.0'","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org"}]}}`, "Failed: requests: The agent answers below "},
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

// What an agent may leave out, or does only for callers that it knows, is skipped with the reason, and is nobody's
// failure.
func TestAnOptionalOperationThatAnAgentLacksIsSkipped(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]struct {
		refuse func(q *asked, w http.ResponseWriter)
		why    string
	}{
		"no list": {func(q *asked, w http.ResponseWriter) { q.fail(w, -32601, "Method not found") }, "The agent does not have this operation"},
		"a page": {func(_ *asked, w http.ResponseWriter) {
			http.Error(w, "<html><title>Error</title></html>", http.StatusNotFound)
		}, "The agent does not have this operation"},
		"only for users":    {func(_ *asked, w http.ResponseWriter) { http.Error(w, "who are you?", http.StatusUnauthorized) }, "requires credentials"},
		"only for users, 2": {func(q *asked, w http.ResponseWriter) { q.fail(w, -31401, "unauthenticated") }, "unauthenticated"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, strings.Replace(plainCard, `"capabilities":{}`, `"capabilities":{"pushNotifications":true}`, 1), func(q *asked, w http.ResponseWriter) {
				switch q.Method {
				case "GetTask", "CancelTask":
					q.fail(w, -32001, "Task not found")
				case "SendMessage":
					q.result(w, `{"message":{"messageId":"a","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"Hello."}]}}`)
				default:
					answer.refuse(q, w)
				}
			})
			for _, args := range [][]string{{"check", s.URL}, {"conformance", s.URL}, {"doctor", s.URL, "--send"}} {
				r := parley(t, args...)
				if r.code != 0 || strings.Contains(r.out, "Failed: ") || !strings.Contains(r.out, answer.why) {
					t.Errorf("%s: got exit %d, want 0, nothing failed, and %q\n%s%s", args[0], r.code, answer.why, r.out, r.err)
				}
			}
		})
	}
}

// calls counts the calls of operations.
func (s *stub) calls() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.seen {
		if s.seen[i].req.Method == http.MethodPost {
			n++
		}
	}
	return n
}

// An agent that answers nobody without credentials is asked once. What could not be looked at is skipped for that
// one reason, and the exit status asks for credentials.
func TestAnAgentThatWantsCredentialsFailsNoProbe(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(q *asked, w http.ResponseWriter){
		"401": func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="agents"`)
			http.Error(w, "a token, please", http.StatusUnauthorized)
		},
		"an error": func(q *asked, w http.ResponseWriter) { q.fail(w, -31401, "unauthenticated") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, strings.Replace(plainCard, `"capabilities":{}`, `"capabilities":{"pushNotifications":true}`, 1), refuse)
			for _, args := range [][]string{{"check", s.URL}, {"conformance", s.URL}, {"doctor", s.URL, "--send"}} {
				before := s.calls()
				r := parley(t, args...)
				failed := strings.Count(r.out, "Failed: ")
				if r.code != 4 || args[0] != "doctor" && failed != 0 || failed > 1 || strings.Count(r.err, "Hint: ") != 1 {
					t.Errorf("%s: got exit %d, %d failed, want exit 4 and one hint\n%s%s", args[0], r.code, failed, r.out, r.err)
				}
				if n := s.calls() - before; n > 2 {
					t.Errorf("%s: got %d requests, want one for which there are no credentials", args[0], n)
				}
			}
		})
	}
}

// onceCard declares what the probes are about.
var onceCard = strings.Replace(streamCard, `"capabilities":{`, `"capabilities":{"pushNotifications":true,`, 1)

// onceAt starts an agent that has no task, and on whose way the first answer to a method is another one.
func onceAt(t *testing.T, method string, other func(w http.ResponseWriter)) *stub {
	return newStub(t, onceCard, func(q *asked, w http.ResponseWriter) {
		switch {
		case q.Method == method && other != nil && q.nth == 1:
			other(w)
		case q.Method == "SendMessage":
			q.result(w, `{"message":{"messageId":"a","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"Hello."}]}}`)
		case q.Method == "ListTasks":
			q.fail(w, -32601, "Method not found")
		case q.Method == "SendStreamingMessage":
			q.event(w, `{"message":{"messageId":"a","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"Hello."}]}}`)
		default:
			q.fail(w, -32001, "Task not found")
		}
	})
}

// faults are answers that a server on the way may give instead of the agent.
var faults = map[string]func(w http.ResponseWriter){
	"reset": cut,
	"cut": func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "900")
		_, _ = w.Write([]byte(`{"jsonrpc`))
		_ = http.NewResponseController(w).Flush()
		cut(w)
	},
	"page": func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html><title>Sign in</title></html>")) },
	"403": func(w http.ResponseWriter) {
		http.Error(w, "<html><title>Blocked</title></html>", http.StatusForbidden)
	},
	"404":   func(w http.ResponseWriter) { http.Error(w, "<html><title>Nothing</title></html>", http.StatusNotFound) },
	"empty": func(w http.ResponseWriter) { w.WriteHeader(http.StatusOK) },
	"503": func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	},
	"429": func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	},
}

// A probe is judged by the answer to its own request. What may have come from a server on the way is skipped with
// the reason, and nothing is advised about a task that Parley made up.
func TestAProbeIsJudgedByTheAnswerToItsOwnRequest(t *testing.T) {
	t.Parallel()
	for method, probe := range map[string]string{
		"GetTask": "a task that does not exist is refused", "CancelTask": "a task that does not exist cannot be canceled",
		"SubscribeToTask": "a task that does not exist has no stream", "ListTaskPushNotificationConfigs": "a task that does not exist has no webhooks",
	} {
		for name, fault := range faults {
			t.Run(method+" "+name, func(t *testing.T) {
				t.Parallel()
				r := parley(t, "check", onceAt(t, method, fault).URL)
				if r.code != 0 && name != "page" && name != "empty" && name != "cut" || strings.Contains(r.out, "Failed: ") || !strings.Contains(r.out, "Skipped: "+probe+": ") {
					t.Errorf("got exit %d, want 0 and %q skipped\n%s%s", r.code, probe, r.out, r.err)
				}
				for _, bad := range []string{"polls the task", "the task again", "crashed", "may be working"} {
					if strings.Contains(strings.ToLower(r.out+r.err), bad) {
						t.Errorf("got %q in\n%s%s", bad, r.out, r.err)
					}
				}
			})
		}
	}
}

// The doctor says all there is to say of a fault on the way.
func TestTheDoctorSaysAllOfAFaultOnTheWay(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []string{"GetTask", "CancelTask"} {
				r := parley(t, "doctor", onceAt(t, method, fault).URL)
				if strings.Contains(r.out+r.err, "the task again") || name != "empty" && strings.Contains(r.out+r.err, "--debug") {
					t.Errorf("%s: got advice that helps nobody\n%s%s", method, r.out, r.err)
				}
			}
		})
	}
}

// A fault on the way of a message is no failure of the agent.
func TestAMessageBehindAGatewayIsSkipped(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout} {
		r := parley(t, "conformance", onceAt(t, "SendMessage", func(w http.ResponseWriter) { w.WriteHeader(status) }).URL)
		if r.code != 1 || strings.Contains(r.out, "Failed: ") || !strings.Contains(r.out, "Skipped: a message is answered: ") {
			t.Errorf("%d: got exit %d, want 1 and the message skipped\n%s%s", status, r.code, r.out, r.err)
		}
		if strings.Contains(r.out+r.err, "un it again") {
			t.Errorf("%d: got advice to send the message again\n%s%s", status, r.out, r.err)
		}
	}
}

// One connection that breaks is no fault of the agent's streams, and an agent that answers has not crashed.
func TestTheDoctorBlamesNoStreamsForOneReset(t *testing.T) {
	t.Parallel()
	r := parley(t, "doctor", onceAt(t, "SendStreamingMessage", cut).URL, "--send")
	if !strings.Contains(r.out, "Sent again without a stream, the message is answered.") || !strings.Contains(r.out+r.err, "One connection that breaks says little") {
		t.Errorf("got\n%s%s", r.out, r.err)
	}
	for _, bad := range []string{"crashed", "mend its streams"} {
		if strings.Contains(r.out+r.err, bad) {
			t.Errorf("got %q in\n%s%s", bad, r.out, r.err)
		}
	}
}

// The time of a message is that of its answer, not that of the end of its stream.
func TestTheDoctorTellsTheTimeOfTheAnswer(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method != "SendStreamingMessage" {
			q.fail(w, -32001, "Task not found")
			return
		}
		q.event(w, `{"message":{"messageId":"a","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"Hello."}]}}`)
		<-q.req.Context().Done()
	})
	r := parley(t, "doctor", s.URL, "--send")
	_, after, _ := strings.Cut(r.out, "Ok: message: answered")
	took, _, _ := strings.Cut(after, "\n")
	var ms int
	if _, err := fmt.Sscanf(took, " (%d ms)", &ms); took != "" && (err != nil || ms >= 1500) {
		t.Errorf("got %q for an answer that came at once\n%s%s", took, r.out, r.err)
	}
	if !strings.Contains(r.out, "Ok: message: answered") {
		t.Errorf("got\n%s%s", r.out, r.err)
	}
}

// What an agent refused in the version of its card, and answered in another one, is answered.
func TestAMessageThatIsAnsweredInAnotherVersionFailsNoProbe(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		switch q.Method {
		case "message/send":
			q.result(w, `{"kind":"message","messageId":"a","contextId":"c","role":"agent","parts":[{"kind":"text","text":"Hello."}]}`)
		case "tasks/get", "tasks/cancel":
			q.fail(w, -32001, "Task not found")
		default:
			q.fail(w, -32601, "Method not found")
		}
	})
	r := parley(t, "conformance", s.URL)
	if r.code != 0 || strings.Contains(r.out, "Failed: ") || !strings.Contains(r.out, "Ok: a message is answered") {
		t.Errorf("got exit %d, want 0 and no failed check\n%s%s", r.code, r.out, r.err)
	}
}
