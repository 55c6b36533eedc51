package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/control/controltest"
)

// tells plays the state that an agent of the recording reports for a task.
func (d *desk) tells(at control.Place, task, state, text string) *model.Task {
	d.t.Helper()
	first := a2a.RecordID(d.model.state.Log.Len() + 1)
	d.send(batchMsg{Items: controltest.TaskItems(first, d.model.opts.Now(), at, task, state, text)})
	got := d.model.state.Task(at.Agent, task)
	if got == nil {
		d.t.Fatalf("the state has no task %s", task)
	}
	return got
}

// rings returns how often the terminal's bell rang.
func (d *desk) rings() (n int) {
	for _, name := range d.outside {
		if name == "bell" {
			n++
		}
	}
	return n
}

func TestTheInboxListsWhatWaitsOfEveryAgent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.tells(control.Place{Agent: 2, Conversation: 50}, "aaaa-1111-2222-3333", "AUTH_REQUIRED", "Sign in at https://bank.example@login.example/x\x1b[2J please.\nThen come back.")
		d.sees("2 waiting")
		d.press("ctrl+g")
		d.sees("waiting for you", "2 tasks", "Travel Desk", "Where would", "Scribe", "Sign in at", "auth-required", "task aaaa", "Then come back", "opens login.example", "help me")
		if strings.Contains(d.model.View().Content, "\x1b[2J") {
			t.Error("frame has unsanitised escape sequences of an agent")
		}
		d.press("o")
		d.sees("it leads to login.example", "no program to open links")
		d.press("esc", "ctrl+g", "Y", "ctrl+g")
		d.sees("input-required · task") // round to the first one
		d.press("enter")
		if d.model.cur.Agent != 1 || d.model.screen.over != noOverlay || d.model.screen.at != control.OnComposer {
			t.Errorf("enter leads to %+v with sheet %q, want agent 1 and the composer", d.model.cur, d.model.screen.over)
		}
	})
}

func TestEnterInTheInboxAimsAtTheTaskThatWasChosen(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allFound)
		first := d.tells(control.Place{Agent: 1, Conversation: 50}, "first-one", "INPUT_REQUIRED", "one?")
		d.tells(control.Place{Agent: 1, Conversation: 50}, "other-one", "INPUT_REQUIRED", "two?")
		d.press("ctrl+g", "g", "enter")
		d.sees("reply to task first-one")
		d.write("x")
		d.press("enter")
		if got := d.engine.Calls[len(d.engine.Calls)-1]; !strings.Contains(got, `task "first-one"`) {
			t.Errorf("got last engine call %s, want the answer to first-one", got)
		}
		d.model.goTo(control.Place{Agent: 1})
		first.Answered = false
		d.press("ctrl+g", "g", "enter", "ctrl+t")
		d.model.goTo(control.Place{Agent: 1, Conversation: 50})
		d.write("draft for the task that stands")
		before := d.model.panes.composer.Selected()
		d.press("ctrl+g", "G", "enter")
		if d.model.panes.composer.Selected() != before {
			t.Error("got another target after going to a task, want that of the text being written")
		}
	})
}

func TestNoRowOfTheInboxMovesWhileItIsRead(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.book(allFound)
		one := d.tells(control.Place{Agent: 1, Conversation: 50}, "task-one", "INPUT_REQUIRED", "the first question")
		d.tells(control.Place{Agent: 2, Conversation: 51}, "task-two", "INPUT_REQUIRED", "the second question")
		d.press("ctrl+g", "g")
		d.tells(control.Place{Agent: 1, Conversation: 50}, "task-one", "COMPLETED", "that is that")
		d.tells(control.Place{Agent: 1, Conversation: 52}, "task-three", "INPUT_REQUIRED", "the third question")
		rows := d.text()
		over, second, third := strings.Index(rows, "no longer waits: completed"), strings.Index(rows, "the second"), strings.Index(rows, "the third")
		if over < 0 || second < over || third < second {
			t.Errorf("got rows at %d, %d and %d, want the order unchanged:\n%s", over, second, third, rows)
		}
		d.press("enter")
		if d.model.conversation() != one.Conversation {
			t.Errorf("enter leads to %+v, want the first task's conversation", d.model.cur)
		}
	})
}

