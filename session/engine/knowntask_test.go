package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A station is an agent of any dialect whose answers are functions of the request.
type station struct {
	*httptest.Server
	tongue *sessiontest.EventWriter
	// answer writes the answer to a method. say sends a result, as a frame on streams.
	answer func(s *station, method string, call inquiry, say func(result string), fail func(code int))

	mu      sync.Mutex
	methods []string
}

// An inquiry is the part of a request that the answers use.
type inquiry struct {
	ID      string `json:"id"` // of the task
	TaskID  string `json:"taskId"`
	History *int   `json:"historyLength"`
	done    <-chan struct{}
}

// methodsV10 are the operations by the methods of 1.0, in which requests over HTTP+JSON reach
// the agent.
var methodsV10 = map[string]string{
	"SendMessage": "send", "SendStreamingMessage": "stream", "GetTask": "get", "CancelTask": "cancel", "SubscribeToTask": "subscribe",
	"ListTaskPushNotificationConfigs": "hooks", "GetTaskPushNotificationConfig": "hooks",
}

// shortMethods are the operations by the methods of each dialect.
var shortMethods = map[a2a.DialectName]map[string]string{
	a2a.V10:     methodsV10,
	a2a.V10REST: methodsV10,
	a2a.V03REST: methodsV10,
	a2a.V03: {
		"message/send": "send", "message/stream": "stream", "tasks/get": "get", "tasks/cancel": "cancel", "tasks/resubscribe": "subscribe",
		"tasks/pushNotificationConfig/list": "hooks", "tasks/pushNotificationConfig/get": "hooks",
	},
	a2a.V02: {
		"message/send": "send", "message/stream": "stream", "tasks/get": "get", "tasks/cancel": "cancel", "tasks/resubscribe": "subscribe",
		"tasks/pushNotificationConfig/list": "hooks", "tasks/pushNotificationConfig/get": "hooks",
	},
	a2a.V01: {
		"tasks/send": "send", "tasks/sendSubscribe": "stream", "tasks/get": "get", "tasks/cancel": "cancel", "tasks/resubscribe": "subscribe",
		"tasks/pushNotification/get": "hooks",
	},
}

func newStation(t *testing.T, g *sessiontest.EventWriter, answer func(s *station, method string, call inquiry, say func(string), fail func(int))) *station {
	t.Helper()
	s := &station{tongue: g, answer: answer}
	s.Server = serveFront(g.Dialect, s)
	t.Cleanup(s.Close)
	return s
}

func (s *station) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "application/json")
		switch s.tongue.Dialect {
		case a2a.V10REST, a2a.V03REST:
			fmt.Fprint(w, restCard(s.tongue.Dialect, "Station", s.URL))
		case a2a.V10:
			fmt.Fprintf(w, `{"name":"Station","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
				"capabilities":{"streaming":true,"pushNotifications":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`, s.URL)
		case a2a.V01:
			fmt.Fprintf(w, `{"name":"Station","version":"1","url":%q,"capabilities":{"streaming":true},"skills":[]}`, s.URL)
		default:
			fmt.Fprintf(w, `{"name":"Station","version":"1","protocolVersion":%q,"url":%q,"preferredTransport":"JSONRPC",
				"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`,
				s.tongue.Dialect.Number()+".0", s.URL)
		}
		return
	}
	body, _ := io.ReadAll(r.Body)
	var q struct {
		ID     json.RawMessage
		Method string
		Params inquiry
	}
	if json.Unmarshal(body, &q) != nil {
		http.Error(w, "?", http.StatusBadRequest)
		return
	}
	method, known := shortMethods[s.tongue.Dialect][q.Method]
	if !known {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, q.ID)
		return
	}
	s.mu.Lock()
	s.methods = append(s.methods, method)
	s.mu.Unlock()
	frame, begun := "%s", false
	if method == "stream" || method == "subscribe" {
		frame = "data: %s\n\n"
	}
	write := func(text string) {
		if !begun {
			begun = true
			media := "application/json"
			if frame != "%s" && !strings.Contains(text, `"error"`) {
				media = "text/event-stream"
			} else {
				frame = "%s"
			}
			w.Header().Set("Content-Type", media)
		}
		fmt.Fprintf(w, frame, text)
		w.(http.Flusher).Flush()
	}
	q.Params.done = r.Context().Done()
	s.answer(s, method, q.Params,
		func(result string) { write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)) },
		func(code int) {
			write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, q.ID, code))
		})
}

// countRequests counts the requests of a method.
func (s *station) countRequests(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, m := range s.methods {
		if m == method {
			n++
		}
	}
	return n
}

