package inbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/inbox"
	"parley/ui/styles"
)

// A fixture is a controller with what it did outside of the host.
type fixture struct {
	*controltest.Host
	c     *inbox.Controller
	aimed []string // ids of tasks
	links []string
}

// newFixture returns a session in which two tasks of Desk, in different conversations, and one
// of Bank wait for the user. The first task is on the screen.
func newFixture(waiting ...control.Place) *fixture {
	f := &fixture{Host: controltest.NewHost(model.NewState())}
	f.AddAgent(1, "http://desk", "Desk", "")
	f.AddAgent(2, "http://bank", "Bank", "")
	f.c = inbox.New(f.Host, styles.New(themes.Mono(), styles.ASCII()), inbox.Options{
		Now:      func() time.Time { return controltest.Noon },
		Aim:      func(t *model.Task) { f.aimed = append(f.aimed, t.ID) },
		OpenLink: func(url string) tea.Cmd { f.links = append(f.links, url); return nil },
	})
	for i, at := range waiting {
		f.waits(at, fmt.Sprintf("task-%d", i+1))
	}
	f.At = control.Place{Agent: 1, Conversation: 1}
	return f
}

func (f *fixture) waits(at control.Place, id string) *model.Task {
	t := f.AddTask(at, id, "INPUT_REQUIRED", "Which day? https://day.example/"+id)
	f.c.Began(t)
	return t
}

// sheet returns the rows of the sheet and a function that presses keys in it.
func (f *fixture) sheet() (text string, press func(names ...string)) {
	s := f.c.Sheet()
	s.Refresh()
	s.Pane.SetSize(60, 12)
	return panetest.Text(s.Pane.Lines()), func(names ...string) {
		for _, name := range names {
			s.Key(panetest.Key(name))
		}
	}
}

var (
	here  = control.Place{Agent: 1, Conversation: 1}
	there = control.Place{Agent: 1, Conversation: 2}
	bank  = control.Place{Agent: 2, Conversation: 3}
)

func TestNextGoesToTheTaskOrListsThem(t *testing.T) {
	for _, c := range []struct {
		name    string
		waiting []control.Place
		says    string
		sheet   control.SheetName
		at      control.Place
		aimed   string
	}{
		{"none", nil, "Nothing waits for you; a task that asks for input or credentials will.", "", here, ""},
		{"the one on the screen", []control.Place{here}, "Only the task on the screen waits for you.", "", here, ""},
		{"one elsewhere", []control.Place{bank}, "", "", bank, "task-1"},
		{"several", []control.Place{here, bank}, "", inbox.SheetName, here, ""},
	} {
		f := newFixture(c.waiting...)
		f.FocusOn = control.OnWire
		f.c.Next()
		if got := f.LastNotice().Text; got != c.says {
			t.Errorf("%s: got notice %q, want %q", c.name, got, c.says)
		}
		if f.Shown != c.sheet || f.At != c.at {
			t.Errorf("%s: got sheet %q and place %+v, want %q and %+v", c.name, f.Shown, f.At, c.sheet, c.at)
		}
		if got := fmt.Sprint(f.aimed); c.aimed != "" && got != "["+c.aimed+"]" || c.aimed == "" && f.aimed != nil {
			t.Errorf("%s: got target %v, want %q", c.name, got, c.aimed)
		}
		if c.waiting != nil && c.sheet == "" && f.FocusOn != control.OnComposer {
			t.Errorf("%s: got focus %v, want the composer", c.name, f.FocusOn)
		}
	}
}

func TestTheListBeginsWithATaskThatIsNotOnTheScreen(t *testing.T) {
	f := newFixture(here, there, bank)
	f.c.Open()
	_, press := f.sheet()
	press("enter")
	if f.At != there || f.Shown != "" || !slices.Equal(f.aimed, []string{"task-2"}) {
		t.Errorf("got place %+v, sheet %q and target %v, want conversation 2 without a sheet, aimed at task-2", f.At, f.Shown, f.aimed)
	}
}

func TestTheKeyThatOpensTheListStepsThroughIt(t *testing.T) {
	f := newFixture(here, there, bank)
	f.c.Open()
	_, press := f.sheet()
	press("ctrl+g", "enter") // from task-2 to task-3
	if f.At != bank {
		t.Errorf("got place %+v, want that of task-3, %+v", f.At, bank)
	}
	f.At = here
	f.c.Open()
	press("ctrl+g", "ctrl+g", "enter") // around the end
	if f.At != here || !slices.Equal(f.aimed, []string{"task-3", "task-1"}) {
		t.Errorf("got place %+v and targets %v, want conversation 1 and task-3, then task-1", f.At, f.aimed)
	}
}

