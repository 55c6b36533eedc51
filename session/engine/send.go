package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
)

// Send sends a message and follows it until nothing more is to come: a stream to its end, a
// plain answer by polling the task until it is over or waits for the user. It waits for an
// agent that is still being discovered. The zero conversation of the target starts a new one;
// an empty context of the target means the conversation's.
func (e *Engine) Send(t model.Target, m *a2a.Message, o model.SendOptions) a2a.TurnID {
	e.mu.Lock()
	if e.convs[t.Conversation] == nil {
		t.Conversation = e.newConversation(t.Agent)
	}
	moved := e.setWay(t.Conversation, o.Way)
	call := &a2a.Call{Agent: t.Agent, Conversation: t.Conversation, Op: a2a.OpSend, TaskID: t.TaskID}
	ctx := e.beginTurn(call)
	e.mu.Unlock()
	if moved {
		e.noteWay(t.Agent, t.Conversation, o.Way)
	}

	msg := *m
	msg.Role = a2a.RoleUser
	msg.ReferenceTaskIDs = slices.Concat(msg.ReferenceTaskIDs, t.References)
	if msg.ID == "" {
		msg.ID = e.o.NewID()
	}
	if o.Secret {
		e.secrets.Confide(&msg)
	}
	e.secrets.Add(o.Secrets...)
	e.start(func() { e.send(ctx, t, call, &msg, o) })
	return call.Turn
}

// send is the life of a turn.
func (e *Engine) send(ctx context.Context, t model.Target, call *a2a.Call, m *a2a.Message, o model.SendOptions) {
	fail := func(f failure) {
		e.runOf(call.Turn).noteUntried(call, f, e.o.Now())
		e.noteUnsent(call, m, f, o)
		e.finish(call, f)
	}
	a, f := e.ready(ctx, t.Agent, call.Conversation)
	if f.sentence != "" {
		fail(f)
		return
	}
	e.address(a, t, call)
	e.stopAuthPoll(t.Agent, call.TaskID, false)
	e.withTask(t.Agent, call.TaskID, func(k *knownTask) { k.Send() })
	if o.Stream == a2a.True || o.Stream == a2a.Absent && e.canStream(a, call) {
		call.Op = a2a.OpStream
	}
	if o.Stream != a2a.False && !o.Async {
		o.Config.Wait, o.Config.Default = true, true // of a plain call, which a stream may become
	}
	if o.Webhook && o.Config.Push == nil {
		push, err := e.ownWebhook(a, call)
		if err != nil {
			fail(failure{sentence: asSentence(err.Error()), class: problem.ClassUnsent})
			return
		}
		o.Config.Push = &push
	}
	d := dispatch{e: e, agent: t.Agent, a: a, t: t, call: call, history: o.Config.HistoryLength, only: o.Extensions, req: a2a.Request{
		Call: call, Message: m, Config: o.Config, Secret: o.Secret, Secrets: o.Secrets,
		TaskID: call.TaskID, ContextID: call.ContextID, Tenant: a.profile.Tenant,
	}}
	d.run(ctx)
	if d.out.Exchange == 0 {
		e.noteUnsent(d.call, m, answerFailure(d.out), o)
	}
	f = e.followTurn(ctx, d.a, d.fw, d.out, o.Async)
	if own := d.failure(); f.sentence != "" && (d.refused() || d.pinHint() != "") {
		f = own
	}
	f = d.explain(f)
	e.withTask(t.Agent, t.TaskID, func(k *knownTask) { k.Ask() }) // it waits again if it still asks the same
	e.finish(d.call, f)
	e.beginAuthPoll(t.Agent, cmp.Or(d.fw.task(), t.TaskID))
	e.check(d.a, d.fw, d.out)
}

// ready waits until an agent's discovery is over, and returns the agent as it is spoken to in a
// conversation. It fails with the reason why the agent cannot be called.
func (e *Engine) ready(ctx context.Context, id a2a.AgentID, conv a2a.ConversationID) (*remote, failure) {
	a := e.agent(id)
	if a == nil {
		return nil, unknownAgentFailure
	}
	e.mu.Lock()
	why := a.unnamed()
	e.mu.Unlock()
	if why != "" {
		return nil, failure{sentence: why, class: problem.ClassUnsent}
	}
	select {
	case <-a.opened:
	case <-ctx.Done():
		return nil, failure{sentence: "The message was stopped before the agent's card was found.", class: problem.ClassStopped}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case a.tapped:
		return nil, *a.refusal()
	case a.client != nil:
		copied := *a // a copy: a later card does not change this call
		return &copied, e.inWay(&copied, conv)
	case a.profile.Problem != "":
		return nil, failure{sentence: a.profile.Problem, class: problem.ClassUnsent}
	default:
		return nil, failure{sentence: a2a.MaskReference(a.ref) + " has not answered with a card yet, so nothing can be sent to it.", class: problem.ClassUnsent}
	}
}

