package har

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/model"
)

// Write writes the exchanges of an excerpt. It calls step after each. The body of an answer is
// written piece by piece, so that a long stream is never in memory.
func Write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	w := &writer{Writer: bufio.NewWriterSize(out, 64<<10), excerpt: p}
	w.WriteString(`{"log":{"version":"1.2","creator":{"name":"Parley","version":"1"},"pages":[`)
	for i, c := range p.Conversations {
		if i > 0 {
			w.WriteByte(',')
		}
		w.page(c)
	}
	w.WriteString(`],"entries":[`)
	done, total, first := 0, p.Len(), true
	for x, ids := range p.Exchanges() {
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.WriteByte('\n')
		if err := w.entry(x, ids); err != nil {
			return err
		}
		done += len(ids)
		step(done, total)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	step(total, total)
	w.WriteString("\n]}}\n")
	return w.Flush()
}

type writer struct {
	*bufio.Writer
	excerpt *excerpt.Excerpt
}

// page writes a conversation, by which tools group its exchanges.
func (w *writer) page(c *model.Conversation) {
	began := w.excerpt.Began()
	if len(c.Turns) > 0 {
		began = c.Turns[0].Time
	}
	w.value(map[string]any{"startedDateTime": began.UTC(), "id": pageID(c.ID), "title": c.Agent.Name() + ": " + c.Name(), "pageTimings": struct{}{}})
}

func pageID(c a2a.ConversationID) string { return "conversation-" + strconv.Itoa(int(c)) }

// value writes a value as JSON.
func (w *writer) value(v any) {
	b, _ := json.Marshal(v) // plain values do not fail
	w.Write(visible.JSON(b))
}

// entry writes an exchange.
func (w *writer) entry(x a2a.ExchangeID, ids []a2a.RecordID) error {
	log, all := w.excerpt.State.Log, w.excerpt.State.Log.Exchange(x)
	first := log.At(all[0]).Record
	e := entry{Started: first.Time.UTC(), Parley: w.subject(&first), Request: w.request(&first)}
	if first.Call != nil && first.Call.Conversation != 0 && w.lists(first.Call.Conversation) {
		e.Page = pageID(first.Call.Conversation)
	}
	head, end, last := w.frame(all)
	e.Time, e.Timings = phases(&first, head, last)
	if head != nil && head.Head != nil && head.Head.Timing != nil {
		if host, _, err := net.SplitHostPort(head.Head.Timing.Remote); err == nil {
			e.Server = host
		}
	}
	if first.Kind == a2a.KindDelivery {
		e.Direction = string(a2a.In)
	}
	if end != nil && end.End != nil {
		e.End = &ending{Reason: end.End.Reason, Class: end.End.Class, Sentence: end.End.Sentence}
		if end.End.Trailer != nil {
			e.End.Trailer = pairs(end.End.Trailer.Header)
		}
		if end.End.Reason != a2a.Ended {
			e.Error = cmp.Or(end.End.Sentence, string(end.End.Reason))
		}
	}
	r := w.response(&first, head, end)
	if _, comment := w.excerpt.Remark(first.ID); comment != "" {
		e.Comment = comment
	}
	e.Resource = "fetch"
	if strings.HasPrefix(r.Content.MediaType, "text/event-stream") {
		e.Resource = "eventsource"
	}
	return w.write(&e, r, ids)
}

// lists reports whether a conversation is a page.
func (w *writer) lists(id a2a.ConversationID) bool {
	for _, c := range w.excerpt.Conversations {
		if c.ID == id {
			return true
		}
	}
	return false
}

// frame returns the head of the answer and the end of an exchange, nil where there is none, and
// the time of its newest record.
func (w *writer) frame(ids []a2a.RecordID) (head, end *a2a.Record, last time.Time) {
	const most = 16 // first records, which contain the head
	for i, id := range ids {
		if i >= most && i < len(ids)-1 {
			continue
		}
		r := &w.excerpt.State.Log.At(id).Record
		switch r.Kind {
		case a2a.KindHead:
			head = r
		case a2a.KindEnd:
			end = r
		case a2a.KindSurplus:
			continue
		}
		last = r.Time
	}
	return head, end, last
}

