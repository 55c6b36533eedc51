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
	"parley/ui/canvas"
	"parley/ui/list"
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
	// Copy copies text to the clipboard.
	Copy struct{ Text string }
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
	st     *styles.Styles
	keys   KeyMap
	tasks  []*model.Task
	in     map[*model.Task]bool // the members of tasks
	asks   map[*model.Task]asked
	waits  int // number of tasks that wait now
	now    time.Time
	cursor list.Cursor
	w, h   int
}

// asked is a task's prompt, prepared for display.
type asked struct {
	prompt *a2a.Message
	text   string // the beginning of the prompt, sanitized
	who    string // the agent's name, sanitized
	links  []string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane { return &Pane{st: st, keys: DefaultKeyMap()} }

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) { p.st = st }

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// Open starts a new list and selects the task on if it is in the list.
func (p *Pane) Open(waiting []*model.Task, on *model.Task) {
	p.tasks, p.asks, p.waits = slices.Clone(waiting), map[*model.Task]asked{}, len(waiting)
	p.cursor = list.Cursor{At: max(0, slices.Index(waiting, on))}
	p.in = make(map[*model.Task]bool, len(waiting))
	for _, t := range waiting {
		p.in[t] = true
	}
}

// Update appends tasks that began to wait and sets the number of tasks that wait. It moves no
// row.
func (p *Pane) Update(fresh []*model.Task, waits int, now time.Time) {
	p.now, p.waits = now, waits
	for _, t := range fresh {
		if !p.in[t] {
			p.in[t] = true
			p.tasks = append(p.tasks, t)
		}
	}
}

// Step moves the selection by n tasks, around the ends.
func (p *Pane) Step(n int) { p.cursor.Step(n, len(p.tasks)) }

// selected returns the selected task, nil if there is none.
func (p *Pane) selected() *model.Task {
	if p.cursor.At < len(p.tasks) {
		return p.tasks[p.cursor.At]
	}
	return nil
}

// waits reports whether a task still waits for the user.
func waits(t *model.Task) bool { return t.Waits() }

// since returns when a task entered its current state, zero if unknown.
func since(t *model.Task) time.Time {
	if n := len(t.Transitions); n > 0 {
		return t.Transitions[n-1].Time
	}
	return time.Time{}
}

const (
	maxAsked = 4 << 10 // bytes of a prompt that are read
	maxName  = 256     // bytes of an agent's name that are read
)

// asked returns a task's prompt, from the cache unless it changed.
func (p *Pane) asked(t *model.Task) asked {
	a, known := p.asks[t]
	if known && a.prompt == t.Prompt {
		return a
	}
	name := t.Conversation.Agent.Name()
	a = asked{prompt: t.Prompt, links: log.Links(t.Prompt), who: canvas.SanitizeLine(name[:min(len(name), maxName)])}
	if t.Prompt != nil {
		a.text = strings.TrimSpace(canvas.Sanitize(beginning(t.Prompt)))
	}
	p.asks[t] = a
	return a
}

// beginning returns the beginning of a message's text.
func beginning(m *a2a.Message) string {
	var b strings.Builder
	for i := range m.Parts {
		if part := &m.Parts[i]; part.Kind == a2a.PartText && b.Len() < maxAsked {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.ToValidUTF8(part.Text[:min(len(part.Text), maxAsked-b.Len())], ""))
		}
	}
	return b.String()
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a task; a click on the
// selected task shows it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.cursor.Mouse(msg, y, len(p.tasks), p.listHeight()) == list.Again {
		return Go{p.selected()}
	}
	return nil
}
