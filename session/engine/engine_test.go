package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

const streamer = `
-- scene poem --
is poem
goto working
send etask state=TASK_STATE_SUBMITTED
send estatus state=TASK_STATE_WORKING
stream poem.md notes.md with echunk words 2
goto over
send estatus state=TASK_STATE_COMPLETED
send elate
`

func TestAStreamBuildsItsArtifactsChunkByChunk(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, streamer).URL)
	turn, sig := d.sendText(model.Target{Agent: id}, "poem", model.SendOptions{})
	if sig.Sentence != "" {
		t.Fatalf("got turn end %q, want no failure\n%s", sig.Sentence, d.log())
	}
	task := turn.Blocks[0].Task
	if task.State != a2a.StateCompleted || len(task.Transitions) != 3 {
		t.Errorf("got task %+v, want completed after 3 transitions", task)
	}
	if len(task.Artifacts) != 2 {
		t.Fatalf("got %d artifacts, want 2", len(task.Artifacts))
	}
	want := map[string]string{"poem.md": "The tide\ncomes **in**\nand goes out.\nAnd late.", "notes.md": "one two three four five\n"}
	for _, a := range task.Artifacts {
		if strings.TrimSpace(string(a.Text)) != strings.TrimSpace(want[a.Name]) || a.Reset != 0 || !a.Sealed || a.Live {
			t.Errorf("artifact %s: got %q, sealed %v, live %v; want the whole text, sealed, not live", a.Name, a.Text, a.Sealed, a.Live)
		}
		if len(a.Spans) != a.Chunks {
			t.Errorf("artifact %s: got %d spans, want one for each of %d chunks", a.Name, len(a.Spans), a.Chunks)
		}
		for _, sp := range a.Spans {
			if at, ok := d.state.Anchor(sp.Record); !ok || at.Offset != sp.Offset || a.RecordAt(sp.Offset) != sp.Record {
				t.Errorf("span %+v: got anchor %+v %v, record %d; want both to name the span", sp, at, ok, a.RecordAt(sp.Offset))
			}
		}
	}
	c := turn.Conversation
	events := 0
	var bytes int64
	for _, id := range d.state.Log.Exchange(c.Stream) {
		r := &d.state.Log.At(id).Record
		if r.Kind == a2a.KindEvent {
			events++
			bytes += int64(len(r.Raw))
		}
	}
	sum := 0
	st := d.state.Log.Stream(c.Stream)
	for _, n := range st.Recent() {
		sum += n
	}
	if st.Events != events || st.Bytes != bytes || sum != events || st.Open() || c.Streams != 0 {
		t.Errorf("got stream %+v, want the wire's %d events and %d bytes of closed streams", st, events, bytes)
	}
	if turn.Pending || c.Title != "poem" || c.ContextID == "" || turn.Message.Text() != "poem" {
		t.Errorf("got turn %+v of conversation %+v, want one that is over and titled poem", turn, c)
	}
	d.finish()
}

const asker = `
-- scene book --
is book
goto asking
send etask state=TASK_STATE_WORKING
send easks
-- scene dates --
state asking
goto over
send estatus state=TASK_STATE_COMPLETED
`

func TestAnAnswerGoesToTheTaskThatAsks(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, asker)
	id := d.openAgent(a.URL)
	turn, _ := d.sendText(model.Target{Agent: id}, "book", model.SendOptions{})
	task := turn.Blocks[0].Task
	if w := d.state.Waiting(); len(w) != 1 || w[0] != task || task.Prompt.Text() != "Which dates?" {
		t.Fatalf("got waiting tasks %v, prompt %v; want the task with \"Which dates?\"", w, task.Prompt)
	}
	if !slices.ContainsFunc(d.changes, func(c model.Change) bool { return c.Waiting == task }) {
		t.Error("got no change with the task in Waiting, want one")
	}
	last := turn.Blocks[0].Entries[len(turn.Blocks[0].Entries)-1]
	if last.Kind != model.EntryMessage || last.Message != task.Prompt {
		t.Errorf("got newest entry %+v, want the prompt", last)
	}
	again, _ := d.sendText(model.Target{Agent: id, Conversation: turn.Conversation.ID, TaskID: task.ID}, "10 to 17 October", model.SendOptions{})
	if task.State != a2a.StateCompleted || len(d.state.Waiting()) != 0 || !task.Answered {
		t.Errorf("after the answer: got task %v, waiting %v, answered %v; want completed, none, answered", task.State, d.state.Waiting(), task.Answered)
	}
	if again.Conversation != turn.Conversation || again.Target.TaskID != task.ID {
		t.Errorf("got target %+v for the answer, want the task in the same conversation", again.Target)
	}
	var sent a2atest.Request
	for _, r := range a.Requests() {
		if r.RPC == "SendStreamingMessage" {
			sent = r
		}
	}
	for _, want := range []string{`"taskId":"` + task.ID, `"contextId":"` + task.ContextID} {
		if !strings.Contains(string(sent.Body), want) {
			t.Errorf("got request %s, want one with %s", sent.Body, want)
		}
	}
	d.finish()
}

