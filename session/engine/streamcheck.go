package engine

import "parley/a2a"

// check gets a task once after its stream has ended regularly, so that rules can compare the
// answer with the stream. It changes nothing and belongs to no turn. Nobody waits for it, and
// the usual limits apply to the answer.
func (e *Engine) check(a *remote, fw *follower, out a2a.Answer) {
	d, known := a.profile.Spoken()
	regular := out.Streamed && out.End.Reason == a2a.Ended && out.End.Class == "" && out.Err == nil
	task, state := fw.task(), fw.state()
	// A task that is not over may have changed by the time the answer comes.
	if !e.o.CheckStreams || !regular || !known || !d.Supports(a2a.OpGet) || task == "" || !state.Terminal() {
		return
	}
	none := 0
	call := &a2a.Call{
		Agent: fw.call.Agent, Conversation: fw.call.Conversation, Op: a2a.OpGet, TaskID: task, ContextID: fw.call.ContextID, Check: true,
	}
	e.start(func() {
		over := make(chan struct{})
		close(over)
		ctx, stop := e.until(over)
		defer stop()
		req := a.request(call)
		req.HistoryLength = &none
		a.complete(&req)
		a.client.Do(ctx, req, a2a.Hooks{})
	})
}
