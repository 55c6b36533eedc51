package tasks

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func TestTheNewestTaskComesFirst(t *testing.T) {
	one, two := office(1, "One", a2a.StateCompleted, a2a.StateWorking), office(2, "Two", a2a.StateInputRequired)
	p := newPane(one, two)
	if got := p.ids(); got != "11 10" {
		t.Errorf("listed %q", got)
	}
	panetest.Sees(t, p.text(), "working", "1100", "talk 1", "seen", "59 min", "Tasks of this session", "l lists all tasks of the agent")
	press(p, "a")
	if got := p.ids(); got != "11 10 20" || !strings.Contains(p.Note(), "all agents · 3 tasks") {
		t.Errorf("of all agents %q, %s", got, p.Note())
	}
	panetest.Sees(t, p.text(), "Two", "input-required")
}

func TestKeysAskAboutTheSelectedTask(t *testing.T) {
	one := office(1, "One", a2a.StateCompleted, a2a.StateWorking)
	p := newPane(one)
	ref := Ref{1, "1100-0000-1111", "ctx-11-aaaa"}
	for key, want := range map[string]Intent{
		"enter": Open{ref}, "r": Get{Ref: ref}, "s": Subscribe{ref}, "p": Poll{ref}, "y": Copy{ref.ID}, "Y": Copy{ref.ContextID}, "q": Close{}, "esc": Close{},
	} {
		if got := press(p, key); got != want {
			t.Errorf("%s: %+v, want %+v", key, got, want)
		}
	}
	if _, said := press(p, "x").(Say); !said || press(p, "x") != (Cancel{ref}) {
		t.Error("x twice cancels")
	}
	if _, said := press(p, "x", "j", "k", "x").(Say); !said {
		t.Error("x and, after another key, x cancels")
	}
	if say, _ := press(p, "j", "x").(Say); !strings.Contains(say.Text, "is over (completed)") {
		t.Errorf("of a task that is over x says %q", say.Text)
	}
	if no, _ := press(p, "p").(Refused); !strings.Contains(no.Why, "over (completed)") {
		t.Errorf("a task that is over is polled: %q", no.Why)
	}
	press(p, "h")
	write(p, "x3")
	if _, no := press(p, "enter").(Refused); !no {
		t.Error("x3 is a number of messages")
	}
	press(p, "ctrl+u")
	write(p, "3")
	got, _ := press(p, "enter").(Get)
	if got.History == nil || *got.History != 3 || p.Typing() {
		t.Errorf("asked for %+v", got)
	}
	if got := press(p, "h", "enter"); got != (Get{Ref: p.selected().ref()}) {
		t.Errorf("without a number %+v", got)
	}
}

func TestPollingIsSeenAndStopped(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	p := newPane(one)
	task := one.Conversations[0].Tasks[0]
	task.Poll = &log.Signal{Turn: 7, Attempt: 3, After: 8 * time.Second, Time: noon.Add(-3 * time.Second)}
	panetest.Sees(t, p.text(), "talk 0", "in 5 s, attempt 3", "Next poll in 5 s, attempt 3: p stops it")
	if got := press(p, "p"); got != (Stop{7}) {
		t.Errorf("p: %+v", got)
	}
	task.Poll, task.Resubscribe = nil, &log.Signal{Turn: 8, Attempt: 2, Of: 5}
	panetest.Sees(t, p.text(), "Resubscribing, attempt 2 of 5")
	if got := press(p, "p"); got != (Stop{8}) {
		t.Errorf("p: %+v", got)
	}
	task.Resubscribe, task.AuthPoll, task.State = nil, &log.Signal{Attempt: 4, After: time.Minute, Time: noon}, a2a.StateAuthRequired
	panetest.Sees(t, p.text(), "in 1 min, attempt 4")
	ref := p.selected().ref()
	if got := press(p, "p"); got != (Look{ref, false}) {
		t.Errorf("p: %+v", got)
	}
	task.AuthPoll = nil
	if got := press(p, "p"); got != (Look{ref, true}) {
		t.Errorf("p: %+v", got)
	}
	task.State = a2a.StateInputRequired
	if no, _ := press(p, "p").(Refused); !strings.Contains(no.Why, "your answer") {
		t.Errorf("p: %q", no.Why)
	}
	task.State = a2a.StateWorking
	p.about.Streamed = func(*model.Task) bool { return true }
	for _, key := range []string{"p", "s"} {
		if no, _ := press(p, key).(Refused); !strings.Contains(no.Why, "reports") {
			t.Errorf("%s: %q", key, no.Why)
		}
	}
}

