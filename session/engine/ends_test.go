package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// askedAgain returns the calls of the requests that Parley repeated.
func (d *harness) askedAgain() (calls []a2a.Call) {
	for _, it := range d.items {
		if r := &it.Record; it.Signal == nil && r.Kind == a2a.KindRequest && r.Call != nil && r.Call.Why == a2a.WhyAskedAgain {
			calls = append(calls, *r.Call)
		}
	}
	return calls
}

// An agent that runs as two copies without a common store answers every second request as if it did not
// know the task. The task is followed to its end, no message is sent twice, and the denials are told.
func TestATaskThatEverySecondAnswerDeniesIsFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		var mu sync.Mutex
		counts := map[string]int{}
		s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), fail func(int)) {
			mu.Lock()
			defer mu.Unlock()
			counts[method]++
			task := "t"
			if q.ID != "" && g.Dialect == a2a.V01 {
				task = q.ID
			}
			switch {
			case method == "send":
				say(g.Whole(task, "here", a2a.StateWorking))
			case counts[method]%2 == 1:
				fail(-32001)
			case counts["get"] > 8:
				say(g.Finished(task, "here", "done"))
			default:
				say(g.Whole(task, "here", a2a.StateWorking))
			}
		})
		d := newHarness(t, nil)
		id := d.openAgent(s.URL)
		mu.Lock()
		clear(counts) // a get to find out the dialect
		mu.Unlock()
		turn, over := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{Stream: a2a.False})
		task := turn.Blocks[0].Task
		if over.Sentence != "" || task.State != a2a.StateCompleted || task.Forgotten || counts["send"] != 1 || countSignals(d, log.SignalTaskForgotten) != 0 {
			t.Fatalf("got turn end %+v, task %v, %d messages; want a completed task, no failure, 1\n%s", over, task.State, counts["send"], d.log())
		}
		again := d.askedAgain()
		if len(again) != counts["get"]/2 || slices.ContainsFunc(again, func(c a2a.Call) bool { return c.Attempt != 2 || c.Op != a2a.OpGet || c.Because != "TaskNotFound" }) {
			t.Errorf("got %d repeated requests %+v, want %d gets, the second of their kind", len(again), again, counts["get"]/2)
		}
		for _, pr := range sessiontest.Problems(turn) {
			if pr.Class != problem.ClassFallback || !strings.Contains(pr.Sentence, "so Parley asked again") {
				t.Errorf("got problem %+v, want that Parley asked again", pr)
			}
		}
		d.finish()
	})
}

// A message and a cancel that are denied once are sent once more, to the task. A denied id that no
// agent gave is the user's: nothing is repeated.
func TestOneDenialOfAMessageOrACancelStartsNoNewTask(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"send", "cancel", "get"} {
		for _, twice := range []bool{false, true} {
			var mu sync.Mutex
			var calls []string
			denials := 1
			if twice {
				denials = 2
			}
			g := &sessiontest.EventWriters[slices.IndexFunc(sessiontest.EventWriters[:], func(w sessiontest.EventWriter) bool { return w.Dialect == a2a.V10 })]
			s := newStation(t, g, func(s *station, method string, q inquiry, say func(string), fail func(int)) {
				mu.Lock()
				defer mu.Unlock()
				calls = append(calls, method)
				switch {
				case len(calls) == 1:
					say(g.Whole("t", "here", a2a.StateInputRequired))
				case method == op && len(calls) <= 1+denials || q.ID == "typed":
					fail(-32001)
				case method == "send":
					say(g.Whole(fmt.Sprintf("t%d", len(calls)), "here", a2a.StateCompleted))
				default:
					say(g.Whole("t", "here", a2a.StateCanceled))
				}
			})
			d := newHarness(t, nil)
			id := d.openAgent(s.URL)
			turn, _ := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{Stream: a2a.False})
			if len(turn.Blocks) == 0 || turn.Blocks[0].Task == nil {
				t.Fatalf("got no task\n%s", d.log())
			}
			task := turn.Blocks[0].Task
			var over log.Signal
			switch op {
			case "send":
				var on *model.Turn
				on, over = d.sendText(model.Target{Agent: id, Conversation: turn.Conversation.ID, TaskID: "t"}, "on", model.SendOptions{Stream: a2a.False})
				if n := d.countReturnedDrafts(on); n != 0 {
					t.Errorf("denied %d times: got %d returned drafts of a message that was taken, want none", denials, n)
				}
			case "cancel":
				over = d.waitForTurnEnd(d.Cancel(id, "t", 0))
			case "get":
				over = d.waitForTurnEnd(d.Get(id, "t", 0, nil))
			}
			want := []string{"send", op, op}
			if twice && op == "send" {
				want = append(want, "send") // a new task
			}
			if got := strings.Join(calls, " "); got != strings.Join(want, " ") || task.Forgotten != twice {
				t.Errorf("%s, denied %d times: got requests %s, forgotten %v; want %s\n%s", op, denials, got, task.Forgotten, strings.Join(want, " "), d.log())
			}
			if fails := twice && op != "send"; (over.Sentence != "") != fails || fails && !strings.Contains(over.Sentence, "1 s ago and does not know it now (asked twice).") ||
				strings.Contains(over.Sentence, " new task") {
				t.Errorf("%s, denied %d times: got turn end %q", op, denials, over.Sentence)
			}
			if op == "get" {
				before := len(calls)
				typed := d.waitForTurnEnd(d.Get(id, "typed", 0, nil))
				if typed.Class != problem.ClassRPC || len(calls) != before+1 {
					t.Errorf("got turn end %+v after %d requests for an id that the user typed, want a failure after 1", typed, len(calls)-before)
				}
			}
			d.finish()
		}
	}
}

