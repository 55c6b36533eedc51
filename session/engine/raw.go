package engine

import (
	"cmp"
	"context"
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
	"parley/session/tracker"
)

// SendRaw sends a request that the user wrote, once and unchanged, and shows the answer as a
// turn of its own in a conversation, a new one if that is 0. There is no follow-up: a task that
// is still working is not polled.
func (e *Engine) SendRaw(agent a2a.AgentID, conv a2a.ConversationID, r a2a.RawRequest) a2a.TurnID {
	e.mu.Lock()
	call := a2a.Call{Agent: agent, Conversation: conv}
	if a := e.agents[agent]; a != nil {
		call.Dialect, call.Binding = a.profile.Dialect, a.profile.Binding
	}
	call = r.Call(call)
	if e.convs[conv] == nil && tracker.InConversation(call.Op) {
		call.Conversation = e.newConversation(agent)
	}
	ctx := e.beginTurn(&call)
	e.mu.Unlock()
	e.start(func() { e.finish(&call, e.raw(ctx, &call, r)) })
	return call.Turn
}

// NewID makes an id for a request or a message, never the same twice.
func (e *Engine) NewID() string { return e.o.NewID() }

// raw performs the work of SendRaw.
func (e *Engine) raw(ctx context.Context, call *a2a.Call, r a2a.RawRequest) failure {
	e.mu.Lock()
	known := e.agents[call.Agent]
	if known == nil {
		e.mu.Unlock()
		return unknownAgentFailure
	}
	a := *known
	if no := a.refusal(); no != nil {
		e.mu.Unlock()
		return *no
	}
	client, done := e.clientFor(known)
	e.mu.Unlock()
	defer done()
	if task.SendsMessage(call.Op) {
		e.stopAuthPoll(call.Agent, call.TaskID, false)
	}
	fw := e.follow(&a, call)
	defer func() { e.beginAuthPoll(call.Agent, cmp.Or(fw.task(), call.TaskID)) }()
	out := e.perform(ctx, &a, call, fw, func(ctx context.Context, hooks a2a.Hooks) a2a.Answer {
		return client.Raw(ctx, *call, r, hooks)
	})
	if a.client != nil && fw.cuts.inHurry() {
		return e.followTurn(ctx, &a, fw, out, false)
	}
	e.judge(ctx, fw.cuts.takeAll(false), fw)
	return answerFailure(out)
}

// presetOps are the operations of presets, in the order of the list.
var presetOps = []a2a.Op{
	a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpList, a2a.OpCancel, a2a.OpSubscribe,
	a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete, a2a.OpExtendedCard,
}

// Presets returns a request for every method of an agent's dialect, about the agent's newest
// known task. If the dialect is not known, they are those of several.
func (e *Engine) Presets(agent a2a.AgentID) []model.Preset {
	e.mu.Lock()
	a := e.agents[agent]
	if a == nil {
		e.mu.Unlock()
		return nil
	}
	profile, card, o := a.profile, a.card, e.clientOptions(a)
	base := e.example(a)
	if profile.Endpoint == "" {
		profile.Endpoint = cmp.Or(a.endpoint, a.origin, "http://agent.example/")
	}
	e.mu.Unlock()
	if profile.Dialect != a2a.Unknown && profile.Problem == "" {
		return presets(profile, card, o, base, "")
	}
	var list []model.Preset
	for _, d := range []a2a.DialectName{a2a.V10, a2a.V10REST, a2a.V03, a2a.V03REST, a2a.V02, a2a.V01} {
		guess := a2a.Profile{Dialect: d, Endpoint: profile.Endpoint, Tenant: profile.Tenant, Agent: profile.Agent}
		list = append(list, presets(guess, card, o, base, d.Number()+" ")...)
	}
	return list
}

// example is a request with everything that an operation may need. The caller holds the
// engine's lock.
func (e *Engine) example(a *remote) a2a.Request {
	req := a2a.Request{
		Message: &a2a.Message{ID: e.o.NewID(), Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("Hello")}},
		TaskID:  "TASK-ID", PushID: "CONFIG-ID",
		Push:       &a2a.PushConfig{ID: "CONFIG-ID", URL: "https://receiver.example/a2a"},
		Extensions: a.extensions,
	}
	var newest *knownTask
	for id, k := range a.tasks {
		if newest == nil || k.turn > newest.turn || k.turn == newest.turn && id > req.TaskID {
			newest, req.TaskID, req.ContextID = k, id, ""
			if th := e.convs[k.conv]; th != nil {
				req.ContextID = th.contextID
			}
		}
	}
	req.Push.TaskID = req.TaskID
	return req
}

// presets encodes an example for every operation of one way to speak.
func presets(p a2a.Profile, card *a2a.Card, o a2a.Options, base a2a.Request, before string) []model.Preset {
	c := a2a.NewClient(p, card, o)
	defer c.Close()
	d, known := p.Spoken()
	if !known {
		return nil
	}
	var list []model.Preset
	for _, op := range presetOps {
		if !d.Supports(op) {
			continue
		}
		req := base
		req.Call = &a2a.Call{Op: op}
		switch op {
		case a2a.OpSend, a2a.OpStream:
			if p.Dialect != a2a.V01 {
				req.TaskID = "" // a new task; that of 0.1 is named by the client
			} else {
				req.TaskID = o.NewID()
			}
		case a2a.OpList:
			req.List.PageSize = 20
		default:
			req.Message = nil
		}
		if r, err := c.Compose(req); err == nil {
			list = append(list, model.Preset{Op: op, Name: before + a2a.RPC(d.Method(op)), Request: r})
		}
	}
	return slices.Clip(list)
}
