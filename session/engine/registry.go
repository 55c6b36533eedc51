package engine

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"

	"parley/a2a"
	"parley/a2a/webhook"
)

// WebhookOptions say where push notifications are received.
type WebhookOptions struct {
	Listen string // address, "host:port"; empty is a free port of 127.0.0.1
	Public string // URL under which agents reach it; empty if they reach the address
}

// A pushRegistry owns Parley's webhooks and their receiver, which listens from the first webhook
// on.
type pushRegistry struct {
	options webhook.Options                             // of the receiver
	taskOf  func(a2a.AgentID, a2a.TurnID) (task string) // the task of a turn, empty if it is unknown

	mu       sync.Mutex
	receiver *webhook.Receiver
	closed   bool
	hooks    map[*webhook.Hook]*registration
}

// A registration is a webhook of Parley and what it was registered for.
type registration struct {
	agent a2a.AgentID
	conv  a2a.ConversationID
	turn  a2a.TurnID // of the message with which it was registered, 0 if there was none
	task  string     // empty until the agent has named one; the registry's lock guards it
	id    string     // of the push configuration
	// deliveries are checksums of the newest deliveries, the oldest first.
	deliveries []deliverySum
}

// A deliverySum is the checksum of a delivered body.
type deliverySum struct {
	sum    [sha256.Size]byte
	record a2a.RecordID
}

// maxDeliverySums is how many deliveries of a webhook are remembered to recognise repetitions.
const maxDeliverySums = 64

func (d *pushRegistry) close() {
	d.mu.Lock()
	r := d.receiver
	d.closed, d.receiver = true, nil
	d.mu.Unlock()
	if r != nil {
		r.Close()
	}
}

// Webhooks returns the URL below which push notifications are received; it is empty
// before the first webhook was registered.
func (e *Engine) Webhooks() string { return e.registry.base() }

func (d *pushRegistry) base() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.receiver == nil {
		return ""
	}
	return d.receiver.Base()
}

// find returns the registration of a webhook and its task, nil if there is none.
func (d *pushRegistry) find(h *webhook.Hook) (r *registration, task string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r = d.hooks[h]; r == nil {
		return nil, ""
	}
	return r, d.task(r)
}

// task returns the task of a registration, empty as long as it is unknown. The caller holds the
// lock.
func (d *pushRegistry) task(r *registration) string {
	if r.task == "" {
		r.task = d.taskOf(r.agent, r.turn)
	}
	return r.task
}

// setTask sets the task of a registration unless it is known.
func (d *pushRegistry) setTask(r *registration, task string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.task == "" {
		r.task = task
	}
}

// asSentence makes a sentence of an error's words.
func asSentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// register creates a webhook of Parley; the first one opens the listener. The error is a
// sentence without its full stop.
func (d *pushRegistry) register(r *registration, authorize bool) (*webhook.Hook, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, errors.New("the session is over")
	case d.receiver == nil:
		receiver, err := webhook.Start(d.options)
		if err != nil {
			return nil, err
		}
		d.receiver, d.hooks = receiver, map[*webhook.Hook]*registration{}
	}
	for h, other := range d.hooks { // an agent with two webhooks for a task would call both
		if r.task != "" && other.agent == r.agent && d.task(other) == r.task {
			r.id = other.id
			return h, nil
		}
	}
	h := d.receiver.Register(authorize)
	r.id = "parley-" + h.Key[:min(len(h.Key), keyInID)]
	d.hooks[h] = r
	return h, nil
}

// keyInID is how much of a webhook's key distinguishes it from the others of its task.
const keyInID = 8

// ownWebhook returns a push configuration with a webhook of Parley for the task of a call. 1.0
// requires an Authorization header with every delivery, and defines no header for the token
// (specification 1.0 §4.3.3). Earlier versions name the schemes that the webhook accepts in the
// configuration (specifications 0.1.0 §6.8 and 0.2.5 §6.8), and the token is the proof: an
// agent may authenticate itself with a bearer token of its own, which is not checked.
func (e *Engine) ownWebhook(a *remote, call *a2a.Call) (a2a.PushConfig, error) {
	r := &registration{agent: call.Agent, conv: call.Conversation, turn: call.Turn, task: call.TaskID}
	h, err := e.registry.register(r, a.profile.Dialect.Number() == "1.0")
	if err != nil {
		return a2a.PushConfig{}, err
	}
	return a2a.PushConfig{
		ID: r.id, URL: h.URL, Token: h.Token, Credentials: h.Credentials,
		Schemes: []string{cmp.Or(h.Scheme, "Bearer")},
	}, nil
}

// PushListen registers Parley's own webhook for a task. Deliveries come through the feed. The
// error says why nothing can be received, a sentence without its full stop.
func (e *Engine) PushListen(agent a2a.AgentID, taskID string) (a2a.TurnID, error) {
	e.mu.Lock()
	a := e.agents[agent]
	if a == nil {
		e.mu.Unlock()
		return 0, errors.New("this session has no such agent; open it first")
	}
	copied := *a
	call := &a2a.Call{Agent: agent, TaskID: taskID}
	if k := a.tasks[taskID]; k != nil {
		call.Conversation, call.Turn = k.conv, k.turn
	}
	e.mu.Unlock()
	p, err := e.ownWebhook(&copied, call)
	if err != nil {
		return 0, err
	}
	return e.PushSet(agent, taskID, p), nil
}