// A slowStream is a stream of task t on a network of pipes.
type slowStream struct {
	w    http.ResponseWriter
	id   json.RawMessage
	done <-chan struct{}
}

func (s *slowStream) send(result string) {
	fmt.Fprintf(s.w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", s.id, result)
	_ = http.NewResponseController(s.w).Flush()
}

// wait waits, and reports whether the client is still there.
func (s *slowStream) wait(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.done:
		return false
	}
}

// statusOf returns a status update of task t.
func statusOf(state string) string { return sessiontest.StatusWord(state) }

// inBubble runs a test whose time stands still with an agent of 1.0: it answers a method with a stream, or,
// without one, with the result that get returns.
func inBubble(t *testing.T, answer map[string]func(s *slowStream), get func() string, test func(d *harness, w *wreck)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWreckOnPipes(t, func(rw http.ResponseWriter, r *http.Request) {
			var q struct {
				ID     json.RawMessage
				Method string
			}
			_ = json.NewDecoder(r.Body).Decode(&q)
			if stream := answer[q.Method]; stream != nil {
				rw.Header().Set("Content-Type", "text/event-stream")
				stream(&slowStream{rw, q.ID, r.Context().Done()})
				return
			}
			member, value := "result", get()
			if strings.HasPrefix(value, `{"code"`) {
				member = "error"
			}
			fmt.Fprintf(rw, `{"jsonrpc":"2.0","id":%s,%q:%s}`, q.ID, member, value)
		})
		d := newHarness(t, func(o *options) {
			o.WatchEvery, o.Grace, o.AskGrace, o.Idle, o.Resubscribe = -1, 2*time.Second, 100*time.Millisecond, 8*time.Second, 5
			o.After = time.After
			o.Client = func(string) a2a.Options { return a2a.Options{Dial: w.pipes.Dial} }
		})
		test(d, w)
		d.finish()
	})
}

