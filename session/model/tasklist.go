package model

import (
	"time"

	"parley/a2a"
	"parley/session/problem"
	"parley/session/task"
)

// A TaskList is an agent's answer to a request for its tasks (specification 1.0 §3.1.4), page
// by page. It does not change the tasks that a session follows: it is a report from the time of
// the request.
type TaskList struct {
	Filter       a2a.ListFilter   // of the newest list
	Tasks        []*Listed        // in the order in which they first came
	Next         string           // the token of the next page, empty if there is none
	Total        int              // how many there are in all, 0 if the agent does not report it
	FirstRequest a2a.ExchangeID   // the request of its first page, 0 if none came
	NewestPage   a2a.RecordID     // the newest page, 0 if none came
	Time         time.Time        // when it came
	NewTasks     int              // how many of it were new
	Pending      bool             // a request for a page is in progress
	Problem      *problem.Problem // why the newest page failed, nil if it did not
	Version      uint64           // grows with every change

	asked a2a.ExchangeID // the newest request
	more  bool           // it requests a further page
	at    map[string]int // index in Tasks
}

// Listed is a task in a list.
type Listed struct {
	ID, ContextID      string
	Status             a2a.Status
	Title              string       // its first message, or the agent's last
	Artifacts, History int          // how many came with it
	Record             a2a.RecordID // that reported it last
}

// StateWord returns the task's state for users, as [Task.StateWord] does.
func (l *Listed) StateWord() string { return task.StateWord(l.Status.State, l.Status.Word) }

// Lifecycle returns the task's state according to the list.
func (l *Listed) Lifecycle() task.Lifecycle {
	return task.Lifecycle{State: l.Status.State, Word: l.Status.Word, Lost: l.Status.Lost}
}

// Find returns a task of the list, nil if it is not in it.
func (l *TaskList) Find(id string) *Listed {
	if i, ok := l.at[id]; ok {
		return l.Tasks[i]
	}
	return nil
}

// ask notes that a page is requested.
func (l *TaskList) ask(r *a2a.Record) {
	filter := a2a.ListFilterOf(r)
	l.asked, l.more, l.Pending, l.Problem = r.ID, filter.PageToken != "", true, nil
	filter.PageToken = ""
	l.Filter = filter
	l.Version++
}

// put takes a page. The first one of a list replaces what was known, a further one adds to it;
// of a repeated task the last report counts.
func (l *TaskList) put(r *a2a.Record, ev *a2a.Event) {
	if !l.more || l.at == nil {
		l.FirstRequest, l.Tasks, l.at = l.asked, nil, make(map[string]int, len(ev.Tasks))
	}
	l.NewTasks = 0
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
		l.NewTasks++
	}
	l.Next, l.Total, l.NewestPage, l.Time = ev.NextPageToken, ev.TotalSize, r.ID, r.Time
	l.Version++
}

// titleOf distinguishes a task from others in a line: the beginning of the first message in its
// history, otherwise of its status message.
func titleOf(t *a2a.Task) string {
	switch {
	case len(t.History) > 0:
		return title(&t.History[0], t.History[0].Text())
	case t.Status.Message != nil:
		return title(t.Status.Message, t.Status.Message.Text())
	}
	return ""
}

// applyList takes an agent's list of its tasks.
func (s *State) applyList(x *exchange, r *a2a.Record, ev *a2a.Event) {
	if l := x.agent.List; x.call.Op == a2a.OpList && l != nil && l.asked == x.id {
		l.put(r, ev)
	}
}

// endList notes that a page is over.
func (s *State) endList(x *exchange, end *a2a.End) {
	l := x.agent.List
	if x.call.Op != a2a.OpList || l == nil || l.asked != x.id {
		return
	}
	l.Pending = false
	l.Version++
	switch {
	case x.err != nil:
		l.Problem = problem.FromRPC(x.err, x.id, x.pause, listAdvice(x.err))
	case end.Reason != a2a.Ended || end.Class != "":
		l.Problem = problemOf(x, nil, end, false, false)
	case x.bodyProblem != nil:
		l.Problem = x.bodyProblem
	case l.NewestPage < x.id:
		l.Problem = &problem.Problem{Sentence: "The answer is not a list of tasks; the wire shows it.", Class: problem.ClassDecode, Record: x.id}
	}
}

// listAdvice says what it means that an agent lists nothing, empty if its error says that
// already. Some list tasks only for users whom they can identify.
func listAdvice(e *a2a.RPCError) string {
	switch {
	case e.AsksCredentials():
		return "The agent lists tasks only with credentials: open it with credentials."
	case e.Code == -32601 || e.Code == -32004 || e.Reason == "UNSUPPORTED_OPERATION":
		return "This agent does not list tasks; the tasks of this session are still shown."
	}
	return ""
}
