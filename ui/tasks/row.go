package tasks

import (
	"slices"
	"time"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
	"parley/ui/list"
)

// A taskKey identifies a task. Ids are unique per agent only.
type taskKey struct {
	agent a2a.AgentID
	id    string
}

// A row is a task of the list.
type row struct {
	agent  *model.Agent
	id     string
	task   *model.Task   // as the session saw it; nil if the task is only listed
	listed *model.Listed // as the agent listed it; nil if it did not
}

func (r *row) key() taskKey { return taskKey{r.agent.ID, r.id} }

// ref returns the reference to the task for intents.
func (r *row) ref() Ref { return Ref{r.agent.ID, r.id, r.context()} }

func (r *row) context() string {
	if r.task != nil && r.task.ContextID != "" {
		return r.task.ContextID
	}
	if r.listed != nil {
		return r.listed.ContextID
	}
	return ""
}

// newer reports whether the agent's list is newer than what the session saw of the task.
func (r *row) newer() bool {
	if r.listed == nil || r.task == nil {
		return r.task == nil
	}
	if r.task.LastRequest.Record > r.listed.Record {
		return false // a response about the task is newer
	}
	n := len(r.task.Transitions)
	return n == 0 || r.listed.Record > r.task.Transitions[n-1].Record
}

// lifecycle returns the newest known lifecycle of the task.
func (r *row) lifecycle() task.Lifecycle {
	if r.newer() {
		return r.listed.Lifecycle()
	}
	return r.task.Lifecycle
}

// stateWord returns the newest known state of the task for display.
func (r *row) stateWord() string {
	if r.newer() {
		return r.listed.StateWord()
	}
	if r.task.Forgotten {
		return "forgotten"
	}
	return r.task.StateWord()
}

// time returns when the task entered its state, zero if unknown.
func (r *row) time() time.Time {
	if r.newer() {
		return r.listed.Status.Time
	}
	return r.task.Since()
}

// from returns who knows of the task.
func (r *row) from() string {
	switch {
	case r.task == nil:
		return "listed"
	case r.listed == nil:
		return "seen"
	}
	return "both"
}

// mark is what was read of an agent, so that only new tasks are read.
type mark struct {
	tasks []int // per conversation
	list  uint64
	begun a2a.ExchangeID
}

// rebuild rebuilds the list with a filter and preserves the selected task.
func (p *Pane) rebuild(filtered string) {
	var on taskKey
	if r := p.selected(); r != nil {
		on = r.key()
	}
	p.filter = parse(filtered, p.about.Now)
	p.rows, p.fresh, p.known, p.marks = nil, nil, map[taskKey]*row{}, map[*model.Agent]*mark{}
	p.readAll()
	byAge(p.rows)
	p.List = list.Cursor{At: max(0, slices.IndexFunc(p.rows, func(r *row) bool { return r.key() == on }))}
}

// read adds new tasks; without any its cost is negligible. A list that the agent began to send
// anew rebuilds the list.
func (p *Pane) read() {
	for _, a := range p.agents() {
		if s := p.markOf(a); a.List != nil && s.begun != a.List.FirstRequest {
			p.rebuild(p.filter.line)
			return
		}
	}
	p.readAll()
}

func (p *Pane) readAll() {
	for _, a := range p.agents() {
		p.readNew(a, p.markOf(a))
	}
	for _, r := range p.fresh {
		if p.filter.matches(r) {
			p.rows = append(p.rows, r)
		}
	}
	p.fresh = nil
}

// readNew reads the new tasks of an agent and returns their number. Conversations only gain
// tasks; a page of a list may change any task of the list.
func (p *Pane) readNew(a *model.Agent, s *mark) (n int) {
	for i, c := range a.Conversations {
		if i == len(s.tasks) {
			s.tasks = append(s.tasks, 0)
		}
		for _, t := range c.Tasks[s.tasks[i]:] {
			p.row(a, t.ID).task = t
			n++
		}
		s.tasks[i] = len(c.Tasks)
	}
	if l := a.List; l != nil && l.Version != s.list {
		s.list, s.begun = l.Version, l.FirstRequest
		for _, told := range l.Tasks {
			p.row(a, told.ID).listed = told
			n++
		}
	}
	return n
}

// row returns the row of a task, or a new one.
func (p *Pane) row(a *model.Agent, id string) *row {
	k := taskKey{a.ID, id}
	r := p.known[k]
	if r == nil {
		r = &row{agent: a, id: id}
		p.known[k] = r
		p.fresh = append(p.fresh, r)
	}
	return r
}

func (p *Pane) markOf(a *model.Agent) *mark {
	if p.marks[a] == nil {
		p.marks[a] = &mark{}
	}
	return p.marks[a]
}
