package engine

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A delayingAgent is a harness with an agent that ends its task without output and then delays
// the answer to the get. Only the shortest waits of the engine end by themselves.
type delayingAgent struct {
	*station
	*harness
	over  chan struct{}  // closed when the task is over
	asked chan struct{}  // a get is being delayed
	limit chan time.Time // ends the wait for it
	tells atomic.Bool    // nothing is delayed any more
}

func newDelayingAgent(t *testing.T, g *sessiontest.EventWriter) *delayingAgent {
	h := &delayingAgent{over: make(chan struct{}), asked: make(chan struct{}, 1), limit: make(chan time.Time, 1)}
	h.station = newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
		switch task := q.named("t"); method {
		case "send":
			say(g.Whole(task, "here", a2a.StateWorking))
		case "stream":
			say(g.Whole(task, "here", a2a.StateWorking))
			say(g.Whole(task, "here", a2a.StateCompleted))
			close(h.over)
		case "get":
			select {
			case <-h.over:
				if h.tells.Load() {
					say(g.Finished(task, "here", "at last"))
					return
				}
				h.asked <- struct{}{}
				<-q.done
			default:
				fail(-32001) // a get to find out the dialect
			}
		default:
			fail(-32001)
		}
	})
	const limit = time.Hour
	h.harness = newHarness(t, func(o *options) {
		o.PollMin, o.PollMax, o.ResultWait = never, never, limit
		o.After = func(d time.Duration) <-chan time.Time {
			switch {
			case d == limit:
				return h.limit
			case d > limit:
				return nil
			}
			return time.After(d)
		}
	})
	return h
}

// giveUp ends the wait for the answer, and checks what the user sees.
func (h *delayingAgent) giveUp(t *testing.T, id a2a.TurnID) {
	t.Helper()
	await(t, h.asked, "a get of the task")
	h.limit <- time.Time{}
	h.harness.waitForTurnEnd(id)
	turn := h.state.Turn(id)
	said := sessiontest.Problems(turn)
	if turn.Pending || len(said) != 1 || !strings.Contains(said[0].Sentence, "did not return the result of task") || said[0].Class != a2a.ClassGivenUp {
		t.Errorf("got pending %v, problems %q; want one of class given-up\n%s", turn.Pending, entryTexts(turn), h.log())
	}
	if task := turn.Blocks[0].Task; task.State != a2a.StateCompleted || task.Forgotten {
		t.Errorf("got task %s, want completed and known", task.State)
	}
	rows := h.log()
	if !strings.Contains(rows, "given up") {
		t.Errorf("want \"given up\" in the rows, got\n%s", rows)
	}
	h.finish() // the recording says the same
}

// Parley limits its wait for a get after a stream without output; then it tells the user, who
// can get the task again.
func TestAResultHeldBackAfterAStreamIsGivenUp(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		h := newDelayingAgent(t, g)
		id := h.openAgent(h.station.URL)
		h.giveUp(t, h.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{}))
	})
}

// The same limit applies to a get after a delivery, polled or not.
func TestAResultHeldBackAfterADeliveryIsGivenUp(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		h := newDelayingAgent(t, g)
		var v requestRecorder
		srv := v.before(h.station)
		t.Cleanup(srv.Close)
		id := h.openAgent(srv.URL)
		turn := h.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{Stream: a2a.False, Webhook: true})
		task := h.waitForSignal(log.SignalPoll).TaskID
		close(h.over)
		if status := v.webhook().deliver(t, g.Whole(task, "here", a2a.StateCompleted)); status != http.StatusOK {
			t.Fatalf("got status %d for the delivery, want 200", status)
		}
		h.giveUp(t, turn)
	})
}

// webhook returns the newest webhook that a message registered.
func (v *requestRecorder) webhook() hook {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.hook
}

// A result whose request was given up can be requested again, and is shown in the conversation.
func TestAResultThatWasGivenUpCanBeAskedForAgain(t *testing.T) {
	t.Parallel()
	g := &sessiontest.EventWriterV10
	h := newDelayingAgent(t, g)
	id := h.openAgent(h.station.URL)
	turn := h.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	await(t, h.asked, "a get of the task")
	h.limit <- time.Time{}
	h.harness.waitForTurnEnd(turn)
	h.tells.Store(true)
	task := h.state.Turn(turn).Blocks[0].Task
	h.harness.waitForTurnEnd(h.Get(id, task.ID, 0, nil))
	if got := entryTexts(h.state.Turn(turn)); !slices.Contains(got, "at last") {
		t.Errorf("got texts %q, want \"at last\" among them\n%s", got, h.log())
	}
	h.finish()
}
