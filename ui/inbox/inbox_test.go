package inbox

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/styles"
)

func newPane(n int, text string) (*Pane, []*model.Task) {
	conv := &model.Conversation{Title: text, Agent: &model.Agent{Ref: text}}
	var tasks []*model.Task
	for range n {
		tasks = append(tasks, &model.Task{
			ID: text, Conversation: conv, Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}, Prompt: &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}},
			Transitions: []model.Transition{{State: a2a.StateInputRequired, Time: time.Unix(0, 0)}},
		})
	}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.Open(tasks, nil)
	p.Update(tasks, len(tasks), time.Unix(185, 0))
	p.SetSize(80, 20)
	return p, tasks
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func TestHostilePromptsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\nhttps://a.example/\x1b[1m ", 60)
	for _, n := range []int{0, 1, 50} {
		p, _ := newPane(n, evil)
		for w := range 12 {
			for h := range 20 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				press(p, "j")
			}
		}
	}
}

func TestARowTellsWhoAsksWhatAndSinceWhen(t *testing.T) {
	p, tasks := newPane(2, "Which dates?")
	panetest.Sees(t, panetest.Text(p.Lines()), "Which dates?", " 3 min", "task Which dates?")
	tasks[0].Prompt, tasks[0].State = nil, a2a.StateAuthRequired
	panetest.Sees(t, panetest.Text(p.Lines()), "needs credentials")
	if got, _ := press(p, "o").(Refused); got.Why == "" {
		t.Error("got no refusal for o, want the reason that the task has no link")
	}
	if got, _ := press(p, "y").(Refused); got.Why == "" {
		t.Error("got no refusal for y, want the reason that there is nothing to copy")
	}
	tasks[1].Forgotten = true
	p.Update(nil, 1, time.Unix(185, 0))
	panetest.Sees(t, panetest.Text(p.Lines()), "the agent no longer knows the task")
	if p.Note() != "1 task" {
		t.Errorf("got note %q, want %q", p.Note(), "1 task")
	}
	if got := press(p, "G", "enter"); got != (Go{tasks[1]}) {
		t.Errorf("got intent %+v for enter, want Go to the last task", got)
	}
	click := tea.MouseClickMsg{Button: tea.MouseLeft}
	if p.Mouse(click, 0, 0) != nil || p.Mouse(click, 0, 0) != (Go{tasks[0]}) {
		t.Error("got other intents for two clicks, want none and then Go to the first task")
	}
	p.Step(-1)
	if press(p, "enter") != (Go{tasks[1]}) {
		t.Error("got another task one step before the first, want the last")
	}
}

func TestAPromptIsReadOnce(t *testing.T) {
	p, tasks := newPane(1, strings.Repeat("long ", 1<<20))
	p.Lines()
	if n := len(p.prompts[tasks[0]].text); n > maxPrompt {
		t.Errorf("got %d cached bytes of a prompt, want at most %d", n, maxPrompt)
	}
	if n := testing.AllocsPerRun(5, func() { p.prompt(tasks[0]) }); n != 0 {
		t.Errorf("got %v allocations for a cached prompt, want 0", n)
	}
}

// The cost of a frame depends on the visible and new tasks, not on all that wait.
func TestAFrameOfTheInboxCostsItsWindow(t *testing.T) {
	draw := func(n int) float64 {
		p, tasks := newPane(n, "Which dates?")
		return testing.AllocsPerRun(20, func() {
			p.Update(tasks[:1], n, time.Unix(185, 0))
			p.Note()
			press(p, "G", "g")
			p.Lines()
		})
	}
	if few, many := draw(100), draw(10_000); many > few*1.2 {
		t.Errorf("got %.0f allocations per frame with 100 tasks and %.0f with 10,000, want them nearly equal", few, many)
	}
}

func BenchmarkFrame(b *testing.B) {
	const n = 10_000
	p, tasks := newPane(n, "Which dates?")
	for b.Loop() {
		p.Update(tasks[:1], n, time.Unix(185, 0))
		p.Note()
		p.Lines()
	}
}

func TestWordsFilterTheInbox(t *testing.T) {
	p, tasks := newPane(3, "Which dates?")
	tasks[1].Prompt = &a2a.Message{Parts: []a2a.Part{a2a.TextPart("Which colour?")}}
	press(p, "/", "C", "o", "l", "o")
	if !p.Typing() || p.Cursor() == nil {
		t.Error("got no input after /, want one")
	}
	if got := press(p, "enter", "enter"); got != (Go{tasks[1]}) {
		t.Errorf("got intent %+v, want Go to the only task that contains the word", got)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "/ Colo", "esc clears")
	if press(p, "esc") != nil || len(p.listed()) != 3 {
		t.Error("got another list after esc, want all tasks and the pane open")
	}
	press(p, "/", "z", "z", "enter")
	panetest.Sees(t, panetest.Text(p.Lines()), "No task here contains this.")
	if press(p, "q") != (Close{}) {
		t.Error("q did not close the pane")
	}
}
