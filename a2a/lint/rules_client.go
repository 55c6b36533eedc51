package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// clientRules are about what other clients do whose requests pass a tap. Rules about the form of
// requests, in the other groups, apply to them as well.
var clientRules = [...]rule{
	{
		id: "CLNT-001", severity: a2a.Error, in: envelopes, section: "JSON-RPC 2.0 §4, 0.3 §6.11.1",
		checks: "The id of a request is a string, a number or null", fix: "Send a string as the id",
		at: atRequest, run: tapped(idType),
	},
	{
		id: "CLNT-002", severity: a2a.Warning, in: envelopes, section: "JSON-RPC 2.0 §4",
		checks: "No two open requests of one connection have the same id", fix: "Give every request its own id",
		at: atRequest, run: tapped(openTwice),
	},
	{
		id: "CLNT-003", severity: a2a.Warning, in: overHTTP &^ onUnknown, section: "RFC 9110 §12.5.1",
		checks: "The header Accept admits the answer: a stream for calls that stream, JSON for others",
		fix:    "Send Accept: text/event-stream for calls that stream and application/json for others, or omit it",
		at:     atRequest, run: tapped(acceptsAnswer),
	},
	{
		id: "CLNT-004", severity: a2a.Info, in: since02, section: "0.3 §9.4, 1.0 §3.4.3",
		checks: "An answer to a task's question names that task", fix: "Set taskId to the task that waits, unless the message begins another one",
		at: atCall, run: tapped(answersQuestion),
	},
	{
		id: "CLNT-005", severity: a2a.Warning, in: since02, section: "0.3 §6.1, 1.0 §3.1.1",
		checks: "No message names a task that is over", fix: "Omit taskId, and keep contextId, to start a new task",
		at: atCall, run: tapped(messageToTheOver),
	},
	{
		id: "CLNT-006", severity: a2a.Warning, in: fromSpec, section: "0.1 §7.7, 0.3 §7.9, 1.0 §3.1.6",
		checks: "After a stream broke, the client asks for its task; it does not send the message again",
		fix:    "Subscribe to the task, or get it: a second message starts the work a second time", at: atCall, run: tapped(sentAgain),
	},
	{
		id: "CLNT-007", severity: a2a.Info, in: fromSpec, section: "0.1 §7.4, 0.3 §7.4, 1.0 §3.1.5",
		checks: "A client that no longer wants a task cancels it, and does not just leave the stream",
		fix:    "Cancel the task if nobody wants it any more; otherwise subscribe to it again", at: atEnd, run: tapped(abandons),
	},
	{
		id: "CLNT-008", severity: a2a.Info, in: knownDialects,
		checks: "A stream is closed soon after its task is over", fix: "Close the stream after the last status, whether or not the agent does",
		at: atEnd, run: tapped(keepsOpen),
	},
	{
		id: "CLNT-009", severity: a2a.Warning, in: anywhere, section: "RFC 9110 §10.2.3, 1.0 §3.3.2",
		checks: "A client waits as long as Retry-After says", fix: "Wait for the time in Retry-After before the next request",
		at: atRequest, run: tapped(retriesAfter),
	},
	{
		id: "CLNT-010", severity: a2a.Warning, in: knownDialects, section: "1.0 §3.5.1",
		checks: "A client waits between two gets of one task", fix: "Wait a second or more between polls, or subscribe to the task",
		at: atRequest, run: tapped(pollsSlowly),
	},
	{
		id: "CLNT-011", severity: a2a.Info, in: v02v03 | proto03 | v10, section: "1.0 §4.6.1",
		checks: "A request names only extensions that the card declares", fix: "Name only extensions that the agent's card lists",
		at: atRequest, run: tapped(undeclaredExtension),
	},
	{
		id: "CLNT-012", severity: a2a.Info, in: fromSpec, section: "0.3 §9.5, 1.0 §13.2",
		checks: "A webhook is registered with a token or credentials, so that its receiver can tell who calls",
		fix:    "Register the webhook with a token, or with authentication", at: atCall, run: tapped(hookSecret),
	},
	{
		id: "CLNT-013", severity: a2a.Warning, in: knownDialects, section: "0.1 §4.3, 0.3 §4.3, 1.0 §7.3",
		checks: "A request has the credentials that the card requires", fix: "Send the credentials of one of the card's security requirements with every request",
		at: atRequest, run: tapped(hasCredential),
	},
	{
		id: "CLNT-014", severity: a2a.Warning, in: anywhere, section: "1.0 §13.4",
		checks: "No credential is in a URL, unless the card asks for it there", fix: "Send the credential in a header: URLs end up in logs",
		at: atRequest, run: tapped(credentialInURL),
	},
	{
		id: "CLNT-015", severity: a2a.Warning, in: anywhere, section: "1.0 §7.6.3, RFC 6819 §4.6.4",
		checks: "A credential goes to the agent that it was first sent to, and to no other",
		fix:    "Get a credential of its own for each agent, or a token whose audience has both", at: atRequest, run: tapped(onlyOneOrigin),
	},
	{
		id: "CLNT-016", severity: a2a.Warning, in: anywhere, section: "RFC 7519 §4.1.3",
		checks: "A token was issued for the agent that gets it", fix: "Exchange the token for one with this agent as its audience",
		at: atRequest, run: tapped(tokenAudience),
	},
	{
		id: "CLNT-017", severity: a2a.Warning, in: anywhere, section: "RFC 7519 §4.1.4, §4.1.5",
		checks: "A token is valid when it is sent", fix: "Get a new token before the old one expires",
		at: atRequest, run: tapped(tokenTime),
	},
}

