package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/session/problem"
	"parley/session/task"
)

// Specification 1.0 §13.2 asks agents to refuse webhooks at loopback, link-local and private
// addresses, and does not define the error. Such refusals are recognised here, for the engine
// and [State] alike.

// A hookParams is the location of a webhook's URL in the parameters of a dialect's request.
type hookParams struct {
	URL                        string          `json:"url"`
	PushNotification           json.RawMessage `json:"pushNotification"`           // 0.1, with a message
	PushNotificationConfig     json.RawMessage `json:"pushNotificationConfig"`     // 0.1 to 0.3
	TaskPushNotificationConfig json.RawMessage `json:"taskPushNotificationConfig"` // 1.0, with a message
	Config                     json.RawMessage `json:"config"`                     // 0.3 over HTTP+JSON, around that of the task
	Configuration              json.RawMessage `json:"configuration"`              // of a message, from 0.2 on
	Params                     json.RawMessage `json:"params"`
}

// webhookIn returns the URL of the webhook that a request registers, empty if it registers
// none.
func webhookIn(r *a2a.Record) string {
	op := r.Call.Op
	if op != a2a.OpPushSet && (!task.SendsMessage(op) || !bytes.Contains(r.Raw, []byte("ushNotification"))) {
		return ""
	}
	return hookURL(r.Raw, op == a2a.OpPushSet)
}

// hookURL finds the URL below a value. config says that the value may be the push configuration
// itself, so that its url counts.
func hookURL(value []byte, config bool) string {
	var p hookParams
	if len(value) == 0 || json.Unmarshal(value, &p) != nil {
		return ""
	}
	for _, inner := range [][]byte{p.PushNotification, p.PushNotificationConfig, p.TaskPushNotificationConfig} {
		if u := hookURL(inner, true); u != "" {
			return u
		}
	}
	for _, outer := range [][]byte{p.Configuration, p.Config} {
		if u := hookURL(outer, false); u != "" {
			return u
		}
	}
	if u := hookURL(p.Params, config); u != "" || !config {
		return u
	}
	return p.URL
}

// nearby returns the host of a URL that is not public, empty for one of the Internet.
func nearby(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || a2a.ReachOf(u.Hostname()) == a2a.ReachWorld {
		return ""
	}
	return hostname.Of(u)
}

// hookWords refer to a webhook's address, in any letter case.
var hookWords = []string{"webhook", "callback", "loopback", "localhost", "private", "ssrf", "link-local", "internal address", "internal ip", "127.0.0"}

// namesWebhook reports whether the text of an error is about the address of a webhook.
func namesWebhook(e *a2a.RPCError, host string) bool {
	said := strings.ToLower(e.Message + " " + string(e.Data))
	about := func(word string) bool { return strings.Contains(said, word) }
	return about(host) || slices.ContainsFunc(hookWords, about)
}

// RefusesWebhook reports whether an error may mean that the agent rejects the address of a
// webhook. Errors with another meaning count only if their text says so, and in answer to a message
// to a task, which may be over, all do.
func RefusesWebhook(call *a2a.Call, address string, e *a2a.RPCError) bool {
	host := nearby(address)
	if host == "" || e == nil || e.Code == -32601 || problem.IsBusy(e) {
		return false
	}
	switch {
	case namesWebhook(e, host):
		return true
	case task.SendsMessage(call.Op):
		return e.Code == -32602 && call.BeginsTask()
	case call.Op != a2a.OpPushSet || problem.IsTaskUnknown(e):
		return false
	}
	switch e.Code {
	case -32003, -32004, -31401, -31403:
		return false
	}
	return e.Name != "PushNotificationNotSupportedError"
}

// hookAdvice says why a webhook may have been refused and what to do about it.
func hookAdvice(address string) string {
	return "The webhook is at " + nearby(address) + ", which only this machine or its network can reach; agents should refuse such addresses (A2A 1.0 §13.2): " +
		"start Parley with --push-url and --push-listen to receive deliveries at a public address. Until then Parley follows tasks by streams and polling."
}

// webhookAdvice returns the advice for an error that may reject the webhook of a request, empty
// for another error.
func webhookAdvice(x *exchange, e *a2a.RPCError) string {
	if RefusesWebhook(x.call, x.webhook, e) {
		return hookAdvice(x.webhook)
	}
	return ""
}

// hookRefusedBy returns the advice for a request whose webhook a bare HTTP status refused,
// empty if it was not.
func hookRefusedBy(x *exchange) string {
	if x.call.Op != a2a.OpPushSet || nearby(x.webhook) == "" {
		return ""
	}
	switch x.status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusUnprocessableEntity:
		return hookAdvice(x.webhook)
	}
	return ""
}

// Undelivered says what to do when an agent accepted a webhook and the task is over without a
// single delivery; it is empty otherwise, or if the address does not explain it.
func (t *Task) Undelivered() string {
	if !t.Over() || t.Push.Deliveries > 0 || t.Push.Problem != nil || nearby(t.Push.URL) == "" {
		return ""
	}
	return "The task is over and nothing was delivered. " + hookAdvice(t.Push.URL)
}
