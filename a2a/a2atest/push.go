package a2atest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// A webhook is a push configuration that a client registered for a task.
type webhook struct {
	id, url, token, scheme, credentials string

	config map[string]any // as it was sent, with its id
}

// pushes holds the dialect's names of the operations on webhooks, empty for missing ones.
type pushes struct{ set, get, list, remove string }

func (p pushes) has(method string) bool {
	return method != "" && slices.Contains([]string{p.set, p.get, p.list, p.remove}, method)
}

// readWebhook reads a configuration, nil if it has no URL.
func (a *Agent) readWebhook(raw json.RawMessage, dialect *dialect) *webhook {
	var c struct {
		ID, URL, Token string
		Authentication struct {
			Scheme      string
			Schemes     []string
			Credentials string
		}
	}
	h := &webhook{}
	if json.Unmarshal(raw, &c) != nil || c.URL == "" || json.Unmarshal(raw, &h.config) != nil {
		return nil
	}
	h.id, h.url, h.token, h.scheme, h.credentials = c.ID, c.URL, c.Token, c.Authentication.Scheme, c.Authentication.Credentials
	if h.scheme == "" && len(c.Authentication.Schemes) > 0 {
		h.scheme = c.Authentication.Schemes[0]
	}
	if dialect.clientIDs {
		h.id = "" // 0.1 has one for a task
		return h
	}
	if h.id == "" {
		h.id = a.options.NewID()
	}
	h.config["id"] = h.id
	return h
}

// hook registers a webhook for the task.
func (t *task) hook(h *webhook) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hooks = append(slices.DeleteFunc(t.hooks, func(o *webhook) bool { return o.id == h.id }), h)
	if len(t.hooks) == 1 {
		close(t.hasHook)
	}
}

// unhook forgets a webhook.
func (t *task) unhook(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hooks = slices.DeleteFunc(t.hooks, func(o *webhook) bool { return o.id == id })
	if len(t.hooks) == 0 {
		t.hasHook = make(chan struct{})
	}
}

// webhooks returns those of the task, and a channel that closes when there is one.
func (t *task) webhooks() ([]*webhook, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.hooks), t.hasHook
}

// servePush answers an operation on the webhooks of a known task.
func (a *Agent) servePush(out *response, c *call, t *task) {
	d := a.script.dialect
	var answer any
	switch c.method {
	case d.push.set:
		h := a.readWebhook(c.webhook, d)
		switch {
		case h != nil:
			t.hook(h)
			answer = d.configOf(t, h)
		case d.clientIDs: // null clears
			t.unhook("")
			answer = d.configOf(t, nil)
		default:
			out.fail(&invalidParams, c)
			return
		}
	case d.push.get:
		hooks, _ := t.webhooks()
		i := slices.IndexFunc(hooks, func(h *webhook) bool { return c.webhookID == "" || h.id == c.webhookID })
		if i < 0 && !d.clientIDs {
			out.fail(&d.notFound, c)
			return
		}
		answer = d.configOf(t, append(hooks, nil)[max(i, 0)])
	case d.push.list:
		hooks, _ := t.webhooks()
		list := []any{}
		for _, h := range hooks {
			list = append(list, d.configOf(t, h))
		}
		answer = list
		if d.flat {
			answer = map[string]any{"configs": list}
		}
	case d.push.remove:
		t.unhook(c.webhookID)
	}
	out.result(answer, c)
}

// configOf returns a configuration as the dialect shows it; that of 0.1 may be null.
func (d *dialect) configOf(t *task, h *webhook) any {
	config := map[string]any(nil)
	if h != nil {
		config = h.config
	}
	switch {
	case d.flat:
		flat := map[string]any{"taskId": t.id}
		for name, v := range config {
			if name != "tenant" && name != "taskId" {
				flat[name] = v
			}
		}
		return flat
	case d.clientIDs:
		return map[string]any{"id": t.id, "pushNotificationConfig": config}
	default:
		return map[string]any{"taskId": t.id, "pushNotificationConfig": config}
	}
}

// A notification is given up after this time: an agent has other things to do.
const notifyTimeout = 2 * time.Second

// notify posts a body to the webhooks of the task, one after the other. It does not report
// whether the body arrived.
func (r *run) notify(body []byte) {
	hooks, _ := r.task.webhooks()
	client := http.Client{Timeout: notifyTimeout}
	for _, h := range hooks {
		req, err := http.NewRequestWithContext(r.life, http.MethodPost, h.url, bytes.NewReader(body))
		if err != nil {
			continue
		}
		req.Header.Set("Content-Type", jsonType)
		if r.agent.script.dialect.flat {
			req.Header.Set("Content-Type", "application/a2a+json")
		}
		if h.token != "" {
			req.Header.Set("X-A2A-Notification-Token", h.token)
		}
		if h.scheme != "" && h.credentials != "" {
			req.Header.Set("Authorization", h.scheme+" "+h.credentials)
		}
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close() // the answer has no content
		}
	}
}
