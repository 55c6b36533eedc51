package session

import (
	"context"

	"parley/a2a"
)

// A message to a task that its agent has forgotten starts a new task in the same context,
// once: the error proves that nothing was started.

// startsAnew reports whether a refused message may be sent again as a new task. In 0.1 the
// client makes the ids of tasks, so an agent begins an unknown task and has no reason to
// refuse. A request that the user wrote is sent only as written.
func startsAnew(call *a2a.Call, e *a2a.RPCError) bool {
	return e != nil && aboutMessage(call.Op) && call.TaskID != "" && call.Dialect != a2a.V01 && !call.Raw && taskUnknown(e)
}

// anew sends a message whose task the agent has forgotten again, as a new task. A task that
// this session never saw may be a wrong id, and a secret is for the task that asked for it:
// both stay refused.
func (d *dispatch) anew(ctx context.Context) bool {
	if !startsAnew(d.call, rpcError(d.out.Err)) || d.req.Secret || d.fw.heard() || ctx.Err() != nil || !d.e.knows(d.agent, d.call.TaskID) {
		return false
	}
	d.t.TaskID = ""
	d.call = &a2a.Call{Agent: d.agent, Conversation: d.call.Conversation, Turn: d.call.Turn, Op: d.op}
	d.e.address(d.a, d.t, d.call)
	d.req.Call, d.req.TaskID, d.req.ContextID = d.call, "", d.call.ContextID
	d.try(ctx)
	return true
}

// knows reports whether this session has seen a task.
func (e *Engine) knows(agent a2a.AgentID, task string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.agents[agent]
	return a != nil && a.tasks[task] != nil
}

// sentAnew replaces the refusal of a message by the result: the message was sent again as a new
// task.
func (s *State) sentAnew(t *Turn) {
	task := t.Target.TaskID
	t.refused, t.Target.TaskID = false, ""
	for i, b := range t.Blocks {
		for j := range b.Entries {
			pr := b.Entries[j].Problem
			if pr == nil || pr.Err == nil || !taskUnknown(pr.Err) {
				continue
			}
			said := *pr
			said.Class = ProblemFallback
			said.Sentence = forgot(task) + "; the message starts a new task."
			b.Entries[j].Problem = &said
			s.touch(place{t, i, j})
		}
	}
}
