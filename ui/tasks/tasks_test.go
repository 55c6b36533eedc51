package tasks

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/themes"
	"parley/ui/styles"
)

func TestTheNewestTaskComesFirst(t *testing.T) {
	one, two := office(1, "One", a2a.StateCompleted, a2a.StateWorking), office(2, "Two", a2a.StateInputRequired)
	p := newPane(one, two)
	if got := p.ids(); got != "11 10" {
		t.Errorf("got tasks %q, want the newest first: 11 10", got)
	}
	panetest.Sees(t, p.text(), "working", "1100", "talk 1", "seen", "59 min", "Tasks of this session", "l lists all tasks of the agent")
	press(p, "a")
	if got := p.ids(); got != "11 10 20" || !strings.Contains(p.Note(), "3 tasks") {
		t.Errorf("got tasks %q of all agents and note %q, want 11 10 20 and their number", got, p.Note())
	}
	panetest.Sees(t, p.text(), "Two", "input-required")
}

func TestKeysAskAboutTheSelectedTask(t *testing.T) {
	one := office(1, "One", a2a.StateCompleted, a2a.StateWorking)
	p := newPane(one)
	ref := Ref{1, "1100-0000-1111", "ctx-11-aaaa"}
	for key, want := range map[string]Intent{
		"enter": Open{ref}, "r": Get{Ref: ref}, "s": Subscribe{ref}, "p": Poll{ref}, "y": Copy{ref.ID, "the id of the task"}, "Y": Copy{ref.ContextID, "the id of the context"}, "q": Close{}, "esc": Close{},
	} {
		if got := press(p, key); got != want {
			t.Errorf("%s: got intent %+v, want %+v", key, got, want)
		}
	}
	if _, said := press(p, "x").(Say); !said || press(p, "x") != (Cancel{ref}) {
		t.Error("got no Cancel for x pressed twice, want a notice and then Cancel")
	}
	if _, said := press(p, "x", "j", "k", "x").(Say); !said {
		t.Error("got no notice for x after another key, want one")
	}
	if say, _ := press(p, "j", "x").(Say); !strings.Contains(say.Text, "is over (completed)") {
		t.Errorf("got notice %q for x on a task that is over, want one that says so", say.Text)
	}
	if no, _ := press(p, "p").(Refused); !strings.Contains(no.Why, "over (completed)") {
		t.Errorf("got refusal %q for p on a task that is over, want one that says so", no.Why)
	}
	press(p, "h")
	write(p, "x3")
	if _, no := press(p, "enter").(Refused); !no {
		t.Error("x3 was accepted as a number of messages, want a refusal")
	}
	press(p, "ctrl+u")
	write(p, "3")
	got, _ := press(p, "enter").(Get)
	if got.History == nil || *got.History != 3 || p.Typing() {
		t.Errorf("got intent %+v, want Get with 3 messages", got)
	}
	if got := press(p, "h", "enter"); got != (Get{Ref: p.selected().ref()}) {
		t.Errorf("got intent %+v without a number, want Get that leaves it to the agent", got)
	}
}

