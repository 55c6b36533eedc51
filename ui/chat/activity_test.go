package chat

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

func TestHowATaskIsListenedToIsShownWhileItIsNotAsItShouldBe(t *testing.T) {
	conv, _ := streaming()
	task, turn := conv.Tasks[0], conv.Turns[0]
	p := open(dark(), conv, 70, 20)
	for _, c := range []struct {
		set  func()
		want string
	}{
		{func() {
			task.Resubscribe = &log.Signal{Attempt: 2, Of: 5, After: 2 * time.Second, Sentence: "cut"}
		}, "cut · resubscribing (2 of 5) in 2 s"},
		{func() { task.Resubscribe = &log.Signal{Attempt: 2, Of: 5, Sentence: "cut"} }, "cut · resubscribing (2 of 5)"},
		{func() { task.Resubscribe, turn.Stalled = nil, &log.Signal{Time: noon, After: 8 * time.Second} }, "Wait, or cancel with ctrl+x: ‖ no bytes for 13 s"},
		{func() { turn.Stalled, task.Scattered = nil, 12 }, "12 artifacts of one chunk each look like one artifact · m merges"},
	} {
		c.set()
		touch(conv)
		if got := screen(p); !strings.Contains(got, c.want) {
			t.Errorf("got a screen without %q, want it:\n%s", c.want, got)
		}
	}
	task.Scattered = 0
	touch(conv)
	if got := screen(p); strings.Contains(got, "no bytes") || strings.Contains(got, "resubscribing") || strings.Contains(got, "merges") {
		t.Errorf("got an ended activity on the screen, want none:\n%s", got)
	}
}

func TestScatteredArtifactsAreMergedByAKey(t *testing.T) {
	conv, _ := streaming()
	p := open(dark(), conv, 70, 20)
	p.Focus()
	if in := press(p, "m"); in != nil {
		t.Errorf("m without scattered artifacts: got %v, want nil", in)
	}
	conv.Tasks[0].Scattered = 4
	touch(conv)
	if in := press(p, "m"); in != (MergeArtifacts{Agent: conv.Agent.ID, Task: conv.Tasks[0].ID}) {
		t.Errorf("m: got %v, want Merge", in)
	}
}

func TestOneKeyEndsTheAsking(t *testing.T) {
	conv, _ := streaming()
	p := open(dark(), conv, 70, 20)
	p.Focus()
	if in := press(p, "p"); in != nil {
		t.Errorf("p without a poll: got %v, want nil", in)
	}
	for _, set := range []func(*model.Task, *log.Signal){
		func(t *model.Task, s *log.Signal) { t.Poll = s }, func(t *model.Task, s *log.Signal) { t.Resubscribe = s },
	} {
		set(conv.Tasks[0], &log.Signal{Turn: 7, Attempt: 1})
		touch(conv)
		if in := press(p, "p"); in != (StopPolling{7}) {
			t.Errorf("p: got %v, want StopPolling of turn 7", in)
		}
		if k := p.Standing("check-task"); !k.Enabled() || k.Help().Desc != "stop polling" {
			t.Errorf("got help %v, want a key to stop polling", k.Help())
		}
		set(conv.Tasks[0], nil)
	}
}

func TestAGapNamesTheRecordsAndWhatFilledIt(t *testing.T) {
	conv, _ := streaming()
	b := conv.Turns[0].Blocks[0]
	cut := &problem.Problem{Class: a2a.ClassCut, Sentence: "The connection broke, after 80 bytes. Get the task.", Stream: 1, After: 41}
	b.Entries = append(b.Entries,
		model.Entry{Kind: model.EntryProblem, Problem: cut, Record: 50},
		model.Entry{Kind: model.EntryGap, Record: 57, Gap: &model.Gap{From: 41, To: 57}})
	touch(conv)
	p := open(dark(), conv, 140, 24)
	if got := screen(p); !strings.Contains(got, "Events between records 41 and 57 may be missing.") || !strings.Contains(got, "Get the task.") || !strings.Contains(got, "↯ cut after #41") || strings.Contains(got, "resumed") {
		t.Errorf("got an unrepaired gap without its records and its remedy, want both:\n%s", got)
	}
	went := *cut
	went.Resumed, went.ResumedAt, went.Away = 52, 57, 1200*time.Millisecond
	b.Entries[len(b.Entries)-2].Problem = &went
	b.Entries[len(b.Entries)-1].Gap = &model.Gap{From: 41, To: 57, Whole: 90}
	touch(conv)
	got := strings.Join(strings.Fields(screen(p)), " ")
	if !strings.Contains(got, "4 s ── ↯ cut after #41 ── resumed ▌") {
		t.Errorf("got a screen without the repaired cut among the states, want it:\n%s", got)
	}
	if !strings.Contains(got, "record 90 has") || !strings.Contains(got, "after 80 bytes. Parley resubscribed to the task: after #41 it went on 1.2 s later at #57.") {
		t.Errorf("got a screen without the snapshot or without the note about resubscribing, want both:\n%s", got)
	}
}