// address completes a call with the agent's profile and the conversation. In 0.1 the client
// makes the ids of tasks and sessions (specification 0.1.0 §6.1), and on a mesh the gateway
// does; everywhere else only the agent does.
func (e *Engine) address(a *remote, t model.Target, call *a2a.Call) {
	call.Dialect, call.Binding, call.Endpoint = a.profile.Dialect, a.profile.Binding, a.profile.Endpoint
	e.mu.Lock()
	defer e.mu.Unlock()
	th := e.convs[call.Conversation]
	call.ContextID = t.ContextID
	if call.ContextID == "" && th != nil {
		call.ContextID = th.contextID
	}
	mesh := call.Binding == a2a.BindingMQTT && task.SendsMessage(call.Op)
	if call.Dialect != a2a.V01 && !mesh {
		return
	}
	if call.TaskID == "" {
		call.TaskID, call.MadeID = e.o.NewID(), true
	}
	if call.ContextID == "" {
		call.ContextID = e.o.NewID()
	}
	if th != nil {
		th.contextID = call.ContextID
	}
}

// Mask returns a text without the secrets of this session, and without tokens of known shapes.
func (e *Engine) Mask(text string) string { return e.secrets.Mask(text) }

// noteUnsent records a message that was never sent.
func (e *Engine) noteUnsent(call *a2a.Call, m *a2a.Message, f failure, o model.SendOptions) {
	text := e.Mask(m.Text())
	if o.Secret {
		text = a2a.Mask
	}
	e.note(log.NoteUnsent, map[string]string{
		log.AttrAgent:        log.IDText(call.Agent),
		log.AttrConversation: log.IDText(call.Conversation),
		log.AttrTurn:         log.IDText(call.Turn),
		log.AttrTask:         call.TaskID, log.AttrText: text, log.AttrSentence: f.sentence, log.AttrClass: f.class,
	})
}

// request returns the request of a call about its task and context.
func (a *remote) request(call *a2a.Call) a2a.Request {
	return a2a.Request{Call: call, TaskID: call.TaskID, ContextID: call.ContextID, Tenant: a.profile.Tenant}
}

// do performs one operation. A request about a task that the agent gave and now denies is made once
// more, at once, with the next number of the call: the denial may be a mistake.
func (e *Engine) do(ctx context.Context, a *remote, req a2a.Request, fw *follower) a2a.Answer {
	a.complete(&req)
	send := func(ctx context.Context, hooks a2a.Hooks) a2a.Answer { return a.client.Do(ctx, req, hooks) }
	req.Call.Attempt = max(req.Call.Attempt, 1)
	out := e.perform(ctx, a, req.Call, fw, send)
	if rpc := rpcError(out.Err); rpc != nil && task.Condemns(req.Call.Op, rpc) && ctx.Err() == nil && fw.doubts(req.Call.TaskID) {
		again := *req.Call
		again.Attempt, again.Why, again.Because = again.Attempt+1, a2a.WhyAskedAgain, problem.ErrorName(rpc.Name)
		req.Call = &again
		out = e.perform(ctx, a, req.Call, fw, send)
	}
	fw.attempt = req.Call.Attempt
	return out
}

