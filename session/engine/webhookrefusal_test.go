package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// refusals are ways in which agents refuse a webhook at a loopback address.
var refusals = []string{
	`{"code":-32602,"message":"Invalid parameters"}`,
	`{"code":-32602,"message":"Ungültige Adresse"}`,
	`{"code":-32003,"message":"callback host resolves to a private IP range"}`,
	`{"code":-32600,"message":"SSRF protection"}`,
}

// choosy puts an agent in front of a station that refuses webhooks: those of messages and those
// that are registered for a task, or only the latter. It counts both.
type choosy struct {
	refusal           string
	status            int // of a refusal, 0 for 200
	messages, configs atomic.Int32
}

func (c *choosy) before(t *testing.T, s *station) string {
	srv := serveFront(s.tongue.Dialect, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		_ = json.Unmarshal(body, &q)
		set := strings.HasSuffix(q.Method, "/set") || strings.HasPrefix(q.Method, "CreateTaskPush")
		if carries := bytes.Contains(q.Params, []byte("ushNotification")); set || carries {
			if set {
				c.configs.Add(1)
			} else {
				c.messages.Add(1)
			}
			w.Header().Set("Content-Type", "application/json")
			if c.status != 0 {
				w.WriteHeader(c.status)
				return
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, q.ID, c.refusal)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	s.URL = srv.URL // in the card
	return srv.URL
}

// A message whose webhook is refused is sent once more without it, and one line says why and
// what to do.
func TestAMessageWhoseWebhookIsRefusedIsAnsweredWithoutIt(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		for _, refusal := range refusals {
			for _, stream := range []a2a.Tri{a2a.False, a2a.True} {
				s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
					switch task := q.named("t"); method {
					case "send":
						say(g.Sent(g.Finished(task, "here", "the answer")))
					case "stream":
						say(g.Sent(g.Finished(task, "here", "the answer")))
					default:
						fail(-32001)
					}
				})
				c := choosy{refusal: refusal}
				url := c.before(t, s)
				d := newHarness(t, nil)
				id := d.openAgent(url)
				turn, sig := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{Stream: stream, Webhook: true})
				d.finish()
				pr := sessiontest.Problems(turn)
				if sig.Sentence != "" || !strings.Contains(strings.Join(entryTexts(turn), "\n"), "the answer") || c.messages.Load() != 1 || s.countRequests("send")+s.countRequests("stream") != 1 ||
					d.countReturnedDrafts(turn) != 0 || len(pr) != 1 || pr[0].Class != problem.ClassFallback || !strings.Contains(pr[0].Sentence, "--push-url") {
					t.Errorf("refusal %s: got turn end %q, %d messages with a webhook, draft returned %d times, problems %+v; want an answer without a webhook and one of class fallback\n%s", refusal, sig.Sentence, c.messages.Load(), d.countReturnedDrafts(turn), pr, d.log())
				}
			}
		}
	})
}

// The refusal of a webhook that is registered for a task is explained; the task is still
// polled, and the webhook is not registered again.
func TestARefusedWebhookIsExplainedAndPollingGoesOn(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		for i, refusal := range append(refusals, `{"code":-32000,"message":"nope"}`, `{"code":-32603,"message":"internal error"}`, "") {
			over := make(chan struct{})
			var begun atomic.Bool
			s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
				task := q.named("t")
				switch {
				case method == "send":
					begun.Store(true)
					say(g.Whole(task, "here", a2a.StateWorking))
				case method == "get" && begun.Load():
					select { // the get is in progress while the webhook is refused
					case <-over:
						say(g.Finished(task, "here", "the result"))
					case <-q.done:
					}
				default:
					fail(-32001)
				}
			})
			c := choosy{refusal: refusal}
			if refusal == "" {
				c.status = http.StatusBadRequest
			}
			url := c.before(t, s)
			d := newHarness(t, nil)
			id := d.openAgent(url)
			turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{Stream: a2a.False})
			d.waitForSignal(log.SignalPoll)
			task := d.state.Turn(turn).Blocks[0].Task
			if _, err := d.PushListen(id, task.ID); err != nil {
				t.Fatal(err)
			}
			d.until("the refusal", func(it log.Item) bool {
				return it.Record.Kind == a2a.KindEnd && it.Record.Call != nil && it.Record.Call.Op == a2a.OpPushSet
			})
			if p := task.Push.Problem; p == nil || !strings.Contains(p.Sentence, "--push-url") || !strings.Contains(p.Sentence, "127.0.0.1") {
				t.Errorf("refusal %d %s: got problem %+v, want one that names --push-url and the address\n%s", i, refusal, p, d.log())
			}
			close(over)
			// The operation on the webhook ends the turn with a signal of its own.
			if sig := d.waitForSignal(log.SignalPollEnded); sig.Sentence != "" || task.State != a2a.StateCompleted || c.configs.Load() != 1 {
				t.Errorf("refusal %d: got poll end %q, task %s, %d registrations; want no failure, completed, 1", i, sig.Sentence, task.State, c.configs.Load())
			}
			d.finish()
		}
	})
}