func TestNobodyIsAdvisedToDoWhatIsDoneAnyway(t *testing.T) {
	conv, _ := streaming()
	task, b := conv.Tasks[0], conv.Turns[0].Blocks[0]
	b.Entries = append(b.Entries,
		model.Entry{Kind: model.EntryProblem, Problem: &problem.Problem{Class: a2a.ClassCut, Sentence: "The connection broke. Get the task.", Record: 120}},
		model.Entry{Kind: model.EntryProblem, Problem: &problem.Problem{Class: problem.ClassRPC, Sentence: "The agent answered no. Ask it why."}})
	p := open(dark(), conv, 70, 20)
	for _, c := range []struct {
		set     func()
		advised bool
	}{
		{func() {}, true},
		{func() { task.Resubscribe = &log.Signal{Attempt: 1, Of: 5, Sentence: "cut"} }, false},
		{func() { task.Resubscribe, task.Poll = nil, &log.Signal{Attempt: 1} }, false},
		{func() { task.Poll = nil }, true},
		{func() { task.Forgotten = true }, false}, // there is nothing to get
		{func() { task.Forgotten = false }, true},
		{func() { ends(task, 110) }, true}, // before the problem: it is not its cause
		{func() { ends(task, 130) }, false},
	} {
		c.set()
		task.Version++
		touch(conv)
		got := screen(p)
		if !strings.Contains(got, "The connection broke.") || strings.Contains(got, "Get the task.") != c.advised || !strings.Contains(got, "Ask it why.") {
			t.Errorf("resubscribing %v, polling %v: got the wrong advice, want the one for this state:\n%s", task.Resubscribe, task.Poll, got)
		}
	}
}

// ends makes a record end a task.
func ends(t *model.Task, r a2a.RecordID) {
	t.State = a2a.StateCompleted
	t.Transitions = append(t.Transitions, model.Transition{State: t.State, Time: noon, Record: r})
}

// A lost task is announced only when no more events are expected.
func TestATaskWhoseStateIsNotKnownSaysThatNobodyAsksAgain(t *testing.T) {
	conv, _ := streaming()
	task := conv.Tasks[0]
	p := open(mono(), conv, 80, 30)
	words := "does not know the task's state"
	task.State, task.Word, task.Lost = a2a.StateUnknown, "unknown", true
	task.Version++
	conv.Turns[0].Pending = false
	touch(conv)
	if got := screen(p); !strings.Contains(got, words) {
		t.Fatalf("got a screen without the note about a lost task, want it:\n%s", got)
	}
	task.State, task.Word, task.Lost = a2a.StateCompleted, "completed", false
	task.Version++
	touch(conv)
	if got := screen(p); strings.Contains(got, words) {
		t.Errorf("got a known task as lost, want no note:\n%s", got)
	}
}

// The chat counts down the wait of a busy agent and names the key that sends the message again
// until the user sends something.
func TestTheWaitOfABusyAgentCountsDown(t *testing.T) {
	conv := travel()
	now := noon.Add(5 * time.Second)
	p := namedPane(mono(), func() time.Time { return now })
	p.SetSize(100, 40)
	turn := &model.Turn{ID: 2, Conversation: conv, Record: 20, Time: now, Version: 1, Message: &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("again")}}}
	turn.Blocks = []*model.Block{{Version: 1, Entries: []model.Entry{{Kind: model.EntryProblem, Record: 21, Time: now,
		Problem: &problem.Problem{Sentence: "It is busy.", Class: problem.ClassRPC, Busy: true, Again: now.Add(9 * time.Second)}}}}}
	conv.Turns = append(conv.Turns, turn)
	p.Show(conv.Agent, conv)
	for _, c := range []struct {
		after time.Duration
		words string
		ticks bool
	}{{0, "enter in the text field sends the message again; the agent accepts it in 9 s", true}, {4 * time.Second, "accepts it in 5 s", true}, {9 * time.Second, "accepts it now", false}} {
		now = noon.Add(5*time.Second + c.after)
		p.Tick()
		if got := screen(p); !strings.Contains(got, c.words) || (p.Next() == time.Second) != c.ticks {
			t.Errorf("after %s: got Ticks %v and other words, want Ticks %v and %q:\n%s", c.after, p.Next(), c.ticks, c.words, got)
		}
	}
	p.SetSize(40, 40) // that do not fit on one line
	if got := strings.Join(strings.Fields(strings.ReplaceAll(screen(p), "|", " ")), " "); !strings.Contains(got, "enter in the text field sends the message again; the agent accepts it now") {
		t.Errorf("got a narrow screen without the wrapped key, want it:\n%s", screen(p))
	}
	conv.Turns = append(conv.Turns, &model.Turn{ID: 3, Conversation: conv, Record: 30, Time: now, Version: 1, Message: turn.Message})
	conv.Version++
	if got := screen(p); strings.Contains(got, "sends the message again") {
		t.Errorf("got the offer to send again, want none:\n%s", got)
	}
}