// named is the id of the request's task in dialects in which the client makes it.
func (q inquiry) named(own string) string {
	if q.ID != "" {
		return q.ID
	}
	return own
}

// forEachDialect runs a test in every dialect.
func forEachDialect(t *testing.T, test func(t *testing.T, g *sessiontest.EventWriter)) {
	for i := range sessiontest.EventWriters {
		t.Run(string(sessiontest.EventWriters[i].Dialect), func(t *testing.T) { test(t, &sessiontest.EventWriters[i]) })
	}
}

func entryTexts(turn *model.Turn) (all []string) {
	for _, b := range turn.Blocks {
		for _, e := range b.Entries {
			switch e.Kind {
			case model.EntryState:
				all = append(all, e.State.State.String())
			case model.EntryArtifact:
				all = append(all, string(e.Artifact.Text))
			case model.EntrySame:
				all = append(all, "same")
			case model.EntryProblem:
				all = append(all, "problem: "+e.Problem.Sentence)
			}
		}
	}
	return all
}

// An agent may answer every message with the same task.
func TestAKnownTaskReturnedAgainIsShown(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		s := newStation(t, g, func(s *station, _ string, _ inquiry, say func(string), _ func(int)) {
			say(g.Sent(g.Finished("always", "here", "the same")))
		})
		d := newHarness(t, nil)
		id := d.openAgent(s.URL)
		defer func() {
			if spoken, _ := d.state.Agent(id).Profile.Spoken(); spoken.Name() != g.Dialect {
				t.Errorf("got dialect %s, want %s", spoken.Name(), g.Dialect)
			}
		}()
		for _, o := range []a2a.Tri{a2a.False, a2a.True} {
			first, _ := d.sendText(model.Target{Agent: id}, "one", model.SendOptions{Stream: o})
			conv := first.Conversation
			again, _ := d.sendText(model.Target{Agent: id, Conversation: conv.ID}, "two", model.SendOptions{Stream: o})
			other, _ := d.sendText(model.Target{Agent: id}, "three", model.SendOptions{Stream: o})
			if got := entryTexts(again); !slices.Contains(got, "same") || !slices.Contains(got, "completed") {
				t.Errorf("got second turn %q, want the answer and the state of the known task\n%s", got, d.log())
			}
			if got := entryTexts(other); !slices.Contains(got, "the same") {
				t.Errorf("got texts %q in another conversation after %q, want \"the same\" among them\n%s", got, entryTexts(first), sessiontest.Dump(d.state))
			}
		}
		d.finish()
	})
}

// A status that contradicts the end of a task causes a finding, and changes nothing.
func TestTerminalStaysTerminal(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), _ func(int)) {
			task := q.named("t")
			switch method {
			case "stream":
				say(g.Whole(task, "here", a2a.StateWorking))
				say(g.Chunk(task, "here", "all of it"))
				say(g.Tells(task, "here", a2a.StateCompleted))
				say(g.Tells(task, "here", a2a.StateWorking))
			case "get":
				whole := g.Whole(task, "here", a2a.StateWorking)
				if !g.Old {
					whole = strings.TrimSuffix(strings.TrimPrefix(whole, `{"task":`), "}")
				}
				say(whole)
			}
		})
		d := newHarness(t, nil)
		turn, _ := d.sendText(model.Target{Agent: d.openAgent(s.URL)}, "go", model.SendOptions{})
		task := turn.Conversation.Tasks[0]
		c := task.Contradiction
		if task.State != a2a.StateCompleted || c == nil || c.State != a2a.StateWorking || turn.Pending {
			t.Fatalf("got task %s, contradiction %+v; want completed and contradicted by working\n%s", task.State, c, d.log())
		}
		d.waitForTurnEnd(d.Get(turn.Conversation.Agent.ID, task.ID, 0, nil))
		if task.State != a2a.StateCompleted || task.Contradiction == c || string(task.Artifacts[0].Text) != "all of it" {
			t.Errorf("after a stale get: got task %s, contradiction %+v; want completed with the artifact and a new contradiction\n%s", task.State, task.Contradiction, d.log())
		}
		if found := d.state.Log.At(task.Contradiction.Record).Findings; len(found) == 0 {
			t.Errorf("got no finding in record %d with the contradiction, want one", task.Contradiction.Record)
		}
		if known := d.state.Assembled(1, task.ID); known.Status.State != a2a.StateCompleted {
			t.Errorf("got assembled task %s, want completed", known.Status.State)
		}
		d.finish()
	})
}