func TestTheBellRingsOnceForEachNewWait(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.book(allFound)
		expect := func(n int, what string) {
			t.Helper()
			if got := d.rings(); got != n {
				t.Errorf("%s: %d rings, want %d", what, got, n)
			}
		}
		d.tells(control.Place{Agent: 1, Conversation: 50}, "one", "WORKING", "")
		expect(0, "at work")
		d.tells(control.Place{Agent: 1, Conversation: 50}, "one", "INPUT_REQUIRED", "?")
		expect(1, "a question")
		d.tells(control.Place{Agent: 1, Conversation: 50}, "one", "COMPLETED", "")
		d.tells(control.Place{Agent: 2, Conversation: 51}, "two", "AUTH_REQUIRED", "?")
		expect(2, "another agent")
		d.press("ctrl+g", "esc")
		d.model.panes.composer.SetValue("/bell")
		d.press("enter")
		d.sees("the bell is off")
		d.tells(control.Place{Agent: 2, Conversation: 52}, "three", "INPUT_REQUIRED", "?")
		expect(2, "switched off")
	})
	bubble(t, 100, 30, Options{Silent: true}, func(d *desk) {
		d.book(asksWhere)
		if d.rings() != 0 {
			t.Errorf("got %d rings while the bell is off, want none", d.rings())
		}
	})
	bubble(t, 100, 30, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.book(asksDates)
		if d.rings() != 0 {
			t.Errorf("got %d rings in a recording, want none", d.rings())
		}
	})
}

// Whatever begins to wait while the user types: no letter is lost, the target stays the same,
// and nothing opens by itself.
func TestPromptsLeaveTheUsersHandsAlone(t *testing.T) {
	t.Parallel()
	bubble(t, 140, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.tells(control.Place{Agent: 1, Conversation: 50}, "mine", "INPUT_REQUIRED", "mine?")
		d.model.goTo(control.Place{Agent: 1, Conversation: 50})
		const text = "an answer to mine"
		for i, r := range text {
			d.write(string(r))
			state := "INPUT_REQUIRED"
			if i%3 == 1 {
				state = "AUTH_REQUIRED"
			}
			d.tells(control.Place{Agent: 1, Conversation: 50}, fmt.Sprint("another-", i), state, "me too?")
			d.tells(control.Place{Agent: 2, Conversation: a2a.ConversationID(60 + i)}, fmt.Sprint("elsewhere-", i), state, "and me?")
			if d.model.screen.over != noOverlay || d.model.screen.at != control.OnComposer || d.model.cur != (control.Place{Agent: 1, Conversation: 50}) {
				t.Fatalf("after %d prompts: place %+v, focus %d, sheet %q, want none of them changed", i, d.model.cur, d.model.screen.at, d.model.screen.over)
			}
		}
		d.press("enter")
		want := fmt.Sprintf("send %q to agent 1 conversation 50 task \"mine\"", text)
		if got := d.engine.Calls[len(d.engine.Calls)-1]; !strings.HasPrefix(got, want) {
			t.Errorf("the engine was told %s, want %s…", got, want)
		}
	})
}

func TestALinkIsOpenedOnPurpose(t *testing.T) {
	t.Parallel()
	var opened []string
	fails := error(nil)
	o := Options{Browse: func(link string) error { opened = append(opened, link); return fails }}
	bubble(t, 120, 40, o, func(d *desk) {
		d.book(allFound)
		const link = "https://user@login.example/x?state=1"
		d.tells(control.Place{Agent: 1, Conversation: 50}, "one", "AUTH_REQUIRED", "Sign in: "+link)
		d.model.goTo(control.Place{Agent: 1, Conversation: 50})
		d.press("ctrl+p")
		d.write("open the link")
		d.sees("Open the link of task one at login.example")
		d.press("enter")
		d.sees("it leads to login.example")
		if len(opened) > 0 {
			t.Fatalf("got %q opened, want nothing before the user asks", opened)
		}
		d.press("o")
		if len(opened) != 1 || opened[0] != link {
			t.Errorf("opened %q, want the link", opened)
		}
		fails = errors.New("exit status 3")
		d.model.panes.composer.SetValue("/waiting")
		d.press("enter", "o", "o")
		d.sees("could not be opened")
	})
}
