package record

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/styles"
)

// headsAmong is how many of an exchange's records are looked at for heads, which
// come before all else.
const headsAmong = 16

// heads adds what was said in the heads of a record's exchange.
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
		w.head(r, v.bare)
		some = true
	}
	if !some {
		w.line(w.st.Faint, 0, "This record has no head.")
		return
	}
	w.coded(v, ids)
	w.blank()
	w.line(w.st.Faint, 0, "As Go's net/http shows them: names in its spelling, in no order.")
}

// coded says in which content coding the answer of an exchange came, which its body knows,
// or the end of its stream.
func (w *writer) coded(v *View, ids []a2a.RecordID) {
	for _, id := range append(slices.Clone(ids[:min(len(ids), headsAmong)]), ids[len(ids)-1]) {
		c := v.log.At(id).Record.Coded
		if c == nil {
			continue
		}
		text := c.Names + ": " + units.Bytes(c.Size) + " came, "
		switch {
		case c.Plain:
			text = c.Names + " is what the header says; the bytes are not, and were read as they are"
		case c.Lost != "":
			text += "which are not kept because " + c.Lost
		default:
			text += "which are kept as they came; what they say is shown"
		}
		w.blank()
		w.field("coding", text, "")
		if c.Problem != "" {
			w.failure(c.Problem)
		}
		return
	}
}

// head adds one head, with the secret that is revealed if it stands there.
func (w *writer) head(r *a2a.Record, bare secret) {
	h := r.Head
	if h == nil {
		w.line(w.st.Faint, 0, "no head")
		return
	}
	if r.Dir == a2a.Out && r.Kind != a2a.KindEnd || r.Kind == a2a.KindDelivery {
		w.request(r, bare)
	} else {
		status := strconv.Itoa(h.Status) + " " + http.StatusText(h.Status)
		sign := label{w.st.G[styles.Receive], w.st.Agent}
		if r.Dir == a2a.Out {
			sign = label{w.st.G[styles.Send], w.st.Person}
		}
		w.hang(sign, w.st.Text, 2, h.Proto+" "+status)
	}
	names := make([]string, 0, len(h.Header))
	for name := range h.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	masks := headerMasks(r)
	for _, name := range names {
		gone := valueMasks(h.Header[name], masks[strings.ToLower(name)])
		for i, value := range h.Header[name] {
			w.masked(r, secret{inHeader, r.ID, name, i}, bare, sizeOf(gone[i]), func(remark string, shown string) {
				if shown == "" {
					shown = value
				}
				w.field(name, shown, remark)
			})
		}
	}
}

// request adds the line of a request.
func (w *writer) request(r *a2a.Record, bare secret) {
	w.masked(r, secret{in: inURL, record: r.ID}, bare, sizeOf(urlMasks(r)), func(remark, shown string) {
		if shown == "" {
			shown = r.Head.URL
		}
		text := strings.TrimSpace(r.Head.Method + " " + shown + " " + r.Head.Proto)
		if remark != "" {
			text += "  " + remark
		}
		sign := label{w.st.G[styles.Send], w.st.Person}
		if r.Dir == a2a.In {
			sign = label{w.st.G[styles.Receive], w.st.Agent}
		}
		w.hang(sign, w.st.Text, 2, text)
	})
}

// masked adds something in which remark says what was masked, if anything was. Where
// that is revealed it is shown, but never copied with all the rest.
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