const keeper = `
-- scene book --
is book
goto asking
send etask state=TASK_STATE_WORKING
send easks
hang
-- scene dates --
state asking
goto over
stream notes.md with echunk words 2
send estatus state=TASK_STATE_COMPLETED
`

func TestAnAnswerClosesTheStreamOnWhichTheTaskAsked(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.Grace = time.Millisecond })
	id := d.openAgent(agent(t, keeper).URL)
	turn, _ := d.sendText(model.Target{Agent: id}, "book", model.SendOptions{})
	if turn.Conversation.Streams != 1 {
		t.Fatal("got another number of open streams, want 1")
	}
	task := turn.Blocks[0].Task
	again, sig := d.sendText(model.Target{Agent: id, Conversation: turn.Conversation.ID, TaskID: task.ID}, "in May", model.SendOptions{})
	if sig.Sentence != "" || len(sessiontest.Problems(turn))+len(sessiontest.Problems(again)) != 0 {
		t.Errorf("got turn end %+v, problems %v %v; want no failure and none", sig, sessiontest.Problems(turn), sessiontest.Problems(again))
	}
	d.finish()
	if task.State != a2a.StateCompleted || turn.Conversation.Streams != 0 {
		t.Errorf("got task %v, %d open streams; want completed, 0", task.State, turn.Conversation.Streams)
	}
}

const twiceAnswered = `
-- scene book --
is book
goto asking
send etask state=TASK_STATE_WORKING
send easks
-- scene first --
state asking
is first
hang answer
send estatus state=TASK_STATE_COMPLETED
goto over
-- scene second --
state asking
is second
send estatus state=TASK_STATE_WORKING
`

// Of two answers to one question, the first keeps its stream until the agent has answered it.
func TestASecondAnswerDoesNotCloseTheStreamOfTheFirst(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, twiceAnswered)
	id := d.openAgent(a.URL)
	turn, _ := d.sendText(model.Target{Agent: id}, "book", model.SendOptions{})
	to := model.Target{Agent: id, Conversation: turn.Conversation.ID, TaskID: turn.Blocks[0].Task.ID}
	say := func(text string) a2a.TurnID {
		return d.Send(to, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, model.SendOptions{})
	}
	first := say("first")
	d.until("the request of the first answer", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest && it.Record.Call.Turn == first })
	second := say("second")
	d.until("what the second answer brings", func(it log.Item) bool {
		return it.Record.Kind == a2a.KindEvent && it.Record.Call.Turn == second
	})
	a.Release("answer")
	sig := d.waitForTurnEnd(first)
	if got := d.state.Turn(first); sig.Sentence != "" || len(got.Blocks) == 0 || got.Blocks[0].Task.State != a2a.StateCompleted {
		t.Errorf("got turn end %q and blocks %v of the first answer, want the state that the agent sent\n%s", sig.Sentence, got.Blocks, d.log())
	}
	d.finish()
}

const slow = `
-- streaming --
false
-- scene work --
is work
answer -
head 200 application/json
goto one
send task state=TASK_STATE_WORKING
-- scene one --
on GetTask
state one
goto two
send bare state=TASK_STATE_WORKING
-- scene two --
on GetTask
state two
goto three
send bare state=TASK_STATE_WORKING
-- scene three --
on GetTask
state three
goto over
send bare state=TASK_STATE_COMPLETED artifacts='{"artifactId":"a","parts":[{"text":"done"}]}'
`

func TestAPlainAnswerIsFollowedByGetsThatWaitLongerAndLonger(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.PollMax = 3 * time.Second })
	id := d.openAgent(agent(t, slow).URL)
	turn, sig := d.sendText(model.Target{Agent: id}, "work", model.SendOptions{})
	if sig.Sentence != "" {
		t.Errorf("got turn end %q, want no failure", sig.Sentence)
	}
	var announced []time.Duration
	for _, it := range d.items {
		if it.Signal != nil && it.Signal.Kind == log.SignalPoll {
			announced = append(announced, it.Signal.After)
		}
	}
	want := []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}
	if !slices.Equal(announced, want) || !slices.Equal(d.waits, want) {
		t.Errorf("got announced waits %v, waits %v; want %v", announced, d.waits, want)
	}
	task := turn.Blocks[0].Task
	if task.State != a2a.StateCompleted || string(task.Artifacts[0].Text) != "done" || len(task.Transitions) != 2 || task.Poll != nil {
		t.Errorf("got task %+v, want completed with \"done\" and no poll", task)
	}
	d.finish()
}

func TestAnAsyncSendIsNotFollowed(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, slow).URL)
	turn, sig := d.sendText(model.Target{Agent: id}, "work", model.SendOptions{Async: true})
	if sig.Sentence != "" || turn.Blocks[0].Task.State != a2a.StateWorking || len(d.waits) != 0 {
		t.Errorf("got turn end %+v, task %v, waits %v; want no failure, working, none", sig, turn.Blocks[0].Task.State, d.waits)
	}
	d.finish()
}

