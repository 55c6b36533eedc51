package session

import (
	"time"

	"parley/a2a"
)

// A TaskList is what an agent said when it was asked for its tasks (specification 1.0
// §3.1.4), page by page. It changes nothing about the tasks that a session follows: it is
// what stood somewhere when the agent looked.
type TaskList struct {
	Filter  a2a.ListFilter // of the newest list that was begun
	Tasks   []*Listed      // in the order in which they were told of first
	Next    string         // the token of the page that follows, empty if there is none
	Total   int            // how many there are in all, 0 if the agent does not say
	Begun   a2a.ExchangeID // the request of its first page, 0 if none came
	Told    a2a.RecordID   // the newest page, 0 if none came
	Time    time.Time      // when it came
	Fresh   int            // how many of it no page before had
	Asking  bool           // a page is under way
	Problem *Problem       // why the newest page did not come, nil if it did
	Version uint64         // grows with every change

	asked a2a.ExchangeID // the newest request
	more  bool           // it asks for a page that follows
	at    map[string]int // index in Tasks
}

// Listed is a task as a list has it.
type Listed struct {
	ID, ContextID      string
	Status             a2a.Status
	Title              string       // what it began with, or what its agent said last
	Artifacts, History int          // how many came with it
	Record             a2a.RecordID // that told of it last
}

// StateWord returns the task's state for people, as [Task.StateWord] does.
func (l *Listed) StateWord() string { return stateWord(&l.Status) }

// Lifecycle returns what the list says of where the task stands.
func (l *Listed) Lifecycle() Lifecycle {
	return Lifecycle{State: l.Status.State, Word: l.Status.Word, Lost: l.Status.Lost}
}

// Find returns a task of the list, nil if it is not in it.
func (l *TaskList) Find(id string) *Listed {
	if i, ok := l.at[id]; ok {
		return l.Tasks[i]
	}
	return nil
}

// ask notes that a page is asked for.
func (l *TaskList) ask(r *a2a.Record) {
	filter := a2a.ListFilterOf(r)
	l.asked, l.more, l.Asking, l.Problem = r.ID, filter.PageToken != "", true, nil
	filter.PageToken = ""
	l.Filter = filter
	l.Version++
}

// put takes over a page. The first one of a list replaces what was known, one that follows
// adds to it; a task that comes twice is as it was told of last.
func (l *TaskList) put(r *a2a.Record, ev *a2a.Event) {
	if !l.more || l.at == nil {
		l.Begun, l.Tasks, l.at = l.asked, nil, make(map[string]int, len(ev.Tasks))
	}
	l.Fresh = 0
	for i := range ev.Tasks {
		t := &ev.Tasks[i]
		told := &Listed{
			ID: t.ID, ContextID: t.ContextID, Status: t.Status, Title: titleOf(t), Artifacts: len(t.Artifacts), History: len(t.History), Record: r.ID,
		}
		told.Status.Message = nil
		if at, known := l.at[t.ID]; known && t.ID != "" {
			l.Tasks[at] = told
			continue
		}
		l.at[t.ID] = len(l.Tasks)
		l.Tasks = append(l.Tasks, told)
		l.Fresh++
	}
	l.Next, l.Total, l.Told, l.Time = ev.NextPageToken, ev.TotalSize, r.ID, r.Time
	l.Version++
}

// titleOf is what tells a task from others in a line: the beginning of the first message in
// its history, else of what its status says.
func titleOf(t *a2a.Task) string {
	switch {
	case len(t.History) > 0:
		return title(&t.History[0], t.History[0].Text())
	case t.Status.Message != nil:
		return title(t.Status.Message, t.Status.Message.Text())
	}
	return ""
}

// listed takes over what an agent says when it is asked for its tasks.
func (s *State) listed(x *exchange, r *a2a.Record, ev *a2a.Event) {
	if l := x.agent.List; x.call.Op == a2a.OpList && l != nil && l.asked == x.id {
		l.put(r, ev)
	}
}

// listAsked notes that a page is over.
func (s *State) listAsked(x *exchange, end *a2a.End) {
	l := x.agent.List
	if x.call.Op != a2a.OpList || l == nil || l.asked != x.id {
		return
	}
	l.Asking = false
	l.Version++
	switch {
	case x.err != nil:
		l.Problem = rpcProblem(x.err, x.id, x.pause)
		if next := listAdvice(x.err); next != "" {
			l.Problem = advised(x.err, x.id, x.pause, next)
		}
	case end.Reason != a2a.Ended || end.Class != "":
		l.Problem = problemOf(x, nil, end, false, false)
	case x.held != nil:
		l.Problem = x.held
	case l.Told < x.id:
		l.Problem = &Problem{Sentence: "The agent answered with something else than a list of tasks; the wire shows it.", Class: ProblemDecode, Record: x.id}
	}
}

// listAdvice says what it means that an agent lists nothing, empty if its error says that
// already. Some list tasks only for people whom they can tell apart.
func listAdvice(e *a2a.RPCError) string {
	switch {
	case e.AsksCredentials():
		return "It lists tasks only for people whom it knows: open it with credentials."
	case e.Code == -32601 || e.Code == -32004 || e.Reason == "UNSUPPORTED_OPERATION":
		return "This agent lists no tasks; those that this session saw are known all the same."
	}
	return ""
}