// tapped returns a check that applies only to requests of other clients.
func tapped(check func(*pass, jsontok.Node)) func(*pass, jsontok.Node) {
	return func(p *pass, n jsontok.Node) {
		if p.call.Tapped != nil {
			check(p, n)
		}
	}
}

func idType(p *pass, n jsontok.Node) {
	id := n.Get("id")
	if n.Kind() != jsontok.Object || !p.rpc() || !id.Exists() {
		return
	}
	switch id.Kind() {
	case jsontok.String, jsontok.Number, jsontok.Null:
	default:
		p.note(id, "The id is "+kindName(id.Kind()))
	}
}

func openTwice(p *pass, n jsontok.Node) {
	id := p.x.openID(p.call)
	if id.id == "" || !p.rpc() {
		return
	}
	if other, open := p.clients().open.get(id); open && other != p.r.ID {
		p.note(n.Get("id"), fmt.Sprintf("The id %s is that of request #%d, which is still open on this connection", clip(id.id), other))
	}
}

// acceptsAnswer judges only an Accept that is there: without one, everything is accepted.
func acceptsAnswer(p *pass, _ jsontok.Node) {
	lines := p.header().Values("Accept")
	if len(lines) == 0 || p.call.Op == a2a.OpCard || p.call.Op == a2a.OpArtifact || p.call.Op == a2a.OpDelivery || p.call.Op == "" {
		return
	}
	var m modes
	for item := range items(lines) {
		if !strings.Contains(strings.ReplaceAll(item, " ", "")+";", ";q=0;") {
			m.add(item)
		}
	}
	want := "application/json"
	if p.streaming() {
		want = "text/event-stream"
	}
	if !m.accept(want) && (p.streaming() || !m.accept("application/a2a+json")) {
		p.note(jsontok.Node{}, "Accept is "+headerValue(strings.Join(lines, ", "))+", which excludes "+want)
	}
}

func answersQuestion(p *pass, _ jsontok.Node) {
	message := p.sentNode()
	context := p.x.asks.contextID
	if !message.Exists() || context == "" || p.x.asks.taskID != "" {
		return
	}
	if task, waits := p.clients().waiting.get(context); waits {
		p.note(message, "The task "+clip(task)+" of this context waits for an answer, and the message does not name it")
	}
}

func messageToTheOver(p *pass, _ jsontok.Node) {
	message := p.sentNode()
	id := either(message, "taskId", "task_id")
	if t := p.agent.ended(id.Text()); t != nil {
		p.note(id, fmt.Sprintf("The task %s is %s since #%d", clip(id.Text()), t.state, t.over))
	}
}

