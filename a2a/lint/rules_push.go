package lint

import (
	"net/url"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// pushRules are about webhooks and what agents deliver to them.
var pushRules = [...]rule{
	{
		id: "PUSH-001", severity: a2a.Error, in: fromSpec, section: "0.1 §9.4, 0.3 §9.5, 1.0 §4.3.3",
		checks: "A delivery has the dialect's form: in 1.0 one StreamResponse, in 0.2 and 0.3 the task, in 0.1 at least a task's id and its status",
		fix:    "Post the object itself, without an envelope",
		at:     atDelivery, run: deliveryShape,
	},
	{
		id: "PUSH-002", severity: a2a.Warning, in: fromSpec, section: "0.1 §6.8, 0.3 §6.8",
		checks: "A delivery repeats the token of its webhook in X-A2A-Notification-Token", fix: "Send the token that the client gave",
		at: atDelivery, run: deliveryToken,
	},
	{
		id: "PUSH-003", severity: a2a.Error, in: v10, section: "1.0 §4.3.3",
		checks: "A delivery has the configured Authorization header", fix: "Send Authorization: {scheme} {credentials}",
		at: atDelivery, run: deliveryAuthorization,
	},
	{
		id: "PUSH-004", severity: a2a.Warning, in: fromSpec, section: "0.1 §6.8, 0.3 §6.8, 1.0 §13.2",
		checks: "A webhook has an https URL that the agent can reach", fix: "Register a public https URL; in Parley, --push-url names one",
		at: atCall, run: webhookURL,
	},
	{
		id: "PUSH-005", severity: a2a.Error, in: fromSpec, section: "0.1 §7.5, 0.3 §7.5, 1.0 §3.1.7",
		checks: "The answer to a registration names the task and repeats the URL", fix: "Answer with the stored configuration",
		at: atEvent, run: checkRegistration,
	},
	{
		id: "PUSH-006", severity: a2a.Warning, in: fromSpec, section: "1.0 §3.3.4",
		checks: "The agent accepts webhooks if and only if the card declares pushNotifications", fix: "Declare in the card what the agent supports",
		at: atEvent | atError, run: declaredPush,
	},
	{
		id: "PUSH-007", severity: a2a.Warning, in: fromSpec, section: "0.3 §9.5, 1.0 §4.3.3",
		checks: "A delivery is about the task of its webhook", fix: "Call a webhook only for its own task",
		at: atDelivery, run: deliveryTask,
	},
	{
		id: "PUSH-008", severity: a2a.Info, in: fromSpec,
		checks: "Deliveries come once, in order, and none after the task is over", fix: "Send deliveries one after the other, and repeat only unanswered ones",
		at: atDelivery, run: deliveryOrder,
	},
}

// letIn reports whether the receiver accepted a delivery.
func (p *pass) letIn() bool {
	facts := p.call.Delivery
	return facts == nil || facts.RefusalReason == "" && !facts.Validation
}

// affectsLater reports whether later records can be compared with a delivery.
func (p *pass) affectsLater() bool {
	facts := p.call.Delivery
	if !p.letIn() || facts != nil && facts.Repeats != 0 || p.foreignTask() != "" {
		return false
	}
	for i := range p.u.Events {
		if p.agent.ended(p.u.Events[i].TaskID) != nil {
			return false
		}
	}
	return true
}

// foreignTask returns the task in a delivery if it is not the webhook's.
func (p *pass) foreignTask() string {
	for i := range p.u.Events {
		if id := p.u.Events[i].TaskID; id != "" && p.call.TaskID != "" && id != p.call.TaskID {
			return id
		}
	}
	return ""
}

func deliveryShape(p *pass, n jsontok.Node) {
	if !p.letIn() {
		return
	}
	if len(p.u.Events) == 0 || n.Kind() != jsontok.Object {
		p.note(n, "The body is not a JSON object")
		return
	}
	kind := p.u.Events[0].Kind
	switch {
	case p.envelope.HasJSONRPC:
		p.noteAs(a2a.Warning, n, "The body has a JSON-RPC envelope")
	case p.in&v10 != 0 && (int(kind) >= len(wrappers) || unwrap(n, kind) == n || n.Len() != 1):
		p.note(n, "The body is not exactly one of task, message, statusUpdate and artifactUpdate")
	case p.in == onV01 && (!n.GetAny("taskId", "id").Exists() || !get(n, "status").Exists()):
		p.noteAs(a2a.Warning, n, "The body lacks a task id or a status")
	case p.in&(v02v03|proto03) != 0 && (kind != a2a.EventTask || unwrap(n, kind) != n):
		p.note(n, "The body is not the task")
	}
}

// tokenSent reports whether there is a header for the token.
func (p *pass) tokenSent() bool {
	h := p.header()
	return h.Get("X-A2A-Notification-Token") != "" || h.Get("A2A-Notification-Token") != ""
}

// ours reports whether a delivery came to a webhook of Parley, which is registered with a token and credentials.
// Those of other clients, which a tap passes on, may have neither.
func (p *pass) ours() bool {
	facts := p.call.Delivery
	return facts != nil && !facts.Validation && p.call.Tapped == nil
}

func deliveryToken(p *pass, _ jsontok.Node) {
	facts := p.call.Delivery
	switch {
	case !p.ours():
	case facts.RefusalReason == "token" && p.tokenSent():
		p.note(jsontok.Node{}, "The token is not that of the webhook")
	case p.tokenSent() || facts.RefusalReason != "" && facts.RefusalReason != "token":
	case p.in&v10 != 0: // whose text has no header for it
		p.noteAs(a2a.Info, jsontok.Node{}, "No header contains the token of the webhook")
	default:
		p.note(jsontok.Node{}, "The header X-A2A-Notification-Token is missing")
	}
}

func deliveryAuthorization(p *pass, _ jsontok.Node) {
	facts := p.call.Delivery
	switch {
	case !p.ours():
	case facts.RefusalReason == "authorization":
		p.note(jsontok.Node{}, "The Authorization header is not the configured one")
	case p.header().Get("Authorization") == "" && (facts.RefusalReason == "" || facts.RefusalReason == "token"):
		p.note(jsontok.Node{}, "The configured Authorization header is missing")
	}
}

// pushConfig returns the push configuration in the parameters of a request, zero if there
// is none.
func (p *pass) pushConfig(n jsontok.Node) jsontok.Node {
	switch p.call.Op {
	case a2a.OpPushSet:
		if inner := either(n, "pushNotificationConfig", "push_notification_config"); inner.Exists() {
			return inner
		}
		return n
	case a2a.OpSend, a2a.OpStream:
		for _, holder := range [...]jsontok.Node{get(n, "configuration"), n} {
			if v := holder.GetAny("taskPushNotificationConfig", "pushNotificationConfig", "pushNotification"); v.Kind() == jsontok.Object {
				return v
			}
		}
	}
	return jsontok.Node{}
}

func webhookURL(p *pass, n jsontok.Node) {
	at := get(p.pushConfig(n), "url")
	u, err := url.Parse(at.Text())
	if !at.IsText() || err != nil || u.Host == "" {
		return
	}
	reach, agent := a2a.ReachOf(u.Hostname()), a2a.ReachWorld
	if e, err := url.Parse(p.call.Endpoint); err == nil {
		agent = a2a.ReachOf(e.Hostname())
	}
	switch {
	case reach < agent:
		p.note(at, "The agent is on another network and cannot reach "+a2a.ShownHost(u))
	case u.Scheme != "https" && reach == a2a.ReachWorld:
		p.note(at, "The webhook URL is not encrypted")
	}
}

func checkRegistration(p *pass, n jsontok.Node) {
	if p.call.Op != a2a.OpPushSet || p.ev.Kind != a2a.EventPushConfig || len(p.ev.PushConfigs) != 1 {
		return
	}
	c, asks := &p.ev.PushConfigs[0], &p.x.asks
	switch {
	case asks.webhook != "" && c.URL != asks.webhook && !p.changed():
		p.note(n, "The URL is "+headerValue(c.URL)+"; "+clip(asks.webhook)+" was registered")
	case p.call.TaskID != "" && c.TaskID != p.call.TaskID:
		p.note(n, "The answer does not name the task "+clip(p.call.TaskID))
	}
}

// changed reports whether a tap changed the request, as it does to the URL of a webhook: the agent then got
// another one than the record of the request has.
func (p *pass) changed() bool { return p.call.Tapped != nil && len(p.call.Tapped.Changed) > 0 }

func declaredPush(p *pass, n jsontok.Node) {
	d := &p.agent.declared
	if !d.known || !webhookOp(p.call.Op) {
		return
	}
	switch e := p.ev.Err; {
	case e != nil && d.push == a2a.True && p.refusesPush(e):
		p.note(n, "The card declares push notifications, but the agent refuses them")
	case e == nil && d.push != a2a.True && p.ev.Kind == a2a.EventPushConfig && p.call.Op == a2a.OpPushSet:
		p.noteAs(undeclared(d.push), n, "The agent accepted the webhook, but the card does not declare push notifications")
	}
}

func webhookOp(op a2a.Op) bool { return strings.HasPrefix(string(op), "push-") }

// refusesPush reports whether an error says that the agent has no webhooks. One that registers them may lack
// the list, or the deletion.
func (p *pass) refusesPush(e *a2a.RPCError) bool {
	switch e.Name {
	case "PushNotificationNotSupportedError":
		return true
	case "UnsupportedOperationError", "OperationNotSupportedError", "MethodNotFoundError":
		return p.call.Op == a2a.OpPushSet
	}
	return false
}

func deliveryTask(p *pass, n jsontok.Node) {
	if id := p.foreignTask(); id != "" {
		p.note(n, "It is about the task "+clip(id)+"; the webhook was registered for "+clip(p.call.TaskID))
	}
}

func deliveryOrder(p *pass, n jsontok.Node) {
	if !p.letIn() || p.foreignTask() != "" {
		return
	}
	if facts := p.call.Delivery; facts != nil && facts.Repeats != 0 {
		p.note(n, "It repeats an earlier delivery byte for byte")
		return
	}
	for i := range p.u.Events {
		ev := &p.u.Events[i]
		if t := p.agent.ended(ev.TaskID); t != nil {
			if s := statusOf(ev); s == nil || s.State != t.state {
				p.note(n, "The task was "+t.state.String()+" when it came")
			}
			return
		}
		if s := statusOf(ev); s != nil && p.fold != nil && !s.Time.IsZero() {
			if last := p.fold.Status(ev.TaskID); last != nil && s.Time.Before(last.Time) {
				p.note(n, "Its status is older than the one before")
				return
			}
		}
	}
}
