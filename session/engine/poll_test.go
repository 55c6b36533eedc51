package engine

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

const worker = `
-- scene work --
is work
goto working
send etask state=TASK_STATE_WORKING
hang gate
goto over
send estatus state=TASK_STATE_COMPLETED
when canceled
send estatus state=TASK_STATE_CANCELED
-- scene cancel --
on CancelTask
state working
goto canceled
send bare state=TASK_STATE_CANCELED
-- scene get --
on GetTask
state working
send bare state=TASK_STATE_WORKING
-- scene subscribe --
on SubscribeToTask
state working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 3
goto over
send estatus state=TASK_STATE_COMPLETED
-- scene open --
is open
goto over
send etask state=TASK_STATE_WORKING
send estatus state=TASK_STATE_COMPLETED
hang
-- scene ask --
is ask
goto asking
send etask state=TASK_STATE_WORKING
send easks
hang
`

// startTask sends a message and waits until its task is working.
func (d *harness) startTask(agent a2a.AgentID, text string) (a2a.TurnID, *model.Task) {
	d.t.Helper()
	id := d.Send(model.Target{Agent: agent}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, model.SendOptions{})
	d.until("a task", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	return id, d.state.Turn(id).Blocks[0].Task
}

func TestCancelEndsARunningTask(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, worker).URL)
	turn, task := d.startTask(id, "work")
	if !d.state.Turn(turn).Pending || d.state.Turn(turn).Conversation.Streams != 1 || !d.state.Log.Stream(d.state.Turn(turn).Conversation.Stream).Open() {
		t.Errorf("got turn %+v with an open stream, want it pending and one stream in the statistics", d.state.Turn(turn))
	}
	if got := d.Cancel(id, task.ID, 0); got != turn {
		t.Errorf("got turn %d for the cancel, want the task's own, %d", got, turn)
	}
	d.waitForTurnEnd(turn)
	if task.State != a2a.StateCanceled || d.state.Turn(turn).Pending {
		t.Errorf("got task %v, turn pending %v; want canceled, not pending", task.State, d.state.Turn(turn).Pending)
	}
	d.finish()
}

func TestStopEndsTheTurnAndSaysThatTheTaskMayGoOn(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, worker).URL)
	turn, task := d.startTask(id, "work")
	d.Stop(turn)
	sig := d.waitForTurnEnd(turn)
	got := sessiontest.Problems(d.state.Turn(turn))
	if sig.Class != problem.ClassStopped || len(got) != 1 || got[0].Class != problem.ClassStopped || task.State != a2a.StateWorking {
		t.Errorf("got turn end %+v, problems %+v, task %v; want stopped, one of class stopped, working", sig, got, task.State)
	}
	d.finish()
}

func TestATaskOfAnotherSessionGetsAConversation(t *testing.T) {
	t.Parallel()
	first := newHarness(t, nil)
	a := agent(t, worker)
	turn, task := first.startTask(first.openAgent(a.URL), "work")
	first.Stop(turn)
	first.waitForTurnEnd(turn)

	d := newHarness(t, nil)
	id := d.openAgent(a.URL)
	got := d.Get(id, task.ID, 0, nil)
	d.waitForTurnEnd(got)
	seen := d.state.Turn(got)
	if seen.Message != nil || len(seen.Blocks) != 1 || seen.Blocks[0].Task.State != a2a.StateWorking {
		t.Fatalf("got turn %+v, want one without a message that shows the working task\n%s", seen, d.log())
	}
	if again := d.Subscribe(id, task.ID, 0, true); again != got {
		t.Errorf("got turn %d for the subscription, want %d", again, got)
	}
	if sig := d.waitForTurnEnd(got); sig.Sentence != "" {
		t.Errorf("got turn end %+v, want no failure", sig)
	}
	if t2 := seen.Blocks[0].Task; t2.State != a2a.StateCompleted || string(t2.Artifacts[0].Text) != "one two three four five\n" {
		t.Errorf("got task %+v, want completed with every chunk once", t2)
	}
	missing := d.Get(id, "no-such-task", 0, nil)
	if sig := d.waitForTurnEnd(missing); sig.Class != problem.ClassRPC || d.state.Task(id, "no-such-task") != nil {
		t.Errorf("got turn end %+v for an unknown task, want class rpc and no task", sig)
	}
	d.finish()
}