func TestAListAddsWhatThisSessionNeverSaw(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	p := newPane(one)
	if got, _ := press(p, "l").(List); len(got.Agents) != 1 || got.Filter != (a2a.ListFilter{}) {
		t.Errorf("l asks for %+v", got)
	}
	if no, _ := press(p, "n").(Refused); !strings.Contains(no.Why, "first page") {
		t.Errorf("n: %q", no.Why)
	}
	listed(one, "p2",
		&model.Listed{ID: "1000-0000-1111", ContextID: "ctx-10-aaaa", Status: a2a.Status{State: a2a.StateCompleted, Time: noon}, Record: 90},
		&model.Listed{ID: "9900-x", ContextID: "c9", Title: "somebody's errand", Status: a2a.Status{State: a2a.StateSubmitted, Time: noon.Add(-time.Hour)}, Record: 90},
	)
	p.Update(About{Agent: one, Agents: []*model.Agent{one}, Now: noon})
	panetest.Sees(t, p.text(), "both", "listed", "somebody's errand", "Listed by the agent at", "2 of 9", "n gets the next page", "completed")
	if got := press(p, "g", "j", "enter"); got != (Open{Ref{1, "9900-x", "c9"}}) {
		t.Errorf("enter: %+v", got)
	}
	panetest.Sees(t, p.text(), "only listed")
	more, _ := press(p, "n").(List)
	if more.Filter.PageToken != "p2" || len(more.Agents) != 1 {
		t.Errorf("n asks for %+v", more)
	}
	one.List.Filter = a2a.ListFilter{State: a2a.StateWorking, ContextID: "c9", StatusTimestampAfter: "2026-11-20T10:00:00Z"}
	panetest.Sees(t, p.text(), "working, ctx c9, after 2026-11-20T10:00:00Z")
	one.List.Asking = true
	panetest.Sees(t, p.text(), "agent's tasks")
	if _, no := press(p, "l").(Refused); !no {
		t.Error("two pages at once")
	}
	one.List.Asking, one.List.Problem = false, &problem.Problem{Sentence: "It says \x1b[31mno."}
	panetest.Sees(t, p.text(), "It says")
	one.List.Problem, one.List.Next = nil, ""
	panetest.Sees(t, p.text(), "complete")
	if no, _ := press(p, "n").(Refused); !strings.Contains(no.Why, "no further page") {
		t.Errorf("n: %q", no.Why)
	}
}

func TestTheTaskItselfKnowsBetterThanAnOlderList(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	task := one.Conversations[0].Tasks[0]
	listed(one, "", &model.Listed{ID: task.ID, Status: a2a.Status{State: a2a.StateCompleted}, Record: 90})
	p := newPane(one)
	if s := p.rows[0].stands().State; s != a2a.StateCompleted {
		t.Errorf("after the list it is %s", s)
	}
	task.LastRequest.Record = 95
	if s := p.rows[0].stands().State; s != a2a.StateWorking {
		t.Errorf("after the task was asked for it is %s", s)
	}
	task.LastRequest.Record = 0
	task.Transitions = append(task.Transitions, model.Transition{State: a2a.StateFailed, Record: 99})
	task.State = a2a.StateFailed
	if s := p.rows[0].stands().State; s != a2a.StateFailed {
		t.Errorf("after a change it is %s", s)
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
			t.Errorf("%q lists %q, want %q", line, got, want)
		}
		press(p, "esc")
		if p.filter.line != "" {
			t.Fatalf("esc keeps %q", p.filter.line)
		}
	}
	press(p, "/")
	write(p, "working ctx:ctx-1 after:2h talk")
	press(p, "enter")
	want := a2a.ListFilter{State: a2a.StateWorking, ContextID: "ctx-11-aaaa", StatusTimestampAfter: "2026-11-20T10:00:00Z"}
	if got, _ := press(p, "l").(List); got.Filter != want {
		t.Errorf("asked for %+v", got.Filter)
	}
	press(p, "/", "ctrl+u")
	write(p, "ctx:ctx-10")
	press(p, "enter")
	if got, _ := press(p, "l").(List); got.Filter.ContextID != "ctx-10-aaaa" {
		t.Errorf("asked for the context %q", got.Filter.ContextID)
	}
	for _, bad := range []string{"state:tired", "after:yesterday"} {
		press(p, "/", "ctrl+u")
		write(p, bad)
		if no, _ := press(p, "enter").(Refused); no.Why == "" || !p.Typing() {
			t.Errorf("%q is taken", bad)
		}
		press(p, "esc")
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
		t.Errorf("listed %q on %s", got, p.selected().id)
	}
	if n := testing.AllocsPerRun(10, func() { p.read() }); n > 1 {
		t.Errorf("nothing new costs %v allocations", n)
	}
}