func TestATaskThatBeginsToWaitIsAppendedToTheOpenList(t *testing.T) {
	f := newFixture(here, there)
	f.c.Open()
	text, press := f.sheet()
	panetest.Sees(t, text, "Desk")
	f.waits(bank, "late")
	text, _ = f.sheet()
	panetest.Sees(t, text, "Bank")
	press("end", "enter")
	if !slices.Equal(f.aimed, []string{"late"}) {
		t.Errorf("got targets %v, want the task that came last", f.aimed)
	}
}

func TestTheSheetOpensLinksAndCopiesQuestions(t *testing.T) {
	f := newFixture(here, bank)
	f.c.Open()
	_, press := f.sheet()
	press("o", "y", "Y")
	if !slices.Equal(f.links, []string{"https://day.example/task-2"}) {
		t.Errorf("got links %q, want that of task-2", f.links)
	}
	if want := []string{"Which day? https://day.example/task-2", "task-2"}; !slices.Equal(f.Copied, want) {
		t.Errorf("got copies %q, want %q", f.Copied, want)
	}
	f.AddTask(there, "plain", "INPUT_REQUIRED", "Which?")
	f.sheet()
	press("end", "o")
	if got := f.LastNotice(); !got.Bad || len(f.links) != 1 {
		t.Errorf("got notice %+v and links %q, want a refusal and no other link", got, f.links)
	}
	if press("esc"); f.Shown != "" {
		t.Errorf("got sheet %q after esc, want none", f.Shown)
	}
}

func TestTheBellRingsOnceForTasksThatStillWait(t *testing.T) {
	answered := func(f *fixture) { f.AddTask(bank, "task-1", "COMPLETED", "Done.") }
	closed := func(f *fixture) {
		f.Session.Apply(log.Item{Record: a2a.Record{ID: 1000, Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteClosed, Attrs: map[string]string{"agent": "2"}}}})
	}
	for _, c := range []struct {
		name   string
		change func(*fixture)
		want   bool
	}{
		{"waits", func(*fixture) {}, true},
		{"answered in the same batch", answered, false},
		{"its agent was closed", closed, false},
		{"in a recording", func(f *fixture) { f.Refuses = "This is a recording." }, false},
		{"the bell is off", func(f *fixture) { f.command(t, "bell") }, false},
		{"the bell is off and on", func(f *fixture) { f.command(t, "bell"); f.command(t, "bell") }, true},
	} {
		f := newFixture(bank)
		c.change(f)
		if got := f.c.EndBatch() != nil; got != c.want {
			t.Errorf("%s: the bell rings %v, want %v", c.name, got, c.want)
		}
		if f.c.EndBatch() != nil {
			t.Errorf("%s: the bell rings for the same task again", c.name)
		}
	}
}

// command runs the finder command with a slash word.
func (f *fixture) command(t *testing.T, slash string) {
	t.Helper()
	for _, c := range controltest.Commands(f.c.Actions()) {
		if c.Slash == slash {
			if c.Why != "" {
				t.Fatalf("/%s is refused: %s", slash, c.Why)
			}
			c.Run()
			return
		}
	}
	t.Fatalf("got no command /%s", slash)
}

func TestTheCommandToListIsRefusedWhileNothingWaits(t *testing.T) {
	f := newFixture()
	for _, c := range controltest.Commands(f.c.Actions()) {
		if got := c.Why; c.Slash == "waiting" && got != "nothing waits for you" {
			t.Errorf("got reason %q, want that nothing waits", got)
		}
	}
	f.waits(bank, "one")
	f.command(t, "waiting")
	if f.Shown != inbox.SheetName {
		t.Errorf("got sheet %q, want %q", f.Shown, inbox.SheetName)
	}
}

func TestATaskThatWaitsElsewhereIsNamedWithTheKeyThatGoesThere(t *testing.T) {
	f := newFixture(here)
	f.c.EndBatch()
	if got := f.LastNotice().Text; got != "" {
		t.Errorf("a task on the screen: got notice %q, want none", got)
	}
	f.waits(bank, "late")
	f.c.EndBatch()
	if got, want := f.LastNotice().Text, "asks: Which day? https://day.example/late (ctrl+g goes there)"; !strings.HasPrefix(got, "Bank") || !strings.HasSuffix(got, want) {
		t.Errorf("a task of Bank: got notice %q, want Bank … %q", got, want)
	}
	if f.Over == nil || f.Over() {
		t.Errorf("while the task waits elsewhere: the notice is over, want it to stay")
	}
	f.At = bank
	if !f.Over() {
		t.Errorf("in the conversation of the task: the notice stays, want it over")
	}
}

