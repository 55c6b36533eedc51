// Package tasks is the pane of the tasks of one agent or of all: those that this session saw
// and those that the agents listed.
//
// A [Pane] reads [model.State] and returns what the user asks for as an [Intent]. While it is
// open no row moves: new tasks are appended, and a task that changed stays in its row.
package tasks

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// About is the data that the pane shows.
type About struct {
	Agent  *model.Agent   // on the screen, nil if no agent is open
	Agents []*model.Agent // all open agents
	Now    time.Time
	// Why is the reason why no request can be sent, empty if one can.
	Why string
	// Streamed reports whether an open stream reports a task.
	Streamed func(*model.Task) bool
}

// A Ref identifies a task of an agent.
type Ref struct {
	Agent     a2a.AgentID
	ID        string
	ContextID string // empty if unknown
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Open shows a task in its conversation. A task that this session has not seen needs a
	// request.
	Open struct{ Ref Ref }
	// Get gets a task with at most History messages; nil lets the agent decide.
	Get struct {
		Ref     Ref
		History *int
	}
	// Cancel cancels a task.
	Cancel struct{ Ref Ref }
	// Subscribe subscribes to a task.
	Subscribe struct{ Ref Ref }
	// Poll gets a task repeatedly until it ends.
	Poll struct{ Ref Ref }
	// AuthPoll starts or stops the auth poll of a task.
	AuthPoll struct {
		Ref Ref
		On  bool
	}
	// Stop stops the polling or resubscribing of a turn.
	Stop struct{ Turn a2a.TurnID }
	// List lists tasks of agents: the first page, or the next one.
	List struct {
		Agents []a2a.AgentID
		Filter a2a.ListFilter
	}
	// Copy copies text to the clipboard. What names the text.
	Copy struct{ Text, What string }
	// Say shows a notice that is not a refusal.
	Say struct{ Text string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Open) intent()      {}
func (Get) intent()       {}
func (Cancel) intent()    {}
func (Subscribe) intent() {}
func (Poll) intent()      {}
func (AuthPoll) intent()  {}
func (Stop) intent()      {}
func (List) intent()      {}
func (Copy) intent()      {}
func (Say) intent()       {}
func (Refused) intent()   {}
func (Close) intent()     {}

// A subject is what the user types.
type subject uint8

const (
	noField subject = iota
	fieldFilter
	fieldID
	fieldHistory
	numSubjects
)

// A Pane lists tasks. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about         About
	all           bool // of all agents
	rows          []*row
	known         map[taskKey]*row
	fresh         []*row                 // not in rows yet
	marks         map[*model.Agent]*mark // per agent
	input         field.Field
	field         subject
	filter        filter
	pendingCancel taskKey // the task on which the user pressed x once
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{input: field.New(st, field.Options{})}
	p.Table = p.actions()
	p.Base = sheet.New(st, &p.input)
	return p
}

// Open starts a new list: of the agent on the screen, or of all agents if there is none.
func (p *Pane) Open(a About) {
	p.about, p.all = a, a.Agent == nil
	p.field, p.pendingCancel = noField, taskKey{}
	p.input.Reset()
	p.rebuild("")
}

// Update adds new tasks to the list. It moves no row.
func (p *Pane) Update(a About) {
	p.about = a
	p.read()
}

// Typing reports whether the input is open, so that letters are text.
func (p *Pane) Typing() bool { return p.field != noField }

// selected returns the selected task, nil if there is none.
func (p *Pane) selected() *row {
	if p.List.At < len(p.rows) {
		return p.rows[p.List.At]
	}
	return nil
}

// agents returns the agents whose tasks are listed.
func (p *Pane) agents() []*model.Agent {
	switch {
	case p.all:
		return p.about.Agents
	case p.about.Agent == nil:
		return nil
	}
	return []*model.Agent{p.about.Agent}
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a task; a click on the
// selected task opens it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts()
	switch p.List.Mouse(msg, y-at.Head, len(p.rows), at.List) {
	case list.HitSelected:
		return p.open(p.selected())
	case list.HitWheel, list.HitRow:
		p.pendingCancel = taskKey{}
	}
	return nil
}

// lists returns the reason, as a clause, why an agent cannot list tasks, empty if it can.
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

// listable returns the agents that can list their tasks, or the next page of them if more is
// set, or the reason why none can.
func (p *Pane) listable(more bool) (agents []*model.Agent, why string) {
	if p.about.Why != "" {
		return nil, p.about.Why
	}
	why = "no agent is open"
	for _, a := range p.agents() {
		switch no := lists(a); {
		case no != "":
			why = no
		case more && (a.List == nil || a.List.NewestPage == 0):
			why = "there is no first page yet: " + keys.Name(p.Of(listTasks)) + " gets it"
		case more && a.List.Next == "":
			why = "there is no further page"
		case a.List != nil && a.List.Pending:
			why = "a page is being requested"
		default:
			agents = append(agents, a)
		}
	}
	return agents, why
}

// list returns the intent that lists the first page of tasks, or the next one, which an agent can.
func (p *Pane) list(more bool) Intent {
	agents, _ := p.listable(more)
	ask := List{Filter: p.filter.listFilter(p.rows)}
	if more { // a next page has the filter of the first, whatever the current filter is
		agents = agents[:1]
		ask.Filter = agents[0].List.Filter
		ask.Filter.PageToken = agents[0].List.Next
	}
	for _, a := range agents {
		ask.Agents = append(ask.Agents, a.ID)
	}
	return ask
}

// byAge sorts rows by time, the newest first and those of unknown time last.
func byAge(rows []*row) {
	slices.SortStableFunc(rows, func(a, b *row) int { return b.time().Compare(a.time()) })
}
