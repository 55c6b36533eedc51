package sessiontest

import (
	"fmt"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// Fails puts an exchange of the newest turn whose body is an error, and its end.
func (p *Tape) Fails(op a2a.Op, rpc string, end a2a.End) (body a2a.RecordID) {
	call := CallOf(op, 1)
	call.TaskID, call.Attempt = "t", 1
	x := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)})
	body = p.Put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":"r","error":` + rpc + `}`)})
	p.End(x, call, end)
	return body
}

// A Tape makes items as a client would, without one.
type Tape struct {
	State *model.State
	last  a2a.RecordID
	At    time.Time
	ch    model.Change
}

// NewTape returns a tape with a new state.
func NewTape() *Tape { return &Tape{State: model.NewState(), At: Epoch} }

// Put numbers a record, decodes it and applies it to the state.
func (p *Tape) Put(r a2a.Record) a2a.RecordID {
	p.last++
	p.At = p.At.Add(10 * time.Millisecond)
	r.ID, r.Time = p.last, p.At
	if r.Kind == a2a.KindRequest {
		r.Exchange = r.ID
	}
	var u a2a.Update
	if r.Kind == a2a.KindEvent || r.Kind == a2a.KindBody {
		u = a2a.Decode(r.Call, a2a.Input{Body: r.Payload(), Stream: r.Kind == a2a.KindEvent, Status: 200})
	}
	p.ch = p.State.Apply(log.Item{Record: r, Update: u})
	return r.ID
}

// Change returns what the last item changed.
func (p *Tape) Change() *model.Change { return &p.ch }

// CallOf returns a call of conversation 1 with agent 1.
func CallOf(op a2a.Op, turn a2a.TurnID) *a2a.Call {
	return &a2a.Call{Agent: 1, Conversation: 1, Turn: turn, Op: op, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
}

// Ask begins an exchange with a message.
func (p *Tape) Ask(call *a2a.Call, text string) a2a.ExchangeID {
	return p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(fmt.Sprintf(
		`{"jsonrpc":"2.0","id":"r","method":"SendStreamingMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":%q}]}}}`, p.last, text))})
}

// Event puts a frame with a result.
func (p *Tape) Event(x a2a.ExchangeID, call *a2a.Call, result string) a2a.RecordID {
	data := `{"jsonrpc":"2.0","id":"r","result":` + result + `}`
	return p.Put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)})
}

// End puts the end of an exchange.
func (p *Tape) End(x a2a.ExchangeID, call *a2a.Call, end a2a.End) {
	p.Put(a2a.Record{Kind: a2a.KindEnd, Exchange: x, Call: call, End: &end})
}

// ChunkOf returns an artifact update of task t.
func ChunkOf(artifact, text string, add bool) string {
	return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"artifact":{"artifactId":%q,"parts":[{"text":%q}]}}}`, add, artifact, text)
}

// StatusWord returns a status update of task t.
func StatusWord(word string) string {
	return fmt.Sprintf(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}}}`, word)
}

// StatusSays returns a status update of task t with a message.
func StatusSays(word, id, text string) string {
	return fmt.Sprintf(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s","message":{"messageId":%q,"role":"ROLE_AGENT","parts":[{"text":%q}]}}}}`, word, id, text)
}

// After lets time pass before the tape's next record, which takes 10 ms more.
func (p *Tape) After(d time.Duration) *Tape {
	p.At = p.At.Add(d - 10*time.Millisecond)
	return p
}

// Head puts the head of a response that is a stream.
func (p *Tape) Head(x a2a.ExchangeID, call *a2a.Call) a2a.RecordID {
	return p.Put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Exchange: x, Call: call,
		Head: &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}})
}
