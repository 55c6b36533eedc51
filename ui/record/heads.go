package record

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/styles"
)

// headsAmong is how many records of an exchange are searched for heads, which come first.
const headsAmong = 16

// heads adds the heads of the record's exchange.
func (w *writer) heads(v *View) {
	ids := v.log.Exchange(v.it.Record.Exchange)
	if len(ids) == 0 {
		ids = []a2a.RecordID{v.it.Record.ID}
	}
	some := false
	for _, id := range ids[:min(len(ids), headsAmong)] {
		r := &v.log.At(id).Record
		if r.Head == nil {
			continue
		}
		if some {
			w.blank()
		}
		w.head(v, r)
		if r.Kind == a2a.KindRequest {
			w.forwarded(v, r)
		}
		some = true
	}
	w.trailer(v)
	if !some {
		w.line(w.st.Faint, 0, "This record has no head.")
		return
	}
	w.contentCoding(v, ids)
}

// forwarded adds what a tap sent to the agent otherwise than the client sent it.
func (w *writer) forwarded(v *View, r *a2a.Record) {
	if r.Call == nil || r.Call.Tapped == nil {
		return
	}
	w.blank()
	changes, known := v.log.Forwarded(r.ID)
	switch {
	case !known:
		w.line(w.st.Faint, 0, "What went to the agent is known when its answer begins, over HTTP/1.")
	case len(changes) == 0 && len(r.Call.Tapped.Changed) == 0:
		w.line(w.st.Faint, 0, "All of it went to the agent as the client sent it.")
	default:
		w.line(w.st.Dim, 0, "What the client sent, and what arrived at the agent:")
	}
	for _, c := range changes {
		w.headChange(c)
	}
	for _, what := range r.Call.Tapped.Changed {
		w.hang(label{w.st.G[styles.Retry], w.st.Agent}, w.st.Text, 2, "the tap changed "+what)
	}
}

// headChange adds a field that did not arrive as it was sent.
func (w *writer) headChange(c log.HeadChange) {
	if !c.Added {
		w.hang(label{"-", w.st.User}, w.st.Text, 2, joinField(c.Name, c.Sent))
	}
	if !c.Dropped {
		w.hang(label{"+", w.st.Agent}, w.st.Text, 2, joinField(c.Name, c.Arrived))
	}
}

// joinField returns a field line; without a name it is a start line.
func joinField(name, value string) string {
	if name == "" {
		return value
	}
	return name + ": " + value
}

// contentCoding adds the content coding of the exchange's response, which its body or the end of
// its stream records.
func (w *writer) contentCoding(v *View, ids []a2a.RecordID) {
	for _, id := range append(slices.Clone(ids[:min(len(ids), headsAmong)]), ids[len(ids)-1]) {
		c := v.log.At(id).Record.Coding
		if c == nil {
			continue
		}
		text := c.Names + ": " + units.Bytes(c.Size) + " came, "
		switch {
		case c.Plain:
			text = c.Names + " is in the header, but the bytes are not encoded; Parley read them unchanged"
		case c.LossReason != "":
			text += "which were not recorded because " + c.LossReason
		default:
			text += "which were recorded as they came; the decoded text is shown"
		}
		w.blank()
		w.field("coding", text, "")
		if c.Problem != "" {
			w.failure(c.Problem)
		}
		return
	}
}

// trailer adds the trailer fields of the response.
func (w *writer) trailer(v *View) {
	t := v.log.Trailer(v.it.Record.Exchange)
	if t == nil {
		return
	}
	w.blank()
	w.hang(label{w.st.G[styles.Receive], w.st.Agent}, w.st.Text, 2, "after the body")
	if t.Wire == "" {
		for _, name := range slices.Sorted(maps.Keys(t.Header)) {
			for _, value := range t.Header[name] {
				w.field(name, value, "")
			}
		}
		w.line(w.st.Faint, 0, t.Rebuilt+".")
		return
	}
	for _, l := range t.Wire.Trailer() {
		w.headLine(l, l.Value, "")
	}
}

// headLine adds a header field as it crossed the wire.
func (w *writer) headLine(l a2a.HeadLine, value, remark string) {
	if value == "" {
		value = " "
	}
	w.field(l.Name, value, remark)
}

// exact adds the heads of r as they crossed the wire.
func (w *writer) exact(r *a2a.Record, wire a2a.HeadBytes, sign label, bare secret) {
	masks := headerMasks(r)
	for i, head := range wire.Heads() {
		if i > 0 {
			w.blank()
		}
		if r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery {
			w.request(r, head[0].Value, bare)
		} else {
			w.hang(sign, w.st.Text, 2, head[0].Value)
		}
		seen := map[string]int{} // number of values of each header so far
		for _, l := range head[1:] {
			n := seen[l.Key]
			seen[l.Key]++
			values := r.Head.Header[l.Key]
			if n >= len(values) {
				w.headLine(l, l.Value, "")
				continue
			}
			gone := valueMasks(values, masks[strings.ToLower(l.Key)])
			w.masked(r, secret{inHeader, r.ID, l.Key, n}, bare, sizeOf(gone[n]), func(remark, shown string) {
				if shown == "" {
					shown = l.Value
				}
				w.headLine(l, shown, remark)
			})
		}
	}
}

