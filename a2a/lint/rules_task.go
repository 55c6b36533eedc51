package lint

import (
	"cmp"
	"strconv"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// taskRules are about tasks and what becomes of them.
var taskRules = [...]rule{
	{
		id: "TASK-001", severity: a2a.Error, in: knownDialects, section: "0.1 §6.1, 0.3 §6.1, 1.0 §4.1.1",
		checks: "A task has an id and a state", fix: "Set id and status.state of every task",
		at: atTask | atStatusEvent, run: hasState,
	},
	{
		id: "TASK-002", severity: a2a.Error, in: onV01, section: "0.1 §6.1",
		checks: "The task has the id that the client gave it", fix: "Use the id of the request",
		at: atTask | atStatusEvent | atArtifactEvent, run: givenID,
	},
	{
		id: "TASK-003", severity: a2a.Error, in: since02, section: "0.2 §6.1, 0.3 §6.1, 1.0 §3.4.1",
		checks: "A task has a contextId, which never changes", fix: "Give every task one contextId",
		at: atTask | atStatusEvent | atArtifactEvent, run: stableContext,
	},
	{
		id: "TASK-004", severity: a2a.Warning, in: since02, section: "0.2 §6.4, 1.0 §3.4.2",
		checks: "A message names only tasks that the agent created", fix: "Omit taskId to start a task",
		at: atMessage, run: taskOfAgent,
	},
	{
		id: "TASK-005", severity: a2a.Error, in: v02v03, section: "0.2 §6.1, 0.3 §6.1",
		checks: "“kind” of a task is “task”", fix: "Set “kind” to “task”",
		at: atTask, run: taskKind,
	},
	{
		id: "TASK-006", severity: a2a.Error, in: since03, section: "0.3 §6.1, 1.0 §3.1.1",
		checks: "A task that is over does not change", fix: "Start a new task in the same context",
		at: atTask | atStatusEvent, run: staysOver,
	},
	{
		id: "TASK-007", severity: a2a.Warning, in: knownDialects, section: "0.1 §7.3, 0.3 §7.3, 1.0 §3.2.4",
		checks: "The history does not exceed the requested length", fix: "Send at most historyLength messages, the newest ones",
		at: atTask, run: shortHistory,
	},
	{
		id: "TASK-008", severity: a2a.Info, in: since03, section: "0.3 §6.1, 1.0 §3.7",
		checks: "Results are delivered in artifacts, not only in messages", fix: "Put the result into an artifact",
		at: atTask | atStatusEvent, run: resultInArtifact,
	},
	{
		id: "TASK-009", severity: a2a.Info, in: knownDialects,
		checks: "The same text is not delivered twice", fix: "Send the text as an artifact or as a message",
		at: atTask | atStatusEvent, run: textTwice,
	},
	{
		id: a2a.ComparisonRule, severity: a2a.Warning, in: knownDialects, section: "0.1 §7.3, 0.3 §7.3, 1.0 §3.1.3",
		checks: "The task that is requested after a stream equals the streamed one", fix: "Store what is streamed, and stream what is stored",
		at: atTask, run: compareWithStream,
	},
	{
		id: "TASK-011", severity: a2a.Error, in: v10, section: "1.0 §3.1.4",
		checks: "A list of tasks has the newest first and a nextPageToken, and artifacts only on request",
		fix:    "Sort by status time, send nextPageToken even if it is empty, and omit artifacts",
		at:     atTaskList, run: listOfTasks,
	},
	{
		id: "TASK-012", severity: a2a.Warning, in: knownDialects,
		checks: "Statements about a task that is over agree with its end", fix: "Send nothing about a task after its last status",
		at: atTask | atStatusEvent, run: agreesWithEnd,
	},
	{
		id: "TASK-013", severity: a2a.Warning, in: since02,
		checks: "The answer to a call about a task contains that task", fix: "Answer with the task that the request names, or with TaskNotFoundError",
		at: atTask, run: taskAskedFor,
	},
}

// taskAskedFor compares the id of a task in an answer with the one in the request. 0.1 has a
// rule of its own for that, TASK-002.
func taskAskedFor(p *pass, n jsontok.Node) {
	switch p.call.Op {
	case a2a.OpGet, a2a.OpCancel, a2a.OpSubscribe:
	default:
		return
	}
	asked := cmp.Or(p.x.asks.subject, p.call.TaskID) // it is part of the path
	if id := get(n, "id"); asked != "" && id.IsText() && id.Text() != asked && p.x.first(onceOtherTask) {
		p.note(id, "The request is about task "+clip(asked)+", but the answer is about "+clip(id.Text()))
	}
}

func hasState(p *pass, n jsontok.Node) {
	switch status := get(n, "status"); {
	case !status.Exists():
		p.note(n, "The status is missing")
	case status.Kind() == jsontok.Object && !get(status, "state").Exists():
		s := a2a.Error
		if p.in&(v10|onV03REST) != 0 {
			s = a2a.Warning // JSON of a protocol buffer omits the unspecified state
		}
		p.noteAs(s, status, "The status has no state")
	}
}

func givenID(p *pass, n jsontok.Node) {
	given := cmp.Or(p.call.TaskID, p.x.asks.taskID)
	if id := get(n, "id"); id.Exists() && given != "" && p.ev.Kind != a2a.EventTaskList && id.Text() != given {
		p.note(id, "The task has the id "+clip(id.Text())+"; the client chose "+clip(given))
	}
}

func stableContext(p *pass, n jsontok.Node) {
	if p.ev.Kind == a2a.EventArtifact && p.x.stream.repeatsIDs(p.ev) {
		return
	}
	id, context := p.ev.TaskID, either(n, "contextId", "context_id")
	if p.ev.Kind == a2a.EventTaskList {
		id = get(n, "id").Text()
	}
	switch t, seen := p.agent.tasks.get(id); {
	case context.Exists() && seen && t.contextID != "" && !context.Is(t.contextID) && context.Text() != t.contextID:
		p.note(context, "The task was in context "+clip(t.contextID)+" before")
	case context.Exists() && len(context.Raw()) > len(`""`) || p.ev.Kind == a2a.EventStatus || p.ev.Kind == a2a.EventArtifact:
	case p.in&v10 != 0:
		p.noteAs(a2a.Warning, n, "The task has no contextId")
	default:
		p.note(n, "The task has no contextId")
	}
}

// taskOfAgent judges only a task of a context that began in this session: in any other one,
// another process may have begun it.
func taskOfAgent(p *pass, n jsontok.Node) {
	id := either(n, "taskId", "task_id")
	if !p.out() || p.fold == nil || !id.IsText() || len(id.Raw()) == len(`""`) || !p.agent.began(p.x.asks.contextID) {
		return
	}
	if _, seen := p.agent.tasks.get(id.Text()); !seen && !p.fold.Knows(id.Text()) {
		p.note(id, "This agent has not sent a task "+clip(id.Text()))
	}
}

func taskKind(p *pass, n jsontok.Node) {
	switch kind := n.Get("kind"); {
	case !kind.Exists():
		p.note(n, "The task has no “kind”")
	case !kind.Is("task"):
		p.note(kind, "“kind” of the task is not “task”")
	}
}

// statusOf returns the status in an event, nil if it has none.
func statusOf(ev *a2a.Event) *a2a.Status {
	switch ev.Kind {
	case a2a.EventTask:
		return &ev.Task.Status
	case a2a.EventStatus:
		return ev.Status
	default:
		return nil
	}
}

// staysOver compares a state with the one before. An exchange that began before the end of the
// task may only be late, and a subscriber may get everything from the beginning.
func staysOver(p *pass, n jsontok.Node) {
	s := statusOf(p.ev)
	if s == nil || s.State == a2a.StateUnknown || p.call.Op == a2a.OpDelivery {
		return // deliveries have a rule of their own
	}
	t := p.agent.ended(p.ev.TaskID)
	if t == nil || s.State == t.state {
		return
	}
	if p.r.Exchange > t.over && p.call.Op != a2a.OpSubscribe || p.x.stream.over && p.x.stream.taskID == p.ev.TaskID {
		p.note(get(get(n, "status"), "state"), "The task was "+t.state.String()+" and is now "+s.State.String()+"")
	}
}

// agreesWithEnd checks what [staysOver] does not: exchanges that began before the end of the
// task, and dialects whose text does not say that the end is final, where only a message may
// continue a task.
func agreesWithEnd(p *pass, n jsontok.Node) {
	s := statusOf(p.ev)
	if s == nil || s.State == a2a.StateUnknown || p.call.Op == a2a.OpDelivery || p.call.Op == a2a.OpList || p.call.Op == a2a.OpProbe {
		return
	}
	t := p.agent.ended(p.ev.TaskID)
	replays := p.call.Op == a2a.OpSubscribe && !(p.x.stream.over && p.x.stream.taskID == p.ev.TaskID)
	if t == nil || s.State == t.state || replays {
		return
	}
	said := "The task was " + t.state.String() + "; its state " + s.State.String() + " now is ignored"
	switch older := p.r.Exchange < t.over && !p.x.stream.over; {
	case older:
		p.noteAs(a2a.Info, get(get(n, "status"), "state"), said+": it may be late")
	case p.in&since03 != 0, p.call.Op == a2a.OpSend, p.call.Op == a2a.OpStream: // TASK-006 reports it, or the message continued the task
	default:
		p.note(get(get(n, "status"), "state"), said)
	}
}

func shortHistory(p *pass, n jsontok.Node) {
	most := p.x.asks.history
	if !p.x.whole() || most < 0 || most == 0 && p.in&v10 == 0 || p.ev.Kind != a2a.EventTask {
		return
	}
	history := get(n, "history")
	if got := history.Len(); got > most {
		p.note(history, "The history has "+plural(got, "message")+"; at most "+strconv.Itoa(most)+" were requested")
	}
}

// plural counts things in a sentence.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// resultInArtifact checks a completed task: whether all its output is in a message. Only a task
// that was requested has all its artifacts; an event comes after those that were sent before.
func resultInArtifact(p *pass, n jsontok.Node) {
	s := statusOf(p.ev)
	if s == nil || s.State != a2a.StateCompleted || s.Message == nil || s.Message.Text() == "" {
		return
	}
	if p.call.Op != a2a.OpGet && !(p.messages() && p.begun(p.ev.TaskID)) {
		return
	}
	if get(n, "artifacts").Len() > 0 || len(p.x.stream.artifacts) > 0 || p.fold != nil && p.fold.Artifacts(p.ev.TaskID) > 0 {
		return
	}
	p.note(get(n, "status").Get("message"), "The task is completed, and its only result is a message")
}

// leastTwice is the length from which a text hardly occurs twice by chance.
const leastTwice = 20

// maxLastTries is how many statuses of a stream are taken for its last one: searching for the
// text of one takes a step for each artifact.
const maxLastTries = 8

// textTwice checks the last message of a task: whether an artifact has the same text.
func textTwice(p *pass, n jsontok.Node) {
	s := statusOf(p.ev)
	if s == nil || s.Message == nil || !s.State.Terminal() || p.x.stream.over {
		return
	}
	text := s.Message.Text()
	if len(text) < leastTwice {
		return
	}
	artifacts := []a2a.Artifact(nil)
	switch {
	case p.ev.Kind == a2a.EventTask:
		artifacts = p.ev.Task.Artifacts
	case p.fold != nil && p.x.stream.lastTries < maxLastTries && p.x.stream.has(len(text)):
		p.x.stream.lastTries++
		if t := p.fold.Task(p.ev.TaskID); t != nil {
			artifacts = t.Artifacts
		}
	}
	for i := range artifacts {
		if a := &artifacts[i]; textOf(a.Parts) == len(text) && textIn(a.Parts) == text && p.x.first(onceTwice) {
			p.note(get(n, "status").Get("message"), "The message repeats the artifact "+artifactName(a.Name, a.Key))
		}
	}
}

// has reports whether an artifact of the stream has a number of bytes of text.
func (h *streamState) has(text int) bool {
	for _, a := range h.artifacts {
		if a.text == text {
			return true
		}
	}
	return false
}

// textIn returns the text in parts.
func textIn(parts []a2a.Part) string {
	m := a2a.Message{Parts: parts}
	return m.Text()
}

// artifactName returns the name of an artifact for a sentence.
func artifactName(name, key string) string {
	return "“" + clip(cmp.Or(name, key)) + "”"
}

func listOfTasks(p *pass, n jsontok.Node) {
	if n.Kind() == jsontok.Object && !n.Get("nextPageToken").Exists() {
		s := a2a.Error
		if p.in != onV10 {
			s = a2a.Info // JSON of a protocol buffer omits empty members
		}
		p.noteAs(s, n, "The list has no nextPageToken")
	}
	var before time.Time
	for i := range p.ev.Tasks {
		t := &p.ev.Tasks[i]
		switch at := t.Status.Time; {
		case at.IsZero():
		case !before.IsZero() && at.After(before):
			p.note(get(n, "tasks"), "Task "+strconv.Itoa(i+1)+" is newer than the one before it")
			return
		default:
			before = at
		}
		if len(t.Artifacts) > 0 && !p.x.asks.artifacts && p.x.whole() {
			p.note(get(n, "tasks"), "The tasks have artifacts, which were not requested")
			return
		}
	}
}
