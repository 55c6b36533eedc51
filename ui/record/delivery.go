package record

import (
	"cmp"
	"net/http"
	"strconv"

	"parley/a2a"
	"parley/ui/styles"
)

// isDelivery reports whether a record belongs to a delivery to a webhook.
func isDelivery(r *a2a.Record) bool { return r.Call != nil && r.Call.Op == a2a.OpDelivery }

// delivery adds the answer to a delivery, and what the session did with it.
func (w *writer) delivery(v *View) {
	r := &v.it.Record
	if h := r.Head; h != nil && r.Kind == a2a.KindEnd {
		w.hang(label{w.st.G[styles.Send], w.st.User}, w.st.Text, 2, "answered "+strconv.Itoa(h.Status)+" "+http.StatusText(h.Status))
		w.blank()
	}
	if r.End != nil && r.End.Sentence != "" {
		w.line(w.st.Text, 0, r.End.Sentence)
	}
	it := v.log.At(r.Exchange)
	if it == nil {
		return
	}
	if words := it.Fate.Sentence(); words != "" && (r.End == nil || r.End.Sentence == "") {
		w.line(w.st.Text, 0, words)
	}
	facts := it.Record.Call.Delivery
	if facts == nil {
		return
	}
	w.blank()
	w.field("task", it.Record.Call.TaskID, "")
	w.field("webhook", it.Record.Call.PushID, "")
	w.field("from", facts.Remote, "")
	if facts.Signed != "" || facts.Verdict != "" {
		w.field("signed", cmp.Or(facts.Signed, "yes"), cmp.Or(facts.Verdict, "not verified"))
		w.field("", facts.VerdictReason, "")
	}
	if facts.Repeats != 0 {
		w.entry.record = facts.Repeats
		w.field("repeats", "#"+strconv.FormatUint(uint64(facts.Repeats), 10), "")
		w.entry = entry{}
	}
	w.failureOf(v, it.Update.Err)
}

// failureOf adds why a delivery could not be decoded, at its end record; the delivery's record
// shows that itself.
func (w *writer) failureOf(v *View, err *a2a.DecodeError) {
	if err != nil && v.it.Record.Kind == a2a.KindEnd {
		w.blank()
		w.failure(err.Sentence)
	}
}
