package looks

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// stood returns a conversation whose task came to a state at noon, in a turn that began a second earlier.
func stood(s a2a.State, pending bool) (*model.Agent, *model.Conversation) {
	a := &model.Agent{ID: 1, Phase: model.Ready}
	conv := &model.Conversation{Agent: a}
	t := &model.Task{ID: "0123456789", Lifecycle: task.Lifecycle{State: s}, Transitions: []model.Transition{{State: s, Time: noon}}}
	conv.Tasks = []*model.Task{t}
	conv.Turns = []*model.Turn{{Time: noon.Add(-time.Second), Pending: pending, Blocks: []*model.Block{{Task: t}}}}
	return a, conv
}

// chip returns the text of a chip, and whether it has the ground of a paint.
func chip(st *styles.Styles, s Stands, spin string, ground styles.Paint) (text string, has bool) {
	drawn := s.Chip(st, spin)
	return panetest.Text([]string{drawn}), ground.On != "" && strings.HasPrefix(drawn, ground.On)
}

func TestTheChipSaysWhatATaskNeedsAndForHowLong(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	for _, c := range []struct {
		state   a2a.State
		pending bool
		after   time.Duration
		words   string
		paint   styles.Paint // of a block, zero for none
		next    time.Duration
	}{
		{a2a.StateSubmitted, true, 0, " ⣾ submitted 1 s", st.AgentArea.Text, 0},
		{a2a.StateWorking, true, 12900 * time.Millisecond, " ⣾ working 13 s", st.AgentArea.Text, 0},
		{a2a.StateWorking, true, 64 * time.Second, " ⣾ working 1 min 5 s", st.AgentArea.Text, 0},
		{a2a.StateWorking, false, time.Minute, " ● working", st.AgentArea.Text, 0},
		{a2a.StateInputRequired, false, 900 * time.Millisecond, " ◐ waits for you", st.WaitingArea.Text, 100 * time.Millisecond},
		{a2a.StateInputRequired, false, 13 * time.Second, " ◐ waits for you 10 s", st.WaitingArea.Text, 2 * time.Second},
		{a2a.StateInputRequired, true, 2 * time.Second, " ◐ waits for you 2 s", st.WaitingArea.Text, time.Second},
		{a2a.StateAuthRequired, false, 90 * time.Minute, " ◒ wants sign-in 1 h", st.WaitingArea.Text, 30 * time.Minute},
		{a2a.StateCompleted, false, 2 * time.Second, " ✓ completed", st.OKArea.Text, time.Second},
		{a2a.StateCompleted, false, 3 * time.Second, " ✓ completed", styles.Paint{}, 0},
		{a2a.StateFailed, false, time.Hour, " ✕ failed", st.FailedArea.Text, 0},
		{a2a.StateRejected, false, time.Hour, " ⊗ rejected", st.FailedArea.Text, 0},
		{a2a.StateCanceled, false, time.Hour, " ⊘ canceled", styles.Paint{}, 0},
	} {
		a, conv := stood(c.state, c.pending)
		stands, next := StandsOf(a, conv, nil, noon.Add(c.after))
		text, ground := chip(st, stands, "⣾", c.paint)
		if text != c.words || ground != (c.paint.On != "") || next != c.next {
			t.Errorf("%s after %v: got %q with its ground %t, until %v; want %q until %v", c.state, c.after, text, ground, next, c.words, c.next)
		}
		if still, next := StandsOf(a, conv, nil, time.Time{}); still.For != "" || still.New || next != 0 {
			t.Errorf("%s: got %+v without a time, want no age", c.state, still)
		}
	}
}

