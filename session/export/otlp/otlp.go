package otlp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/model"
)

// maxMoments is how many events a span has at most, the first ones; it counts the others.
const maxMoments = 2048

// Write writes the turns and exchanges of an excerpt. It calls step after each exchange.
func Write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	w := &writer{Writer: bufio.NewWriterSize(out, 64<<10), excerpt: p, turns: map[a2a.TurnID]*course{}}
	w.WriteString(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"parley"}}]},"scopeSpans":[{"scope":{"name":"parley"},"spans":[`)
	w.collect()
	for _, c := range p.Conversations {
		for _, t := range c.Turns {
			if w.turns[t.ID] != nil || p.Has(t.Record) {
				w.turn(t)
			}
		}
	}
	done, total := 0, p.Len()
	for x, records := range p.Exchanges() {
		w.exchange(x, records)
		done += len(records)
		step(done, total)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	step(total, total)
	w.WriteString("\n]}]}]}\n")
	return w.Flush()
}

// A course is what is known of a turn from its exchanges.
type course struct {
	end    time.Time
	ids    ids
	method string // of the newest request that sent its message, else of the first request
	fault  fault  // of the newest exchange that is about the answer
}

type writer struct {
	*bufio.Writer
	excerpt *excerpt.Excerpt
	turns   map[a2a.TurnID]*course
	some    bool // a span was written
}

// collect finds when turns ended, and the trace that their requests carried.
func (w *writer) collect() {
	for x := range w.excerpt.Exchanges() {
		s := w.excerpt.State.Log.Stream(x)
		if s == nil || s.Call == nil || s.Call.Turn == 0 {
			continue
		}
		t := w.excerpt.State.Turn(s.Call.Turn)
		if t == nil {
			continue
		}
		c := w.turns[t.ID]
		if c == nil {
			c = &course{ids: turnIDs(t)}
			if trace, _ := parent(&w.excerpt.State.Log.At(x).Record); trace != "" {
				c.ids.trace = trace
			}
			w.turns[t.ID] = c
		}
		if s.Last.After(c.end) {
			c.end = s.Last
		}
		c.add(s, log.Method(&w.excerpt.State.Log.At(x).Record), w.exchangeFault(s, w.status(x)))
	}
}

// add adds an exchange. One that the user asked for beside the answer, and a check, say nothing
// about it.
func (c *course) add(s *log.Stream, method string, f fault) {
	sends := s.Call.Op == a2a.OpSend || s.Call.Op == a2a.OpStream
	if sends && method != "" || c.method == "" {
		c.method = method
	}
	if sends || !s.Call.Check && (s.Call.Op == a2a.OpGet || s.Call.Op == a2a.OpSubscribe) {
		c.fault = f
	}
}

// put writes a span, with what comes before its last brace.
func (w *writer) put(s *span, more func()) {
	if w.some {
		w.WriteByte(',')
	}
	w.some = true
	w.WriteByte('\n')
	b, _ := json.Marshal(s) // texts and numbers do not fail
	w.Write(visible.JSON(bytes.TrimSuffix(b, []byte{'}'})))
	if more != nil {
		more()
	}
	w.WriteByte('}')
}

// turn writes the span of a turn.
func (w *writer) turn(t *model.Turn) {
	c := w.turns[t.ID]
	if c == nil {
		c = &course{ids: turnIDs(t), end: t.Time}
	}
	var a attributes
	a.text("a2a.agent.name", t.AgentName())
	a.text("a2a.context.id", t.Conversation.ContextID)
	a.number("parley.conversation", int64(t.Conversation.ID))
	a.number("parley.record", int64(t.Record))
	a.text("a2a.method.name", c.method)
	s := &span{TraceID: c.ids.trace, SpanID: c.ids.span, Name: cmp.Or(c.method, "turn"), Kind: kindInternal, Start: at(t.Time), End: at(c.end)}
	for _, b := range t.Blocks {
		if b.Task == nil {
			continue
		}
		a.text("a2a.task.id", b.Task.ID)
		a.text("a2a.task.state", b.Task.StateWord())
		break // an attribute has one value
	}
	turnFault(t, c.fault).set(s, &a)
	s.Attributes = a
	w.put(s, nil)
}

// status returns the HTTP status of an exchange, 0 without one.
func (w *writer) status(x a2a.ExchangeID) int {
	const first = 16 // records, which contain the head
	all := w.excerpt.State.Log.Exchange(x)
	for _, id := range all[:min(len(all), first)] {
		if r := &w.excerpt.State.Log.At(id).Record; r.Kind == a2a.KindHead && r.Head != nil {
			return r.Head.Status
		}
	}
	return 0
}

// exchange writes the span of an exchange, and that of its stream.
func (w *writer) exchange(x a2a.ExchangeID, records []a2a.RecordID) {
	s, it := w.excerpt.State.Log.Stream(x), w.excerpt.State.Log.At(w.excerpt.State.Log.Exchange(x)[0])
	r := &it.Record
	if s == nil {
		return
	}
	turn, name := ids{}, ""
	if agent := w.excerpt.State.Agent(w.excerpt.State.Log.Owner(x).Agent); agent != nil {
		name = agent.Name()
	}
	if c := r.Call; c != nil && w.turns[c.Turn] != nil {
		turn = w.turns[c.Turn].ids
		name = w.excerpt.State.Turn(c.Turn).AgentName()
	}
	own := exchangeIDs(r, turn)
	var a attributes
	if r.Head != nil {
		a.text("http.request.method", r.Head.Method)
		a.text("url.full", r.Head.URL)
	}
	if code := w.status(x); code != 0 {
		a.number("http.response.status_code", int64(code))
	}
	if c := r.Call; c != nil {
		a.text("a2a.method.name", log.Method(r))
		a.text("a2a.operation", string(c.Op))
		a.text("a2a.dialect", string(c.Dialect))
		a.text("a2a.binding", c.Binding.String())
		a.text("a2a.task.id", c.TaskID)
	}
	a.text("a2a.agent.name", name)
	a.number("parley.record", int64(x))
	end := "open"
	if s.End != nil {
		end = string(s.End.Reason)
	}
	a.text("parley.end", end)
	out := &span{TraceID: own.trace, SpanID: own.span, ParentID: own.parent, Name: cmp.Or(log.Method(r), log.Describe(it)), Kind: kindClient, Start: at(s.Start), End: at(s.Last)}
	if r.Kind == a2a.KindDelivery {
		out.Kind = kindServer
	}
	w.exchangeFault(s, w.status(x)).set(out, &a)
	out.Attributes = a
	w.put(out, nil)
	if s.Events > 0 {
		w.stream(s, own, records)
	}
}

// stream writes the span of a stream, with its events.
func (w *writer) stream(s *log.Stream, of ids, records []a2a.RecordID) {
	var a attributes
	a.number("a2a.stream.events", int64(s.Events))
	a.number("a2a.stream.bytes", s.Bytes)
	a.text("a2a.task.state", s.State.String())
	out := &span{TraceID: of.trace, SpanID: id(spanBytes, "stream", of.trace, of.span), ParentID: of.span, Name: "stream", Kind: kindInternal,
		Start: at(s.Start.Add(max(s.FirstEvent, 0))), End: at(s.Last)}
	w.streamFault(s).set(out, &a)
	out.Attributes = a
	w.put(out, func() {
		w.WriteString(`,"events":[`)
		n := 0
		for _, record := range records {
			it := w.excerpt.State.Log.At(record)
			if it.Record.Kind != a2a.KindEvent {
				continue
			}
			if n++; n > maxMoments {
				continue
			}
			if n > 1 {
				w.WriteByte(',')
			}
			var a attributes
			a.number("parley.record", int64(record))
			a.number("size", int64(it.Record.Size()))
			b, _ := json.Marshal(moment{at(it.Record.Time), log.Describe(it), a}) // texts and numbers do not fail
			w.Write(visible.JSON(b))
		}
		w.WriteByte(']')
		if n > maxMoments {
			b, _ := json.Marshal(n - maxMoments)
			w.WriteString(`,"droppedEventsCount":` + string(b))
		}
	})
}
