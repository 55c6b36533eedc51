package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"parley/session/log"
	"parley/session/model"
)

// A stopwatch is a clock whose waits end when the test says so.
type stopwatch struct {
	mu    sync.Mutex
	waits []time.Duration
	ends  chan time.Time
}

func (w *stopwatch) after(d time.Duration) <-chan time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = append(w.waits, d)
	return w.ends
}

// The waits between attempts to reach an agent double, up to a limit that is lower for the
// agent on the screen; showing an agent ends the current wait.
func TestAnAgentThatIsAwayIsTriedLessAndLessOften(t *testing.T) {
	t.Parallel()
	clock := &stopwatch{ends: make(chan time.Time)}
	d := newHarness(t, func(o *options) { o.WatchEvery = time.Second; o.After = clock.after })
	id := d.Open("http://" + closedPort(t))
	if sig := d.waitForSignal(log.SignalWatch); sig.After != time.Second {
		t.Errorf("got first wait %v, want 1 s", sig.After)
	}
	var got []time.Duration
	for range 5 {
		clock.ends <- time.Time{}
		got = append(got, d.waitForSignal(log.SignalAway).After)
	}
	if want := []time.Duration{2e9, 4e9, 8e9, 16e9, 30e9}; !slices.Equal(got, want) {
		t.Errorf("got waits %v, want %v", got, want)
	}
	if p := d.state.Agent(id).Pulse; p.Every != 30*time.Second {
		t.Errorf("got pulse %+v, want every 30 s", p)
	}
	d.SetShownAgent(id)
	if sig := d.waitForSignal(log.SignalAway); sig.After != time.Second {
		t.Errorf("got wait %v after the agent was shown, want 1 s", sig.After)
	}
	clock.ends <- time.Time{}
	clock.ends <- time.Time{}
	clock.ends <- time.Time{}
	d.waitForSignal(log.SignalAway)
	if sig := d.waitForSignal(log.SignalAway); sig.After != maxWaitShown*time.Second {
		t.Errorf("got wait %v for the agent on the screen, want %v", sig.After, maxWaitShown*time.Second)
	}
	clock.mu.Lock()
	if longest := slices.Max(clock.waits); longest != maxWaitOther*time.Second {
		t.Errorf("got longest wait %v, want %v", longest, maxWaitOther*time.Second)
	}
	clock.mu.Unlock()
	d.SetShownAgent(0)
	d.finish()
}

// A proxy that answers for an agent that is still starting is not the agent.
func TestAProxyWithoutItsAgentIsNotTheAgentsReturn(t *testing.T) {
	t.Parallel()
	address := reservePort(t)
	d := newHarness(t, nil)
	id := d.Open("http://" + address)
	d.waitForSignal(log.SignalWatch)
	var asked int
	var mu sync.Mutex
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if asked++; asked < 4 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, cardAt("http://"+address+"/rpc"))
	})
	l := listenAt(t, address)
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	srv.Start()
	t.Cleanup(srv.Close)
	d.waitForSignal(log.SignalBack)
	if a := d.state.Agent(id); a.Phase != model.Ready || a.Card == nil || a.Pulse.Health != model.Healthy {
		t.Errorf("got agent %+v, want ready and well with a card", a)
	}
	d.finish()
}

// A closed agent is not listed, has no waiting tasks and is not dialled; its records still lead
// to its conversations.
func TestAnAgentThatIsClosedIsLeftAlone(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, asker).URL)
	turn, _ := d.sendText(model.Target{Agent: id}, "book", model.SendOptions{})
	away := d.Open("http://" + closedPort(t))
	d.waitForSignal(log.SignalWatch)
	d.Dismiss(id)
	d.Dismiss(away)
	d.Dismiss(away)
	d.Dismiss(99)
	for range 2 {
		d.until("a note", func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == log.NoteClosed })
	}
	if len(d.state.Agents) != 0 || len(d.state.Waiting()) != 0 {
		t.Errorf("got %d agents, %d waiting tasks; want 0, 0", len(d.state.Agents), len(d.state.Waiting()))
	}
	if at, ok := d.state.Anchor(turn.Record); !ok || at.Agent != id || d.state.Conversation(at.Conversation) == nil {
		t.Errorf("got anchor %+v, want one in the closed agent's conversation", at)
	}
	d.Reopen(away)
	d.waitForSignal(log.SignalOpened)
	d.finish() // nothing dials it any more
	d.Engine.mu.Lock()
	defer d.Engine.mu.Unlock()
	if d.Engine.agents[away].unwatch != nil {
		t.Error("closed agent is watched, want no watch")
	}
}

// A restored agent has all that it had: conversations, waiting tasks, and the watch if it was
// away.
func TestAClosedAgentIsBroughtBackWhole(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, asker).URL)
	turn, _ := d.sendText(model.Target{Agent: id}, "book", model.SendOptions{})
	d.Open("http://" + closedPort(t))
	d.waitForSignal(log.SignalWatch)
	waiting := len(d.state.Waiting())
	for _, a := range append(d.state.Agents[:0:0], d.state.Agents...) {
		d.Dismiss(a.ID)
		d.Restore(a.ID)
		d.Restore(a.ID)
	}
	d.Restore(99)
	d.waitForSignal(log.SignalWatch)
	if len(d.state.Agents) != 2 || d.state.Agents[0].ID != id || len(d.state.Waiting()) != waiting || waiting != 1 {
		t.Errorf("got %d agents, %d waiting tasks, %d before; want 2 with the restored one first, 1, 1", len(d.state.Agents), len(d.state.Waiting()), waiting)
	}
	if turn.Conversation.Agent.Closed || len(d.state.Agents[0].Conversations) != 1 {
		t.Errorf("got agent %+v, want it open with its conversation", d.state.Agents[0])
	}
	d.finish()
}
