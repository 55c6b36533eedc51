package agents

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/session/model"
)

// ended returns a conversation whose task came to a state after some time.
func ended(title string, s a2a.State, after time.Duration) *model.Agent {
	a := many(1, "Agent")[0]
	c, began := a.Conversations[0], time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	c.Title, c.Turns = title, []*model.Turn{{Time: began}}
	task := &model.Task{Conversation: c, Transitions: []model.Transition{{State: s, Time: began.Add(after)}}}
	task.State = s
	c.Tasks = []*model.Task{task}
	return a
}

// The title is shortened between words, the state never; how long it took is left out before the title is.
func TestTitleAndStateShareARow(t *testing.T) {
	for _, c := range []struct {
		title string
		state a2a.State
		took  time.Duration
		w     int
		want  string
	}{
		{"Essay on tides", a2a.StateCompleted, 16200 * time.Millisecond, 26, "▌Essay on tides     ✓ 16 s"},
		{"Essay on tides", a2a.StateCompleted, 16200 * time.Millisecond, 20, "▌Essay on …   ✓ 16 s"},
		{"Essay on tides", a2a.StateCompleted, 800 * time.Millisecond, 20, "▌Essay on … ✓ 800 ms"},
		{"Essay on tides", a2a.StateFailed, 75 * time.Second, 14, "▌Essay on …  ✕"},
		{"Book me a flight", a2a.StateInputRequired, time.Second, 20, "▌Book me a …  ◐ asks"},
		{"Book me a flight", a2a.StateAuthRequired, time.Second, 20, "▌Book me … ◒ sign-in"},
		{"Hi", a2a.StateCanceled, 2 * time.Second, 20, "▌Hi            ⊘ 2 s"},
		{"A\nsecond line", a2a.StateCompleted, 0, 30, "▌A second line               ✓"},
	} {
		p := column(&recording{tape.New()}, []*model.Agent{ended(c.title, c.state, c.took)}, c.w, 20, 0)
		panetest.Sees(t, panetest.Text(p.Lines())+"\n", c.want+"\n")
		panetest.Exact(t, p.Lines(), c.w, 20)
	}
}

// A stream that was cut, and one that goes on with it, have their signs before the state.
func TestACutStandsBesideTheState(t *testing.T) {
	f := busy()
	list := many(3, "Agent")
	for _, a := range list {
		a.Conversations[0] = f.State.Conversation(a2a.ConversationID(a.ID))
	}
	p := column(f, list, 26, 34, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), "◐ asks", "↯ ↻ ✓")
	f.in(f.State.Conversation(3).Stream).End(10, a2a.Cut)
	show(p, f, list, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), " ↯ ○")
}

// A stream that brings nothing for two seconds stops the spinner.
func TestASilentStreamStopsTheSpinner(t *testing.T) {
	f, list := busy(), many(3, "Agent")
	list[2].Conversations[0] = f.State.Conversation(3)
	for after, want := range map[time.Duration]string{time.Second: "⣾", 2 * time.Second: "‖"} {
		p := column(f, list, 26, 34, after)
		p.SetSpinner("⣾")
		if got := rowsWith(p, " "+want); len(got) != 1 {
			t.Errorf("after %v: got %q, want %s at the conversation:\n%s", after, got, want, panetest.Text(p.Lines()))
		}
	}
}

// A question that was answered does not ask any more.
func TestAnAnsweredQuestionDoesNotAsk(t *testing.T) {
	a := ended("Trip", a2a.StateInputRequired, time.Second)
	a.Conversations[0].Tasks[0].Send()
	p := column(&recording{tape.New()}, []*model.Agent{a}, 26, 20, 0)
	if got := rowsWith(p, " asks"); got != nil {
		t.Errorf("got rows %q, want none that asks", got)
	}
	a.Conversations[0].Turns[0].Pending = true
	p.SetSpinner("⣾")
	panetest.Sees(t, panetest.Text(p.Lines()), "▌Trip                    ⣾")
}
