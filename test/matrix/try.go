package matrix

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// Try sends a plain message, its webhooks, and a streamed message through one cell.
func Try(t *testing.T, a Agent, c Cell) {
	t.Helper()
	p := newProxy(t, a, c)
	d := open(t, p.URL)
	for i, stream := range []a2a.Tri{a2a.False, a2a.True} {
		turn := d.say("count 2", stream)
		p.mu.Lock()
		started := p.accepted
		p.mu.Unlock()
		if started != i+1 {
			t.Errorf("message %d: the agent started %d, want %d", i+1, started, i+1)
		}
		d.checkAnswer(turn)
		if task := taskOf(turn); task != nil && i == 0 {
			d.wait(d.engine.PushList(d.agent, task.ID, a2a.ListFilter{}))
			d.wait(d.engine.PushSet(d.agent, task.ID, a2a.PushConfig{URL: "http://127.0.0.1:1/"}))
		}
	}
	prof := d.state.Agent(d.agent).Profile
	right := a2a.Way{Dialect: a.Dialect, Binding: a.Binding}
	if got := (a2a.Way{Dialect: prof.Dialect, Binding: prof.Binding}); !got.Same(right) {
		t.Errorf("got %s over %s, want %s over %s", prof.Dialect, prof.Binding, a.Dialect, a.Binding)
	}
	d.checkCard(c)
	if t.Failed() {
		t.Logf("requests %q\nprofile %+v\n%s", p.requests, prof, d.wire())
	}
}

// A harness is an engine with one agent, and the state of its feed.
type harness struct {
	t      *testing.T
	engine *engine.Engine
	feed   *log.Feed
	state  *model.State
	over   map[a2a.TurnID]string
	agent  a2a.AgentID
}

func open(t *testing.T, url string) *harness {
	t.Helper()
	feed := log.NewFeed()
	d := &harness{t: t, feed: feed, state: model.NewState(), over: map[a2a.TurnID]string{}}
	d.state.Check(lint.New())
	d.engine = engine.New(engine.Base{
		Recorder: journal.NewRecorder(feed, nil), Now: time.Now, After: time.After,
		NewID: func() string { return strings.ToLower(rand.Text()) },
	}, engine.Use{Ends: true, Poll: 20 * time.Millisecond})
	t.Cleanup(d.engine.Close)
	d.agent = d.engine.Open(url)
	d.until("the agent is ready", func() bool {
		a := d.state.Agent(d.agent)
		return a != nil && a.Phase == model.Ready
	})
	return d
}

// until applies items until ok.
func (d *harness) until(what string, ok func() bool) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for !ok() {
		items, err := d.feed.Next(ctx, 1)
		if err != nil {
			d.t.Fatalf("waiting until %s: %v\n%s", what, err, d.wire())
		}
		for _, it := range items {
			d.state.Apply(it)
			if s := it.Signal; s != nil && s.Kind == log.SignalTurnOver {
				d.over[s.Turn] = s.Sentence
			}
		}
	}
}

// wait waits until a just started operation ends: those about a task belong to its turn, which
// was over before.
func (d *harness) wait(turn a2a.TurnID) {
	d.t.Helper()
	delete(d.over, turn)
	d.until("the turn is over", func() bool { _, over := d.over[turn]; return over })
}

func (d *harness) say(text string, stream a2a.Tri) *model.Turn {
	d.t.Helper()
	m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(text)}}
	id := d.engine.Send(model.Target{Agent: d.agent}, m, model.SendOptions{Stream: stream})
	d.wait(id)
	if said := d.over[id]; said != "" {
		d.t.Errorf("got no answer to the message: %s", said)
	}
	return d.state.Turn(id)
}

// checkAnswer checks that a message has its answer and no error.
func (d *harness) checkAnswer(turn *model.Turn) {
	d.t.Helper()
	if turn == nil {
		d.t.Error("got no turn")
		return
	}
	answer := false
	for _, b := range turn.Blocks {
		answer = answer || b.Task != nil && b.Task.State == a2a.StateCompleted
		for i := range b.Entries {
			e := &b.Entries[i]
			answer = answer || e.Kind == model.EntryMessage
			if e.Problem != nil && e.Problem.Class != problem.ClassFallback {
				d.t.Errorf("got a problem in the turn: %s (%s)", e.Problem.Sentence, e.Problem.Class)
			}
		}
	}
	if !answer {
		d.t.Errorf("got no answer in %+v", turn.Blocks)
	}
}

// checkCard checks that only a card that declares missing streams has the finding.
func (d *harness) checkCard(c Cell) {
	d.t.Helper()
	blamed := false
	for i := 1; i <= d.state.Log.Len(); i++ {
		for _, f := range d.state.Log.At(a2a.RecordID(i)).Findings {
			blamed = blamed || f.Rule == "CARD-019"
		}
	}
	if blamed == c.Stream {
		d.t.Errorf("got a finding about streaming %v, want %v", blamed, !c.Stream)
	}
}

func taskOf(turn *model.Turn) *model.Task {
	if turn == nil {
		return nil
	}
	for _, b := range turn.Blocks {
		if b.Task != nil {
			return b.Task
		}
	}
	return nil
}

// wire lists the records for a failure message.
func (d *harness) wire() string {
	var b strings.Builder
	for i := 1; i <= d.state.Log.Len(); i++ {
		it := d.state.Log.At(a2a.RecordID(i))
		fmt.Fprintf(&b, "%3d %s %.200s\n", i, log.Describe(it), it.Record.Payload())
	}
	return b.String()
}
