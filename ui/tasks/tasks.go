// Package tasks lists the tasks of an agent, or of all: those that this session saw, and
// those that an agent told of when it was asked for its tasks.
//
// A [Pane] reads what [model.State] knows and hands back an [Intent]. While it lies open
// no row moves: what is new comes last, and a task that changed stays where it was.
package tasks

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/styles"
)

// About is what the pane shows.
type About struct {
	Agent  *model.Agent   // on the screen, nil while none is open
	Agents []*model.Agent // all of them
	Now    time.Time
	// Why says why nothing can be asked of an agent; empty if it can.
	Why string
	// Streamed reports whether a stream that is open tells of a task.
	Streamed func(*model.Task) bool
}

// A Ref names a task of an agent.
type Ref struct {
	Agent     a2a.AgentID
	ID        string
	ContextID string // empty if it is not known
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Open shows a task in its conversation. One that this session never saw has to be
	// asked for.
	Open struct{ Ref Ref }
	// Get asks for a task, with at most so many messages; nil leaves that to the agent.
	Get struct {
		Ref     Ref
		History *int
	}
	// Cancel asks the agent to end a task.
	Cancel struct{ Ref Ref }
	// Subscribe listens to a task.
	Subscribe struct{ Ref Ref }
	// Poll asks for a task until it is over.
	Poll struct{ Ref Ref }
	// Look looks now and then whether a task goes on that wants credentials, or no more.
	Look struct {
		Ref Ref
		On  bool
	}
	// Stop ends the asking.
	Stop struct{ Turn a2a.TurnID }
	// List asks agents for their tasks: the first page, or the one that follows.
	List struct {
		Agents []a2a.AgentID
		Filter a2a.ListFilter
	}
	// Copy puts text on the clipboard.
	Copy struct{ Text string }
	// Say says something that is no refusal.
	Say struct{ Text string }
	// Refused says why something cannot be done.
	Refused struct{ Why string }
	// Close puts the pane away.
	Close struct{}
)

func (Open) intent()      {}
func (Get) intent()       {}
func (Cancel) intent()    {}
func (Subscribe) intent() {}
func (Poll) intent()      {}
func (Look) intent()      {}
func (Stop) intent()      {}
func (List) intent()      {}
func (Copy) intent()      {}
func (Say) intent()       {}
func (Refused) intent()   {}
func (Close) intent()     {}

// A subject is what is being typed.
type subject uint8

const (
	noField subject = iota
	fieldFilter
	fieldID
	fieldHistory
)

// A Pane lists tasks. It is not safe for use by several goroutines.
type Pane struct {
	st     *styles.Styles
	keys   KeyMap
	about  About
	all    bool // of all agents
	rows   []*row
	known  map[taskKey]*row
	fresh  []*row // not yet among the rows
	seen   []seen // what was read of each agent
	input  field.Field
	field  subject
	filter filter
	sure   taskKey // the task that x was pressed on once
	cursor list.Cursor
	w, h   int
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	return &Pane{st: st, keys: DefaultKeyMap(), input: field.New(st, field.Options{})}
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.input.SetStyles(st)
}

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = max(0, w), max(0, h)
	p.input.SetWidth(p.w)
}

// Open begins a new list: of the agent on the screen, or of all if there is none.
func (p *Pane) Open(a About) {
	p.about, p.all = a, a.Agent == nil
	p.field, p.sure = noField, taskKey{}
	p.input.Reset()
	p.again("")
}

// Update brings the list up to date. Nothing that is there moves.
func (p *Pane) Update(a About) {
	p.about = a
	p.read()
}

// Typing reports whether something is being typed, so that letters are text.
func (p *Pane) Typing() bool { return p.field != noField }

// selected returns the selected task, nil if there is none.
func (p *Pane) selected() *row {
	if p.cursor.At < len(p.rows) {
		return p.rows[p.cursor.At]
	}
	return nil
}

// agents are those whose tasks are listed.
func (p *Pane) agents() []*model.Agent {
	switch {
	case p.all:
		return p.about.Agents
	case p.about.Agent == nil:
		return nil
	}
	return []*model.Agent{p.about.Agent}
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a task, a click on
// the selected one opens it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch p.cursor.Mouse(msg, y-p.headHeight(), len(p.rows), p.listHeight()) {
	case list.Again:
		return p.open(p.selected())
	case list.Turned, list.Selected:
		p.sure = taskKey{}
	}
	return nil
}

// lists reports whether an agent has a list of its tasks to ask for, and if not why.
func lists(a *model.Agent) (why string) {
	d, known := a.Profile.Spoken()
	switch {
	case !known:
		return "the dialect of " + a.Name() + " is unknown"
	case !d.Supports(a2a.OpList):
		return "A2A " + d.Name().Number() + " cannot list tasks: " + a.Name() + " is shown with the tasks of this session"
	}
	return ""
}

// listable are the agents that can be asked for their tasks, and for a page that follows
// if more is set; why says why there are none.
func (p *Pane) listable(more bool) (agents []*model.Agent, why string) {
	if p.about.Why != "" {
		return nil, p.about.Why
	}
	why = "no agent is open"
	for _, a := range p.agents() {
		switch no := lists(a); {
		case no != "":
			why = no
		case more && (a.List == nil || a.List.Told == 0):
			why = "there is no first page yet: l gets it"
		case more && a.List.Next == "":
			why = "there is no further page"
		case a.List != nil && a.List.Asking:
			why = "a page is being requested"
		default:
			agents = append(agents, a)
		}
	}
	return agents, why
}

// list asks for the first page of every agent's tasks, or for the one that follows.
func (p *Pane) list(more bool) Intent {
	agents, why := p.listable(more)
	if len(agents) == 0 {
		return refused(why)
	}
	ask := List{Filter: p.filter.asked(p.rows)}
	if more { // what was asked for goes on, whatever the filter says meanwhile
		agents = agents[:1]
		ask.Filter = agents[0].List.Filter
		ask.Filter.PageToken = agents[0].List.Next
	}
	for _, a := range agents {
		ask.Agents = append(ask.Agents, a.ID)
	}
	return ask
}

// byAge puts the newest first, and those of an unknown time last.
func byAge(rows []*row) {
	slices.SortStableFunc(rows, func(a, b *row) int { return b.time().Compare(a.time()) })
}
