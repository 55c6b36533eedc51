package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A requestRecorder records, in front of a station, the newest webhook of a message, and the history
// length of each get.
type requestRecorder struct {
	mu      sync.Mutex
	hook    hook
	history []int // 0 for a get without one
}

// before puts itself in front of a station.
func (v *requestRecorder) before(s *station) *httptest.Server {
	srv := serveFront(s.tongue.Dialect, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct {
			Method string
			Params struct {
				HistoryLength    int
				PushNotification hook                                                                                // 0.1
				Configuration    struct{ PushNotificationConfig, TaskPushNotificationConfig, PushNotification hook } // the last in 0.3 over HTTP+JSON
			}
		}
		if json.Unmarshal(body, &q) == nil {
			v.mu.Lock()
			switch shortMethods[s.tongue.Dialect][q.Method] {
			case "send":
				c := q.Params.Configuration
				for _, h := range []hook{q.Params.PushNotification, c.PushNotificationConfig, c.TaskPushNotificationConfig, c.PushNotification} {
					if h.URL != "" {
						v.hook = h
					}
				}
			case "get":
				v.history = append(v.history, q.Params.HistoryLength)
			}
			v.mu.Unlock()
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.ServeHTTP(w, r)
	}))
	s.URL = srv.URL // in the card
	return srv
}

// A delivery that ends a task without output causes exactly one get, with history; a second
// such delivery causes none.
func TestADeliveredEndWithNothingToShowIsAskedForOnce(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		for _, polled := range []bool{false, true} {
			t.Run(fmt.Sprintf("polled %v", polled), func(t *testing.T) { testEndByDelivery(t, g, polled) })
		}
	})
}

func testEndByDelivery(t *testing.T, g *sessiontest.EventWriter, polled bool) {
	over := make(chan struct{})
	s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
		switch task := q.named("t"); method {
		case "send":
			say(g.Whole(task, "here", a2a.StateWorking))
		case "get":
			select {
			case <-over:
				say(g.Finished(task, "here", "the result"))
			default:
				fail(-32601)
			}
		default:
			fail(-32601)
		}
	})
	var v requestRecorder
	srv := v.before(s)
	t.Cleanup(srv.Close)
	d := newHarness(t, func(o *options) { o.PollMin, o.PollMax = never, never }) // only a delivery ends the wait
	id := d.openAgent(srv.URL)
	before := s.countRequests("get")
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}},
		model.SendOptions{Stream: a2a.False, Webhook: true, Async: !polled})
	if polled {
		d.waitForSignal(log.SignalPoll)
	} else {
		d.waitForTurnEnd(turn)
	}
	blocks := d.state.Turn(turn).Blocks
	if len(blocks) == 0 || blocks[0].Task == nil {
		t.Fatalf("got a turn without a task, want one\n%s", d.log())
	}
	task := blocks[0].Task
	close(over)
	h := v.webhook()
	bare := g.Whole(task.ID, "here", a2a.StateCompleted)
	if status := h.deliver(t, bare); status != http.StatusOK {
		t.Fatalf("got status %d for the delivery, want 200", status)
	}
	d.waitForTurnEnd(turn)
	if status := h.deliver(t, strings.Replace(bare, "{", "{ ", 1)); status != http.StatusOK {
		t.Fatalf("got status %d for the second delivery, want 200", status)
	}
	d.waitForDelivery()
	d.finish()
	if n := s.countRequests("get") - before; n != 1 || task.State != a2a.StateCompleted || !slices.Contains(entryTexts(d.state.Turn(turn)), "the result") {
		t.Errorf("got %d gets, task %s, texts %q; want 1, completed, \"the result\" among them\n%s", n, task.State, entryTexts(d.state.Turn(turn)), d.log())
	}
	if got := v.history[len(v.history)-1]; got != outputHistory {
		t.Errorf("got history length %d, want %d", got, outputHistory)
	}
}

// A stream with progress messages but without output causes one get; one that ended with a
// message of the agent causes none.
func TestAStreamThatEndedWithAStatusAlone(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		for _, last := range []bool{false, true} {
			s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
				task := q.named("t")
				switch {
				case method == "stream":
					say(g.Whole(task, "here", a2a.StateWorking))
					say(g.Tells(task, "here", a2a.StateWorking))
					if last {
						say(g.Tells(task, "here", a2a.StateCompleted))
						return
					}
					say(g.Whole(task, "here", a2a.StateCompleted))
				case method == "get" && q.History != nil:
					say(g.Finished(task, "here", "the result"))
				default:
					fail(-32601)
				}
			})
			d := newHarness(t, nil)
			id := d.openAgent(s.URL)
			before, want := s.countRequests("get"), 1
			if last {
				want = 0
			}
			turn, _ := d.sendText(model.Target{Agent: id}, "go", model.SendOptions{})
			d.finish()
			if n := s.countRequests("get") - before; n != want || slices.Contains(entryTexts(turn), "the result") == last {
				t.Errorf("last %v: got %d gets, texts %q; want %d gets\n%s", last, n, entryTexts(turn), want, d.log())
			}
		}
	})
}
