package chain

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// A wire makes records of what passes several taps: agent n is behind tap n.
type wire struct {
	t       testing.TB
	check   *Checker
	forest  *Forest
	now     time.Time
	next    a2a.RecordID
	calls   map[a2a.ExchangeID]*a2a.Call
	dialect a2a.DialectName
	binding a2a.Binding
	found   map[a2a.RecordID][]a2a.Finding
}

func newWire(t testing.TB, d a2a.DialectName, b a2a.Binding) *wire {
	return &wire{
		t: t, check: NewChecker(), forest: NewForest(), now: time.Date(2026, 11, 20, 14, 2, 3, 0, time.UTC),
		calls: map[a2a.ExchangeID]*a2a.Call{}, dialect: d, binding: b, found: map[a2a.RecordID][]a2a.Finding{},
	}
}

// A request is what a client sends to an agent.
type request struct {
	op      a2a.Op
	agent   a2a.AgentID
	client  string
	from    string
	conn    uint64
	head    string // lines
	secrets []a2a.Redaction
	text    string
	message string // further members of the message
	params  string // further members beside the message
	task    string // of a call without a message
}

// put numbers a record and gives it to the rules and to the forest.
func (w *wire) put(r a2a.Record, u a2a.Update) a2a.RecordID {
	w.next++
	w.now = w.now.Add(time.Millisecond)
	r.ID, r.Time = w.next, w.now
	if r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery {
		r.Exchange = r.ID
		w.calls[r.ID] = r.Call
	}
	r.Call = w.calls[r.Exchange]
	found := w.check.Check(&r, &u, a2a.NewFold())
	w.found[r.ID] = found
	w.forest.Add(&r, &u, found)
	return r.ID
}

// ask sends a request.
func (w *wire) ask(q request) a2a.ExchangeID {
	h := http.Header{"Content-Type": {"application/json"}, "A2a-Version": {"1.0"}}
	for line := range strings.Lines(q.head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		h.Set(name, value)
	}
	for _, gone := range q.secrets {
		h.Set(strings.TrimPrefix(gone.Name, "header "), a2a.Mask)
	}
	op := q.op
	if op == "" {
		op = a2a.OpStream
	}
	call := &a2a.Call{
		Agent: q.agent, Op: op, Dialect: w.dialect, Binding: w.binding, Endpoint: fmt.Sprintf("https://agent%d.example/a2a", q.agent), TaskID: q.task,
		Tapped: &a2a.Tapped{Tap: fmt.Sprintf("tap%d", q.agent), Client: q.client, From: q.from, Connection: q.conn},
	}
	head := &a2a.Head{Method: "POST", URL: call.Endpoint, Header: h}
	return w.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Head: head, Raw: []byte(w.body(q, op)), Redactions: q.secrets}, a2a.Update{})
}

