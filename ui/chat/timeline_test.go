package chat

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
)

// paid returns a task that waited for credentials, was polled occasionally, and works again.
func paid() (*model.Conversation, *model.Task) {
	conv := travel()
	task := conv.Tasks[0]
	task.Transitions = nil
	for _, s := range []struct {
		state a2a.State
		ms    int
		late  int // how long before its record it began
	}{{a2a.StateSubmitted, 0, 0}, {a2a.StateWorking, 40, 3}, {a2a.StateAuthRequired, 1_540, 0}, {a2a.StateWorking, 185_540, 12_000}} {
		at := noon.Add(time.Duration(s.ms) * time.Millisecond)
		task.Transitions = append(task.Transitions, model.Transition{State: s.state, Time: at, Stamp: at.Add(-time.Duration(s.late) * time.Millisecond)})
	}
	task.State = a2a.StateWorking
	return conv, task
}

func TestTheTimelineTellsWhichStateLastedHowLong(t *testing.T) {
	conv, task := paid()
	now := noon.Add(190 * time.Second)
	p := namedPane(mono(), func() time.Time { return now })
	p.SetSize(100, 40)
	p.Show(conv.Agent, conv)
	if n := p.Next(); n != 0 {
		t.Errorf("before the timeline is shown the next change is in %v, want none", n)
	}
	p.Focus()
	press(p, "t")
	text := panetest.Text(p.Lines())
	panetest.Sees(t, text, "submitted", "40 ms", "1.5 s", "3 min 4 s", "4.5 s", "the agent says 14:04:53",
		"at work 6 s", "waiting for you 3 min 4 s", "3 min 10 s in all")
	if strings.Count(text, "the agent says") != 1 {
		t.Errorf("got a comparison of clocks that agree, want none:\n%s", text)
	}
	if n := p.Next(); n != time.Second {
		t.Errorf("the timeline of a working task changes in %v, want a second", n)
	}
	now = now.Add(3 * time.Second)
	p.Tick()
	panetest.Sees(t, panetest.Text(p.Lines()), "7.5 s")
	task.State, task.Version = a2a.StateInputRequired, task.Version+1
	task.Transitions = append(task.Transitions, model.Transition{State: a2a.StateInputRequired, Time: now})
	conv.Version++
	now = now.Add(13 * time.Second)
	p.Tick()
	if panetest.Sees(t, panetest.Text(p.Lines()), "waiting for you 3 min 14 s"); p.Next() != 2*time.Second {
		t.Errorf("a task that has waited for 13 s changes in %v, want 2 s", p.Next())
	}
	task.State, task.Version = a2a.StateCompleted, task.Version+1
	task.Transitions = append(task.Transitions, model.Transition{State: a2a.StateCompleted, Time: now})
	conv.Version++
	if n := p.Next(); n != 0 {
		t.Errorf("the timeline of a task that is over changes in %v, want never", n)
	}
	press(p, "t")
	if strings.Contains(panetest.Text(p.Lines()), "in all") {
		t.Error("got a timeline after the second t, want none")
	}
	if !p.ShowTimeline(task) || p.ShowTimeline(&model.Task{}) {
		t.Error("Timeline: want true for a task of the conversation, false for others")
	}
}

func TestTheTimelineFitsAnywhereAndARecordingGoesNoFurther(t *testing.T) {
	conv, task := paid()
	task.Transitions[1].State, task.Transitions[1].Word = a2a.StateOther, "po\x1b[31mndering"+strings.Repeat("語", 500)
	for range 300 {
		task.Transitions = append(task.Transitions, model.Transition{State: a2a.StateInputRequired, Time: noon.Add(500 * time.Hour)})
	}
	p := namedPane(mono(), func() time.Time { return noon.Add(9000 * time.Hour) })
	p.SetRecording(true)
	p.Show(conv.Agent, conv)
	p.Focus()
	press(p, "t")
	if n := p.Next(); n != 0 {
		t.Errorf("a recording changes in %v, want never", n)
	}
	for w := 0; w < 130; w += 7 {
		p.SetSize(w, 500)
		panetest.Exact(t, p.Lines(), w, 500)
	}
	text := panetest.Text(p.Lines())
	panetest.Sees(t, text, "204 earlier states", "?")
	if strings.Contains(text, "9000 h") || strings.Contains(text, "\x1b[31m") {
		t.Errorf("got a wrong duration or the agent's escape sequence on the screen, want neither:\n%s", text)
	}
}