// Before the agent has told of a task, a message that is on its way is at work; a task that nothing is heard of
// any more is dim, and so is one that another client has to answer.
func TestTheChipOfAMessageAndOfAnAgentThatIsAway(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	a, conv := stood(a2a.StateInputRequired, false)
	conv.Turns = append(conv.Turns, &model.Turn{Time: noon, Pending: true, Target: model.Target{TaskID: "0123456789"}})
	stands, _ := StandsOf(a, conv, nil, noon)
	if text, solid := chip(st, stands, "⣾", st.AgentArea.Text); text != " ⣾ working 0 s" || !solid || stands.Task != "0123456789" {
		t.Errorf("got %q for task %q, want a message at work for the task that it answers", text, stands.Task)
	}
	conv.Turns[1].Pending = false // it was refused
	if stands, _ := StandsOf(a, conv, nil, noon); stands.Sign(st) != st.G[styles.Waiting] {
		t.Errorf("got sign %q, want that of the task", stands.Sign(st))
	}
	a.Tap = "here"
	stands, _ = StandsOf(a, conv, nil, noon.Add(time.Minute))
	if text, solid := chip(st, stands, "", st.WaitingArea.Text); text != " ◐ input-required" || solid {
		t.Errorf("got %q, a block %t, for the task of another client; want its state without amber", text, solid)
	}
	a, conv = stood(a2a.StateWorking, true)
	a.Phase = model.Unreachable
	stands, _ = StandsOf(a, conv, nil, noon)
	if text, _ := chip(st, stands, "⣾", st.Dim); text != " ◌ was working" {
		t.Errorf("got %q, want what the task was", text)
	}
	a, conv = stood(a2a.StateWorking, false)
	conv.Tasks[0].Forgotten = true
	stands, _ = StandsOf(a, conv, nil, noon)
	if text, dim := chip(st, stands, "⣾", st.Dim); text != " ◌ forgotten" || !dim {
		t.Errorf("got %q, want a dim word", text)
	}
	if stands, _ := StandsOf(a, &model.Conversation{Agent: a}, nil, noon); stands.Chip(st, "⣾")+stands.Sign(st) != "" {
		t.Error("got a chip before anything was sent, want none")
	}
}

// A stream that brings nothing for two seconds stops the spinner; the block keeps its width all the time.
func TestASilentStreamStopsTheSpinner(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	a, conv := stood(a2a.StateWorking, true)
	s := &log.Stream{Exchange: 1, Start: noon, Last: noon, Events: 3}
	widths := map[int]bool{}
	for at, want := range map[time.Duration]string{
		1900 * time.Millisecond: " | working 2 s", 2 * time.Second: " = silent 2 s", 13 * time.Second: " = silent 13 s",
	} {
		stands, _ := StandsOf(a, conv, s, noon.Add(at))
		if text, _ := chip(st, stands, "|", styles.Paint{}); text != want {
			t.Errorf("after %v: got %q, want %q", at, text, want)
		}
		widths[canvas.Width(stands.Chip(st, "|"))] = true
	}
	if len(widths) != 1 {
		t.Errorf("got %d widths of the block, want one", len(widths))
	}
	for _, minutes := range []time.Duration{2, 3, 12, 13} {
		short, _ := StandsOf(a, conv, nil, noon.Add(minutes*time.Minute))
		long, _ := StandsOf(a, conv, nil, noon.Add(minutes*time.Minute+48*time.Second))
		if canvas.Width(short.Chip(st, "|")) != canvas.Width(long.Chip(st, "|")) {
			t.Errorf("got %q and %q, want one width within a minute", short.Chip(st, "|"), long.Chip(st, "|"))
		}
	}
	stands, _ := StandsOf(a, conv, s, noon.Add(5*time.Second))
	dark := styles.New(themes.Dark(), styles.Unicode())
	if _, grey := chip(dark, stands, "", dark.DimArea.Text); !grey {
		t.Errorf("got %q for a silent stream, want a grey block", stands.Chip(dark, ""))
	}
	if text, _ := chip(st, stands, "", styles.Paint{}); text != " = silent 5 s" || stands.Sign(st) != "*" {
		t.Errorf("got %q and the sign %q, want the silence, and a sign that stands still", text, stands.Sign(st))
	}
}

// The chip is red while a cut is the newest that is known of a task.
func TestTheChipOfATaskWhoseStreamWasCut(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	a, conv := stood(a2a.StateWorking, false)
	s := &log.Stream{Exchange: 1, Start: noon, Last: noon, LastEvent: 7, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}}
	is := func(what string, cut bool) {
		t.Helper()
		stands, _ := StandsOf(a, conv, s, noon)
		if text, red := chip(st, stands, "⣾", st.FailedArea.Text); red != cut || cut != strings.HasPrefix(text, " ↯ cut while working") {
			t.Errorf("%s: got %q, red %t; want a cut: %t", what, text, red, cut)
		}
	}
	is("nothing goes on", true)
	conv.Turns[0].Pending, conv.Tasks[0].Resubscribe = true, &log.Signal{}
	is("Parley resubscribes", true)
	conv.Tasks[0].Resubscribe = nil
	is("Parley polls", false)
	conv.Turns[0].Pending, s.End.Class = false, problem.ClassStopped
	is("the user stopped the stream", false)
	s.End.Class, conv.Tasks[0].State = a2a.ClassCut, a2a.StateCompleted
	is("the task is over", false)
}
