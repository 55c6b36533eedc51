// Package inbox lists what waits for the user: every task of every agent that wants
// input or credentials, what it asks and since when.
//
// A [Pane] is given the tasks by its user and hands back an [Intent]. While it lies open no
// row moves: what has been answered meanwhile stays and says so, what is new comes last.
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
	// Go leads to a task, to answer it.
	Go struct{ Task *model.Task }
	// Open opens a link that a task names.
	Open struct{ URL string }
	// Copy puts text on the clipboard.
	Copy struct{ Text string }
	// Refused says why something cannot be done.
	Refused struct{ Why string }
	// Close puts the pane away.
	Close struct{}
)

func (Go) intent()      {}
func (Open) intent()    {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane shows tasks. It is not safe for use by several goroutines.
type Pane struct {
	st     *styles.Styles
	keys   KeyMap
	tasks  []*model.Task
	in     map[*model.Task]bool // those of tasks
	asks   map[*model.Task]asked
	waits  int // how many wait now
	now    time.Time
	cursor list.Cursor
	w, h   int
}

// asked is what a prompt says, read once.
type asked struct {
	prompt *a2a.Message
	text   string // the beginning of it, as it can be shown
	who    string // the agent's name, as it can be shown
	links  []string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane { return &Pane{st: st, keys: DefaultKeyMap()} }

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) { p.st = st }

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// Open begins a new list, on the task that is named if that is in it.
func (p *Pane) Open(waiting []*model.Task, on *model.Task) {
	p.tasks, p.asks, p.waits = slices.Clone(waiting), map[*model.Task]asked{}, len(waiting)
	p.cursor = list.Cursor{At: max(0, slices.Index(waiting, on))}
	p.in = make(map[*model.Task]bool, len(waiting))
	for _, t := range waiting {
		p.in[t] = true
	}
}

// Update brings the list up to date: with tasks that began to wait since, and how many wait in
// all. Nothing that is there moves.
func (p *Pane) Update(fresh []*model.Task, waits int, now time.Time) {
	p.now, p.waits = now, waits
	for _, t := range fresh {
		if !p.in[t] {
			p.in[t] = true
			p.tasks = append(p.tasks, t)
		}
	}
}

// Step selects the task n rows on, and from the last one the first.
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

// since is when a task came to the state that it is in, zero if that is not known.
func since(t *model.Task) time.Time {
	if n := len(t.Transitions); n > 0 {
		return t.Transitions[n-1].Time
	}
	return time.Time{}
}

const (
	maxAsked = 4 << 10 // of a prompt that is read
	maxName  = 256     // of an agent's name
)

// asked returns what a task asks.
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

// beginning is the beginning of a message's text.
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

// Mouse handles a click or a turn of the wheel at row y. A click selects a task, a click on
// the selected one goes there.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.cursor.Mouse(msg, y, len(p.tasks), p.listHeight()) == list.Again {
		return Go{p.selected()}
	}
	return nil
}
