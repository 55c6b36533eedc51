package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"parley/a2a"
	"parley/a2a/webhook"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// receive records one call to the receiver, whatever it is.
func (e *Engine) receive(c webhook.Call) {
	reg, call := e.about(&c)
	d := a2a.Delivery{
		Call: call, Time: c.Time, Message: c.Message, Body: c.Body, UserSecrets: e.secrets, Codings: e.o.Codings, Torn: c.Verdict == webhook.Broken || c.Verdict == webhook.TooLarge,
		Head: a2a.Head{Method: c.Method, URL: c.URL, Proto: c.Proto, Header: c.Header},
	}
	if c.Hook != nil {
		d.Secrets = []string{c.Hook.Token, c.Hook.Credentials}
	}
	sum := sha256.Sum256(c.Body)
	if reg != nil && c.Verdict == webhook.Accepted {
		call.Delivery.Repeats = reg.repeats(sum)
	}
	rec, update := d.Record()
	id := e.o.Recorder.Put(rec, update)
	end := endOf(&c, &d)
	answer := d.Answer(c.Status(), end, e.o.Now())
	answer.Exchange = id
	e.o.Recorder.Put(answer, a2a.Update{})
	if reg == nil || c.Verdict != webhook.Accepted || call.Delivery.Repeats != 0 {
		return
	}
	reg.remember(deliverySum{sum, id})
	e.takeDelivery(reg, call, &update)
}

// about returns the registration of a call, nil if there is none, and the subject of the call.
func (e *Engine) about(c *webhook.Call) (*registration, *a2a.Call) {
	call := &a2a.Call{Op: a2a.OpDelivery, Delivery: &a2a.DeliveryFacts{Remote: c.Remote, Verdict: c.Signature.Verdict, VerdictReason: c.Signature.Why}}
	switch c.Verdict {
	case webhook.Accepted:
	case webhook.Validation:
		call.Delivery.Validation = true
	default:
		call.Delivery.RefusalReason = string(c.Verdict)
	}
	if c.Hook == nil {
		return nil, call
	}
	reg, about := e.registry.find(c.Hook)
	if reg == nil {
		return nil, call
	}
	call.Agent, call.Conversation, call.Turn, call.PushID = reg.agent, reg.conv, reg.turn, reg.id
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.agents[reg.agent]
	if a == nil {
		return reg, call
	}
	call.Dialect, call.Binding, call.Endpoint = a.profile.Dialect, a.profile.Binding, a.profile.Endpoint
	if call.TaskID = about; a.tasks[about] != nil {
		call.Conversation, call.Turn = a.tasks[about].conv, a.tasks[about].turn
	}
	return reg, call
}

// taskOf returns the task of a turn of an agent, empty if there is none or several.
func (e *Engine) taskOf(agent a2a.AgentID, turn a2a.TurnID) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.agents[agent]
	if a == nil || turn == 0 {
		return ""
	}
	found := ""
	for id, k := range a.tasks {
		if k.turn == turn {
			if found != "" {
				return ""
			}
			found = id
		}
	}
	return found
}

// verdictSentences say why the receiver rejected a call, where that does not depend on the call.
var verdictSentences = map[webhook.Verdict]string{
	webhook.Address:       "No webhook of this session has this address; the delivery was rejected.",
	webhook.Host:          "Its Host header does not name the host of the registered webhook; the delivery was rejected.",
	webhook.Empty:         "It has no body and therefore no task; the delivery was rejected.",
	webhook.Token:         "It lacks the token of the registered webhook; the delivery was rejected.",
	webhook.Authorization: "Its Authorization header is not that of the registered webhook; the delivery was rejected.",
	webhook.TooLarge:      "Its body exceeds the limit; the delivery was rejected.",
	webhook.Broken:        "The connection broke, or took too long, before the body was complete.",
	webhook.Version:       "The caller speaks HTTP/2 without TLS, but the webhook receives HTTP/1.1; the delivery was rejected.",
	webhook.Busy:          "Too many deliveries came at once; Parley asked the agent to try again.",
}

// endOf describes the end of a call for the user.
func endOf(c *webhook.Call, d *a2a.Delivery) a2a.End {
	end := a2a.End{Reason: a2a.Ended, Class: string(c.Verdict)}
	end.Sentence = verdictSentences[c.Verdict]
	switch c.Verdict {
	case webhook.Accepted, webhook.Validation:
		end.Class = ""
	case webhook.Signature:
		end.Sentence = c.Signature.Why + " The delivery was rejected."
	case webhook.Token, webhook.Authorization:
		if why := c.Signature.Why; why != "" {
			end.Sentence += " " + why
		}
	case webhook.Method:
		end.Sentence = "A delivery must be a POST; this was a " + problem.Clip(c.Method) + " and was rejected."
	case webhook.Broken:
		end.Reason = a2a.Cut
	case webhook.Head:
		end.Sentence = d.HeadFault()
		if !c.Message.Complete && c.Message.Omitted == 0 {
			end.Reason = a2a.Cut
		}
	}
	if c.Unreported > 0 {
		end.Sentence += fmt.Sprintf(" Before it %d more calls were rejected unread.", c.Unreported)
	}
	return end
}

// repeats returns the record of an earlier delivery of the same body, 0 if there is none. The
// receiver passes its calls to one goroutine, so no lock is needed.
func (r *registration) repeats(sum [sha256.Size]byte) a2a.RecordID {
	if i := slices.IndexFunc(r.deliveries, func(d deliverySum) bool { return d.sum == sum }); i >= 0 {
		return r.deliveries[i].record
	}
	return 0
}