func TestAStreamThatIsNeverClosedIsClosedFromHere(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.Grace = time.Millisecond })
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(agent(t, worker).URL)}, "open", model.SendOptions{})
	if sig.Sentence != "" || len(sessiontest.Problems(turn)) != 0 || turn.Conversation.Streams != 0 {
		t.Errorf("got turn end %+v, problems %v; want no failure, none and no open stream\n%s", sig, sessiontest.Problems(turn), d.log())
	}
	d.finish()
}

func TestATaskThatWaitsKeepsItsStreamButItsTurnIsOver(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.Grace = time.Millisecond })
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(agent(t, worker).URL)}, "ask", model.SendOptions{})
	if sig.Sentence != "" || turn.Pending || turn.Conversation.Streams != 1 {
		t.Errorf("got turn end %+v, pending %v, %d open streams; want no failure, not pending, 1", sig, turn.Pending, turn.Conversation.Streams)
	}
	d.finish()
}

// The grace period after the end of a task does not apply to a task that asks for something.
func TestATaskThatAsksEndsItsTurnWithoutTheGraceOfOneThatIsOver(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"INPUT_REQUIRED", "AUTH_REQUIRED"} {
		d := newHarness(t, func(o *options) { o.Grace, o.AskGrace = never, time.Millisecond })
		h := newHub(t, &hub{})
		_, turn, _ := d.startStream(h)
		h.status(state)
		if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
			t.Errorf("%s: got turn end %+v, want no failure\n%s", state, sig, d.log())
		}
		select {
		case <-h.left:
			t.Errorf("%s: got a closed stream, want it open", state)
		default:
		}
		d.finish()
	}
}

func TestCloseEndsEverythingThatIsUnderWay(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, worker).URL)
	for range 5 {
		d.startTask(id, "work")
	}
	d.Close()
	d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("too late")}}, model.SendOptions{})
	d.finish()
	d.Open("http://127.0.0.1:1") // it changes nothing
	for _, c := range d.state.Agent(id).Conversations {
		if c.Streams != 0 || c.Turns[0].Pending {
			t.Errorf("conversation %d: got %d open streams, want 0 and its turn over", c.ID, c.Streams)
		}
	}
}

func TestAnExtendedCardMakesNoConversation(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, worker).URL)
	if sig := d.waitForTurnEnd(d.ExtendedCard(id)); sig.Class != problem.ClassRPC {
		t.Errorf("got turn end %+v, want class rpc", sig)
	}
	if n := len(d.state.Agent(id).Conversations); n != 0 {
		t.Errorf("got %d conversations, want 0", n)
	}
	d.finish()
}

func TestANumberedConversationIsTheOneThatIsWrittenIn(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, streamer).URL)
	c := d.NewConversation(id)
	if d.state.Conversation(c) != nil {
		t.Error("got a conversation before its first message, want none")
	}
	turn, _ := d.sendText(model.Target{Agent: id, Conversation: c}, "poem", model.SendOptions{})
	if d.state.Conversation(c) != turn.Conversation {
		t.Errorf("got turn in conversation %d, want %d", turn.Conversation.ID, c)
	}
	task := turn.Blocks[0].Task
	if got := d.state.Assembled(id, task.ID); got == nil || len(got.Artifacts) != 2 {
		t.Errorf("got assembled task %+v, want one with 2 artifacts", got)
	}
	d.finish()
}

// Tasks that continue one conversation are titled by their own first messages.
func TestTasksOfOneConversationHaveTitlesOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.Grace = time.Millisecond })
	id := d.openAgent(agent(t, worker).URL)
	first, _ := d.sendText(model.Target{Agent: id}, "open", model.SendOptions{})
	second, _ := d.sendText(model.Target{Agent: id, Conversation: first.Conversation.ID}, "ask", model.SendOptions{})
	tasks := first.Conversation.Tasks
	if second.Conversation != first.Conversation || len(tasks) != 2 || tasks[0].Title() != "open" || tasks[1].Title() != "ask" {
		for _, task := range tasks {
			t.Errorf("got title %[2]q for task %[1]s, want the first message of each task", task.ID, task.Title())
		}
	}
	if none := (&model.Task{Conversation: &model.Conversation{Title: "talk"}}); none.Title() != "talk" {
		t.Errorf("got title %q, want that of the conversation, \"talk\"", none.Title())
	}
	d.finish()
}
