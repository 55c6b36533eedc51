package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session/log"
	"parley/ui/control"
)

// asks fails unless the engine got a call.
func (d *desk) asks(what string) {
	d.t.Helper()
	if !slices.Contains(d.engine.Calls, what) {
		d.t.Errorf("got engine calls %q, want %q among them", d.engine.Calls, what)
	}
}

// looks plays the signal that the engine will check a task in a while, or no longer does.
func (d *desk) looks(at control.Place, task string, attempt int, over string) {
	s := log.Signal{Kind: log.SignalAuthPoll, Agent: at.Agent, Conversation: at.Conversation, TaskID: task, Attempt: attempt, After: 8 * time.Second}
	if attempt == 0 {
		s.Kind, s.Class = log.SignalAuthPollEnded, over
	}
	d.send(batchMsg{Items: []log.Item{{Signal: &s}}})
}

func TestWhatWaitsForCredentialsIsLookedAtVisibly(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Browse: func(string) error { return nil }}, func(d *desk) {
		d.book(allFound)
		at := control.Place{Agent: 1, Conversation: 50}
		d.tells(at, "pay-1", "AUTH_REQUIRED", "Sign in at https://bank.example@login.example/x\x1b[2J please, or see https://help.example/.")
		d.model.goTo(at)
		d.press("x", "ctrl+u")
		d.sees("alt+o opens login.example or 1 other link")
		d.looks(at, "pay-1", 3, "")
		d.sees("auth poll in 8 s,")
		if strings.Contains(d.model.View().Content, "\x1b[2J") {
			t.Error("frame has unsanitised escape sequences of an agent")
		}
		d.press("alt+o")
		d.sees("choose a link", "1  login.example", "2  help.example")
		d.press("1")
		d.sees("it leads to login.example")
		d.press("o")
		d.sees("opening login.example")
		d.asks("hurry")
		d.engine.Calls = nil
		d.send(tea.FocusMsg{})
		d.asks("hurry")

		d.press("tab", "G", "o")
		d.sees("choose a link")
		d.press("esc", "p")
		d.asks("stop auth poll of pay-1")
		d.looks(at, "pay-1", 0, "")
		d.seesNot("looks again in")
		d.press("p")
		d.asks("start auth poll of pay-1")
		d.press("esc")
		d.model.panes.composer.SetValue("/look")
		d.press("enter")
		d.asks("start auth poll of pay-1")
	})
}

func TestThatATaskGoesOnIsSaidWhereverTheUserIs(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.book(allFound)
		at := control.Place{Agent: 1, Conversation: 50}
		d.tells(at, "pay-1", "AUTH_REQUIRED", "Sign in")
		d.press("alt+o")
		d.sees("No task that waits for you has a link.")
		d.looks(at, "pay-1", 1, "")
		d.sees("1 waiting")
		d.tells(at, "pay-1", "WORKING", "")
		d.looks(at, "pay-1", 0, log.AuthPollContinued)
		d.wait(unreadTime)
		d.sees("continues task pay-1: working")
		d.seesNot("1 waiting")
		d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalAuthPollEnded, Agent: 1, TaskID: "pay-1", Sentence: "Nobody notices any more."}}}})
		d.wait(unreadTime)
		d.sees("Nobody notices any more.")
		d.looks(at, "no-such-task", 0, log.AuthPollContinued)
		d.looks(at, "no-such-task", 2, "")
	})
}

// seesNot fails if the frame has the words.
func (d *desk) seesNot(words string) {
	d.t.Helper()
	if strings.Contains(d.text(), words) {
		d.t.Errorf("frame shows %q:\n%s", words, d.text())
	}
}

func TestTheTimelineOfTheTaskIsACommandAway(t *testing.T) {
	t.Parallel()
	bubble(t, 140, 50, Options{}, func(d *desk) {
		d.book(allFound)
		d.model.panes.composer.SetValue("/timeline")
		d.press("enter")
		d.sees("there is no task here")
	})
	for _, o := range []Options{{}, {Name: "booking.jsonl"}} {
		bubble(t, 140, 50, o, func(d *desk) {
			d.book(allBooked)
			if o.Name == "" {
				d.model.panes.composer.SetValue("/timeline")
				d.press("enter")
			} else {
				d.press("G", "t")
			}
			d.sees("waiting for you", " in all", "input-required")
			if d.wait(3 * time.Second); !d.model.ticks.due.IsZero() { // the task was new
				t.Error("the clock runs although the task is over")
			}
			d.press("t")
			d.seesNot(" in all")
		})
	}
}
