package engine

import (
	"context"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/crash"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// An authPoll is an auth poll: it polls a task that waits for credentials and that no stream
// reports. The user may give the credentials elsewhere, in a browser, and Parley is not
// notified of that (specification 1.0 §7.6.1).
type authPoll struct {
	cancel context.CancelFunc
	hurry  chan struct{} // the user may have given credentials
	signal func(log.Signal)

	mu    sync.Mutex
	where log.Signal // what the auth poll is about
	over  bool
}

// StartAuthPoll begins to poll a task that waits for credentials, until it continues, even if
// [Engine.StopAuthPoll] was called before. It reports whether the task is polled now: only one in
// auth-required that no stream reports can be, and only where the dialect has a get.
func (e *Engine) StartAuthPoll(agent a2a.AgentID, task string) bool {
	e.withTask(agent, task, func(k *knownTask) {
		k.noAuthPoll = false
		if k.authPoll != nil {
			log.Wake(k.authPoll.hurry)
		}
	})
	return e.openAuthPoll(agent, task)
}

// StopAuthPoll stops the auth poll of a task until [Engine.StartAuthPoll] is called or a
// message is sent to the task.
func (e *Engine) StopAuthPoll(agent a2a.AgentID, task string) { e.stopAuthPoll(agent, task, true) }

// HurryAuthPolls polls every task that waits for credentials soon: the user may have given
// them.
func (e *Engine) HurryAuthPolls() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.agents {
		for _, k := range a.tasks {
			if k.authPoll != nil {
				log.Wake(k.authPoll.hurry)
			}
		}
	}
}

// beginAuthPoll begins an auth poll if a task needs one and nobody has to ask for it.
func (e *Engine) beginAuthPoll(agent a2a.AgentID, task string) {
	if e.o.AuthPolls {
		e.openAuthPoll(agent, task)
	}
}

// openAuthPoll begins an auth poll if a task needs one, and reports whether it has one.
func (e *Engine) openAuthPoll(agent a2a.AgentID, task string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.knownTask(agent, task)
	switch {
	case e.closed, k == nil, e.agents[agent].dismissed, k.noAuthPoll, k.stream != nil, k.Forgotten, k.State != a2a.StateAuthRequired:
		return false
	case k.authPoll != nil:
		return true
	}
	if d, spoken := e.agents[agent].profile.Spoken(); !spoken || !d.Supports(a2a.OpGet) {
		return false
	}
	ctx, cancel := context.WithCancel(e.ctx)
	v := &authPoll{cancel: cancel, hurry: make(chan struct{}, 1), signal: e.signal}
	v.where = log.Signal{Kind: log.SignalAuthPoll, Agent: agent, Conversation: k.conv, Turn: k.turn, TaskID: task}
	k.authPoll = v
	e.work.Go(func() {
		defer crash.Guard()
		defer cancel()
		e.runAuthPoll(ctx, v)
	})
	return true
}

// stopAuthPoll ends the auth poll of a task, if there is one; alone says that the user wants none.
func (e *Engine) stopAuthPoll(agent a2a.AgentID, task string, alone bool) {
	var v *authPoll
	e.withTask(agent, task, func(k *knownTask) {
		v = k.authPoll
		k.authPoll, k.noAuthPoll = nil, alone
	})
	if v != nil {
		v.cancel()
		e.endAuthPoll(v, failure{})
	}
}

// endAuthPoll ends an auth poll, and reports why.
func (e *Engine) endAuthPoll(v *authPoll, f failure) {
	e.withTask(v.where.Agent, v.where.TaskID, func(k *knownTask) {
		if k.authPoll == v {
			k.authPoll = nil
		}
	})
	v.end(f)
}

// end reports once that the auth poll is over, and why.
func (v *authPoll) end(f failure) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		return
	}
	v.over = true
	sig := v.where
	sig.Kind, sig.Sentence, sig.Class = log.SignalAuthPollEnded, f.sentence, f.class
	v.signal(sig)
}