func (r *registration) remember(d deliverySum) {
	if len(r.deliveries) >= maxDeliverySums {
		r.deliveries = slices.Delete(r.deliveries, 0, 1)
	}
	r.deliveries = append(r.deliveries, d)
}

// takeDelivery takes the content of a delivery. The state decides what it changes; the engine
// needs to know whether to ask for more, and who waits for the task.
func (e *Engine) takeDelivery(reg *registration, call *a2a.Call, u *a2a.Update) {
	id, whole := "", false
	var status *a2a.Status
	for i := range u.Events {
		ev := &u.Events[i]
		if ev.TaskID == "" || call.TaskID != "" && ev.TaskID != call.TaskID {
			continue
		}
		id, whole = ev.TaskID, whole || ev.Kind == a2a.EventTask && !lacksOutput(ev.Task)
		if st := task.StatusOf(ev); st != nil {
			status = st
		}
	}
	if id == "" {
		return
	}
	e.registry.setTask(reg, id)
	e.mu.Lock()
	a := e.agents[reg.agent]
	if a == nil {
		e.mu.Unlock()
		return
	}
	k := a.tasks[id]
	if k == nil && call.Turn != 0 {
		k = a.track(id)
		k.place(call)
	}
	if k != nil && (k.stream != nil || k.State.Terminal() || status != nil && status.Time.Before(k.stamp) && !status.Time.IsZero()) {
		e.mu.Unlock()
		return // the stream reports everything, or there is nothing new
	}
	if k != nil {
		k.delivered, k.restRequested = true, false
	}
	if k != nil && status != nil && status.State != a2a.StateUnknown {
		k.deliver(status, e.followers, e.o.Now())
	}
	e.mu.Unlock()
	if !whole {
		e.getRest(reg.agent, id)
	}
	if k != nil {
		e.hurry(k)
	}
}

// lacksOutput reports whether a task that is over lacks a result: then its agent omitted it,
// and Parley must get the task.
func lacksOutput(t *a2a.Task) bool {
	switch st := &t.Status; {
	case len(t.Artifacts) > 0 || !st.State.Terminal():
		return false
	default:
		return st.State == a2a.StateCompleted || st.Message == nil
	}
}

// hurry wakes those who wait before a task is requested again. It comes after the request for
// what a delivery lacked, so that no turn ends between the two.
func (e *Engine) hurry(k *knownTask) {
	e.mu.Lock()
	k.restRequested = true
	waits := k.waiter
	e.mu.Unlock()
	if waits == nil {
		return // whoever begins to wait checks first
	}
	log.Wake(waits.hurry)
}

// waitForRetry waits for over before a task is requested, or subscribed to, again, but not longer
// than until a delivery completes it. It reports false when ctx ended.
func (e *Engine) waitForRetry(ctx context.Context, fw *follower, over <-chan time.Time) bool {
	fw.setWaiter(true)
	defer fw.setWaiter(false)
	if fw.deliverySettles() || fw.takeHaste() { // before anyone waited
		return ctx.Err() == nil
	}
	for {
		select {
		case <-fw.hurry:
			if fw.deliverySettles() || fw.takeHaste() {
				return ctx.Err() == nil
			}
		case <-over:
			return ctx.Err() == nil
		case <-ctx.Done():
			return false
		}
	}
}

// setWaiter registers a wait before a task is requested again.
func (fw *follower) setWaiter(on bool) {
	fw.withTask(func(k *knownTask) {
		switch {
		case on:
			k.waiter = fw
		case k.waiter == fw:
			k.waiter = nil
		}
	})
}

// deliverySettles reports whether a delivery, or a get because of one, has completed the task.
func (fw *follower) deliverySettles() (settled bool) {
	fw.withTask(func(k *knownTask) { settled = k.restRequested && (k.Over() || k.Waits()) })
	return settled
}

// restGet sets whether a get is in progress because of an incomplete delivery.
type restGet struct {
	on    bool
	again bool // another one came meanwhile
}

// getRest gets a task after an incomplete delivery: once for each delivery, and once more for
// all that come during the get or its wait. The result of a task that is over may be in its
// history. Every wait for an answer is limited.
func (e *Engine) getRest(agent a2a.AgentID, task string) {
	e.mu.Lock()
	k := e.agents[agent].track(task)
	busy, over := k.rest.on, k.State.Terminal()
	k.rest = restGet{on: true, again: busy}
	e.mu.Unlock()
	if busy {
		return
	}
	ctx, call := e.callOf(agent, task, 0, a2a.OpGet, &a2a.Request{}) // before the turn can be over
	e.start(func() {
		for ; ; ctx, call = e.callOf(agent, task, 0, a2a.OpGet, &a2a.Request{}) {
			req := a2a.Request{}
			if most := outputHistory; over {
				req.HistoryLength = &most
			}
			limited, cancel := e.limitOutput(ctx, task, over)
			e.operation(limited, call, req, false)
			cancel()
			e.mu.Lock()
			over = k.State.Terminal()
			more := k.rest.again
			k.rest = restGet{on: more}
			e.mu.Unlock()
			if !more || !e.sleep(e.ctx, e.o.PollMin) {
				return
			}
		}
	})
}
