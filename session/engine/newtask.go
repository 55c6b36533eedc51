package engine

import (
	"context"

	"parley/a2a"
	"parley/session/model"
)

// startNewTask sends a message whose task the agent has forgotten again, as a new task. One denial is
// not enough: the task may run, and [Engine.do] has asked again. A task that
// this session never saw may be a wrong id, and a secret is for the task that asked for it:
// both stay refused.
func (d *dispatch) startNewTask(ctx context.Context) bool {
	if !model.StartsNewTask(d.call, rpcError(d.out.Err)) || d.req.Secret || d.fw.hasEvents() || ctx.Err() != nil || !d.e.hasForgotten(d.agent, d.call.TaskID) {
		return false
	}
	d.t.TaskID = ""
	again := d.again(a2a.WhyNewTask)
	d.call = &a2a.Call{Agent: d.agent, Conversation: d.call.Conversation, Turn: d.call.Turn, Op: d.op, Attempt: again.Attempt, Why: again.Why, Because: again.Because}
	d.e.address(d.a, d.t, d.call)
	d.req.Call, d.req.TaskID, d.req.ContextID = d.call, "", d.call.ContextID
	d.try(ctx)
	return true
}

// hasForgotten reports whether the agent has forgotten a task that this session has seen.
func (e *Engine) hasForgotten(agent a2a.AgentID, task string) (forgotten bool) {
	e.withTask(agent, task, func(k *knownTask) { forgotten = k.Forgotten })
	return forgotten
}