// announce announces the next poll of the task, unless the auth poll is over.
func (v *authPoll) announce(attempt int, wait time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		return
	}
	sig := v.where
	sig.Attempt, sig.After = attempt, wait
	v.signal(sig)
}

// runAuthPoll runs an auth poll. It continues while the agent is away or busy, and stops if the
// agent does not support the request.
func (e *Engine) runAuthPoll(ctx context.Context, v *authPoll) {
	waits, out := e.backoff(), a2a.Answer{}
	for attempt := 1; ; attempt++ {
		wait := waits.after(&out)
		v.announce(attempt, wait)
		hurried, ok := e.waitForAuthPoll(ctx, v, wait)
		if !ok {
			e.endAuthPoll(v, failure{})
			return
		}
		if hurried {
			waits = e.backoff()
		}
		a, f := e.ready(ctx, v.where.Agent, v.where.Conversation)
		if f.sentence != "" {
			continue // the agent's card has changed; it may change back
		}
		if state, waits := e.stillNeedsAuth(v); !waits { // another request has the answer
			e.endAuthPoll(v, failure{})
			e.followAuthorized(a, v, state)
			return
		}
		var fw *follower
		fw, out = e.getForAuthPoll(ctx, a, v)
		switch rpc := rpcError(out.Err); {
		case ctx.Err() != nil:
			e.endAuthPoll(v, failure{})
			return
		case problem.IsLasting(rpc, out.Status, pauseIn(&out)):
			e.endAuthPoll(v, failure{sentence: "Stopped checking task " + v.where.TaskID + ". " + answerFailure(out).sentence, class: problem.ClassRPC})
			return
		case fw.state() != a2a.StateAuthRequired:
			e.endAuthPoll(v, failure{class: log.AuthPollContinued})
			e.followAuthorized(a, v, fw.state())
			return
		}
	}
}

// waitForAuthPoll waits before the next poll, for a shorter time if the user may have given the
// credentials. It reports whether that was so, and false when ctx ended.
func (e *Engine) waitForAuthPoll(ctx context.Context, v *authPoll, wait time.Duration) (hurried, ok bool) {
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

// stillNeedsAuth reports whether a task is known to wait for credentials, and no stream reports it.
func (e *Engine) stillNeedsAuth(v *authPoll) (a2a.State, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.knownTask(v.where.Agent, v.where.TaskID)
	return k.State, k.State == a2a.StateAuthRequired && !k.Forgotten && k.stream == nil
}

// getForAuthPoll gets the task once, where it belongs by now.
func (e *Engine) getForAuthPoll(ctx context.Context, a *remote, v *authPoll) (*follower, a2a.Answer) {
	call := &a2a.Call{
		Agent: v.where.Agent, Conversation: v.where.Conversation, Turn: v.where.Turn,
		Op: a2a.OpGet, TaskID: v.where.TaskID, AuthPoll: true,
	}
	e.withTask(call.Agent, call.TaskID, func(k *knownTask) { call.Conversation, call.Turn = k.conv, k.turn })
	e.address(a, model.Target{}, call)
	fw := e.follow(a, call)
	return fw, e.do(ctx, a, a.request(call), fw)
}

// followAuthorized follows a task that works again, unless that is done already, or left to the caller
// of [Engine.StartAuthPoll].
func (e *Engine) followAuthorized(a *remote, v *authPoll, state a2a.State) {
	e.mu.Lock()
	k := a.tasks[v.where.TaskID]
	followed := k == nil || k.stream != nil || k.waiter != nil
	e.mu.Unlock()
	d, spoken := a.profile.Spoken()
	switch {
	case !e.o.AuthPolls, followed, state.Terminal(), state.Interrupted():
	case a.profile.Streaming && spoken && d.Supports(a2a.OpSubscribe):
		e.Subscribe(v.where.Agent, v.where.TaskID, v.where.Conversation, true)
	default:
		e.Await(v.where.Agent, v.where.TaskID, 0, nil)
	}
}
