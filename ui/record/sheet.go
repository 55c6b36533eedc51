package record

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A sheet is what a record has to say that is neither a tree nor bytes: heads,
// ends, notes, findings. It is short, and made anew when it shows another record.
type sheet struct {
	rows  []string
	text  string // the same to be copied: not wrapped
	top   int
	key   sheetKey
	stale bool
}

// sheetKey is what the rows were made from; records says how far the exchange
// was, since heads arrive later than requests.
type sheetKey struct {
	id      a2a.RecordID
	tab     Tab
	w       int
	records int
}

// fill makes the sheet that of a record.
func (s *sheet) fill(v *View) {
	it := v.it
	key := sheetKey{it.Record.ID, v.Tab(), v.w, min(len(v.log.Exchange(it.Record.Exchange)), headsAmong)}
	if key == s.key && !s.stale {
		return
	}
	if key.id != s.key.id || key.tab != s.key.tab {
		s.top = 0
	}
	s.key, s.stale = key, false
	w := writer{st: v.st, w: v.w}
	switch key.tab {
	case Findings:
		w.findings(it, true)
	case Headers:
		w.heads(v.log, it)
	default:
		w.record(it, key.tab)
	}
	s.rows, s.text = w.rows, w.text.String()
}

func (s *sheet) scroll(n, h int) { s.top = max(min(s.top+n, len(s.rows)-h), 0) }

func (s *sheet) window(h int) []string {
	s.scroll(0, h)
	return s.rows[s.top:min(s.top+h, len(s.rows))]
}

// notes are the lines below a tree: why the record could not be understood, and
// what was found in it.
func (v *View) notes() []string {
	it := v.it
	w := writer{st: v.st, w: v.w}
	if err := it.Update.Err; err != nil {
		w.failure(err.Sentence)
	}
	w.findings(it, false)
	return w.rows
}

// A writer fills rows of exactly w cells.
type writer struct {
	st   *styles.Styles
	w    int
	rows []string
	text strings.Builder
}

// A label stands in front of text.
type label struct {
	text  string
	paint styles.Paint
}

// line adds text, wrapped, indent cells from the left.
func (w *writer) line(paint styles.Paint, indent int, text string) {
	w.hang(label{}, paint, indent, text)
}

// hang adds text behind a label: indent cells from the left, or further where the
// label takes more.
func (w *writer) hang(l label, paint styles.Paint, indent int, text string) {
	l.text = canvas.SanitizeLine(l.text)
	text = canvas.Sanitize(text)
	w.text.WriteString(strings.TrimLeft(l.text+" ", " ") + text + "\n")
	indent = min(indent, w.w/2)
	first := indent
	if l.text != "" {
		first = max(indent, canvas.Width(l.text)+1)
	}
	left, head := strings.Repeat(" ", indent), canvas.Fit(l.paint.S(l.text), first)
	for i, row := range canvas.Wrap(text, max(w.w-first, 1)) {
		if i > 0 {
			head = left
		}
		w.rows = append(w.rows, canvas.Fit(head+paint.S(row), w.w))
	}
}

func (w *writer) blank() {
	w.rows = append(w.rows, canvas.Fit("", w.w))
	w.text.WriteByte('\n')
}

// failure adds a sentence that says what went wrong.
func (w *writer) failure(sentence string) {
	w.hang(label{w.st.G[styles.Failed], w.st.Failed}, w.st.Text, 2, sentence)
}

// findings adds what was found in a record, with its place if asked.
func (w *writer) findings(it *session.Item, where bool) {
	for _, f := range it.Findings {
		paint := w.st.Waiting
		if f.Severity == a2a.Info {
			paint = w.st.Dim
		}
		w.hang(label{w.st.G[styles.Flag] + " " + f.Rule, paint}, w.st.Text, 2, f.Message)
		if f.Fix != "" {
			w.line(w.st.Faint, 2, f.Fix)
		}
		if where && f.Pointer != "" {
			w.line(w.st.Faint, 2, "at "+f.Pointer)
		}
	}
}

// record adds what there is to say about a record without a body.
func (w *writer) record(it *session.Item, t Tab) {
	switch r := &it.Record; r.Kind {
	case a2a.KindEnd:
		w.end(r)
	case a2a.KindNote:
		w.note(r.Note)
	case a2a.KindRequest, a2a.KindHead:
		if t == Raw {
			w.line(w.st.Faint, 0, "A head has no raw bytes here: it is kept as Go's net/http read it.")
			w.blank()
		}
		w.head(r)
	default:
		w.line(w.st.Faint, 0, "no bytes")
	}
	if err := it.Update.Err; err != nil {
		w.blank()
		w.failure(err.Sentence)
	}
	if t == Pretty && len(it.Findings) > 0 {
		w.blank()
		w.findings(it, false)
	}
}