// body writes a request in the form of the dialect.
func (w *wire) body(q request, op a2a.Op) string {
	method := map[a2a.Op]string{a2a.OpStream: "SendStreamingMessage", a2a.OpSend: "SendMessage", a2a.OpGet: "GetTask", a2a.OpCancel: "CancelTask"}[op]
	part, role := `{"text":%q}`, "ROLE_USER"
	switch w.dialect {
	case a2a.V01:
		part, role = `{"type":"text","text":%q}`, "user"
		method = map[a2a.Op]string{a2a.OpStream: "tasks/sendSubscribe", a2a.OpSend: "tasks/send", a2a.OpGet: "tasks/get", a2a.OpCancel: "tasks/cancel"}[op]
	case a2a.V02, a2a.V03:
		part, role = `{"kind":"text","text":%q}`, "user"
		method = map[a2a.Op]string{a2a.OpStream: "message/stream", a2a.OpSend: "message/send", a2a.OpGet: "tasks/get", a2a.OpCancel: "tasks/cancel"}[op]
	}
	params := fmt.Sprintf(`{"id":%q}`, q.task)
	if op == a2a.OpStream || op == a2a.OpSend {
		members := []string{fmt.Sprintf(`"role":%q,"parts":[`+part+`%s]`, role, q.text, "")}
		if !strings.Contains(q.message, "messageId") {
			members = append(members, fmt.Sprintf(`"messageId":"m%d"`, w.next))
		}
		if q.message != "" {
			members = append(members, q.message)
		}
		params = `{"message":{` + strings.Join(members, ",") + `}`
		if q.params != "" {
			params += "," + q.params
		}
		params += "}"
	}
	if w.binding != a2a.BindingJSONRPC {
		return params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","method":%q,"params":%s}`, w.next, method, params)
}

// says adds an event about a task to an answer; state is a word of 0.3.
func (w *wire) says(x a2a.ExchangeID, task, context, state string) a2a.RecordID {
	call := w.calls[x]
	s := a2a.ParseState(state)
	status := fmt.Sprintf(`"status":{"state":%q,"timestamp":"2026-11-20T14:02:03Z"}`, a2a.Word(s, w.dialect))
	ids := fmt.Sprintf(`"id":%q,"contextId":%q`, task, context)
	data := `{` + ids + `,` + status + `}`
	switch w.dialect {
	case a2a.V01:
		data = fmt.Sprintf(`{"id":%q,"sessionId":%q,%s}`, task, context, status)
	case a2a.V02, a2a.V03:
		data = `{"kind":"task",` + ids + `,` + status + `}`
	default:
		data = `{"task":` + data + `}`
	}
	if w.binding == a2a.BindingJSONRPC {
		data = `{"jsonrpc":"2.0","id":"r","result":` + data + `}`
	}
	return w.event(x, call, data)
}

// fails adds an error to an answer.
func (w *wire) fails(x a2a.ExchangeID) a2a.RecordID {
	data := `{"jsonrpc":"2.0","id":"r","error":{"code":-32603,"message":"Internal error"}}`
	if w.binding != a2a.BindingJSONRPC {
		data = `{"error":{"code":500,"status":"INTERNAL","message":"Internal error"}}`
	}
	return w.event(x, w.calls[x], data)
}

func (w *wire) event(x a2a.ExchangeID, call *a2a.Call, data string) a2a.RecordID {
	u := a2a.Decode(call, a2a.Input{Body: []byte(data), Status: 200, Stream: true, ContentType: "text/event-stream"})
	return w.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}, u)
}

func (w *wire) ends(x a2a.ExchangeID, reason a2a.EndReason) a2a.RecordID {
	return w.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: x, End: &a2a.End{Reason: reason}}, a2a.Update{})
}

// declares is the card of an agent, which a client gets.
func (w *wire) declares(agent a2a.AgentID, extension string) {
	x := w.ask(request{op: a2a.OpCard, agent: agent, client: "browser"})
	u := a2a.Update{Events: []a2a.Event{{Kind: a2a.EventCard, Card: &a2a.Card{Name: "x", Capabilities: a2a.Capabilities{Extensions: []a2a.Extension{{URI: extension}}}}}}}
	w.put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Raw: []byte("{}")}, u)
	w.ends(x, a2a.Ended)
}

func (w *wire) after(d time.Duration) { w.now = w.now.Add(d) }

// link returns how an exchange was joined.
func (w *wire) link(x a2a.ExchangeID) Link { return w.forest.Node(x).Link }

// of returns the findings of a rule.
func (w *wire) of(rule string) (all []a2a.Finding) {
	for id := a2a.RecordID(1); id <= w.next; id++ {
		for _, f := range w.found[id] {
			if f.Rule == rule {
				all = append(all, f)
			}
		}
	}
	return all
}

// Trace contexts of one trace, and of another one.
const (
	traced1 = "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n"
	traced2 = "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01\n"
	traced3 = "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-c8be7c8270314442-01\n"
	foreign = "Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n"
	ask1    = "Plan a weekend in Oslo for two"
	ask2    = "What is the weather in Oslo on Saturday?"
)

func apiKey(hash string) a2a.Redaction {
	return a2a.Redaction{Name: "header X-Api-Key", Size: 9, Hash: hash}
}

func bearer(hash string, audience ...string) a2a.Redaction {
	c := &a2a.Credential{Scheme: "bearer", Hash: hash}
	if audience != nil {
		c.Token = &a2a.TokenClaims{Audience: audience}
	}
	return a2a.Redaction{Name: "header Authorization", Size: 99, Hash: "with scheme " + hash, Credential: c}
}