func sentAgain(p *pass, _ jsontok.Node) {
	message := p.sentNode()
	if !message.Exists() {
		return
	}
	now := p.sentMessage()
	for _, b := range slices.Backward(p.clients().broken) {
		t, known := p.agent.tasks.get(b.task)
		same := b.message != "" && b.message == now.message || b.sum == now.sum && (b.context == now.context || known && now.context == t.contextID)
		if !same || known && (t.over != 0 || t.state.Interrupted()) {
			continue
		}
		p.note(message, fmt.Sprintf("The message is sent again after the stream of task %s broke (#%d); nobody asked how the task goes on", clip(b.task), b.record))
		return
	}
}

func abandons(p *pass, _ jsontok.Node) {
	if !p.broke() || p.r.End.Class != a2a.ClassClient {
		return
	}
	task := p.x.stream.taskID
	if t, known := p.agent.tasks.get(task); !known || t.over != 0 || t.canceling {
		return
	}
	p.note(jsontok.Node{}, "The client left the stream while task "+clip(task)+" was "+p.x.stream.state.String())
}

// lateClose is how long after the end of a task its stream may stay open.
const lateClose = 10 * time.Second

func keepsOpen(p *pass, _ jsontok.Node) {
	h := &p.x.stream
	if !p.streaming() || !h.over || h.at.IsZero() {
		return
	}
	if open := p.r.Time.Sub(h.at); open >= lateClose {
		p.note(jsontok.Node{}, fmt.Sprintf("The stream stayed open for %d s after its last event, although the task was over", int(open.Seconds())))
	}
}

// early is by how much a request may be early, because clocks and timers are not exact.
const early = 100 * time.Millisecond

func retriesAfter(p *pass, _ jsontok.Node) {
	refused := &p.clients().refused
	r, known := refused.get(p.client())
	if !known {
		return
	}
	refused.drop(p.client())
	if wait := r.until.Sub(p.r.Time); wait > early {
		p.note(jsontok.Node{}, fmt.Sprintf("The answer #%d asks to wait; the client comes back %.1f s too early", r.record, wait.Seconds()))
	}
}

// A client polls too fast if it gets a task this often with less than this time between.
const (
	quickPolls = 5
	quickPoll  = 500 * time.Millisecond
)

func pollsSlowly(p *pass, _ jsontok.Node) {
	task := p.subjectTask()
	if p.call.Op != a2a.OpGet || task == "" || len(task) > maxID {
		return
	}
	polls, key := &p.clients().polls, pollKey{p.client(), task}
	poll, known := entryOf(polls, key)
	if known && p.r.Time.Sub(poll.last) < quickPoll {
		poll.quick++
	} else {
		poll.quick = 0
	}
	poll.last = p.r.Time
	if poll.quick == quickPolls-1 {
		p.note(jsontok.Node{}, fmt.Sprintf("The client gets task %s the %dth time in a row with less than %s between", clip(task), quickPolls, quickPoll))
	}
}

func undeclaredExtension(p *pass, _ jsontok.Node) {
	d := &p.agent.declared
	if !d.known || !p.sends() {
		return
	}
	undeclared := lacking(a2a.ExtensionsIn(p.header()), d.extensions)
	undeclared = slices.DeleteFunc(undeclared, func(uri string) bool { return !p.firstOf(uri) })
	if len(undeclared) > 0 {
		p.note(jsontok.Node{}, "The card does not declare "+listed(undeclared))
	}
}

func hookSecret(p *pass, n jsontok.Node) {
	config := p.pushConfig(n)
	if !get(config, "url").Exists() || get(config, "token").Exists() {
		return
	}
	auth := get(config, "authentication")
	if get(auth, "credentials").Exists() || get(auth, "schemes").Len() > 0 || get(auth, "scheme").Exists() {
		return
	}
	p.note(config, "The webhook has neither a token nor authentication: whoever knows its URL can call it")
}