func TestAnyIdCanBeAskedFor(t *testing.T) {
	one := office(1, "One", a2a.StateWorking)
	p := newPane(one)
	p.Paste(tea.PasteMsg{Content: " task-of-somebody\n"})
	if !p.Typing() || p.Cursor() == nil {
		t.Fatal("a paste is lost")
	}
	if got := press(p, "enter"); got != (Open{Ref{Agent: 1, ID: "task-of-somebody"}}) {
		t.Errorf("asked for %+v", got)
	}
	press(p, "i")
	write(p, "1000-0000-1111")
	if got := press(p, "enter"); got != (Open{Ref{1, "1000-0000-1111", "ctx-10-aaaa"}}) {
		t.Errorf("asked for %+v", got)
	}
	if got := press(p, "i", "enter"); got != nil || p.Typing() {
		t.Errorf("nothing named asks for %+v", got)
	}
}

func TestWhatCannotBeDoneSaysWhy(t *testing.T) {
	old := &model.Agent{ID: 1, Ref: "old", Profile: a2a.Profile{Dialect: a2a.V01, Binding: a2a.BindingJSONRPC}}
	p := newPane(old)
	for _, key := range []string{"enter", "r", "x", "s", "p", "y", "Y", "h", "n", "l", "a"} {
		if no, _ := press(p, key).(Refused); no.Why == "" || p.Typing() {
			t.Errorf("%s on an empty list says nothing", key)
		}
	}
	panetest.Sees(t, p.text(), "A2A 0.1 cannot list tasks", "has no task yet: i gets")
	one := office(1, "One", a2a.StateWorking)
	p = newPane(one)
	p.about.Why = "this is a recording"
	for _, key := range []string{"r", "x", "s", "p", "h", "l", "n", "i"} {
		if got := press(p, key); got != (Refused{"This is a recording."}) || p.Typing() {
			t.Errorf("%s: %+v", key, got)
		}
	}
	if _, opens := press(p, "enter").(Open); !opens {
		t.Error("a recording's task cannot be opened")
	}
	p = New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetSize(60, 12)
	p.Open(About{})
	if no, _ := press(p, "i").(Refused); no.Why == "" {
		t.Error("nobody is asked")
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
				for _, row := range p.Lines() {
					if canvas.SanitizeRendered(row) != row {
						t.Fatalf("raw: %q", row)
					}
				}
				if c := p.Cursor(); c != nil && (c.X >= 10*w || c.Y >= h) {
					t.Fatalf("the cursor of %d×%d is at %d,%d", 10*w, h, c.X, c.Y)
				}
				if open == "" {
					press(p, "j", "a")
				}
				p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, h/2)
			}
		}
	}
	for _, s := range []string{p.Title(), p.Note()} {
		if canvas.SanitizeLine(s) != s {
			t.Errorf("raw: %q", s)
		}
	}
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
		t.Errorf("a frame takes %d bytes", n)
	}
	if got := press(p, "enter", "y"); got != (Copy{long}) {
		t.Error("the id is not copied whole")
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
		t.Errorf("a frame of 10,000 tasks costs %v allocations, of 30 %v", b, a)
	}
}

// Whether a task is over is asked of its lifecycle, not of the word of its state.
func TestATaskThatIsLostOrForgottenIsOver(t *testing.T) {
	one := office(1, "One", a2a.StateUnknown, a2a.StateAuthRequired)
	one.Profile.Dialect = a2a.V01
	one.Conversations[0].Tasks[0].Lost = true
	one.Conversations[1].Tasks[0].Forgotten = true
	p := newPane(one)
	panetest.Sees(t, p.text(), "◌ forgotten")
	for range p.rows {
		if got, _ := press(p, "p").(Refused); !strings.Contains(got.Why, "is over") {
			t.Errorf("p on task %s: %q", p.selected().id, got.Why)
		}
		if got, _ := press(p, "x").(Say); !strings.Contains(got.Text, "is over") {
			t.Errorf("x on task %s: %q", p.selected().id, got.Text)
		}
		press(p, "j")
	}
	write(p, "/auth-required")
	if p.ids() != "" {
		t.Errorf("a forgotten task is listed as auth-required: %s", p.ids())
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
			t.Errorf("%q is not shown:\n%s", words, p.text())
		}
	}
}
