package tap

import (
	"crypto/rand"
	"crypto/sha256"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/session/request"
)

// webhookPath precedes the name of a webhook of the tap.
const webhookPath = "/.parley-webhook/"

// A hook is a webhook of a client for which the tap has one of its own.
type hook struct {
	name string // in the path at the tap
	url  string // of the client
	at   string // of the tap

	call a2a.Call // what registered it: agent, conversation, turn, task
	sums []deliverySum
}

// A deliverySum recognises a delivery that is repeated.
type deliverySum struct {
	sum    [sha256.Size]byte
	record a2a.RecordID
}

const (
	maxHooks = 4096 // that are remembered
	maxSums  = 64   // of one hook
)

// Hooks are the webhooks that were registered through a tap.
type hooks struct {
	by    map[string]*hook // by name
	order []string         // the oldest first
}

// reachable reports whether the agent can reach the tap: one on another machine cannot reach this
// one's loopback.
func (t *Tap) reachable() bool {
	t.mu.Lock()
	base, err := url.Parse(t.base)
	t.mu.Unlock()
	if err != nil || base.Host == "" {
		return false
	}
	return a2a.ReachOf(t.o.Target.Hostname()) == a2a.ReachMachine || a2a.ReachOf(base.Hostname()) != a2a.ReachMachine
}

// newHook remembers a webhook of a client.
func (t *Tap) newHook(address string) *hook {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := &hook{name: rand.Text(), url: address}
	h.at = t.base + webhookPath + h.name
	if t.hooks.by == nil {
		t.hooks.by = map[string]*hook{}
	}
	if len(t.hooks.order) == maxHooks {
		delete(t.hooks.by, t.hooks.order[0])
		t.hooks.order = t.hooks.order[1:]
	}
	t.hooks.by[h.name] = h
	t.hooks.order = append(t.hooks.order, h.name)
	return h
}

func (t *Tap) hasHooks() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.hooks.by) > 0
}

// hookOf returns the webhook with a name, nil if there is none.
func (t *Tap) hookOf(name string) *hook {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hooks.by[name]
}

// register returns a request with the webhook of the tap.
func (h *hook) register(body []byte) []byte {
	from, to, ok := request.PushURL(body)
	if !ok {
		return body
	}
	return jsontok.Apply(body, []jsontok.Edit{{From: from, To: to, With: jsontok.Quote(h.at)}})
}

// restoreWebhooks returns an answer in which the webhooks of clients stand where the agent named
// those of the tap.
func (t *Tap) restoreWebhooks(body []byte) []byte {
	var doc jsontok.Doc
	if doc.Parse(body) != nil {
		return body
	}
	var edits []jsontok.Edit
	for i := range doc.Len() {
		token := doc.Token(i)
		if token.Kind != jsontok.String || token.Key || token.Torn {
			continue
		}
		_, name, ok := strings.Cut(doc.Node(i).Text(), webhookPath)
		if h := t.hookOf(name); ok && h != nil {
			edits = append(edits, jsontok.Edit{From: token.Off, To: token.End, With: jsontok.Quote(h.url)})
		}
	}
	return jsontok.Apply(body, edits)
}

// registers reports whether a request registers a webhook. The caller holds the exchange's lock.
func (x *exchange) registers() bool {
	return x.facts.PushURL != "" && slices.Contains(registering, x.facts.Op)
}

// noteHook notes what became of the webhook that a request registers, and to what it belongs.
func (x *exchange) noteHook() {
	switch {
	case x.hook != nil:
		x.tap.mu.Lock()
		x.hook.call = *x.call
		x.tap.mu.Unlock()
		x.tap.noteChange(x, "The agent was given a webhook of the tap, which passes deliveries on to that of the client.")
	case x.past:
		x.tap.noteChange(x, "The webhook of the client stays as it is, because the agent could not reach the tap, or the body cannot be changed: its deliveries go past the tap.")
	}
}