func TestPollingIsSeenAndStopped(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	p := newPane(one)
	task := one.Conversations[0].Tasks[0]
	task.Poll = &log.Signal{Turn: 7, Attempt: 3, After: 8 * time.Second, Time: noon.Add(-3 * time.Second)}
	panetest.Sees(t, p.text(), "talk 0", "in 5 s, attempt 3", "Next poll in 5 s, attempt 3: p stops it")
	if got := press(p, "p"); got != (Stop{7}) {
		t.Errorf("got intent %+v for p on a polled task, want Stop of turn 7", got)
	}
	task.Poll, task.Resubscribe = nil, &log.Signal{Turn: 8, Attempt: 2, Of: 5}
	panetest.Sees(t, p.text(), "Resubscribing, attempt 2 of 5")
	if got := press(p, "p"); got != (Stop{8}) {
		t.Errorf("got intent %+v for p on a task that is resubscribed, want Stop of turn 8", got)
	}
	task.Resubscribe, task.AuthPoll, task.State = nil, &log.Signal{Attempt: 4, After: time.Minute, Time: noon}, a2a.StateAuthRequired
	panetest.Sees(t, p.text(), "in 1 min, attempt 4")
	ref := p.selected().ref()
	if got := press(p, "p"); got != (AuthPoll{ref, false}) {
		t.Errorf("got intent %+v for p during an auth poll, want Look off", got)
	}
	task.AuthPoll = nil
	if got := press(p, "p"); got != (AuthPoll{ref, true}) {
		t.Errorf("got intent %+v for p on a task that needs credentials, want Look on", got)
	}
	task.State = a2a.StateInputRequired
	if no, _ := press(p, "p").(Refused); !strings.Contains(no.Why, "your answer") {
		t.Errorf("got refusal %q for p on a task that needs input, want one that says so", no.Why)
	}
	task.State = a2a.StateWorking
	p.about.Streamed = func(*model.Task) bool { return true }
	for _, key := range []string{"p", "s"} {
		if no, _ := press(p, key).(Refused); !strings.Contains(no.Why, "reports") {
			t.Errorf("%s: got refusal %q, want the open stream", key, no.Why)
		}
	}
}

func TestAListAddsWhatThisSessionNeverSaw(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	p := newPane(one)
	if got, _ := press(p, "l").(List); len(got.Agents) != 1 || got.Filter != (a2a.ListFilter{}) {
		t.Errorf("got intent %+v for l, want List of one agent without a filter", got)
	}
	if no, _ := press(p, "n").(Refused); !strings.Contains(no.Why, "first page") {
		t.Errorf("got refusal %q for n, want the missing first page", no.Why)
	}
	listed(one, "p2",
		&model.Listed{ID: "1000-0000-1111", ContextID: "ctx-10-aaaa", Status: a2a.Status{State: a2a.StateCompleted, Time: noon}, Record: 90},
		&model.Listed{ID: "9900-x", ContextID: "c9", Title: "somebody's errand", Status: a2a.Status{State: a2a.StateSubmitted, Time: noon.Add(-time.Hour)}, Record: 90},
	)
	p.Update(About{Agent: one, Agents: []*model.Agent{one}, Now: noon})
	panetest.Sees(t, p.text(), "both", "listed", "somebody's errand", "Listed by the agent at", "2 of 9", "n gets the next page", "completed")
	if got := press(p, "g", "j", "enter"); got != (Open{Ref{1, "9900-x", "c9"}}) {
		t.Errorf("got intent %+v for enter, want Open of 9900-x", got)
	}
	panetest.Sees(t, p.text(), "only listed")
	more, _ := press(p, "n").(List)
	if more.Filter.PageToken != "p2" || len(more.Agents) != 1 {
		t.Errorf("got intent %+v for n, want List of page p2", more)
	}
	one.List.Filter = a2a.ListFilter{State: a2a.StateWorking, ContextID: "c9", StatusTimestampAfter: "2026-11-20T10:00:00Z"}
	panetest.Sees(t, p.text(), "working, ctx c9, after 2026-11-20T10:00:00Z")
	one.List.Pending = true
	panetest.Sees(t, p.text(), "agent's tasks")
	if _, no := press(p, "l").(Refused); !no {
		t.Error("got a second request for a page, want a refusal while one is open")
	}
	one.List.Pending, one.List.Problem = false, &problem.Problem{Sentence: "It says \x1b[31mno."}
	panetest.Sees(t, p.text(), "It says")
	one.List.Problem, one.List.Next = nil, ""
	panetest.Sees(t, p.text(), "complete")
	if no, _ := press(p, "n").(Refused); !strings.Contains(no.Why, "no further page") {
		t.Errorf("got refusal %q for n, want that there is no further page", no.Why)
	}
}