// An agent that goes on sending after its task is over ends the turn no later than one that is silent.
func TestAnAgentThatSendsForEverAfterItsTaskEndsItsTurn(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"artifacts": sessiontest.ChunkOf("a", "more", true), "the end again": statusOf("COMPLETED"), "working again": statusOf("WORKING"),
		"another task": `{"statusUpdate":{"taskId":"other","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var ended time.Time
			inBubble(t, map[string]func(*slowStream){"SendStreamingMessage": func(s *slowStream) {
				s.send(statusOf("WORKING"))
				s.wait(5 * time.Second)
				ended = time.Now()
				for s.send(statusOf("COMPLETED")); s.wait(100 * time.Millisecond); {
					s.send(more)
				}
			}}, func() string { return "null" }, func(d *harness, w *wreck) {
				turn, over := d.sendText(model.Target{Agent: d.openAgent(w.URL)}, "go", model.SendOptions{})
				if after := time.Since(ended); over.Sentence != "" || turn.Blocks[0].Task.State != a2a.StateCompleted || after < 2*time.Second || after > 3*time.Second {
					t.Errorf("got turn end %+v %v after the task, want no failure after 2 s\n%s", over, after, d.log())
				}
				said := sessiontest.Problems(turn)
				if told := len(said) == 1 && said[0].Class == problem.ClassFallback && strings.Contains(said[0].Sentence, "The agent sent ") && strings.Contains(said[0].Sentence, "events in 2 s after task t was over"); told == (name == "another task") {
					t.Errorf("got problems %q, want how many events came", sessiontest.Sentences(turn))
				}
			})
		})
	}
}

// A subscription that stays silent is compared with its task, at growing intervals, and ends when the
// task is over.
func TestASilentSubscriptionToATaskThatIsOverEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		over, ends time.Duration // after the subscription
		gets       int
		first      bool // the user's own subscription
	}{
		{6 * time.Second, 16 * time.Second, 1, false},
		{20 * time.Second, 32 * time.Second, 2, true},
		{6 * time.Second, 16 * time.Second, 1, true},
	} {
		t.Run(fmt.Sprintf("over after %v, first %v", c.over, c.first), func(t *testing.T) {
			var subscribed time.Time
			inBubble(t, map[string]func(*slowStream){
				"SendStreamingMessage": func(s *slowStream) { s.send(statusOf("WORKING")) },
				"SubscribeToTask": func(s *slowStream) {
					subscribed = time.Now()
					s.send(`{"task":` + strings.ReplaceAll(hubTask("WORKING"), `"t1"`, `"t"`) + `}`)
					<-s.done
				},
			}, func() string {
				state := "WORKING"
				if time.Since(subscribed) > c.over {
					state = "COMPLETED"
				}
				return strings.ReplaceAll(hubTask(state), `"t1"`, `"t"`)
			}, func(d *harness, w *wreck) {
				id := d.openAgent(w.URL)
				var turn a2a.TurnID
				if c.first {
					turn = d.Subscribe(id, "t", 0, true)
				} else {
					turn = d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
				}
				over := d.waitForTurnEnd(turn)
				took := time.Since(subscribed)
				seen := d.state.Turn(turn)
				if over.Sentence != "" || seen.Pending || seen.Blocks[0].Task.State != a2a.StateCompleted || took < c.ends || took > c.ends+time.Second {
					t.Errorf("got turn end %+v after %v, task %v; want completed after %v\n%s", over, took, seen.Blocks[0].Task.State, c.ends, d.log())
				}
				again := d.askedAgain()
				if len(again) != c.gets || !again[0].Rest || again[0].Because != "nothing for 16 s" {
					t.Errorf("got repeated requests %+v, want %d because nothing came", again, c.gets)
				}
				if said := sessiontest.Sentences(seen); !strings.Contains(said, "although the task is over, so Parley got the task and closed the stream.") {
					t.Errorf("got problems %q, want why the stream is closed", said)
				}
			})
		})
	}
}

// A subscription that a server on the way holds open ends although the agent has forgotten the task, as after a
// restart.
func TestASilentSubscriptionToATaskThatIsForgottenEnds(t *testing.T) {
	t.Parallel()
	held := false
	inBubble(t, map[string]func(*slowStream){
		"SendStreamingMessage": func(s *slowStream) { s.send(statusOf("WORKING")) },
		"SubscribeToTask": func(s *slowStream) {
			if !held {
				held = true
				s.send(`{"task":` + strings.ReplaceAll(hubTask("WORKING"), `"t1"`, `"t"`) + `}`)
				<-s.done
			}
		},
	}, func() string { return `{"code":-32001,"message":"Task not found"}` }, func(d *harness, w *wreck) {
		turn, over := d.sendText(model.Target{Agent: d.openAgent(w.URL)}, "go", model.SendOptions{})
		if over.Sentence == "" || turn.Pending || !turn.Blocks[0].Task.Forgotten {
			t.Errorf("got turn end %+v, pending %v, task %+v; want the task forgotten\n%s", over, turn.Pending, turn.Blocks[0].Task.Lifecycle, d.log())
		}
		if said := sessiontest.Sentences(turn); !strings.Contains(said, "and the agent denied it twice, so Parley closed the stream.") {
			t.Errorf("got problems %q, want why the stream is closed", said)
		}
	})
}

// The turn of a task that waits for the user is over once, though its stream stays open and the question
// is repeated; a get afterwards is over too, and nothing stays pending.
func TestATurnWhoseStreamStaysOpenIsOverOnce(t *testing.T) {
	t.Parallel()
	inBubble(t, map[string]func(*slowStream){"SendStreamingMessage": func(s *slowStream) {
		s.send(statusOf("INPUT_REQUIRED"))
		s.wait(5 * time.Second)
		s.send(statusOf("INPUT_REQUIRED"))
		s.wait(5 * time.Second)
		s.send(sessiontest.StatusSays("INPUT_REQUIRED", "m2", "Which?"))
		s.wait(15 * time.Second)
	}}, func() string { return strings.ReplaceAll(hubTask("INPUT_REQUIRED"), `"t1"`, `"t"`) }, func(d *harness, w *wreck) {
		id := d.openAgent(w.URL)
		turn, over := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{})
		if over.Sentence != "" || turn.Pending {
			t.Fatalf("got turn end %+v, pending %v; want an end without failure", over, turn.Pending)
		}
		time.Sleep(12 * time.Second) // of the bubble: the question is repeated twice
		d.waitForTurnEnd(d.Get(id, "t", 0, nil))
		if turn.Pending {
			t.Errorf("got a pending turn after a get, want it over\n%s", d.log())
		}
		d.until("the end of the stream", func(it log.Item) bool {
			return it.Signal == nil && it.Record.Kind == a2a.KindEnd && it.Record.Call.Op == a2a.OpStream
		})
		synctest.Wait()
		if n := countSignals(d, log.SignalTurnOver); n != 2 {
			t.Errorf("got %d ends of the turn, want one of the message and one of the get\n%s", n, d.log())
		}
		if turn.Pending {
			t.Errorf("got a pending turn after its stream, want it over\n%s", d.log())
		}
	})
}
