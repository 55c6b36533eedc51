package lint

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// Limits of what is remembered of the clients behind taps.
const (
	maxBroken      = 32   // streams of an agent that broke and that nobody took up
	maxCredentials = 4096 // of a session
)

// clients is what is remembered of the other clients that call one agent through a tap.
type clients struct {
	open    recent[openID, a2a.RecordID] // requests of JSON-RPC without an end
	broken  []brokenStream               // the oldest first
	refused recent[string, refusal]      // by client
	polls   recent[pollKey, *polling]
	said    recent[string, struct{}] // findings that are made once for each client
	waiting recent[string, string]   // the task of a context that waits for an answer
}

// An openID is the id of a request on one connection, as JSON text.
type openID struct {
	connection uint64
	id         string
}

// A brokenStream is a stream that broke before its task was over.
type brokenStream struct {
	task, context, message string
	sum                    uint32 // of the parts of its message
	record                 a2a.RecordID
}

// A refusal is an answer that says when the client may try again.
type refusal struct {
	until  time.Time
	record a2a.RecordID
}

// A pollKey names who gets which task.
type pollKey struct{ client, task string }

// polling is how often a client got a task in short succession.
type polling struct {
	last  time.Time
	quick int
}

// clients returns what is remembered of the clients of the agent.
func (p *pass) clients() *clients {
	if p.agent.clients == nil {
		p.agent.clients = &clients{
			open: recent[openID, a2a.RecordID]{max: maxExchanges}, refused: recent[string, refusal]{max: maxHosts},
			polls: recent[pollKey, *polling]{max: maxExchanges}, said: recent[string, struct{}]{max: maxIDs},
			waiting: recent[string, string]{max: maxExchanges},
		}
	}
	return p.agent.clients
}

// meet remembers the addresses of an agent behind a tap, before the rules check a request.
func (p *pass) meet() {
	if len(p.agent.origins) == 0 && len(p.l.tapped) < maxHosts {
		p.l.tapped = append(p.l.tapped, p.agent)
	}
	p.agent.tap = p.call.Tapped.Tap
	p.agent.addOrigin(p.call.Endpoint)
	if p.r.Head != nil {
		p.agent.addOrigin(p.r.Head.URL)
	}
}

// addOrigin remembers the origin of an address of the agent.
func (a *agent) addOrigin(address string) {
	if origin := a2a.Origin(address); origin != "" && len(a.origins) < maxHosts && !slices.Contains(a.origins, origin) {
		a.origins = append(a.origins, origin)
	}
}

// client names who sent the request of the exchange.
func (p *pass) client() string { return p.call.Tapped.Client }

// firstOf reports whether the running rule has not said something about the client before.
func (p *pass) firstOf(what string) bool {
	return p.clients().said.add(p.rule.id+" "+p.client()+" "+what, struct{}{})
}

// rememberClient remembers what later requests of the client are compared with, after the rules
// have checked the record.
func (p *pass) rememberClient() {
	c := p.clients()
	switch p.r.Kind {
	case a2a.KindRequest:
		p.x.sent = p.sentMessage()
		if id := p.x.openID(p.call); id.id != "" {
			c.open.put(id, p.r.ID)
		}
		p.takeUp()
		if t, known := p.agent.tasks.get(p.subjectTask()); known && p.call.Op == a2a.OpCancel {
			t.canceling = true
		}
	case a2a.KindHead:
		p.rememberRefusal()
	case a2a.KindEnd:
		if id := p.x.openID(p.call); id.id != "" {
			c.open.drop(id)
		}
		p.rememberBreak()
	}
	for i := range p.u.Events {
		ev := &p.u.Events[i]
		s := statusOf(ev)
		switch {
		case s == nil || ev.ContextID == "" || len(ev.ContextID) > maxID || len(ev.TaskID) > maxID:
		case s.State.Interrupted():
			c.waiting.put(ev.ContextID, ev.TaskID)
		default:
			if task, _ := c.waiting.get(ev.ContextID); task == ev.TaskID {
				c.waiting.drop(ev.ContextID)
			}
		}
	}
}

// openID returns what names the request among the open ones, with an empty id if it has none.
func (x *exchange) openID(call *a2a.Call) openID {
	if x.rpcID == "null" || len(x.rpcID) > maxID {
		return openID{}
	}
	return openID{call.Tapped.Connection, x.rpcID}
}

// takeUp forgets the broken streams of a task that the client asks for again.
func (p *pass) takeUp() {
	if p.call.Op != a2a.OpGet && p.call.Op != a2a.OpSubscribe && p.call.Op != a2a.OpCancel && p.call.Op != a2a.OpList {
		return
	}
	c, task := p.clients(), p.subjectTask()
	c.broken = slices.DeleteFunc(c.broken, func(b brokenStream) bool { return p.call.Op == a2a.OpList || b.task == task })
}

// subjectTask returns the task of a call that sends no message.
func (p *pass) subjectTask() string {
	if p.call.TaskID != "" {
		return p.call.TaskID
	}
	return p.x.asks.subject
}

// rememberRefusal remembers until when a client is asked to wait (RFC 9110 §10.2.3).
func (p *pass) rememberRefusal() {
	if status := p.x.status(); status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return
	}
	value := strings.TrimSpace(p.x.header("Retry-After"))
	var until time.Time
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<30 {
		until = p.r.Time.Add(time.Duration(seconds) * time.Second)
	} else if at, err := http.ParseTime(value); err == nil {
		until = p.r.Time.Add(at.Sub(p.answeredAt()))
	} else {
		return
	}
	p.clients().refused.put(p.client(), refusal{until, p.r.ID})
}

// answeredAt returns the agent's time of its answer, because the clocks may differ.
func (p *pass) answeredAt() time.Time {
	if at, err := http.ParseTime(p.x.header("Date")); err == nil {
		return at
	}
	return p.r.Time
}

// rememberBreak remembers a stream that broke before its task was over.
func (p *pass) rememberBreak() {
	h, sent := &p.x.stream, p.x.sent
	if !p.broke() || h.taskID == "" || len(h.taskID) > maxID || p.r.End.Class == a2a.ClassClient { // which left by itself
		return
	}
	c := p.clients()
	sent.task, sent.record = h.taskID, p.r.ID
	if len(c.broken) >= maxBroken {
		c.broken = slices.Delete(c.broken, 0, 1)
	}
	c.broken = append(c.broken, sent)
}

// broke reports whether the record ends a stream whose task goes on.
func (p *pass) broke() bool {
	h := &p.x.stream
	return p.r.End != nil && p.r.End.Reason != a2a.Ended && p.streaming() && p.x.events > 0 && !h.over && !h.state.Terminal() && !h.state.Interrupted()
}

// sentMessage returns what tells the message of a request from others.
func (p *pass) sentMessage() (b brokenStream) {
	message := p.sentNode()
	if message.Kind() != jsontok.Object {
		return b
	}
	b.message = either(message, "messageId", "message_id").Text()
	b.context = p.x.asks.contextID
	b.sum = sumOf(either(message, "parts", "content"))
	if len(b.message) > maxID {
		b.message = ""
	}
	return b
}

// sentNode returns the message in a request, zero if there is none.
func (p *pass) sentNode() jsontok.Node {
	if !p.sends() {
		return jsontok.Node{}
	}
	return messageIn(p.params())
}
