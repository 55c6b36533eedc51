package engine

import (
	"cmp"
	"context"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// Get gets a task once. historyLength asks for at most so many messages; nil leaves it to the
// agent. A task that the session knows appears where it belongs, any other one in the
// conversation conv, or in a new one if that is 0.
func (e *Engine) Get(agent a2a.AgentID, taskID string, conv a2a.ConversationID, historyLength *int) a2a.TurnID {
	return e.operate(agent, taskID, conv, a2a.OpGet, a2a.Request{HistoryLength: historyLength}, false)
}

// Await gets a task, as Get does, and polls it until it is over or waits for the user.
func (e *Engine) Await(agent a2a.AgentID, taskID string, conv a2a.ConversationID, historyLength *int) a2a.TurnID {
	return e.operate(agent, taskID, conv, a2a.OpGet, a2a.Request{HistoryLength: historyLength}, true)
}

// Cancel asks the agent to end a task.
func (e *Engine) Cancel(agent a2a.AgentID, taskID string, conv a2a.ConversationID) a2a.TurnID {
	return e.operate(agent, taskID, conv, a2a.OpCancel, a2a.Request{}, false)
}

// Subscribe opens a stream of a task that is not over. With toEnd the engine polls the task when the stream ends
// before the task does.
func (e *Engine) Subscribe(agent a2a.AgentID, taskID string, conv a2a.ConversationID, toEnd bool) a2a.TurnID {
	return e.operate(agent, taskID, conv, a2a.OpSubscribe, a2a.Request{}, toEnd)
}

// DownloadArtifact downloads what an artifact:// URI names from the gateway of a Solace Agent
// Mesh, see [a2a.ParseArtifactURI]. The bytes are the recorded body.
func (e *Engine) DownloadArtifact(agent a2a.AgentID, uri string) a2a.TurnID {
	return e.operate(agent, "", 0, a2a.OpArtifact, a2a.Request{URI: uri}, false)
}

// operate performs an operation on a task. With toEnd it then follows the task
// until nothing more is to come.
func (e *Engine) operate(agent a2a.AgentID, taskID string, conv a2a.ConversationID, op a2a.Op, req a2a.Request, toEnd bool) a2a.TurnID {
	ctx, call := e.callOf(agent, taskID, conv, op, &req)
	e.start(func() { e.operation(ctx, call, req, toEnd) })
	return call.Turn
}

// callOf begins an operation on a task where the task belongs.
func (e *Engine) callOf(agent a2a.AgentID, taskID string, conv a2a.ConversationID, op a2a.Op, req *a2a.Request) (context.Context, *a2a.Call) {
	e.mu.Lock()
	defer e.mu.Unlock()
	call := &a2a.Call{Agent: agent, Conversation: conv, Op: op, TaskID: taskID, PushID: req.PushID}
	if req.Push != nil {
		call.PushID = req.Push.ID
	}
	if a := e.agents[agent]; a != nil && a.tasks[taskID] != nil {
		call.Conversation, call.Turn = a.tasks[taskID].conv, a.tasks[taskID].turn
	}
	if e.convs[call.Conversation] == nil && taskID != "" {
		call.Conversation = e.newConversation(agent)
	}
	if call.Turn == 0 {
		return e.beginTurn(call), call
	}
	return e.begin(call.Turn), call
}

// operation performs the work of operate.
func (e *Engine) operation(ctx context.Context, call *a2a.Call, req a2a.Request, toEnd bool) {
	a, f := e.ready(ctx, call.Agent, call.Conversation)
	if f.sentence != "" {
		e.finish(call, f)
		return
	}
	taskID := call.TaskID
	e.address(a, model.Target{}, call)
	req.Call, req.TaskID, req.ContextID, req.Tenant = call, taskID, call.ContextID, a.profile.Tenant
	if call.Op == a2a.OpCancel {
		defer e.trackCancel(call.Agent, taskID)()
	}
	d := dispatch{e: e, agent: call.Agent, a: a, call: call, history: req.HistoryLength, req: req}
	d.run(ctx)
	if toEnd {
		f = e.followTurn(ctx, d.a, d.fw, d.out, false)
	} else {
		f = d.fw.sayForgotten(d.out, d.failure())
	}
	if call.Op == a2a.OpExtendedCard {
		f = e.applyExtendedCard(d.a, d.call, &d.out, f)
	}
	e.finish(d.call, f)
	e.beginAuthPoll(call.Agent, cmp.Or(d.fw.task(), taskID))
	e.check(d.a, d.fw, d.out)
}

// List requests a page of an agent's tasks (specification 1.0 §3.1.4). It comes as an event of
// the turn and belongs to no conversation.
func (e *Engine) List(agent a2a.AgentID, filter a2a.ListFilter, historyLength *int) a2a.TurnID {
	return e.operate(agent, "", 0, a2a.OpList, a2a.Request{List: filter, HistoryLength: historyLength}, false)
}

// PushSet registers a webhook for a task (specification 1.0 §3.1.7). The registration comes
// back as an event of the turn, as with the other operations on webhooks.
func (e *Engine) PushSet(agent a2a.AgentID, taskID string, config a2a.PushConfig) a2a.TurnID {
	config.TaskID = taskID
	return e.operate(agent, taskID, 0, a2a.OpPushSet, a2a.Request{Push: &config}, false)
}

// PushGet requests one registration of a task; dialects before 0.2.5 have only one and take no
// id.
func (e *Engine) PushGet(agent a2a.AgentID, taskID, id string) a2a.TurnID {
	return e.operate(agent, taskID, 0, a2a.OpPushGet, a2a.Request{PushID: id}, false)
}

// PushList requests the registrations of a task, a page of them if the dialect has pages.
func (e *Engine) PushList(agent a2a.AgentID, taskID string, filter a2a.ListFilter) a2a.TurnID {
	return e.operate(agent, taskID, 0, a2a.OpPushList, a2a.Request{List: filter}, false)
}

// PushDelete ends a registration of a task. In 0.1, where a task has one and nothing
// deletes it, it is set to null (specification 0.1.0 §6.10).
func (e *Engine) PushDelete(agent a2a.AgentID, taskID, id string) a2a.TurnID {
	op := a2a.OpPushDelete
	if e.speaks(agent) == a2a.V01 {
		op = a2a.OpPushSet
	}
	return e.operate(agent, taskID, 0, op, a2a.Request{PushID: id}, false)
}

// speaks returns the dialect in use for an agent, empty if it is unknown.
func (e *Engine) speaks(agent a2a.AgentID) a2a.DialectName {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[agent]; a != nil {
		return a.profile.Dialect
	}
	return ""
}

// MergeArtifacts merges the scattered artifacts of a task, see [model.Task.Scattered]. No request
// is sent: the decision is recorded, and the state follows from it.
func (e *Engine) MergeArtifacts(agent a2a.AgentID, taskID string) {
	e.note(log.NoteMerge, map[string]string{log.AttrAgent: log.IDText(agent), log.AttrTask: taskID})
}
