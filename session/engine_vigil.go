package session

import (
	"context"
	"net/http"
	"sync"
	"time"

	"parley/a2a"
)

// A vigil is an auth poll: it polls a task that waits for credentials and that no stream
// reports. The user may give the credentials elsewhere, in a browser, and Parley is not
// notified of that (specification 1.0 §7.6.1).
type vigil struct {
	cancel context.CancelFunc
	hurry  chan struct{} // the user may have given credentials

	mu    sync.Mutex
	where Signal // what the auth poll is about
	over  bool
}

// StartAuthPoll begins to poll a task that waits for credentials, until it continues, even if
// [Engine.StopAuthPoll] was called before.
func (e *Engine) StartAuthPoll(agent a2a.AgentID, task string) {
	e.mu.Lock()
	if k := e.known(agent, task); k != nil {
		k.alone = false
		if k.vigil != nil {
			k.vigil.hasten()
		}
	}
	e.mu.Unlock()
	e.attend(agent, task)
}

// StopAuthPoll stops the auth poll of a task until [Engine.StartAuthPoll] is called or a
// message is sent to the task.
func (e *Engine) StopAuthPoll(agent a2a.AgentID, task string) { e.leave(agent, task, true) }

// HurryAuthPolls polls every task that waits for credentials soon: the user may have given
// them.
func (e *Engine) HurryAuthPolls() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.agents {
		for _, k := range a.tasks {
			if k.vigil != nil {
				k.vigil.hasten()
			}
		}
	}
}

// hasten ends the current wait.
func (v *vigil) hasten() {
	select {
	case v.hurry <- struct{}{}:
	default:
	}
}

// known returns what is known of a task, nil if nothing is. The caller holds the engine's lock.
func (e *Engine) known(agent a2a.AgentID, task string) *known {
	if a := e.agents[agent]; a != nil {
		return a.tasks[task]
	}
	return nil
}

// attend begins an auth poll if a task needs one.
func (e *Engine) attend(agent a2a.AgentID, task string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.known(agent, task)
	switch {
	case !e.o.AuthPolls, e.closed, k == nil:
		return
	case e.agents[agent].dismissed, k.alone, k.vigil != nil, k.stream != nil, k.Forgotten, k.State != a2a.StateAuthRequired:
		return
	}
	if d, spoken := e.agents[agent].profile.Spoken(); !spoken || !d.Supports(a2a.OpGet) {
		return
	}
	ctx, cancel := context.WithCancel(e.ctx)
	v := &vigil{cancel: cancel, hurry: make(chan struct{}, 1)}
	v.where = Signal{Kind: SignalVigil, Agent: agent, Conversation: k.conv, Turn: k.turn, TaskID: task}
	k.vigil = v
	e.work.Go(func() {
		defer cancel()
		e.keep(ctx, v)
	})
}

// leave ends the auth poll of a task, if there is one; alone says that the user wants none.
func (e *Engine) leave(agent a2a.AgentID, task string, alone bool) {
	e.mu.Lock()
	k := e.known(agent, task)
	if k == nil {
		e.mu.Unlock()
		return
	}
	v := k.vigil
	k.vigil, k.alone = nil, alone
	e.mu.Unlock()
	if v != nil {
		v.cancel()
		e.endVigil(v, failure{})
	}
}

// endVigil reports that an auth poll is over, and why.
func (e *Engine) endVigil(v *vigil, f failure) {
	e.mu.Lock()
	if k := e.known(v.where.Agent, v.where.TaskID); k != nil && k.vigil == v {
		k.vigil = nil
	}
	e.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		return
	}
	v.over = true
	sig := v.where
	sig.Kind, sig.Sentence, sig.Class = SignalVigilOver, f.sentence, f.class
	e.signal(sig)
}

// announce announces the next poll of a task, unless the auth poll is over.
func (e *Engine) announce(v *vigil, attempt int, wait time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		return
	}
	sig := v.where
	sig.Attempt, sig.After = attempt, wait
	e.signal(sig)
}

