// Package inbox is the pane of the tasks that wait for the user, of all agents: each with the
// input or credentials that it asks for and how long it has waited.
//
// A [Pane] shows the tasks that it is given and returns what the user asks for as an [Intent].
// While it is open no row moves: a task that no longer waits stays and says so, and new tasks
// are appended.
package inbox

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Go shows a task so that the user can answer it.
	Go struct{ Task *model.Task }
	// Open opens a link from a task's prompt.
	Open struct{ URL string }
	// Copy copies text to the clipboard. What names the text.
	Copy struct{ Text, What string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Go) intent()      {}
func (Open) intent()    {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane lists tasks. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	tasks   []*model.Task
	filter  sheet.Filter
	shown   shown
	members map[*model.Task]bool // the members of tasks
	prompts map[*model.Task]prompt
	waits   int // number of tasks that wait now
	now     time.Time
}

// A prompt is what a task asks, prepared for display.
type prompt struct {
	message *a2a.Message
	text    string // the beginning of the prompt, sanitized
	who     string // the agent's name, sanitized
	links   []string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{filter: sheet.NewFilter(st)}
	p.Table = p.actions()
	p.Base = sheet.New(st, p.filter.Input())
	p.SetFilter(&p.filter)
	p.Open(nil, nil)
	return p
}

// Open starts a new list and selects the task on if it is in the list.
func (p *Pane) Open(waiting []*model.Task, on *model.Task) {
	p.filter.Clear()
	p.shown = shown{}
	p.tasks, p.prompts, p.members = nil, map[*model.Task]prompt{}, map[*model.Task]bool{}
	p.Update(waiting, len(waiting), p.now)
	p.List = list.Cursor{At: max(0, slices.Index(waiting, on))}
}

// Update appends tasks that began to wait and sets the number of tasks that wait. It moves no
// row.
func (p *Pane) Update(fresh []*model.Task, waits int, now time.Time) {
	p.now, p.waits = now, waits
	for _, t := range fresh {
		if !p.members[t] {
			p.members[t] = true
			p.tasks = append(p.tasks, t)
		}
	}
}

// Step moves the selection by n tasks, around the ends.
func (p *Pane) Step(n int) { p.List.Step(n, len(p.listed())) }

// shown are the tasks that pass the filter, with what they follow from.
type shown struct {
	words string
	of    int
	tasks []*model.Task
}

// listed returns the tasks that pass the filter.
func (p *Pane) listed() []*model.Task {
	words, s := p.filter.Words(), &p.shown
	if words == "" {
		return p.tasks
	}
	if s.words != words || s.of != len(p.tasks) {
		*s = shown{words: words, of: len(p.tasks)}
		for _, t := range p.tasks {
			if ask := p.prompt(t); p.filter.Matches(ask.who, ask.text, t.ID, t.Title(), t.StateWord()) {
				s.tasks = append(s.tasks, t)
			}
		}
	}
	return s.tasks
}

// Typing reports whether the user types a filter, so that letters are text.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// Paste inserts the pasted text into the filter.
func (p *Pane) Paste(msg tea.PasteMsg) { p.filter.Paste(msg) }

// selected returns the selected task, nil if there is none.
func (p *Pane) selected() *model.Task {
	if tasks := p.listed(); p.List.At < len(tasks) {
		return tasks[p.List.At]
	}
	return nil
}

const (
	maxPrompt = 4 << 10 // bytes of a prompt that are read
	maxName   = 256     // bytes of an agent's name that are read
)

// prompt returns a task's prompt, from the cache unless it changed.
func (p *Pane) prompt(t *model.Task) prompt {
	a, known := p.prompts[t]
	if known && a.message == t.Prompt {
		return a
	}
	name := t.Conversation.Agent.Name()
	a = prompt{message: t.Prompt, links: log.Links(t.Prompt), who: canvas.SanitizeLine(name[:min(len(name), maxName)])}
	if t.Prompt != nil {
		a.text = strings.TrimSpace(canvas.Sanitize(Beginning(t.Prompt)))
	}
	p.prompts[t] = a
	return a
}

// Beginning returns the beginning of a message's text, at most 4 kB.
func Beginning(m *a2a.Message) string {
	var b strings.Builder
	for i := range m.Parts {
		if part := &m.Parts[i]; part.Kind == a2a.PartText && b.Len() < maxPrompt {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.ToValidUTF8(part.Text[:min(len(part.Text), maxPrompt-b.Len())], ""))
		}
	}
	return b.String()
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a task; a click on the
// selected task shows it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.List.Mouse(msg, y, len(p.listed()), p.parts().List) == list.HitSelected {
		return Go{p.selected()}
	}
	return nil
}
