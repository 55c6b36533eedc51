package cli

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
	lifecycle "parley/session/task"
)

// An answer is what was received in a turn.
type answer struct {
	turn       a2a.TurnID
	namedTask  string          // the task that the command names, empty if it names none
	newTask    string          // the id of the new task, in the dialect in which clients make it
	sent       bool            // a message was sent: only the agent knows its fate
	status     int             // of the newest answer, or of the error in it
	began      bool            // the answer of the newest stream has begun
	open       problem.Problem // of the newest end: whether it leaves open what the agent does
	long       bool            // it did so perhaps because the answer took long
	taskID     string          // the task that the answer is about
	session    string          // the context of the new task, in the dialect in which clients make it
	messages   []*a2a.Message
	card       *a2a.Card
	cardRecord a2a.RecordID      // that holds it
	rpc        *a2a.RPCError     // the newest error that the agent reported
	cut        string            // why the newest connection broke, empty if none did
	unheard    string            // why the newest subscription brought nothing, empty if none failed
	names      map[string]string // of the received artifacts, by task and key
	noted      bool
	askedAgain bool       // the user was told that the agent denied a task that it gave
	other      *a2a.Event // an answer that is not about a task: a list of tasks, a webhook
	delivered  string     // the task whose push notifications are received, empty if none are
	over       bool       // that task needs no more of them
	call       *a2a.Call  // of the newest exchange
	hollow     bool       // no byte of a body came in it
	shown      time.Time  // when the newest event came that shows something
	asks       bool       // the task is made up, so that the agent does nothing for the command
}

// leave notes what the newest exchange leaves open.
func (h *answer) leave(r *a2a.Record) {
	streams := r.Call.Op == a2a.OpStream || r.Call.Op == a2a.OpSubscribe
	h.hollow = h.hollow && (r.Kind == a2a.KindHead || len(r.Raw) == 0)
	switch {
	case r.Kind == a2a.KindRequest:
		h.status, h.began, h.call, h.hollow = 0, h.began && !streams, r.Call, true
	case r.Kind == a2a.KindHead && r.Head != nil:
		h.began = h.began || streams
		h.status, h.cut = r.Head.Status, a2a.WithoutCrash(h.cut)
	case r.End != nil:
		if r.End.Class != a2a.ClassFollowed {
			h.open.Open = lifecycle.LeavesOpen(r.Call, &lifecycle.Facts{Exchange: r.Exchange, End: *r.End, Status: h.status})
			h.long = r.End.Class == a2a.ClassTimeout || r.End.Class == a2a.ClassCut ||
				r.End.Class == a2a.ClassStatus && h.status != http.StatusInternalServerError && h.status != http.StatusNotImplemented
		}
	}
}

// unanswered says why a message was not answered, empty if it was.
func (h *answer) unanswered() string {
	switch {
	case h.cut != "":
		return h.cut
	case h.empty():
		return "The answer is neither a task nor a message."
	}
	return ""
}

// isMute reports whether a message had no answer, at the end of its turn, although the agent was there:
// if that was over a stream, it may answer without one.
func (h *answer) isMute(sig *log.Signal) bool {
	if sig == nil || !h.sent || !h.empty() {
		return false
	}
	return sig.Class == a2a.ClassBody || sig.Class == a2a.ClassCut || sig.Class == problem.ClassRPC && h.rpc != nil && h.rpc.Code == -32603
}

// cause says in a sentence without advice how a turn ended: no advice is for a task that Parley made up, or for a
// request that it makes again.
func cause(sig *log.Signal) string {
	if sig.Cause != "" {
		return line(strings.TrimSuffix(sig.Cause, ".") + ".")
	}
	return line(sig.Sentence)
}

// withContext returns an event with the context that agents of 0.1 need not repeat.
func (h *answer) withContext(ev *a2a.Event) *a2a.Event {
	if h.session == "" || ev.ContextID != "" || ev.TaskID == "" {
		return ev
	}
	placed := *ev
	placed.ContextID = h.session
	if ev.Task != nil {
		task := *ev.Task
		task.ContextID = h.session
		placed.Task = &task
	}
	return &placed
}

// take keeps the content of an event. known is the name of the event's artifact if the artifact
// is known.
func (h *answer) take(ev *a2a.Event) (known string) {
	switch ev.Kind {
	case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact:
		if h.taskID == "" || ev.TaskID == h.namedTask {
			h.taskID = ev.TaskID
		}
	case a2a.EventMessage:
		if ev.Message.Role != a2a.RoleUser {
			m := *ev.Message
			h.messages = append(h.messages, &m)
		}
	case a2a.EventTaskList, a2a.EventPushConfig:
		other := *ev
		h.other = &other
	case a2a.EventError:
		h.rpc = ev.Err
	case a2a.EventCard:
		h.card = ev.Card
	}
	if ev.Kind == a2a.EventTask {
		for i := range ev.Task.Artifacts {
			h.name(ev.TaskID, &ev.Task.Artifacts[i])
		}
	}
	if ev.Kind == a2a.EventArtifact {
		known = h.name(ev.TaskID, ev.Artifact)
	}
	return known
}

// name remembers the name of an artifact and returns the earlier one, empty if it is new.
// Chunks need not repeat the name.
func (h *answer) name(taskID string, a *a2a.Artifact) (before string) {
	if h.names == nil {
		h.names = map[string]string{}
	}
	key := taskID + "\x00" + a.Key
	before = h.names[key]
	switch {
	case a.Name != "":
		h.names[key] = a.Name
	case before == "":
		h.names[key] = orNone(a.Key)
	}
	return before
}

// knows reports whether an artifact is known.
func (h *answer) knows(taskID string, a *a2a.Artifact) bool {
	return h.names[taskID+"\x00"+a.Key] != ""
}

// fresh reports, once, that a task is working, so that its id is printed before the wait.
func (h *answer) fresh(ev *a2a.Event) bool {
	if h.noted || ev.TaskID == "" || ev.TaskID != h.taskID {
		return false
	}
	var st a2a.State
	switch {
	case ev.Kind == a2a.EventTask:
		st = ev.Task.Status.State
	case ev.Kind == a2a.EventStatus:
		st = ev.Status.State
	}
	h.noted = !st.Terminal() && !st.Interrupted()
	return h.noted
}

// empty reports that nothing was received that can be shown.
func (h *answer) empty() bool { return h.taskID == "" && len(h.messages) == 0 }

// stillAt continues a sentence about the end of a wait.
func (h *answer) stillAt() string {
	id := h.task()
	switch {
	case h.turn == 0, h.asks:
		return ""
	case id == "":
		return "; the agent may be working"
	default:
		return "; task " + id + " may still be working"
	}
}

// task returns the task that the command is about, empty if none is known.
func (h *answer) task() string {
	return cmp.Or(h.taskID, h.namedTask, h.newTask)
}