func TestAFailureElsewhereIsReportedOnceWithTheKeyThatGoesThere(t *testing.T) {
	f := newFixture()
	f.AddTask(bank, "t", "WORKING", "")
	fails := func(at control.Place, why string) {
		f.c.OnSignal(&log.Signal{Kind: log.SignalTurnOver, Agent: at.Agent, Conversation: at.Conversation, Sentence: why})
	}
	fails(here, "It broke.")
	fails(bank, "")
	if got := f.LastNotice().Text; got != "" {
		t.Errorf("a failure on the screen, and none elsewhere: got notice %q, want none", got)
	}
	fails(bank, "The agent closed the \x1b[31mconnection.")
	if got := f.LastNotice(); !strings.HasPrefix(got.Text, "Bank") || !strings.HasSuffix(got.Text, "connection (ctrl+g goes there)") || strings.Contains(got.Text, "\x1b") || !got.Bad {
		t.Errorf("got notice %+v, want the failure of Bank and the key", got)
	}
	if f.Over == nil || f.Over() {
		t.Errorf("in another conversation: the notice is over, want it to stay")
	}
	f.c.Next()
	if !f.Over() {
		t.Errorf("in the conversation: the notice stays, want it over")
	}
	if f.At != bank || f.FocusOn != control.OnChat {
		t.Errorf("got place %+v and focus %v, want the conversation that failed", f.At, f.FocusOn)
	}
	f.c.Next()
	if got := f.LastNotice().Text; got != "Nothing waits for you; a task that asks for input or credentials will." {
		t.Errorf("the same key again: got notice %q, want that nothing waits", got)
	}
}

// The key does what the notice says, also while a task waits somewhere else.
func TestTheKeyGoesToTheFailureThatIsReported(t *testing.T) {
	f := newFixture()
	f.waits(control.Place{Agent: 1, Conversation: 4}, "other")
	f.AddTask(bank, "t", "WORKING", "")
	f.c.OnSignal(&log.Signal{Kind: log.SignalTurnOver, Agent: bank.Agent, Conversation: bank.Conversation, Sentence: "It broke."})
	f.c.Next()
	if f.At != bank {
		t.Errorf("got place %+v, want %+v, which the notice names", f.At, bank)
	}
	if f.c.Next(); f.At.Conversation != 4 {
		t.Errorf("the same key again: got place %+v, want the task that waits", f.At)
	}
	f.c.OnSignal(&log.Signal{Kind: log.SignalTurnOver, Agent: bank.Agent, Conversation: bank.Conversation, Sentence: "It broke."})
	f.At = here
	f.Say("something else", false)
	if f.c.Next(); f.At.Conversation != 4 {
		t.Errorf("without the notice: got place %+v, want the task that waits", f.At)
	}
}

// An agent that dies while it works for a conversation that is not on the screen is named with the
// key that goes there.
func TestAnAgentThatIsLostElsewhereIsNamedWithTheKeyThatGoesThere(t *testing.T) {
	f := newFixture()
	f.AddTask(bank, "t", "WORKING", "")
	lost := &log.Signal{Kind: log.SignalWatch, Agent: bank.Agent, Sentence: "Start Bank, or wait."}
	f.c.OnSignal(lost)
	if got := f.LastNotice().Text; got != "" {
		t.Errorf("nothing is at work: got notice %q, want none", got)
	}
	conv := f.Session.Conversation(bank.Conversation)
	conv.Turns = append(conv.Turns, &model.Turn{Conversation: conv, Pending: true})
	f.c.OnSignal(lost)
	if got := f.LastNotice(); !strings.HasPrefix(got.Text, "Bank") || !strings.HasSuffix(got.Text, " is not reachable: start it, or wait (ctrl+g goes there)") || !got.Bad {
		t.Errorf("got notice %+v, want that Bank is not reachable, and the key", got)
	}
	if f.c.Next(); f.At != bank {
		t.Errorf("got place %+v, want %+v, which the notice names", f.At, bank)
	}
}