func TestTheTaskItselfKnowsBetterThanAnOlderList(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	task := one.Conversations[0].Tasks[0]
	listed(one, "", &model.Listed{ID: task.ID, Status: a2a.Status{State: a2a.StateCompleted}, Record: 90})
	p := newPane(one)
	if s := p.rows[0].lifecycle().State; s != a2a.StateCompleted {
		t.Errorf("got state %s after the list, want completed", s)
	}
	task.LastRequest.Record = 95
	if s := p.rows[0].lifecycle().State; s != a2a.StateWorking {
		t.Errorf("got state %s after a get of the task, want working", s)
	}
	task.LastRequest.Record = 0
	task.Transitions = append(task.Transitions, model.Transition{State: a2a.StateFailed, Record: 99})
	task.State = a2a.StateFailed
	if s := p.rows[0].lifecycle().State; s != a2a.StateFailed {
		t.Errorf("got state %s after a change, want failed", s)
	}
}

func TestAFilterHoldsHereAndAtTheAgent(t *testing.T) {
	one := office(1, "One", a2a.StateCompleted, a2a.StateWorking, a2a.StateFailed)
	p := newPane(one)
	for line, want := range map[string]string{
		"": "12 11 10", "working": "11", "TASK_STATE_FAILED": "12", "state:inputRequired": "", "talk": "12 11 10", "TALK 1x": "", "TALK": "12 11 10", "ctx:ctx-10": "10",
		"1200": "12", "after:59m": "12 11", "after:11:00": "12 11 10", "after:2026-11-20T11:01:30Z": "12", "after:1d completed": "10", "nobody": "",
		"after:": "12 11 10", "state:": "12 11 10", "3": "",
	} {
		press(p, "/", "ctrl+u")
		write(p, line)
		press(p, "enter")
		if got := p.ids(); got != want {
			t.Errorf("filter %q: got tasks %q, want %q", line, got, want)
		}
		press(p, "esc")
		if p.filter.line != "" {
			t.Fatalf("got filter %q after esc, want none", p.filter.line)
		}
	}
	press(p, "/")
	write(p, "working ctx:ctx-1 after:2h talk")
	press(p, "enter")
	want := a2a.ListFilter{State: a2a.StateWorking, ContextID: "ctx-11-aaaa", StatusTimestampAfter: "2026-11-20T10:00:00Z"}
	if got, _ := press(p, "l").(List); got.Filter != want {
		t.Errorf("got filter %+v for the agent, want %+v", got.Filter, want)
	}
	press(p, "/", "ctrl+u")
	write(p, "ctx:ctx-10")
	press(p, "enter")
	if got, _ := press(p, "l").(List); got.Filter.ContextID != "ctx-10-aaaa" {
		t.Errorf("got context %q for the agent, want the whole id ctx-10-aaaa", got.Filter.ContextID)
	}
	for _, bad := range []string{"state:tired", "after:yesterday"} {
		press(p, "/", "ctrl+u")
		write(p, bad)
		if no, _ := press(p, "enter").(Refused); no.Why == "" || !p.Typing() {
			t.Errorf("filter %q was accepted, want a refusal and an open input", bad)
		}
		press(p, "esc")
	}
}

// The filter goes to the agent with the request of a list, so that no task needs to be known before.
func TestAFilterIsTypedBeforeATaskIsKnown(t *testing.T) {
	p := newPane(office(1, "Travel"))
	if named := slices.ContainsFunc(p.ShortHelp(), func(b key.Binding) bool { return b.Help().Desc == "filter tasks" && b.Enabled() }); !named {
		t.Error("the footer does not name the filter, want it to")
	}
	press(p, "/")
	write(p, "working")
	press(p, "enter")
	if got, ok := press(p, "l").(List); !ok || got.Filter.State != a2a.StateWorking {
		t.Errorf("got %+v, want a list of the tasks that work", got)
	}
}