// keep runs an auth poll. It continues while the agent is away or busy, and stops if the agent
// does not support the request.
func (e *Engine) keep(ctx context.Context, v *vigil) {
	waits, pause := e.backoff(), time.Duration(0)
	for attempt := 1; ; attempt++ {
		wait := max(waits.next(), pause)
		e.announce(v, attempt, wait)
		hurried, ok := e.rest(ctx, v, wait)
		if !ok {
			e.endVigil(v, failure{})
			return
		}
		if hurried {
			waits = e.backoff()
		}
		a, f := e.ready(ctx, v.where.Agent)
		if f.sentence != "" {
			continue // the agent's card has changed; it may change back
		}
		if state, waits := e.stillWaits(v); !waits { // another request has the answer
			e.endVigil(v, failure{})
			e.goOn(a, v, state)
			return
		}
		fw, out := e.vigilant(ctx, a, v)
		pause = out.RetryAfter
		switch rpc := rpcError(out.Err); {
		case ctx.Err() != nil:
			e.endVigil(v, failure{})
			return
		case lasting(rpc, out.Status, pause):
			e.endVigil(v, failure{"Nobody notices any more when task " + v.where.TaskID + " goes on. " + outcomeFailure(out).sentence, ProblemRPC})
			return
		case fw.state() != a2a.StateAuthRequired:
			e.endVigil(v, failure{class: VigilWentOn})
			e.goOn(a, v, fw.state())
			return
		}
	}
}

// rest waits before the next poll, for a shorter time if the user may have given the
// credentials. It reports whether that was so, and false when ctx ended.
func (e *Engine) rest(ctx context.Context, v *vigil, wait time.Duration) (hurried, ok bool) {
	for over := e.o.After(wait); ; {
		select {
		case <-over:
			return hurried, ctx.Err() == nil
		case <-v.hurry:
			if !hurried && wait > e.o.PollMin {
				over = e.o.After(e.o.PollMin)
			}
			hurried = true
		case <-ctx.Done():
			return hurried, false
		}
	}
}

// stillWaits reports whether a task is known to wait for credentials, and no stream reports it.
func (e *Engine) stillWaits(v *vigil) (a2a.State, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.known(v.where.Agent, v.where.TaskID)
	return k.State, k.State == a2a.StateAuthRequired && !k.Forgotten && k.stream == nil
}

// vigilant gets the task once, where it belongs by now.
func (e *Engine) vigilant(ctx context.Context, a *remote, v *vigil) (*follower, a2a.Outcome) {
	call := &a2a.Call{
		Agent: v.where.Agent, Conversation: v.where.Conversation, Turn: v.where.Turn,
		Op: a2a.OpGet, TaskID: v.where.TaskID, Vigil: true,
	}
	e.mu.Lock()
	if k := a.tasks[call.TaskID]; k != nil {
		call.Conversation, call.Turn = k.conv, k.turn
	}
	e.mu.Unlock()
	e.address(a, Target{}, call)
	fw := e.follow(a, call)
	return fw, e.do(ctx, a, a2a.Request{Call: call, TaskID: call.TaskID, ContextID: call.ContextID, Tenant: a.profile.Tenant}, fw)
}

// goOn follows a task that works again, unless that is done already.
func (e *Engine) goOn(a *remote, v *vigil, state a2a.State) {
	e.mu.Lock()
	k := a.tasks[v.where.TaskID]
	followed := k == nil || k.stream != nil || k.waits != nil
	e.mu.Unlock()
	d, spoken := a.profile.Spoken()
	switch {
	case followed, state.Terminal(), state.Interrupted():
	case a.profile.Streaming && spoken && d.Supports(a2a.OpSubscribe):
		e.Subscribe(v.where.Agent, v.where.TaskID, v.where.Conversation)
	default:
		e.Await(v.where.Agent, v.where.TaskID, 0, nil)
	}
}

// lasting reports whether the same request would get the same answer again: an error in A2A's
// own terms or a refusal, unless the agent is only busy, or a proxy in front of it fails.
func lasting(rpc *a2a.RPCError, status int, pause time.Duration) bool {
	if pause > 0 || rpc != nil && busy(rpc) {
		return false
	}
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return false
	}
	return rpc != nil && (rpc.Code < 0 || status/100 != 5) || status/100 == 4
}
