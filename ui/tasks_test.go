package ui

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/looks"
)

// tasked plays the booking to its end; the agent has listed a task of somebody else.
func (d *desk) tasked() *fakeEngine {
	d.t.Helper()
	d.book(allBooked)
	d.engine.Calls, d.engine.Conversations = nil, 70
	a := d.model.agent()
	a.List = &model.TaskList{NewestPage: allBooked, FirstRequest: allBooked - 1, Time: d.model.opts.Now(), Total: 7, Next: "p2", NewTasks: 2, Version: 1, Tasks: []*model.Listed{
		{ID: d.task().ID, ContextID: d.task().ContextID, Status: d.model.state.Assembled(a.ID, d.task().ID).Status, Record: allBooked},
		{ID: "beef0000-1111-2222-3333", ContextID: "c0ffee00-1111", Title: "Book me\x1b[2J a boat", Record: allBooked, History: 1,
			Status: a2a.Status{State: a2a.StateInputRequired, Time: d.model.opts.Now().Add(-time.Hour)}},
	}}
	return d.engine
}

// asked returns the calls of the engine since the last call of asked.
func (d *desk) asked() string {
	got := strings.Join(d.engine.Calls, "; ")
	d.engine.Calls = nil
	return got
}

func TestTheSheetOfTasksAsksTheAgent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.tasked()
		d.press("f3")
		d.sees("tasks of Travel Desk", "2 tasks", "2 of 7", "n gets the next page", "both", "listed", "Book me", "a boat", "1 h")
		if strings.Contains(d.model.View().Content, "\x1b[2J") {
			t.Error("frame has unsanitised escape sequences of an agent")
		}
		id, conv := looks.ShortID(d.task().ID), d.model.cur.Conversation
		want := func(calls string, keys ...string) {
			t.Helper()
			d.press(keys...)
			if got := d.asked(); got != calls {
				t.Errorf("%v asks %q, want %q", keys, got, calls)
			}
		}
		of := strings.NewReplacer("ID", id, "C", string(rune('0'+conv)))
		want(of.Replace("get ID in C, -1 messages"), "g", "r")
		want(of.Replace("get ID in C, 5 messages"), "h", "5", "enter")
		want("", "x")
		want("cancel "+d.task().ID, "x")
		want("list of agent 1, unknown, ctx \"\", page \"p2\"", "n")
		want("list of agent 1, unknown, ctx \"\", page \"\"", "l")
		want("poll beef in 71", "G", "p")
		want("", "y")
		d.sees("copied")
		want("get beef in 72, -1 messages", "enter")
		if d.model.screen.over != noOverlay || d.model.cur != (control.Place{Agent: 1, Conversation: 72}) {
			t.Errorf("enter leads to %+v with sheet %q, want conversation 72", d.model.cur, d.model.screen.over)
		}
		d.press("f3", "G", "s")
		if got := d.asked(); got != "subscribe to beef in 73" || d.model.cur != (control.Place{Agent: 1, Conversation: 73}) {
			t.Errorf("s asked %q and leads to %+v, want a subscription in conversation 73", got, d.model.cur)
		}
		d.press("f3", "g", "enter")
		if d.model.conversation() != d.task().Conversation || d.asked() != "" {
			t.Errorf("enter on a known task leads to %+v, want its conversation and no request", d.model.cur)
		}
		d.press("f3", "f3")
		if d.model.screen.over != noOverlay {
			t.Errorf("got overlay %q after f3, want none", d.model.screen.over)
		}
	})
}

func TestATaskGoesToTheConversationOfItsContext(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.tasked()
		conv := d.model.cur.Conversation
		d.model.agent().List.Tasks[1].ContextID = d.model.conversation().ContextID
		d.press("f3", "G", "enter")
		if d.model.cur != (control.Place{Agent: 1, Conversation: conv}) {
			t.Errorf("enter leads to %+v, want the conversation of the context", d.model.cur)
		}
	})
}

func TestTasksAreNamedInCommands(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.tasked()
		known, id := d.task(), looks.ShortID(d.task().ID)
		home := d.model.cur
		for _, c := range []struct{ line, calls, sees string }{
			{"/get", "get " + id + " in 3, -1 messages", "asked Travel Desk"},
			{"/get " + id + " 4", "get " + id + " in 3, 4 messages", ""},
			{"/get beef", "get beef in 71, -1 messages", ""},
			{"/get somebody's 7", "get somebody's in 72, 7 messages", ""},
			{"/get " + id + " many", "", "the number of messages"},
			{"/subscribe never-seen", "subscribe to never-seen in 73", "subscribing to task never-seen"},
			{"/poll never-seen", "poll never-seen in 74", "until it is over or waits"},
			{"/poll " + id, "", "is over (completed)"},
			{"/cancel never-seen", "cancel never-seen", "to cancel task never-seen"},
			{"/cancel " + id, "cancel " + known.ID, ""},
			{"/cancel", "", "every task has ended"},
			{"/task never-seen", "", "/get never-seen gets it from the agent"},
			{"/task " + id, "", ""},
		} {
			d.model.goTo(home)
			d.write(c.line)
			d.press("enter")
			if got := d.asked(); !strings.Contains(c.calls, "in 3") && got != c.calls || strings.Split(got, " in ")[0] != strings.Split(c.calls, " in ")[0] {
				t.Errorf("%s asks %q, want %q", c.line, got, c.calls)
			}
			d.says(c.sees)
		}
		d.model.goTo(home)
		d.write("/poll elsewhere-begun")
		d.press("enter")
		if d.asked(); d.model.cur.Conversation == home.Conversation || d.model.cur.Agent != home.Agent {
			t.Errorf("/poll shows %+v, want the conversation of the task", d.model.cur)
		}
		known.Poll = &log.Signal{Turn: 9}
		d.model.goTo(home)
		d.write("/poll " + known.ID)
		d.press("enter")
		if got := d.asked(); got != "stop 9" {
			t.Errorf("/poll of a polled task asked %q, want stop 9", got)
		}
		d.write("/task")
		d.press("enter")
		d.sees("─ tasks of Travel Desk ─")
	})
}

func TestATaskThatIsNobodysSaysSo(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.press("f3")
		d.sees("No agent is open")
		d.book(allFound)
		d.write("/get")
		d.press("enter")
		d.sees("There is no task in this conversation")
		d.press("ctrl+c")
		d.press("f3")
		d.sees("has no task yet")
	})
	bubble(t, 120, 40, Options{Name: "b"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("f3")
		d.sees("tasks", "completed", "Book me a flight")
		d.press("r")
		d.sees("This is a recording; nothing can be sent.")
		d.press("enter")
		if d.model.screen.over != noOverlay {
			t.Errorf("got overlay %q, want the task of the recording opened", d.model.screen.over)
		}
	})
}

// Showing an ended task of 0.1 does not restart it: enter begins a new one, and the restart
// stays a choice.
func TestLookingAtATaskThatIsOverRestartsNothing(t *testing.T) {
	t.Parallel()
	for _, dialect := range []a2a.DialectName{a2a.V01, a2a.V02} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.tasked()
			d.model.agent().Profile.Dialect = dialect
			d.press("f3", "g", "enter")
			offered := false
			for _, c := range d.model.outbox.Targets() {
				offered = offered || c.Target.TaskID == d.task().ID && c.Why == ""
			}
			chosen, _ := d.model.outbox.Target()
			if !d.task().Over() || !offered || chosen.Target.TaskID != "" || chosen.Why != "" {
				t.Errorf("%s: over %v, restart offered %v, target %q, want a new task", dialect, d.task().Over(), offered, chosen.Label)
			}
		})
	}
}