// subject returns what Parley knows of an exchange.
func (w *writer) subject(r *a2a.Record) subject {
	s := subject{Record: r.ID}
	if a := w.excerpt.State.Agent(w.excerpt.State.Log.Owner(r.ID).Agent); a != nil {
		s.Agent = a.Name()
	}
	if c := r.Call; c != nil {
		s.Conversation, s.Turn, s.Op, s.Dialect, s.Binding, s.Task = c.Conversation, c.Turn, c.Op, c.Dialect, c.Binding, c.TaskID
	}
	return s
}

// request returns the request of an exchange, or the delivery that began it.
func (w *writer) request(r *a2a.Record) request {
	out := request{Method: "GET", Version: "HTTP/1.1", Cookies: []pair{}, Headers: []pair{}, Query: []pair{}, HeadersSize: -1, BodySize: r.Size()}
	h := r.Head
	if h == nil {
		h = &a2a.Head{}
	}
	out.Method, out.URL, out.Version = cmp.Or(h.Method, out.Method), h.URL, cmp.Or(h.Proto, out.Version)
	if u, err := url.Parse(h.URL); h.URL == "" || err == nil && u.Host == "" {
		out.URL = "http://" + cmp.Or(h.Header.Get("Host"), "localhost") + "/" + strings.TrimPrefix(h.URL, "/")
	}
	out.Headers, out.Query = pairs(h.Header), query(out.URL)
	sent := w.excerpt.State.Log.SentHead(r.Exchange)
	if r.Kind == a2a.KindDelivery {
		sent = h.Wire
	}
	if heads := sent.Heads(); len(heads) > 0 {
		out.HeadersSize = len(sent)
		out.Headers = lines(heads[len(heads)-1][1:])
	}
	if len(r.Raw) > 0 {
		out.Post = &postData{MediaType: h.Header.Get("Content-Type"), Text: string(r.Raw), Binary: proto(r)}
		if !utf8.Valid(r.Raw) {
			out.Post.Text, out.Post.Encoding = base64.StdEncoding.EncodeToString(r.Raw), "base64"
		}
	}
	return out
}

// lines returns the fields of a head as they were written.
func lines(head []a2a.HeadLine) []pair {
	out := []pair{}
	for _, l := range head {
		if l.Name != "" {
			out = append(out, pair{l.Name, l.Value})
		}
	}
	return out
}

// proto returns a message that is not JSON, nil for others.
func proto(r *a2a.Record) *binary {
	if r.Binary == nil {
		return nil
	}
	return &binary{Type: r.Binary.Kind, Bytes: r.Binary.Bytes}
}

// response returns the answer of an exchange without its body.
func (w *writer) response(first, head, end *a2a.Record) *response {
	out := &response{Version: "HTTP/1.1", Cookies: []pair{}, Headers: []pair{}, HeadersSize: -1, BodySize: -1}
	h := (*a2a.Head)(nil)
	switch {
	case head != nil:
		h = head.Head
	case first.Kind == a2a.KindDelivery && end != nil:
		h = end.Head // of Parley's answer
	}
	if h == nil {
		return out
	}
	out.Status, out.StatusText, out.Version = h.Status, http.StatusText(h.Status), cmp.Or(h.Proto, out.Version)
	out.Headers, out.Redirect = pairs(h.Header), h.Header.Get("Location")
	if heads := h.Wire.Heads(); len(heads) > 0 {
		out.HeadersSize = len(h.Wire)
		out.Headers = lines(heads[len(heads)-1][1:])
	}
	out.Content.MediaType = h.Header.Get("Content-Type")
	return out
}