const unreliable = `
-- scene short --
is short
goto working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 2
-- scene cut --
is cut
answer -
goto working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 2
send etorn
cut
-- scene bad --
is bad
goto working
send etask state=TASK_STATE_WORKING
send ebad
stream notes.md with echunk words 2
goto over
send estatus state=TASK_STATE_COMPLETED
-- scene refuse --
on SendStreamingMessage
is plain
head 200 application/json
send unsupported
-- scene plain --
on SendMessage
is plain
head 200 application/json
goto over
send task state=TASK_STATE_COMPLETED
-- scene get --
on GetTask
state working
goto over
send bare state=TASK_STATE_COMPLETED artifacts='{"artifactId":"notes.md","parts":[{"text":"one two three four five\n"}]}'
`

func TestWhatGoesWrongIsSaidOnceInItsPlaceAndTheTaskIsFollowed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text    string
		says    []string // problems of the turn
		over    string   // why the turn failed
		polls   int
		refused bool
	}{
		{"short", []string{"while the task was still working"}, "", 1, false},
		{"cut", []string{"connection broke"}, "connection broke", 1, false},
		{"bad", []string{""}, "", 0, false},
		{"plain", []string{"for a stream was refused"}, "", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			d := newHarness(t, nil)
			id := d.openAgent(agent(t, unreliable).URL)
			turn, sig := d.sendText(model.Target{Agent: id}, tt.text, model.SendOptions{})
			if !strings.Contains(sig.Sentence, tt.over) || tt.over == "" && sig.Sentence != "" {
				t.Errorf("got turn end %q, want %q", sig.Sentence, tt.over)
			}
			got := sessiontest.Problems(turn)
			if len(got) != len(tt.says) {
				t.Fatalf("got %d problems, want %d\n%s\n%s", len(got), len(tt.says), sessiontest.Dump(d.state), d.log())
			}
			for i, want := range tt.says {
				if !strings.Contains(got[i].Sentence, want) {
					t.Errorf("got problem %q, want one with %q", got[i].Sentence, want)
				}
			}
			if len(d.waits) != tt.polls {
				t.Errorf("got %d polls, want %d", len(d.waits), tt.polls)
			}
			task := turn.Blocks[len(turn.Blocks)-1].Task
			if task == nil || task.State != a2a.StateCompleted {
				t.Fatalf("got task %+v, want completed", task)
			}
			if tt.text != "plain" && string(task.Artifacts[0].Text) != "one two three four five\n" {
				t.Errorf("got text %q, want every chunk once", task.Artifacts[0].Text)
			}
			for _, c := range d.changes {
				if givenBack(c) != nil {
					t.Error("got the draft back although the message was accepted, want it sent")
				}
			}
			d.finish()
		})
	}
}

func TestARefusedStreamIsSentAgainWithTheSameIDs(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, unreliable)
	d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "plain", model.SendOptions{})
	var ids []string
	for _, r := range a.Requests() {
		if _, rest, ok := strings.Cut(string(r.Body), `"messageId":"`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			ids = append(ids, id)
		}
	}
	if len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("got messageIds %q, want the same one twice", ids)
	}
}

const clerk = `
-- agent --
name Clerk
dialect 0.1
endpoint /
answer done
serve /.well-known/agent.json card application/json
-- card --
{"name":"Clerk","url":"{{origin}}/","version":"1","authentication":{"schemes":[]},"capabilities":{"streaming":true},"skills":[{"id":"a","name":"A"}]}
-- done --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","sessionId":"{{context}}","status":{"state":"completed"}}}
-- frame --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","status":{"state":"completed"},"final":true}}

-- scene any --
goto over
send frame
`

func TestIn01TheClientMakesTaskIDsAndOneSessionForAConversation(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, clerk)
	id := d.openAgent(a.URL)
	one, sig := d.sendText(model.Target{Agent: id}, "one", model.SendOptions{})
	if sig.Sentence != "" {
		t.Fatalf("got turn end %q, want no failure\n%s", sig.Sentence, d.log())
	}
	two, _ := d.sendText(model.Target{Agent: id, Conversation: one.Conversation.ID}, "two", model.SendOptions{})
	three, _ := d.sendText(model.Target{Agent: id}, "three", model.SendOptions{})
	if one.Conversation != two.Conversation || one.Conversation == three.Conversation {
		t.Error("got the first two turns in different conversations or the third in theirs")
	}
	if c := one.Conversation.ContextID; c == "" || c == three.Conversation.ContextID {
		t.Errorf("got contexts %q and %q, want two different ones", c, three.Conversation.ContextID)
	}
	if one.Blocks[0].Task.ID == two.Blocks[0].Task.ID {
		t.Error("got the same task for two messages, want a new one after a finished task")
	}
	d.finish()
}
