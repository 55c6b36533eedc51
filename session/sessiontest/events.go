package sessiontest

import (
	"fmt"
	"strings"

	"parley/a2a"
	"parley/session/model"
)

// Finished is a task with an artifact, as the answer to a call that is no message.
func (g *EventWriter) Finished(task, context, text string) string {
	state := g.State(a2a.StateCompleted)
	switch g.Dialect {
	case a2a.V01:
		return fmt.Sprintf(`{"id":%q,"sessionId":%q,"status":{"state":%q},"artifacts":[{"index":0,"parts":[{"type":"text","text":%q}]}]}`, task, context, state, text)
	case a2a.V02, a2a.V03:
		return fmt.Sprintf(`{"kind":"task","id":%q,"contextId":%q,"status":{"state":%q},"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":%q}]}]}`, task, context, state, text)
	}
	return fmt.Sprintf(`{"id":%q,"contextId":%q,"status":{"state":%q},"artifacts":[{"artifactId":"a","parts":[{"text":%q}]}]}`, task, context, state, text)
}

// Sent is a task as the answer to a message.
func (g *EventWriter) Sent(task string) string {
	if !g.Old {
		return `{"task":` + task + `}`
	}
	return task
}

// IsREST reports whether a dialect is one of HTTP+JSON. The objects of both are those of
// the protocol buffers, as 1.0 has them over JSON-RPC too.
func IsREST(d a2a.DialectName) bool { return d == a2a.V10REST || d == a2a.V03REST }

// AllStates are the task states of A2A.
var AllStates = []a2a.State{
	a2a.StateUnknown, a2a.StateSubmitted, a2a.StateWorking, a2a.StateCompleted, a2a.StateFailed, a2a.StateCanceled,
	a2a.StateInputRequired, a2a.StateRejected, a2a.StateAuthRequired, a2a.StateOther,
}

// An EventWriter writes events as a dialect has them.
type EventWriter struct {
	Dialect                   a2a.DialectName
	task, status, text, Words string // of task, context and state or text
	Old                       bool   // states are written as before 1.0
	Names                     bool   // the client names the task
}

// EventWriterV10 writes events of A2A 1.0.
var EventWriterV10 = EventWriter{
	Dialect: a2a.V10,
	task:    `{"task":{"id":%q,"contextId":%q,"status":{"state":%q}}}`,
	status:  `{"statusUpdate":{"taskId":%q,"contextId":%q,"status":{"state":%q,"message":{"messageId":%q,"role":"ROLE_AGENT","parts":[{"text":"type your password"}]}}}}`,
	text:    `{"artifactUpdate":{"taskId":%q,"contextId":%q,"append":true,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}`,
	Words:   `{"message":{"messageId":%q,"contextId":%q,"role":"ROLE_AGENT","parts":[{"text":"by the way"}]}}`,
}

// EventWriters are the dialects. Those of HTTP+JSON have the objects of 1.0 over JSON-RPC.
var EventWriters = []EventWriter{
	EventWriterV10,
	{
		Dialect: a2a.V03, Old: true,
		task:   `{"kind":"task","id":%q,"contextId":%q,"status":{"state":%q}}`,
		status: `{"kind":"status-update","taskId":%q,"contextId":%q,"final":false,"status":{"state":%q,"message":{"kind":"message","messageId":%q,"role":"agent","parts":[{"kind":"text","text":"type your password"}]}}}`,
		text:   `{"kind":"artifact-update","taskId":%q,"contextId":%q,"append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":%q}]}}`,
		Words:  `{"kind":"message","messageId":%q,"contextId":%q,"role":"agent","parts":[{"kind":"text","text":"by the way"}]}`,
	},
	{
		Dialect: a2a.V02, Old: true,
		task:   `{"kind":"task","id":%q,"contextId":%q,"status":{"state":%q}}`,
		status: `{"kind":"status-update","taskId":%q,"contextId":%q,"final":false,"status":{"state":%q,"message":{"kind":"message","messageId":%q,"role":"agent","parts":[{"kind":"text","text":"type your password"}]}}}`,
		text:   `{"kind":"artifact-update","taskId":%q,"contextId":%q,"append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":%q}]}}`,
	},
	{
		Dialect: a2a.V01, Old: true, Names: true,
		task:   `{"id":%q,"sessionId":%q,"status":{"state":%q}}`,
		status: `{"id":%q,"sessionId":%q,"final":false,"status":{"state":%q,"message":{"role":"agent","parts":[{"type":"text","text":"type your password"}],"metadata":{"n":%q}}}}`,
		text:   `{"id":%q,"sessionId":%q,"artifact":{"index":0,"append":true,"parts":[{"type":"text","text":%q}]}}`,
	},
	EventWriterV10.over(a2a.V10REST), EventWriterV10.over(a2a.V03REST),
}

