package engine

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// A parkedClock is a clock whose long waits end when the test says so; short ones, as between
// two attempts to reach an agent, end by themselves.
type parkedClock struct {
	mu     sync.Mutex
	parked []chan time.Time
}

func (c *parkedClock) after(d time.Duration) <-chan time.Time {
	if d < 100*time.Millisecond {
		return time.After(d)
	}
	ch := make(chan time.Time, 1)
	if d < never {
		c.mu.Lock()
		c.parked = append(c.parked, ch)
		c.mu.Unlock()
	}
	return ch
}

// release ends all waits.
func (c *parkedClock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ch := range c.parked {
		ch <- time.Time{}
	}
	c.parked = nil
}

// A survivor is a harness for an agent that is killed and restarted repeatedly.
type survivor struct {
	*harness
	clock *parkedClock
	agent a2a.AgentID
	conv  a2a.ConversationID
}

func newSurvivor(t *testing.T, m *mortal) *survivor {
	t.Helper()
	w := &survivor{clock: &parkedClock{}}
	w.harness = newHarness(t, func(o *options) {
		o.Resubscribe, o.After, o.AuthPolls = 5, w.clock.after, true
		o.Client = func(string) a2a.Options { return a2a.Options{Pins: a2a.Pins{Dialect: m.dialect}} }
	})
	w.agent = w.openAgent("http://" + m.address)
	if spoken, _ := w.state.Agent(w.agent).Profile.Spoken(); spoken.Name() != m.dialect {
		t.Fatalf("got dialect %s, want %s", spoken.Name(), m.dialect)
	}
	return w
}

// sendUntilState sends a text as the next message of the conversation, to no task, and waits until
// its task is in a state.
func (w *survivor) sendUntilState(text string, state a2a.State, o model.SendOptions) *model.Task {
	w.t.Helper()
	to := model.Target{Agent: w.agent, Conversation: w.conv}
	if c := w.state.Conversation(w.conv); c != nil {
		to.ContextID = c.ContextID
	}
	id := w.Send(to, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, o)
	var task *model.Task
	w.until(text+" to be "+state.String(), func(it log.Item) bool {
		if it.Signal != nil && it.Signal.Kind == log.SignalTurnOver && it.Signal.Turn == id && it.Signal.Sentence != "" {
			w.t.Fatalf("message %s: got failure %q, want none\n%s", text, it.Signal.Sentence, w.log())
		}
		turn := w.state.Turn(id)
		if turn == nil || len(turn.Blocks) == 0 {
			return false
		}
		w.conv, task = turn.Conversation.ID, turn.Blocks[0].Task
		return task != nil && task.State == state
	})
	return task
}

// waitUntilSettled waits until no request is open and a condition is met.
func (w *survivor) waitUntilSettled(what string, is func() bool) {
	w.t.Helper()
	w.until(what, func(log.Item) bool {
		return w.openRequests() == 0 && is()
	})
}

// openRequests returns how many requests of the agent's turns have not ended.
func (w *survivor) openRequests() int {
	open := 0
	for id := range a2a.ExchangeID(w.state.Log.Len()) {
		st := w.state.Log.Stream(id + 1)
		if st != nil && st.Open() && st.Call.Turn != 0 && st.Call.Agent == w.agent && st.Call.Op != a2a.OpDelivery {
			open++
		}
	}
	return open
}

// newestTurn returns the newest turn that shows a task.
func newestTurn(t *model.Task) *model.Turn {
	for _, turn := range slices.Backward(t.Conversation.Turns) {
		if slices.ContainsFunc(turn.Blocks, func(b *model.Block) bool { return b.Task == t }) {
			return turn
		}
	}
	return nil
}

// killAgent kills the agent during a stream, and waits until the engine waits to resubscribe.
func (w *survivor) killAgent(m *mortal, streamed *model.Task) {
	w.t.Helper()
	m.kill()
	w.waitUntilSettled("the agent to be away", func() bool { return w.state.Agent(w.agent).Phase == model.Unreachable && waitsToResubscribe(streamed) })
}

// waitForPoll waits until the engine waits before the next get of a task.
func (w *survivor) waitForPoll(t *model.Task) {
	w.t.Helper()
	if t.Poll == nil {
		w.until("the wait before a get", func(log.Item) bool { return t.Poll != nil })
	}
}

// attempts returns the number of the announced get of a task; 0 if it is not polled, as after a
// get without a connection. A get on a connection that broke is repeated.
func attempts(t *model.Task) int {
	if t.Poll == nil {
		return 0
	}
	return t.Poll.Attempt
}

// waitsToResubscribe reports whether the engine waits before it resubscribes to a task. An announced
// wait has begun, so that the clock can end it.
func waitsToResubscribe(t *model.Task) bool { return t.Resubscribe != nil && t.Resubscribe.After > 0 }