// head adds one head, with its revealed secret, and says if it is not what crossed the wire.
func (w *writer) head(v *View, r *a2a.Record) {
	h := r.Head
	if h == nil {
		w.line(w.st.Faint, 0, "no head")
		return
	}
	sign := label{w.st.G[styles.Receive], w.st.Agent}
	if r.Dir == a2a.Out {
		sign = label{w.st.G[styles.Send], w.st.User}
	}
	wire := v.wire(r)
	if wire == "" {
		w.rebuilt(r, sign, v.shownSecret)
		w.line(w.st.Faint, 0, whyRebuilt(v, r))
		return
	}
	if _, earlier := v.log.SentHeads(r.Exchange); r.Kind == a2a.KindRequest && earlier != "" {
		w.exact(r, earlier, sign, v.shownSecret)
		w.line(w.st.Faint, 0, "The kept connection had been closed, so the request was sent again:")
		w.blank()
	}
	w.exact(r, wire, sign, v.shownSecret)
	if h.Omitted > 0 {
		w.line(w.st.Faint, 0, units.Bytes(int64(h.Omitted))+" more came but were not recorded: the head is too long.")
	}
	if r.Torn && h.Omitted == 0 && !h.Wire.Complete() {
		w.failure("The connection ended inside this head.")
	}
}

// wire returns the bytes of a record's head as they crossed the wire, empty if they are
// unknown.
func (v *View) wire(r *a2a.Record) a2a.HeadBytes {
	switch {
	case r.Head == nil:
		return ""
	case r.Kind == a2a.KindRequest && r.Head.Wire == "":
		return v.log.SentHead(r.Exchange)
	default:
		return r.Head.Wire
	}
}

// whyRebuilt explains why a head is not shown as it crossed the wire.
func whyRebuilt(v *View, r *a2a.Record) string {
	response := r.Head
	if r.Kind == a2a.KindRequest {
		response = v.response(r.Exchange)
	}
	switch {
	case response == nil:
		return "The head as Parley made it; the written head is known when the answer begins."
	case response.Rebuilt != "":
		return response.Rebuilt + "."
	case r.Kind != a2a.KindRequest && response.Status == 0 && response.Proto == "":
		return "The topic and the properties of an MQTT message, decoded."
	default:
		return "Head rebuilt: its bytes are not in this recording. Names have the spelling of Go's net/http, and their order is lost."
	}
}

// response returns the head of an exchange's response, nil if there is none.
func (v *View) response(x a2a.ExchangeID) *a2a.Head {
	ids := v.log.Exchange(x)
	for _, id := range ids[:min(len(ids), headsAmong)] {
		if r := &v.log.At(id).Record; r.Kind == a2a.KindHead {
			return r.Head
		}
	}
	return nil
}

// rebuilt adds a head as net/http parsed it.
func (w *writer) rebuilt(r *a2a.Record, sign label, bare secret) {
	h := r.Head
	if r.Dir == a2a.Out && r.Kind != a2a.KindEnd || r.Kind == a2a.KindDelivery {
		w.request(r, strings.TrimSpace(h.Method+" "+h.URL+" "+h.Proto), bare)
	} else {
		w.hang(sign, w.st.Text, 2, answerLine(h))
	}
	masks := headerMasks(r)
	gone := map[string][][]*a2a.Redaction{}
	for name, values := range h.Header {
		gone[name] = valueMasks(values, masks[strings.ToLower(name)])
	}
	for name, i := range h.Fields() {
		w.masked(r, secret{inHeader, r.ID, name, i}, bare, sizeOf(gone[name][i]), func(remark string, shown string) {
			if shown == "" {
				shown = h.Header[name][i]
			}
			w.field(name, shown, remark)
		})
	}
}

// answerLine returns the first line of a head that came: a status line, or on a mesh the topic or
// the protocol, which has no status.
func answerLine(h *a2a.Head) string {
	switch {
	case h.Status == 0 && h.URL != "":
		return h.URL
	case strings.HasPrefix(h.Proto, "MQTT"):
		return h.Proto
	default:
		return h.Proto + " " + strconv.Itoa(h.Status) + " " + http.StatusText(h.Status)
	}
}

// request adds the request line, or the whole URL while a secret in it is revealed.
func (w *writer) request(r *a2a.Record, line string, bare secret) {
	w.masked(r, secret{in: inURL, record: r.ID}, bare, sizeOf(urlMasks(r)), func(remark, shown string) {
		text := line
		if shown != "" {
			text = strings.TrimSpace(r.Head.Method + " " + shown + " " + r.Head.Proto)
		}
		if remark != "" {
			text += "  " + remark
		}
		sign := label{w.st.G[styles.Send], w.st.User}
		if r.Dir == a2a.In {
			sign = label{w.st.G[styles.Receive], w.st.Agent}
		}
		w.hang(sign, w.st.Text, 2, text)
	})
}

// masked adds text with a masked part; remark describes the mask and is empty if there is none.
// A revealed value is shown, but not part of the text to copy.
func (w *writer) masked(r *a2a.Record, s, bare secret, remark string, add func(remark, shown string)) {
	if remark == "" {
		add("", "")
		return
	}
	w.entry.secret = s
	rows := len(w.rows)
	add(remark, "")
	if s == bare {
		text := w.text.String()
		value, _ := s.open(r)
		w.rows = w.rows[:rows]
		add("revealed", value)
		w.text.Reset()
		w.text.WriteString(text)
	}
	w.entry = entry{}
}