// over is the same in another dialect.
func (g EventWriter) over(d a2a.DialectName) EventWriter {
	g.Dialect = d
	return g
}

// State returns the word for a state.
func (g *EventWriter) State(s a2a.State) string {
	if g.Old {
		return s.String()
	}
	if g.Dialect == a2a.V03REST && s == a2a.StateCanceled {
		return "TASK_STATE_CANCELLED"
	}
	return "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(s.String(), "-", "_"))
}

// Whole returns a task.
func (g *EventWriter) Whole(task, context string, s a2a.State) string {
	return fmt.Sprintf(g.task, task, context, g.State(s))
}

// Tells returns a status update with a message.
func (g *EventWriter) Tells(task, context string, s a2a.State) string {
	return fmt.Sprintf(g.status, task, context, g.State(s), task+s.String())
}

// Chunk returns an artifact update that appends a text.
func (g *EventWriter) Chunk(task, context, text string) string {
	return fmt.Sprintf(g.text, task, context, text)
}

// Call returns a call that streams the answer to a message.
func (g *EventWriter) Call(conv a2a.ConversationID, turn a2a.TurnID, task string) *a2a.Call {
	binding := a2a.BindingJSONRPC
	if IsREST(g.Dialect) {
		binding = a2a.BindingREST
	}
	return &a2a.Call{Agent: 1, Conversation: conv, Turn: turn, Op: a2a.OpStream, Dialect: g.Dialect, Binding: binding, TaskID: task}
}

// Strays are events of other tasks and contexts.
func (g *EventWriter) Strays(task, context string) []string {
	return []string{
		g.Whole(task, context, a2a.StateWorking), g.Tells(task, context, a2a.StateInputRequired), g.Tells(task, context, a2a.StateAuthRequired),
		g.Tells(task, context, a2a.StateCompleted), g.Tells(task, context, a2a.StateFailed), g.Chunk(task, context, "stray"),
		g.Whole(task, context, a2a.StateInputRequired),
	}
}

// Run plays a conversation whose newest stream brings the events given, beside another
// conversation that has a task at work.
func (g *EventWriter) Run(events []string, reply, over bool) *model.State {
	p := NewTape()
	name := func(task string) string {
		if g.Names {
			return task
		}
		return ""
	}
	other := g.Call(2, 2, name("other"))
	y := p.Ask(other, "something else")
	p.Event(y, other, g.Whole("other", "elsewhere", a2a.StateWorking))
	p.Event(y, other, g.Chunk("other", "elsewhere", "far "))
	call := g.Call(1, 1, name("own"))
	if reply {
		x := p.Ask(call, "hi")
		p.Event(x, call, g.Whole("own", "here", a2a.StateInputRequired))
		p.End(x, call, a2a.End{Reason: a2a.Ended})
		call = g.Call(1, 3, "own")
		call.ContextID = "here"
	}
	x := p.Ask(call, "go on")
	for _, e := range events {
		p.Event(x, call, e)
	}
	if over {
		p.End(x, call, a2a.End{Reason: a2a.Ended})
	}
	return p.State
}