// restartAgent starts the agent again, and waits until the engine has noticed.
func (w *survivor) restartAgent(m *mortal) {
	w.t.Helper()
	m.start()
	w.waitForSignal(log.SignalBack)
}

const restarts = 40

var restartDialects = []a2a.DialectName{a2a.V10, a2a.V03, a2a.V02, a2a.V01, a2a.V10REST, a2a.V03REST}

// An agent is killed forty times and forgets all its tasks: one that streams, one that is
// polled, with and without a webhook, and one that waits for input. The next message needs no
// other action, forgotten tasks leave nothing behind, and each restart costs as many requests
// as the one before.
func TestAnAgentThatForgetsIsRestartedFortyTimes(t *testing.T) {
	for _, dialect := range restartDialects {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			m := newMortal(t, dialect, false)
			w := newSurvivor(t, m)
			plain := model.SendOptions{Stream: a2a.False}
			var counts []string
			for range restarts {
				tasks := []*model.Task{
					w.sendUntilState("ask", a2a.StateInputRequired, plain),
					w.sendUntilState("poll", a2a.StateWorking, plain),
					w.sendUntilState("poll", a2a.StateWorking, model.SendOptions{Stream: a2a.False, Webhook: true}),
					w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{Stream: a2a.True}),
				}
				if n := len(w.state.Waiting()); n != 1 || w.state.Waiting()[0] != tasks[0] {
					t.Fatalf("got %d waiting tasks, want the one that asks", n)
				}
				w.waitForPoll(tasks[1])
				w.waitForPoll(tasks[2])
				w.killAgent(m, tasks[3])
				w.restartAgent(m)
				w.waitUntilSettled("all tasks to be forgotten", func() bool {
					return !slices.ContainsFunc(tasks, func(t *model.Task) bool {
						return !t.Forgotten || t.Poll != nil || t.Resubscribe != nil || newestTurn(t).Pending
					})
				})
				if n := len(w.state.Waiting()); n != 0 {
					t.Fatalf("got %d waiting tasks, want none that the agent has forgotten", n)
				}
				asked := m.requests()
				slices.Sort(asked)
				counts = append(counts, strings.Join(asked, " "))
				w.replyToForgotten(m)
			}
			if slices.ContainsFunc(counts, func(c string) bool { return c != counts[0] }) || len(strings.Fields(counts[0])) > 10 {
				t.Errorf("got different numbers of requests, or more than 10, after each restart:\n%s", strings.Join(counts, "\n"))
			}
			if m.hooks < restarts {
				t.Errorf("got %d registered webhooks, want at least %d", m.hooks, restarts)
			}
			w.finish()
		})
	}
}

// replyToForgotten answers a task that the agent has silently forgotten: the message starts a
// new task in the same context, after a second denial, and the turn says so. In 0.1 the agent uses the unknown
// id for a new task.
func (w *survivor) replyToForgotten(m *mortal) {
	w.t.Helper()
	old := w.sendUntilState("ask", a2a.StateInputRequired, model.SendOptions{Stream: a2a.False})
	m.forget()
	before := len(m.requests())
	to := model.Target{Agent: w.agent, Conversation: w.conv, TaskID: old.ID, ContextID: old.ContextID}
	id := w.Send(to, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("done")}}, model.SendOptions{Stream: a2a.False})
	w.until("the reply to be over", func(it log.Item) bool {
		return it.Signal != nil && it.Signal.Kind == log.SignalTurnOver && it.Signal.Turn == id
	})
	turn, sent := w.state.Turn(id), len(m.requests())-before
	task := turn.Blocks[len(turn.Blocks)-1].Task
	if task == nil || task.State != a2a.StateCompleted || task.ContextID != old.ContextID {
		w.t.Fatalf("got task %+v for the reply, want a completed one in the same context\n%s", task, w.log())
	}
	if m.dialect == a2a.V01 {
		return
	}
	said := ""
	for _, b := range turn.Blocks {
		for _, e := range b.Entries {
			if e.Problem != nil {
				said += e.Problem.Sentence
			}
		}
	}
	want := "The agent no longer knows task " + old.ID + "; the message starts a new task."
	if said != want || task == old || sent != 3 || turn.Target.TaskID != "" || !old.Forgotten {
		w.t.Fatalf("got %d requests, problem %q, target %+v; want 3, %q, no task", sent, said, turn.Target, want)
	}
}