// A task that ended without output is requested once, and twice if the agent denies it; that the agent does
// not know it any more is not reported.
func TestATaskThatEndedBareIsAskedForOnce(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		var forgets bool
		s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), fail func(int)) {
			task := q.named("t-" + fmt.Sprint(s.countRequests("stream")))
			bare := strings.ReplaceAll(g.Whole(task, "here", a2a.StateCompleted), `"status"`, `"status"`)
			switch {
			case method == "stream":
				say(g.Whole(task, "here", a2a.StateWorking))
				say(bare)
			case forgets || q.History == nil:
				fail(-32001)
			default:
				say(g.Finished(task, "here", "kept back"))
			}
		})
		d := newHarness(t, nil)
		id := d.openAgent(s.URL)
		before := s.countRequests("get") // a get to find out the dialect
		turn, over := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{})
		if got := entryTexts(turn); !slices.Contains(got, "kept back") || over.Sentence != "" || s.countRequests("get") != before+1 {
			t.Errorf("got texts %q after %d gets, turn end %q; want \"kept back\" after 1 get, no failure\n%s", got, s.countRequests("get")-before, over.Sentence, d.log())
		}
		forgets = true
		turn, over = d.sendText(model.Target{Agent: id}, "go", model.SendOptions{})
		task := turn.Blocks[0].Task
		if len(sessiontest.Problems(turn)) != 0 || over.Sentence != "" || task.Forgotten || s.countRequests("get") != before+3 {
			t.Errorf("got problems %v, turn end %q, %d gets; want none, no failure, 3\n%s", sessiontest.Problems(turn), over.Sentence, s.countRequests("get")-before, d.log())
		}
		d.finish()
	})
}

// After a confirmed cancel Parley does not resubscribe to an agent that forgets canceled tasks,
// and shows no chunk twice that the answer brought before the stream.
func TestAConfirmedCancelEndsQuietly(t *testing.T) {
	t.Parallel()
	for _, late := range []string{"append", "cut", "close"} {
		t.Run(late, func(t *testing.T) {
			forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) { testCancel(t, g, late) })
		})
	}
}

func testCancel(t *testing.T, g *sessiontest.EventWriter, late string) {
	canceled := make(chan struct{})
	s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), fail func(int)) {
		task := q.named("t")
		switch method {
		case "stream":
			say(g.Whole(task, "here", a2a.StateWorking))
			say(g.Chunk(task, "here", "one "))
			<-canceled
			switch late {
			case "append":
				say(g.Chunk(task, "here", "two "))
				say(g.Tells(task, "here", a2a.StateCanceled))
			case "cut":
				panic(http.ErrAbortHandler)
			}
		case "cancel":
			whole := strings.Replace(g.Finished(task, "here", "one two "), g.State(a2a.StateCompleted), g.State(a2a.StateCanceled), 1)
			if late != "append" {
				close(canceled) // the stream may end before the answer arrives
			}
			say(whole)
		default:
			fail(-32001)
		}
	})
	d := newHarness(t, func(o *options) { o.Resubscribe = 3 })
	id := d.openAgent(s.URL)
	before := s.countRequests("get") // a get to find out the dialect
	turnID := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	var task *model.Task
	d.until("a chunk", func(it log.Item) bool {
		for _, ev := range it.Update.Events {
			if ev.Kind == a2a.EventArtifact {
				task = d.state.Task(id, ev.TaskID)
				return true
			}
		}
		return false
	})
	d.Cancel(id, task.ID, 0)
	if late == "append" {
		d.until("the answer", func(it log.Item) bool {
			return it.Record.Kind == a2a.KindEnd && it.Record.Call != nil && it.Record.Call.Op == a2a.OpCancel
		})
		close(canceled)
	}
	d.waitForTurnEnd(turnID)
	if task.State != a2a.StateCanceled || len(sessiontest.Problems(d.state.Turn(turnID))) != 0 || task.Forgotten {
		t.Errorf("got task %s, problems %q; want canceled, known, none\n%s", task.State, entryTexts(d.state.Turn(turnID)), d.log())
	}
	if got := string(task.Artifacts[0].Text); got != "one two " {
		t.Errorf("got artifact %q, want \"one two \"\n%s", got, d.log())
	}
	if n := s.countRequests("subscribe") + s.countRequests("get") - before; n != 0 {
		t.Errorf("got %d more requests, want none\n%s", n, d.log())
	}
	d.finish()
}