func TestNoRowMovesWhileTheListIsRead(t *testing.T) {
	one := office(1, "One", a2a.StateWorking, a2a.StateWorking)
	p := newPane(one)
	press(p, "j")
	more := office(1, "One", a2a.StateWorking, a2a.StateWorking, a2a.StateWorking)
	c := more.Conversations[2]
	c.Agent = one
	one.Conversations = append(one.Conversations, c)
	one.Conversations[1].Tasks[0].State = a2a.StateCompleted
	p.Update(p.about)
	if got := p.ids(); got != "11 10 12" || p.selected().id[:2] != "10" {
		t.Errorf("got tasks %q and %s selected, want 11 10 12 and 10 selected", got, p.selected().id)
	}
	if n := testing.AllocsPerRun(10, func() { p.read() }); n > 1 {
		t.Errorf("got %v allocations for a read without a change, want at most 1", n)
	}
}

func TestAnyIdCanBeAskedFor(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	p := newPane(one)
	p.Paste(tea.PasteMsg{Content: " task-of-somebody\n"})
	if !p.Typing() || p.Cursor() == nil {
		t.Fatal("got no open input after a paste, want one with the id")
	}
	if got := press(p, "enter"); got != (Open{Ref{Agent: 1, ID: "task-of-somebody"}}) {
		t.Errorf("got intent %+v, want Open of the pasted id", got)
	}
	press(p, "i")
	write(p, "1000-0000-1111")
	if got := press(p, "enter"); got != (Open{Ref{1, "1000-0000-1111", "ctx-10-aaaa"}}) {
		t.Errorf("got intent %+v for a known id, want Open with its context", got)
	}
	if got := press(p, "i", "enter"); got != nil || p.Typing() {
		t.Errorf("got intent %+v for an empty id, want none and a closed input", got)
	}
}

func TestWhatCannotBeDoneSaysWhy(t *testing.T) {
	old := &model.Agent{ID: 1, Ref: "old", Profile: a2a.Profile{Dialect: a2a.V01, Binding: a2a.BindingJSONRPC}}
	p := newPane(old)
	for _, key := range []string{"enter", "r", "x", "s", "p", "y", "Y", "h", "n", "l", "a"} {
		if no, _ := press(p, key).(Refused); no.Why == "" || p.Typing() {
			t.Errorf("%s: got no refusal in an empty list, want one", key)
		}
	}
	panetest.Sees(t, p.text(), "A2A 0.1 cannot list tasks", "has no task yet: i gets")
	one := office(1, "One", a2a.StateWorking)
	p = newPane(one)
	p.about.Why = "this is a recording"
	for _, key := range []string{"r", "x", "s", "p", "h", "l", "n", "i"} {
		if got := press(p, key); got != (Refused{"This is a recording."}) || p.Typing() {
			t.Errorf("%s: got %+v, want the refusal of a recording", key, got)
		}
	}
	if _, opens := press(p, "enter").(Open); !opens {
		t.Error("got no Open for a task of a recording, want one")
	}
	p = New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetSize(60, 12)
	p.Open(About{})
	if no, _ := press(p, "i").(Refused); no.Why == "" {
		t.Error("got no refusal for i without an agent, want one")
	}
	panetest.Exact(t, p.Lines(), 60, 12)
}

func TestHostileTasksAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 20)
	one := office(1, evil, a2a.StateOther, a2a.StateWorking)
	for _, c := range one.Conversations {
		c.Title, c.ContextID = evil, evil
		c.Tasks[0].ID, c.Tasks[0].Word, c.Tasks[0].ContextID = evil+c.Title, evil, evil
		c.Tasks[0].LastRequest.Problem = &problem.Problem{Sentence: evil}
	}
	listed(one, evil, &model.Listed{}, &model.Listed{ID: evil, Title: evil, Status: a2a.Status{State: a2a.StateOther, Word: evil}})
	p := newPane(one, office(2, "Two", a2a.StateFailed))
	for _, open := range []string{"", "/", "i", "h"} {
		if open != "" {
			press(p, "esc", open)
			p.Paste(tea.PasteMsg{Content: evil})
		}
		for w := range 12 {
			for h := range 24 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.CursorInside(t, p.Cursor(), 10*w, h)
				if open == "" {
					press(p, "j", "a")
				}
				p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, h/2)
			}
		}
	}
	panetest.Plain(t, p.Title(), p.Note())
}