// Errors that mean something else are not attributed to the address, and neither are webhooks
// at public addresses.
func TestOtherErrorsAreNotBlamedOnTheAddress(t *testing.T) {
	t.Parallel()
	const local, public = "http://127.0.0.1:1234/hook", "https://hooks.example.com/a"
	for _, c := range []struct {
		op   a2a.Op
		task string // that the message is for
		url  string
		e    a2a.RPCError
		want bool
	}{
		{a2a.OpPushSet, "", local, a2a.RPCError{Code: -32602}, true},
		{a2a.OpPushSet, "", "http://192.168.1.7/hook", a2a.RPCError{Code: -32000, Message: "no"}, true},
		{a2a.OpPushSet, "", "http://[fe80::1]/hook", a2a.RPCError{Code: -32000, Message: "no"}, true},
		{a2a.OpPushSet, "", local, a2a.RPCError{Code: -32003, Message: "Push Notification is not supported"}, false},
		{a2a.OpPushSet, "", local, a2a.RPCError{Code: -32601, Message: "webhook method not found"}, false},
		{a2a.OpPushSet, "", local, a2a.RPCError{Code: -32001, Message: "Task not found"}, false},
		{a2a.OpPushSet, "", public, a2a.RPCError{Code: -32602, Message: "bad webhook"}, false},
		{a2a.OpSend, "", local, a2a.RPCError{Code: -32603, Message: "boom"}, false},
		{a2a.OpSend, "", local, a2a.RPCError{Code: -32603, Message: "127.0.0.1:1234 is not allowed"}, true},
		{a2a.OpSend, "", local, a2a.RPCError{Code: -32602}, true},
		{a2a.OpSend, "t", local, a2a.RPCError{Code: -32602, Message: "task is in a terminal state"}, false},
		{a2a.OpStream, "t", local, a2a.RPCError{Code: -32602, Message: "webhook refused"}, true},
		{a2a.OpGet, "", local, a2a.RPCError{Code: -32602}, false},
		{a2a.OpSend, "", "", a2a.RPCError{Code: -32602}, false},
	} {
		if got := model.RefusesWebhook(&a2a.Call{Op: c.op, TaskID: c.task}, c.url, &c.e); got != c.want {
			t.Errorf("%s of %q, %v: got %v, want %v", c.op, c.url, &c.e, got, c.want)
		}
	}
}

// A task that ended without a delivery says so, until one comes.
func TestATaskThatEndedWithoutADeliverySaysWhatToDo(t *testing.T) {
	t.Parallel()
	var task model.Task
	task.Push.URL = "http://127.0.0.1:1234/hook"
	if task.Undelivered() != "" {
		t.Error("got advice about deliveries for a working task, want none")
	}
	task.Lifecycle.Take(&a2a.Status{State: a2a.StateCompleted}, true)
	if !strings.Contains(task.Undelivered(), "--push-url") {
		t.Errorf("got advice %q, want one that names --push-url", task.Undelivered())
	}
	task.Push.Deliveries = 1
	if said := task.Undelivered(); said != "" {
		t.Errorf("got advice %q after a delivery, want none", said)
	}
	task.Push.Deliveries, task.Push.URL = 0, "https://hooks.example.com/"
	if said := task.Undelivered(); said != "" {
		t.Errorf("got advice %q for a public webhook, want none", said)
	}
}
