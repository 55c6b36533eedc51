package ui

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/composer"
)

// turnOver reports the end of a turn of the booking.
func (d *desk) turnOver(turn a2a.TurnID, sentence string) {
	d.t.Helper()
	d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{
		Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: turn, Sentence: sentence,
	}}}})
}

// queueUp writes messages while the itinerary streams.
func (d *desk) queueUp(texts ...string) {
	d.t.Helper()
	d.book(midStream)
	for _, text := range texts {
		d.write(text)
		d.press("enter")
	}
}

// told returns the texts that the engine sent after the booking, joined by |.
func (d *desk) told() string {
	var out []string
	for _, call := range d.engine.Calls[3:] {
		text, _, _ := strings.Cut(strings.TrimPrefix(call, "send "), " to agent")
		out = append(out, strings.Trim(text, `"`))
	}
	return strings.Join(out, "|")
}

func TestMessagesWaitForTheAgentAndGoInOrder(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.write("a hotel")
		d.sees("○ queue  sent when the agent is done")
		d.press("enter")
		d.sees("○ a hotel", "up edits")
		d.write("the weather")
		d.press("enter")
		if got := d.told(); got != "" {
			t.Fatalf("sent at once: %s, want it queued", got)
		}
		d.upTo(allBooked)
		d.turnOver(3, "")
		if got := d.told(); got != "a hotel" {
			t.Fatalf("sent %s, want a hotel", got)
		}
		if last := d.engine.Calls[len(d.engine.Calls)-1]; !strings.Contains(last, `task ""`) || strings.Contains(last, `context ""`) {
			t.Errorf("got call %s, want the queued message in the same context without a task", last)
		}
		d.sees("○ the weather")
		d.turnOver(4, "") // it has no record
		if got := d.told(); got != "a hotel|the weather" {
			t.Errorf("sent %s, want a hotel|the weather", got)
		}
		if _, queues := d.model.outbox.Counts(); queues != 0 {
			t.Errorf("got %d queues, want none after they were sent", queues)
		}
	})
}

func TestTwoEntersInARowMakeOneMessageAndAQueuedOne(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.write("first")
		d.press("enter") // the turn has no record yet
		d.write("second")
		d.press("enter")
		if n := len(d.engine.Calls); n != 1 {
			t.Errorf("got engine calls %v, want 1", d.engine.Calls)
		}
		d.sees("○ second")
	})
}

// An answer to a question is an answer once: what follows waits until the agent has taken it.
func TestASecondAnswerToAQuestionWaits(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allFound)
		d.press("enter")
		d.upTo(asksWhere)
		d.write("London")
		d.press("enter")
		sent := len(d.engine.Calls)
		d.write("by train")
		d.sees("○ queue")
		d.press("enter")
		if n := len(d.engine.Calls); n != sent {
			t.Fatalf("got engine calls %v, want the second answer queued", d.engine.Calls)
		}
		d.sees("○ by train")
		d.upTo(asksDates)
		d.sees("reply to task")
	})
}

func TestWhatIsQueuedIsHeldWhenTheTurnDoesNotEndWell(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(d *desk)
		says string
	}{
		"failure":   {func(d *desk) { d.turnOver(3, "It broke.") }, "the task has not ended"},
		"cancelled": {func(d *desk) { d.model.tasks.All()[0].State = a2a.StateCanceled; d.turnOver(3, "") }, "the task was canceled"},
		"rejected":  {func(d *desk) { d.model.tasks.All()[0].State = a2a.StateRejected; d.turnOver(3, "") }, "the task failed"},
		"question":  {func(d *desk) { d.model.tasks.All()[0].State = a2a.StateInputRequired; d.turnOver(3, "") }, "the agent asks a question"},
		"at work":   {func(d *desk) { d.turnOver(3, "") }, "the task has not ended"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.queueUp("a hotel", "the weather")
				c.end(d)
				d.says("2 queued messages wait: " + c.says)
				d.sees("enter sends them")
				d.wait(noticeTime * 3)
				d.turnOver(3, "") // any other turn that ends
				if got := d.told(); got != "" {
					t.Fatalf("sent without being asked: %s", got)
				}
				d.press("enter")
				if got := d.told(); got != "a hotel" {
					t.Fatalf("enter sent %s, want a hotel", got)
				}
				d.sees("○ the weather")
			})
		})
	}
}

func TestAQueuedMessageIsEditedInItsPlaceOrDropped(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.queueUp("one", "two", "//three")
		c := d.model.panes.composer
		d.press("up")
		if got := c.Value(); got != "//three" {
			t.Fatalf("up restored %q, want //three", got)
		}
		d.write("!")
		d.press("enter", "alt+x") // it is the last one again
		d.sees("dropped; up restores it", "○ two")
		d.press("up") // the message that was queued last
		d.write("!")
		d.upTo(allBooked)
		d.turnOver(3, "")
		if got := d.told(); got != "one" {
			t.Fatalf("sent %s, want one", got)
		}
		d.turnOver(4, "") // the next one is still being edited
		if got := d.told(); got != "one" {
			t.Fatalf("sent %s, want one, because the next message is being edited", got)
		}
		d.press("enter")
		if got := d.told(); got != "one|two!" {
			t.Errorf("sent %s, want one|two!", got)
		}
	})
}

func TestWhatIsNoLongerEditedDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.queueUp("one", "two")
		d.run(d.model.onComposerIntent(composer.Unqueue{Index: 0})) // as a click on its row does
		d.send(nil)
		d.upTo(allBooked)
		d.turnOver(3, "")
		if got := d.told(); got != "" {
			t.Fatalf("sent %s, want nothing, because the first message is being edited", got)
		}
		d.press("ctrl+c")
		if got := d.told(); got != "two" {
			t.Errorf("sent %s, want two", got)
		}
		d.press("up")
		if got := d.model.panes.composer.Value(); got != "one" {
			t.Errorf("up restored %q, want one", got)
		}
	})
}

func TestAQueueBelongsToItsConversation(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.queueUp("a hotel")
		d.press("ctrl+n")
		if strings.Contains(d.text(), "○ a hotel") {
			t.Errorf("the queued message shows in another conversation:\n%s", d.text())
		}
		d.write("half a thou")
		d.press("ctrl+c")
		d.says("1 queued message would not be sent")
		d.press("up")
		d.upTo(allBooked)
		d.turnOver(3, "")
		if got := d.told(); got != "a hotel" || d.model.cur.Conversation != 0 || d.model.panes.composer.Value() != "half a thou" {
			t.Errorf("sent %q; at %v with %q, want a hotel and the new conversation's draft", got, d.model.cur, d.model.panes.composer.Value())
		}
	})
}

func TestAQueuedMessageThatIsTurnedAwayKeepsItsPlace(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.queueUp("one", "two")
		d.upTo(allBooked)
		d.turnOver(3, "")
		d.write("meanwhile")
		turn := &model.Turn{ID: 4, Message: &a2a.Message{Parts: []a2a.Part{a2a.TextPart("one")}}, Target: model.Target{Agent: 1, Conversation: 1}}
		d.run(d.model.outbox.OnOver(turn))
		d.turnOver(4, "Nobody listens.")
		if got := d.model.panes.composer.Value(); got != "meanwhile" {
			t.Errorf("composer holds %q, want meanwhile", got)
		}
		d.sees("one", "two", "2 queued messages wait")
		d.press("ctrl+c", "enter")
		if got := d.told(); got != "one|one" {
			t.Errorf("sent %s, want one|one", got)
		}
	})
}

func TestWhatIsWrittenWhenTheAgentAsksIsNoAnswer(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allFound)
		d.press("enter")
		d.upTo(30)
		d.write("and a window")
		d.sees("○ queue")
		d.upTo(asksWhere)
		d.sees("→ new task in ctx", "waits for you")
	})
}

func TestCommandsOfTheQueueSayWhyTheyCannotBeDone(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		for _, word := range []string{"/resume", "/unqueue", "/drop"} {
			d.write(word)
			d.press("enter")
			d.sees("the queue is empty")
			d.press("ctrl+c")
		}
		d.write("one")
		d.press("enter")
		d.write("/resume")
		d.press("enter")
		d.sees("the agent is working")
		d.press("ctrl+c")
		d.write("/drop")
		d.press("enter")
		d.sees("1 queued message dropped")
		if d.model.outbox.Queued() != 0 {
			t.Errorf("got %d queued messages after the drop, want none", d.model.outbox.Queued())
		}
		for _, c := range d.model.outbox.QueueActions() { // none of them may do anything now
			d.run(c.Run())
		}
		d.wait(unreadTime)
		d.sees("The queue is empty.")
	})
}

func TestALongQueueFitsEverywhere(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 12}, {20, 5}} {
		bubble(t, size[0], size[1], Options{}, func(d *desk) {
			d.book(midStream)
			for i := range 1000 {
				draft := d.model.panes.composer.Draft()
				if draft.Text = "\x1b[2J\u202e" + strings.Repeat("x\n", i); i%2 == 0 {
					draft.Secret, draft.Text = true, "hunter2"
				}
				d.model.outbox.Enqueue(draft)
			}
			d.send(nil)
			d.clean()
			if strings.Contains(d.text(), "hunter2") {
				t.Errorf("frame shows the secret:\n%s", d.text())
			}
		})
	}
}

// Some agents leave the stream open when a task is over: messages do not wait for that.
func TestATaskThatIsOverIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		conv := d.model.conversation()
		conv.Tasks[0].State = a2a.StateCompleted
		conv.Version++
		d.write("and now")
		if strings.Contains(d.text(), "○ queue") {
			t.Errorf("frame says that the message would be queued:\n%s", d.text())
		}
		d.press("enter")
		if got := d.told(); got != "and now" {
			t.Errorf("sent %s, want and now", got)
		}
	})
}