// phases returns how long an exchange took, in all and by phase.
func phases(first, head *a2a.Record, last time.Time) (float64, timings) {
	total := max(last.Sub(first.Time), 0)
	t := timings{Blocked: -1, DNS: -1, Connect: -1, TLS: -1}
	var before, answered time.Duration
	switch {
	case head == nil:
		t.Wait = ms(total)
		return ms(total), t
	case head.Head != nil && head.Head.Timing != nil:
		got := head.Head.Timing
		if got.DNS > 0 {
			t.DNS, before = ms(got.DNS), before+got.DNS
		}
		if got.Connect+got.TLS > 0 {
			t.Connect, before = ms(got.Connect+got.TLS), before+got.Connect+got.TLS
		}
		if got.TLS > 0 {
			t.TLS = ms(got.TLS)
		}
		send := max(got.Sent-before, 0)
		t.Send, before = ms(send), before+send
		answered = cmp.Or(got.FirstByte, head.Time.Sub(first.Time))
	default:
		answered = head.Time.Sub(first.Time)
	}
	t.Wait = ms(max(answered-before, 0))
	t.Receive = ms(max(total-max(answered, before), 0))
	return ms(max(total, before, answered)), t
}

// write writes an entry, and the body of its answer record by record.
func (w *writer) write(e *entry, r *response, ids []a2a.RecordID) error {
	body, text, size, coded := w.body(ids)
	r.Content.Size, r.BodySize = size, size
	if coded > 0 {
		r.BodySize = coded
	}
	if !text {
		r.Content.Encoding = "base64"
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	w.Write(visible.JSON(bytes.TrimSuffix(b, []byte{'}'})))
	w.WriteString(`,"response":`)
	if b, err = json.Marshal(r); err != nil {
		return err
	}
	w.Write(visible.JSON(bytes.TrimSuffix(b, []byte(`"}}`)))) // the text comes last
	if text {
		for _, id := range body {
			w.text(w.excerpt.State.Log.At(id).Record.Raw)
		}
	} else {
		enc := base64.NewEncoder(base64.StdEncoding, w)
		for _, id := range body {
			_, _ = enc.Write(w.excerpt.State.Log.At(id).Record.Raw) // w keeps its error
		}
		_ = enc.Close()
	}
	w.WriteString(`"}}`)
	w.events(e.Started, body)
	w.WriteByte('}')
	return nil
}

// body returns the records whose bytes are the body of an answer, whether it is text, and its size
// as it was decoded and as it came.
func (w *writer) body(ids []a2a.RecordID) (body []a2a.RecordID, text bool, size, coded int) {
	text = true
	for _, id := range ids {
		r := &w.excerpt.State.Log.At(id).Record
		if r.Coding != nil && r.Kind != a2a.KindDelivery {
			coded = int(r.Coding.Size)
		}
		if r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery || r.Kind == a2a.KindSurplus || len(r.Raw) == 0 {
			continue
		}
		body = append(body, id)
		text = text && utf8.Valid(r.Raw)
		size += len(r.Raw)
	}
	return body, text, size, coded
}

// text writes bytes as the inside of a JSON string.
func (w *writer) text(raw []byte) {
	const piece = 32 << 10
	for len(raw) > 0 {
		n := min(piece, len(raw))
		for n < len(raw) && !utf8.RuneStart(raw[n]) {
			n++
		}
		b, _ := json.Marshal(string(raw[:n]))
		w.Write(visible.JSON(b[1 : len(b)-1]))
		raw = raw[n:]
	}
}

// events writes the events of a stream, and messages with bytes of their own.
func (w *writer) events(start time.Time, body []a2a.RecordID) {
	open := false
	for _, id := range body {
		r := &w.excerpt.State.Log.At(id).Record
		if r.Kind != a2a.KindEvent && r.Binary == nil && r.Head == nil {
			continue
		}
		e := event{Record: id, Time: ms(r.Time.Sub(start)), Size: len(r.Raw), Binary: proto(r), Torn: r.Torn}
		if r.SSE != nil {
			e.ID, e.Event = r.SSE.ID, r.SSE.Event
		}
		if data, ok := log.PlainFrame(r.Raw); ok && utf8.Valid(data) {
			e.Data = string(data)
		} else if utf8.Valid(r.Payload()) {
			e.Data = string(r.Payload())
		}
		if r.Head != nil && r.Kind != a2a.KindEnd {
			e.Headers = pairs(r.Head.Header)
		}
		if open {
			w.WriteByte(',')
		} else {
			w.WriteString(`,"_events":[`)
			open = true
		}
		w.value(e)
	}
	if open {
		w.WriteByte(']')
	}
}