// endWords say what the reasons mean.
var endWords = map[a2a.EndReason]string{
	a2a.Ended:     "the agent closed after a complete answer",
	a2a.Cut:       "the connection broke, or the body stopped in the middle",
	a2a.Refused:   "nothing was sent or accepted",
	a2a.Cancelled: "closed from here",
	a2a.TimedOut:  "the agent did not answer in time",
}

func (w *writer) end(r *a2a.Record) {
	if r.End == nil {
		w.line(w.st.Faint, 0, "an end without a reason")
		return
	}
	paint := w.st.OK
	switch r.End.Reason {
	case a2a.Ended:
	case a2a.Cancelled:
		paint = w.st.Dim
	default:
		paint = w.st.Failed
	}
	w.hang(label{string(r.End.Reason), paint}, w.st.Text, 10, endWords[r.End.Reason])
	if r.End.Sentence != "" {
		w.blank()
		w.line(w.st.Text, 0, r.End.Sentence)
	}
	if r.End.Class != "" || r.End.Detail != "" {
		w.blank()
	}
	w.field("class", r.End.Class, "")
	w.field("detail", r.End.Detail, "")
	if len(r.Raw) > 0 {
		w.blank()
		w.line(w.st.Faint, 0, units.Bytes(int64(len(r.Raw)))+" came behind the last event: see raw")
	}
}

func (w *writer) note(n *a2a.Note) {
	if n == nil {
		w.line(w.st.Faint, 0, "an empty note")
		return
	}
	w.line(w.st.Text, 0, n.Type)
	names := make([]string, 0, len(n.Attrs))
	for name := range n.Attrs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name != "attempts" || !w.attempts(n.Attrs[name]) {
			w.field(name, n.Attrs[name], "")
		}
	}
}

// attempts lists where an agent's card was looked for, and reports whether text
// was such a list.
func (w *writer) attempts(text string) bool {
	var tried []a2a.Attempt
	if json.Unmarshal([]byte(text), &tried) != nil {
		return false
	}
	for _, at := range tried {
		if at.Sentence == "" {
			w.field("found at", at.URL, "")
			continue
		}
		w.field("not at", at.URL, "")
		w.field("", at.Sentence, "")
	}
	return true
}

// field adds a name and a value; an empty value is left out.
func (w *writer) field(name, value, remark string) {
	if value == "" {
		return
	}
	const names = 16
	if remark != "" {
		value += "  " + remark
	}
	w.hang(label{name, w.st.Agent}, w.st.Text, names, value)
}

// headsAmong is how many of an exchange's records are looked at for heads, which
// come before all else.
const headsAmong = 16

// heads adds what was said in the heads of a record's exchange.
func (w *writer) heads(log *session.Log, it *session.Item) {
	ids := log.Exchange(it.Record.Exchange)
	if len(ids) == 0 {
		ids = []a2a.RecordID{it.Record.ID}
	}
	some := false
	for _, id := range ids[:min(len(ids), headsAmong)] {
		r := &log.At(id).Record
		if r.Head == nil {
			continue
		}
		if some {
			w.blank()
		}
		w.head(r)
		some = true
	}
	if !some {
		w.line(w.st.Faint, 0, "This record has no head.")
		return
	}
	w.blank()
	w.line(w.st.Faint, 0, "As Go's net/http shows them: names in its spelling, in no order.")
}

// head adds one head.
func (w *writer) head(r *a2a.Record) {
	h := r.Head
	if h == nil {
		w.line(w.st.Faint, 0, "no head")
		return
	}
	if r.Dir == a2a.Out {
		w.hang(label{w.st.G[styles.Send], w.st.Person}, w.st.Text, 2, h.Method+" "+h.URL+" "+h.Proto)
	} else {
		status := strconv.Itoa(h.Status) + " " + http.StatusText(h.Status)
		w.hang(label{w.st.G[styles.Receive], w.st.Agent}, w.st.Text, 2, h.Proto+" "+status)
	}
	names := make([]string, 0, len(h.Header))
	for name := range h.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range h.Header[name] {
			w.field(name, value, mask(r, name))
		}
	}
}

// mask says how much was masked in a header.
func mask(r *a2a.Record, header string) string {
	for _, m := range r.Redactions {
		if m.Length == 0 && strings.EqualFold(m.Name, "header "+header) {
			return masked(m.Size)
		}
	}
	return ""
}

func masked(size int) string { return "masked " + units.Bytes(int64(size)) }
