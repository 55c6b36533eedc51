package session

import (
	"context"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/a2a/lint"
)

// TestTheDemoIsPlayedThrough sends every example of every skill to the demo's agents
// and checks that the recording tells the same as the session did.
func TestTheDemoIsPlayedThrough(t *testing.T) {
	agents, stop, err := demo.Start(context.Background(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	d := newDesk(t, func(o *EngineOptions) {
		o.Grace, o.PollMin, o.PollMax = 20*time.Millisecond, 20*time.Millisecond, 50*time.Millisecond
	})
	d.state.Check(lint.New())
	states := map[a2a.State]bool{}
	for _, a := range agents {
		id := d.opened(a.URL)
		for _, skill := range d.state.Agent(id).Card.Skills {
			for _, example := range skill.Examples {
				m := &a2a.Message{Parts: []a2a.Part{a2a.TextPart(example.Text)}}
				if example.Data != nil {
					m.Parts = []a2a.Part{a2a.DataPart(example.Data)}
				}
				turn := d.Send(Target{Agent: id}, m, SendOptions{})
				d.settled(turn)
			}
		}
		for _, c := range d.state.Agent(id).Conversations {
			for _, task := range c.Tasks {
				for _, tr := range task.Transitions {
					states[tr.State] = true
				}
			}
		}
	}
	for s := a2a.StateSubmitted; s < a2a.StateOther; s++ {
		if !states[s] {
			t.Errorf("no task was ever %v", s)
		}
	}
	wellBehaved(t, d.state)
	check(t, d.state)
	d.finish()
}

// wellBehaved fails for every warning and error about an agent that behaves, and about what
// is sent to it.
func wellBehaved(t *testing.T, s *State) {
	t.Helper()
	for i := a2a.RecordID(1); int(i) <= s.Log.Len(); i++ {
		it := s.Log.At(i)
		if c := it.Record.Call; c == nil || s.Agent(c.Agent).Name() == "Saboteur" {
			continue
		}
		for _, f := range it.Findings {
			if f.Severity > a2a.Info {
				t.Errorf("%s: %s %s at %q: %s\n\t%.300s", s.Agent(it.Record.Call.Agent).Name(), f.Rule, f.Severity, f.Pointer, f.Message, it.Record.Payload())
			}
		}
	}
}

// settled waits until a turn is over. An agent that works until it is told to stop
// is stopped.
func (d *desk) settled(turn a2a.TurnID) {
	d.t.Helper()
	late := time.AfterFunc(300*time.Millisecond, func() { d.Stop(turn) })
	defer late.Stop()
	d.over(turn)
}
