package record

import (
	"encoding/json"

	"parley/a2a"
	"parley/internal/units"
)

// record adds the content of a record without a body.
func (w *writer) record(v *View, t Tab) {
	it := v.it
	switch r := &it.Record; r.Kind {
	case a2a.KindDelivery:
		w.delivery(v)
	case a2a.KindEnd:
		if isDelivery(r) {
			w.delivery(v)
			break
		}
		w.end(r)
		w.unchecked(v)
		w.outcome(v)
	case a2a.KindNote:
		w.note(r.Note)
	case a2a.KindSurplus:
		w.line(w.st.Text, 0, units.Bytes(int64(r.Size()))+" came after the complete answer, and belong to none: see raw")
	case a2a.KindRequest, a2a.KindHead:
		w.head(v, r)
	default:
		w.line(w.st.Faint, 0, "no bytes")
	}
	if err := it.Update.Err; err != nil {
		w.blank()
		w.failure(err.Sentence)
	}
	if t == Pretty && len(v.log.Findings().Shown(it)) > 0 {
		w.blank()
		w.findings(v, false)
	}
}

// unchecked adds what the check of a stream could not compare.
func (w *writer) unchecked(v *View) {
	if why := v.log.Unchecked(v.it.Record.Exchange); why != "" {
		w.line(w.st.Text, 0, a2a.NotCheckedPrefix+why+".")
	}
}

// endWords explains the reasons of an end.
var endWords = map[a2a.EndReason]string{
	a2a.Ended:     "the agent closed after a complete answer",
	a2a.Cut:       "the connection broke, or the body stopped in the middle",
	a2a.Refused:   "nothing was sent or accepted",
	a2a.Cancelled: "closed by Parley",
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
		if paint = w.st.Failed; r.End.Class == a2a.ClassSevered {
			paint = w.st.Dim // the user did it
		}
	}
	words := endWords[r.End.Reason]
	if r.End.Class == a2a.ClassUnrecorded {
		words = "the recording ends here"
	}
	if r.End.Reason == a2a.Cut && r.End.Class == a2a.ClassLimit {
		words = "a limit was reached"
	}
	if r.End.Class == a2a.ClassSevered {
		words = "you cut the connection"
	}
	if r.End.Break != "" {
		words = "the answer was complete; then " + r.End.Break
	}
	if r.End.Reason == a2a.Ended && r.End.Class == a2a.ClassBody {
		words = "the agent closed the connection, and its answer is not A2A"
	}
	w.widest = max(w.widest, len(r.End.Reason))
	w.hang(label{string(r.End.Reason), paint}, w.st.Text, w.gutter, words)
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
		w.line(w.st.Faint, 0, units.Bytes(int64(len(r.Raw)))+" follow the last event: see raw")
	}
}

// outcome adds the result of an exchange at its end.
func (w *writer) outcome(v *View) {
	s := v.log.Stream(v.it.Record.Exchange)
	if s == nil {
		return
	}
	w.blank()
	w.field("took", units.Duration(s.Duration(s.Last)), "")
	w.transfer(s)
	if s.State != a2a.StateUnknown || s.Word != "" {
		remark := ""
		if s.Streamed() && !s.State.Terminal() && !s.State.Interrupted() {
			remark = "the task was not over"
		}
		w.field("state", s.StateWord(), remark)
	}
	w.links(s)
}

// attempts adds the URLs at which discovery looked for an agent's card. It reports whether text
// is a list of attempts.
func (w *writer) attempts(text string) bool {
	var tried []a2a.Lookup
	if json.Unmarshal([]byte(text), &tried) != nil {
		return false
	}
	for _, at := range tried {
		where := "not at"
		if at.Sentence == "" {
			where = "found at"
		}
		w.entry.record = at.Record
		w.field(where, at.URL, "")
		w.entry = entry{}
		w.field("", at.Sentence, "")
	}
	return true
}