// An agent that refuses a request about webhooks with "task not found" still knows the task,
// and the task's turn does not show the refusal.
func TestARefusalToTellOfWebhooksCondemnsNoTask(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), fail func(int)) {
			switch task := q.named("t"); method {
			case "send":
				say(g.Sent(g.Finished(task, "here", "done")))
			case "get":
				say(g.Finished(task, "here", "done"))
			default:
				fail(-32001)
			}
		})
		d := newHarness(t, nil)
		id := d.openAgent(s.URL)
		turn, _ := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{Stream: a2a.False})
		task := turn.Blocks[0].Task
		if d, _ := d.state.Agent(id).Profile.Spoken(); !d.Supports(a2a.OpPushList) && !d.Supports(a2a.OpPushGet) {
			t.Skip("the dialect has no webhooks to be listed")
		}
		d.waitForTurnEnd(d.PushGet(id, task.ID, "h"))
		d.waitForTurnEnd(d.PushList(id, task.ID, a2a.ListFilter{}))
		if task.Forgotten || len(sessiontest.Problems(turn)) != 0 || task.Push.Problem == nil {
			t.Errorf("got forgotten %v, problems %v, push %+v; want the problem in push alone\n%s", task.Forgotten, sessiontest.Problems(turn), task.Push, d.log())
		}
		d.waitForTurnEnd(d.Get(id, task.ID, 0, nil))
		d.finish()
	})
}

// Over a real connection too, strays change nothing, and the next message continues the
// conversation's own context.
func TestStraysOnAStreamMoveNothing(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), _ func(int)) {
			task := q.named("own")
			say(g.Whole(task, "here", a2a.StateWorking))
			for _, stray := range g.Strays("stray", "there") {
				say(stray)
			}
			say(g.Chunk(task, "here", "mine"))
			say(g.Tells(task, "here", a2a.StateCompleted))
			say(g.Tells("stray", "there", a2a.StateInputRequired))
		})
		d := newHarness(t, nil)
		id := d.openAgent(s.URL)
		turn, over := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{})
		c := turn.Conversation
		if over.Sentence != "" || len(c.Tasks) != 1 || c.Tasks[0].State != a2a.StateCompleted || len(d.state.Waiting()) != 0 || len(turn.Asides) != 1 {
			t.Fatalf("got turn end %q, %d tasks, %d waiting, %d asides; want no failure, 1 completed task, 0, 1\n%s", over.Sentence, len(c.Tasks), len(d.state.Waiting()), len(turn.Asides), d.log())
		}
		if found := d.state.Log.At(turn.Asides[0].First).Findings; len(found) == 0 {
			t.Error("got no finding about the stray event, want one")
		}
		d.Engine.mu.Lock()
		context, tasks := d.Engine.convs[c.ID].contextID, len(d.Engine.agents[id].tasks)
		d.Engine.mu.Unlock()
		if g.Dialect != a2a.V01 && (context != "here" || c.ContextID != "here") || tasks != 1 {
			t.Errorf("next message: got context %q (conversation %q), %d tasks; want \"here\" twice, 1 task", context, c.ContextID, tasks)
		}
		d.finish()
	})
}

// In dialects in which "unknown" ends a task Parley does not poll the task and says why; in the
// others it polls as usual. A later state is shown.
func TestATaskWhoseStateItsAgentDoesNotKnowIsOverWhereTheDialectSaysSo(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		var back atomic.Bool
		s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), fail func(int)) {
			task := q.named("t")
			switch {
			case back.Load():
				say(g.Finished(task, "here", "found again"))
			case method == "get" && s.countRequests("stream") == 0:
				fail(-32001) // a get to find out the dialect
			case method == "subscribe":
				fail(-32001)
			case method == "get":
				say(strings.Replace(g.Finished(task, "here", "half"), g.State(a2a.StateCompleted), g.State(a2a.StateUnknown), 1))
			default:
				say(g.Whole(task, "here", a2a.StateUnknown))
			}
		})
		d := newHarness(t, nil)
		id := d.openAgent(s.URL)
		before := s.countRequests("get")
		turn, over := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{})
		task := turn.Blocks[0].Task
		asked, ends := s.countRequests("get")-before, g.Dialect == a2a.V01 || g.Dialect == a2a.V02
		said := strings.HasPrefix(over.Sentence, "The agent does not know the state of task "+task.ID)
		if task.Lost != ends || task.Over() != ends || said != ends || (asked == 0) != ends || turn.Pending {
			t.Errorf("got lost %v, %d polls, turn end %q; want lost and no polls if unknown ends tasks (%v)\n%s", task.Lost, asked, over.Sentence, ends, d.log())
		}
		back.Store(true)
		if over := d.waitForTurnEnd(d.Get(id, task.ID, 0, nil)); task.State != a2a.StateCompleted || task.Lost || over.Sentence != "" {
			t.Errorf("after a get: got task %s, lost %v, turn end %q; want completed, not lost, no failure\n%s", task.State, task.Lost, over.Sentence, d.log())
		}
		d.finish()
	})
}