// What the user caused is told as such, and so are the other ends of a stream.
func TestTheStateLineSaysWhoEndedAStream(t *testing.T) {
	for _, c := range []struct {
		class string
		after a2a.RecordID
		want  string
	}{
		{a2a.ClassCut, 41, "↯ cut after #41"}, {a2a.ClassCut, 0, "↯ cut before the first event"},
		{a2a.ClassSevered, 41, "↯ you cut after #41"}, {problem.ClassStopped, 41, "↯ you stopped after #41"},
		{problem.ClassUnfinished, 41, "↯ closed by agent after #41"}, {a2a.ClassTimeout, 41, "↯ timed out after #41"},
	} {
		conv, _ := streaming()
		b := conv.Turns[0].Blocks[0]
		b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Record: 50, Problem: &problem.Problem{Class: c.class, Sentence: "It ended.", Stream: 1, After: c.after}})
		touch(conv)
		if got := screen(open(dark(), conv, 100, 24)); !strings.Contains(got, "── "+c.want+"\n") {
			t.Errorf("%s: got a screen without %q, want it:\n%s", c.class, c.want, got)
		}
	}
}

// The end of an answer that grows says that nothing comes, and counts on; the artifact of a
// stream that is over does not.
func TestTheEndOfAGrowingAnswerTellsAStall(t *testing.T) {
	conv, art := streaming()
	now := noon.Add(10 * time.Second)
	p := namedPane(dark(), func() time.Time { return now })
	p.SetSize(80, 30)
	p.Show(conv.Agent, conv)
	chunk(conv, art, 101, "The sea comes and goes.")
	settle(t, p)
	conv.Turns[0].Stalled = &log.Signal{Time: noon.Add(8 * time.Second), After: 8 * time.Second}
	touch(conv)
	if got := screen(p); !strings.Contains(got, "goes.\n▌ │ ‖ no bytes for 10 s\n") {
		t.Fatalf("got a growing answer without the stall at its end, want it:\n%s", got)
	}
	now = now.Add(3 * time.Second)
	p.Tick()
	if got := screen(p); strings.Count(got, "no bytes for 13 s") != 2 {
		t.Errorf("got a stall that does not count on in head and answer, want 13 s:\n%s", got)
	}
	for w, want := range map[int]string{38: "▌ ctrl+x cancels: ‖ no bytes for 13 s\n", 60: "▌ Wait, or cancel with ctrl+x: ‖ no bytes for 13 s\n", 24: "▌ ‖ no bytes for 13 s\n"} {
		p.SetSize(w, 30)
		if got := screen(p); !strings.Contains(got, want) {
			t.Errorf("%d cells: got no %q, want it:\n%s", w, want, got)
		}
	}
	conv.Turns[0].Stalled = nil
	touch(conv)
	if got := screen(p); strings.Contains(got, "no bytes") {
		t.Errorf("got a stall that is over, want none:\n%s", got)
	}
}

// While the agent cannot be reached, nothing says that it is working, and no clock runs.
func TestATaskOfAnAgentThatIsAwayDoesNotWork(t *testing.T) {
	conv, _ := streaming()
	p := open(dark(), conv, 80, 30)
	if got := screen(p); !strings.Contains(got, "● working") {
		t.Fatalf("got a task that does not work, want it to:\n%s", got)
	}
	conv.Agent.Phase = model.Unreachable
	p.Tick()
	got := screen(p)
	head, _, _ := strings.Cut(got[strings.Index(got, "task "):], "\n")
	if !strings.Contains(got, "◌ was working") || strings.Contains(got, "● working") || strings.Contains(head, "·") {
		t.Errorf("got a task at work, or a duration of it, although its agent is away, want that it was:\n%s", got)
	}
	conv.Agent.Phase = model.Ready
	p.Tick()
	if got := screen(p); !strings.Contains(got, "● working") {
		t.Errorf("got a task that does not work although its agent is back, want it to:\n%s", got)
	}
}