// An agent that remembers its tasks gets one request for each after a restart; streams and
// polls continue, none of them twice.
func TestAnAgentThatRemembersIsRestartedFortyTimes(t *testing.T) {
	for _, dialect := range restartDialects {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			m := newMortal(t, dialect, true)
			w := newSurvivor(t, m)
			plain := model.SendOptions{Stream: a2a.False}
			asks := w.sendUntilState("ask", a2a.StateInputRequired, plain)
			polled := w.sendUntilState("poll", a2a.StateWorking, plain)
			streamed := w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{Stream: a2a.True})
			w.waitForPoll(polled)
			var counts []string
			for i := range restarts {
				polls := attempts(polled)
				w.killAgent(m, streamed)
				if i%4 == 3 { // it is away long enough for failed polls
					attaches := streamed.Resubscribe.Attempt
					w.clock.release()
					w.waitUntilSettled("both to ask in vain", func() bool {
						return attempts(polled) != polls && streamed.Resubscribe.Attempt == attaches+1 && waitsToResubscribe(streamed)
					})
					polls = attempts(polled)
				}
				w.restartAgent(m)
				w.waitForOpenStreamsOnly("the stream and the asking to go on", func() bool {
					return w.state.Conversation(w.conv).Streams == 1 && attempts(polled) > polls && countRequests(m, "get", "Get") == 2 && countRequests(m, "ubscribe") == 1
				})
				if !asks.Waits() || streamed.Over() || polled.Over() {
					t.Fatalf("after restart %d: got asking %+v, streamed %+v, polled %+v; want waiting, not over, not over", i, asks.Lifecycle, streamed.Lifecycle, polled.Lifecycle)
				}
				list := m.requests()
				slices.Sort(list)
				counts = append(counts, strings.Join(list, " "))
			}
			if slices.ContainsFunc(counts, func(c string) bool { return c != counts[0] }) {
				t.Errorf("got different numbers of requests after each restart:\n%s", strings.Join(counts, "\n"))
			}
			if done := w.sendUntilState("done", a2a.StateCompleted, plain); done == nil {
				t.Error("got no answer after the restarts")
			}
			w.Close()
		})
	}
}

// countRequests counts the requests whose method contains one of the words.
func countRequests(m *mortal, words ...string) (n int) {
	for _, method := range m.requests() {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(method, w) }) {
			n++
		}
	}
	return n
}

// However many tasks an agent forgot, those that it knows are requested first when it is
// reachable again.
func TestForgottenTasksDoNotStarveLiveOnes(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, true)
	w := newSurvivor(t, m)
	plain := model.SendOptions{Stream: a2a.False}
	for i := range 30 {
		w.sendUntilState("ask", a2a.StateInputRequired, plain)
		if i == 20 {
			m.forget()
		}
	}
	live := w.sendUntilState("poll", a2a.StateWorking, plain)
	w.waitForPoll(live)
	streamed := w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{Stream: a2a.True})
	for i := range 3 {
		want := []int{10 + 2*21, 10, 10}[i] // a forgotten one is asked for twice
		w.killAgent(m, streamed)
		w.restartAgent(m)
		w.waitForOpenStreamsOnly("the forgotten to be gone, and the live one looked at", func() bool {
			return len(w.state.Waiting()) == 9 && live.Poll != nil && countRequests(m, "GetTask") >= want && countRequests(m, "Subscribe") == 1
		})
		if got := countRequests(m, "GetTask"); got != want {
			t.Errorf("after restart %d: got %d gets, want %d: %v", i, got, want, m.requests())
		}
	}
	w.Close()
}

// waitForOpenStreamsOnly waits until only streams and waits are open.
func (w *survivor) waitForOpenStreamsOnly(what string, is func() bool) {
	w.t.Helper()
	w.until(what, func(log.Item) bool {
		streams := 0
		for _, c := range w.state.Agent(w.agent).Conversations {
			streams += c.Streams
		}
		return w.openRequests() == streams && is()
	})
}

// A message to a task that this session never saw may have a wrong id, and a secret one is for
// the task that asked for it: neither starts a new task.
func TestWhatMustNotStartANewTaskIsRefused(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, true)
	w := newSurvivor(t, m)
	asked := w.sendUntilState("ask", a2a.StateInputRequired, model.SendOptions{Stream: a2a.False})
	m.forget()
	for task, o := range map[string]model.SendOptions{
		"never-seen": {Stream: a2a.False},
		asked.ID:     {Stream: a2a.True, Secret: true},
	} {
		want := 1
		if task == asked.ID {
			want = 2 // the agent gave this id, so one denial may be a mistake
		}
		before := len(m.requests())
		id := w.Send(model.Target{Agent: w.agent, Conversation: w.conv, TaskID: task}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("done")}}, o)
		w.until("the refusal", func(it log.Item) bool {
			return it.Signal != nil && it.Signal.Kind == log.SignalTurnOver && it.Signal.Turn == id && it.Signal.Sentence != ""
		})
		if n := len(m.requests()) - before; n != want {
			t.Errorf("task %q: got %d requests, want %d", task, n, want)
		}
		if task == asked.ID && !slices.ContainsFunc(w.changes, func(c model.Change) bool { return givenBack(c) != nil && givenBack(c).ID == id }) {
			t.Error("got no returned draft, want it back")
		}
	}
	w.finish()
}