// perform performs one exchange and watches the agent if nothing answered.
func (e *Engine) perform(ctx context.Context, a *remote, call *a2a.Call, fw *follower, send func(context.Context, a2a.Hooks) a2a.Answer) a2a.Answer {
	streams := call.Op == a2a.OpStream || call.Op == a2a.OpSubscribe
	bytes := newByteCounter(e, call)
	hooks := a2a.Hooks{Items: fw.items, Bytes: bytes.count, Recorded: fw.onRecorded, Decoded: func(u a2a.Update) {
		bytes.noteUpdate(u)
		fw.observe(u)
	}}
	if streams {
		stream, cancel := context.WithCancelCause(ctx)
		defer fw.flow.awaitLook()
		defer cancel(nil)
		ctx = stream
		e.openStream(a, fw, func() { cancel(nil) })
		defer e.closeStream(a, fw)
		fw.flow.touch(e.o.Now())
		hooks.Control = &fw.control
		hooks.Bytes = func(n int) {
			now := e.o.Now()
			fw.flow.touch(now)
			bytes.add(n, now)
			if e.o.Ahead > 0 {
				e.o.Recorder.Relieve(stream, e.o.Ahead, e.o.After)
			}
		}
		e.start(func() { e.watchSilence(stream, cancel, fw) })
	}
	began := e.o.Now()
	e.runOf(call.Turn).begin(call)
	out := send(ctx, hooks)
	e.runOf(call.Turn).noteAttempt(fw, call, began, e.o.Now(), &out)
	bytes.reset()
	fw.finish()
	if streams {
		e.noteStreamEnd(fw, out)
	}
	if task.SendsMessage(call.Op) && !a.aside {
		e.noteProof(a.id, &out)
	}
	e.checkLogin(a, &out)
	switch {
	case a.aside: // another address than the one that is watched
	case out.End.Reason == a2a.Refused && problem.IsUnreachable(out.End.Class):
		if _, more := e.elsewhere(a, call, &out, false); more || a.substitute && task.IsRequired(call.Op) {
			break // the dispatch says which of its interfaces is watched
		}
		e.watch(e.agent(a.id))
	case out.End.Reason == a2a.Cut && ctx.Err() == nil:
		e.mu.Lock()
		host := dialAddress(a.profile.Endpoint)
		e.mu.Unlock()
		e.start(func() { e.watchIfGone(e.agent(a.id), host) })
	}
	if rpc := rpcError(out.Err); rpc != nil && !call.Rest && task.Condemns(call.Op, rpc) {
		e.noteDenied(a, call)
	}
	return out
}

// doubts reports whether a denial of a task may be a mistake: this session has seen the task, and
// the agent has not denied it often enough.
func (fw *follower) doubts(task string) (doubts bool) {
	fw.e.withTask(fw.agent.id, task, func(k *knownTask) { doubts = !k.Forgotten })
	return doubts
}

// noteDenied notes that the agent denies a task that it knew before, and reports it once the task
// counts as forgotten.
func (e *Engine) noteDenied(a *remote, call *a2a.Call) {
	var known task.Lifecycle
	e.withTask(a.id, call.TaskID, func(k *knownTask) {
		if k.Deny() {
			k.hasten()
		}
		known = k.Lifecycle
	})
	if !known.Forgotten {
		return
	}
	if !call.AuthPoll { // which ends by itself, and says why
		e.stopAuthPoll(a.id, call.TaskID, false)
	}
	sig := signalOf(log.SignalTaskForgotten, call)
	sig.Sentence = model.ForgottenSentence(call.TaskID, known.Shown, e.o.Now())
	e.signal(sig)
}

// answerFailure says why an exchange failed; the zero value if it did not.
func answerFailure(out a2a.Answer) failure {
	var (
		rpc       *a2a.RPCError
		transport *a2a.TransportError
		decode    *a2a.DecodeError
	)
	switch {
	case out.Err == nil:
		return failure{}
	case out.End.Reason == a2a.Cancelled:
		return stoppedFailure
	case errors.As(out.Err, &transport):
		return failure{sentence: transport.End.Sentence, class: cmp.Or(transport.End.Class, string(transport.End.Reason)), cause: transport.End.Cause(), page: transport.End.IsPage()}
	case errors.As(out.Err, &rpc):
		facts := task.FactsOf(&out)
		pause := task.PauseOf(out.Call(), &facts, problem.RetryPause(rpc, out.RetryAfter))
		return failure{sentence: problem.FromRPC(rpc, 0, pause, "").Sentence, class: problem.ClassRPC}
	case errors.As(out.Err, &decode):
		return failure{sentence: decode.Sentence, class: problem.ClassDecode}
	default:
		return failure{sentence: "The exchange did not end regularly; the wire shows how far it came.", class: string(out.End.Reason)}
	}
}

// Failures that several operations have.
var (
	stoppedFailure      = failure{sentence: "You stopped it; the agent may still be working.", class: problem.ClassStopped}
	unknownAgentFailure = failure{sentence: "This session has no such agent; open it first.", class: problem.ClassUnsent}
)

func rpcError(err error) *a2a.RPCError {
	var rpc *a2a.RPCError
	if errors.As(err, &rpc) {
		return rpc
	}
	return nil
}
