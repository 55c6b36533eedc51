package session

import (
	"parley/a2a"
)

// Get asks for a task once. historyLength asks for at most so many messages; nil
// leaves it to the agent. A task that the session knows shows up where it belongs, any
// other one in a conversation of its own.
func (e *Engine) Get(agent a2a.AgentID, taskID string, historyLength *int) a2a.TurnID {
	return e.operate(agent, taskID, 0, a2a.OpGet, a2a.Request{HistoryLength: historyLength}, false)
}

// Await asks for a task, as Get does, and goes on asking until it is over or waits
// for the person.
func (e *Engine) Await(agent a2a.AgentID, taskID string, historyLength *int) a2a.TurnID {
	return e.operate(agent, taskID, 0, a2a.OpGet, a2a.Request{HistoryLength: historyLength}, true)
}

// ExtendedCard asks for the card that an agent shows to those it knows
// (specification 1.0 §3.1.11). It comes as an event of the turn.
func (e *Engine) ExtendedCard(agent a2a.AgentID) a2a.TurnID {
	return e.operate(agent, "", 0, a2a.OpExtendedCard, a2a.Request{}, false)
}

// Cancel asks the agent to end a task.
func (e *Engine) Cancel(agent a2a.AgentID, taskID string, conv a2a.ConversationID) a2a.TurnID {
	return e.operate(agent, taskID, conv, a2a.OpCancel, a2a.Request{}, false)
}

// Subscribe opens a stream of a task that is under way. When the stream ends
// before the task does, the engine goes on by asking for it.
func (e *Engine) Subscribe(agent a2a.AgentID, taskID string, conv a2a.ConversationID) a2a.TurnID {
	return e.operate(agent, taskID, conv, a2a.OpSubscribe, a2a.Request{}, true)
}

// operate performs an operation on a task. With toEnd it then follows the task
// until nothing more is to come.
func (e *Engine) operate(agent a2a.AgentID, taskID string, conv a2a.ConversationID, op a2a.Op, req a2a.Request, toEnd bool) a2a.TurnID {
	e.mu.Lock()
	call := &a2a.Call{Agent: agent, Conversation: conv, Op: op, TaskID: taskID}
	if a := e.agents[agent]; a != nil && a.tasks[taskID] != nil {
		call.Conversation, call.Turn = a.tasks[taskID].conv, a.tasks[taskID].turn
	}
	if e.convs[call.Conversation] == nil {
		call.Conversation = e.newConversation(agent)
	}
	if call.Turn == 0 {
		e.last.turn++
		call.Turn = e.last.turn
	}
	ctx := e.begin(call.Turn)
	e.mu.Unlock()
	e.start(func() {
		a, f := e.ready(ctx, agent)
		if f.sentence != "" {
			e.finish(call, f)
			return
		}
		e.address(a, Target{}, call)
		req.Call, req.TaskID, req.ContextID, req.Tenant = call, taskID, call.ContextID, a.profile.Tenant
		fw := e.follow(a, call)
		fw.history = req.HistoryLength
		out := e.do(ctx, a, req, fw)
		if toEnd {
			f = e.afterwards(ctx, a, fw, out, false)
		} else {
			f = outcomeFailure(out)
		}
		e.finish(call, f)
	})
	return call.Turn
}