func TestNamesOfAnyLengthCostNoMoreThanIsShown(t *testing.T) {
	long := strings.Repeat("a1-", 1<<20)
	one := office(1, long, a2a.StateWorking)
	task := one.Conversations[0].Tasks[0]
	task.ID, task.ContextID, one.Conversations[0].Title = long, long, long[:60]
	p := newPane(one)
	panetest.Exact(t, p.Lines(), 100, 24)
	press(p, "/")
	write(p, "a1")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.Lines()
	p.filter.matches(p.rows[0])
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("got %d bytes allocated for a frame, want at most %d", n, 1<<20)
	}
	if got := press(p, "enter", "y"); got != (Copy{long, "the id of the task"}) {
		t.Error("got another text copied, want the whole id")
	}
}

func TestALongListIsDrawnInItsWindow(t *testing.T) {
	one := office(1, "One")
	var many []*model.Listed
	for i := range 10_000 {
		many = append(many, &model.Listed{ID: fmt.Sprint("task-", i), Status: a2a.Status{State: a2a.StateWorking, Time: noon.Add(-time.Duration(i) * time.Second)}})
	}
	listed(one, "", many...)
	p := newPane(one)
	press(p, "G")
	panetest.Sees(t, p.text(), "9999")
	few := newPane(office(1, "One", make([]a2a.State, 30)...))
	of := func(p *Pane) float64 { return testing.AllocsPerRun(5, func() { p.Update(p.about); p.Lines() }) }
	if a, b := of(few), of(p); b > 2*a+100 {
		t.Errorf("got %v allocations per frame with 10,000 tasks and %v with 30, want no growth with the list", b, a)
	}
}

// A task's lifecycle, not the word of its state, decides whether it is over.
func TestATaskThatIsLostOrForgottenIsOver(t *testing.T) {
	one := office(1, "One", a2a.StateUnknown, a2a.StateAuthRequired)
	one.Profile.Dialect = a2a.V01
	one.Conversations[0].Tasks[0].Lost = true
	one.Conversations[1].Tasks[0].Forgotten = true
	p := newPane(one)
	panetest.Sees(t, p.text(), "◌ forgotten")
	for range p.rows {
		if got, _ := press(p, "p").(Refused); !strings.Contains(got.Why, "is over") {
			t.Errorf("got refusal %q for p on task %s, want that it is over", got.Why, p.selected().id)
		}
		if got, _ := press(p, "x").(Say); !strings.Contains(got.Text, "is over") {
			t.Errorf("got notice %q for x on task %s, want that it is over", got.Text, p.selected().id)
		}
		press(p, "j")
	}
	write(p, "/auth-required")
	if p.ids() != "" {
		t.Errorf("got tasks %s with the filter auth-required, want none: the task is forgotten", p.ids())
	}
}

func TestTwoTasksOfOneConversationAreToldApart(t *testing.T) {
	a := office(1, "Desk", a2a.StateCompleted, a2a.StateWorking)
	talk := a.Conversations[0]
	more := a.Conversations[1].Tasks[0]
	more.Conversation, talk.Tasks = talk, append(talk.Tasks, more)
	a.Conversations = a.Conversations[:1]
	talk.Title, talk.Tasks[0].Subject, more.Subject = "Write an essay", "Write an essay", "Make it shorter"
	p := newPane(a)
	for _, words := range []string{"Write an essay", "Make it shorter"} {
		if !strings.Contains(p.text(), words) {
			t.Errorf("got a screen without %q:\n%s", words, p.text())
		}
	}
}
