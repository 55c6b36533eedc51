package cli

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// passes reports whether an item is printed and then forgotten: one more chunk of a known
// artifact, or a status that repeats that a task is working. The memory of a command does not
// grow with the length of a stream.
func (op *operation) passes(it *log.Item) bool {
	r := &it.Record
	if op.live == nil || op.saver != nil || it.Signal != nil || r.Kind != a2a.KindEvent || len(it.Update.Events) != 1 || it.Update.Err != nil || r.Call == nil || r.Call.Turn != op.answer.turn {
		return false
	}
	ev := &it.Update.Events[0]
	switch ev.Kind {
	case a2a.EventArtifact:
		return ev.Append && !ev.LastChunk && op.answer.knows(ev.TaskID, ev.Artifact)
	case a2a.EventStatus:
		t := op.state.Task(op.agent, ev.TaskID)
		return t != nil && ev.Status.State == a2a.StateWorking && t.State == a2a.StateWorking
	}
	return false
}

// takeAll takes items, prints what they bring, and gives them back. It returns the first signal
// that satisfies the condition, nil if none does.
func (op *operation) takeAll(items []log.Item, waited func(*log.Signal) bool) (found *log.Signal) {
	op.taking = true
	for i := range items {
		op.take(&items[i])
		if s := items[i].Signal; s != nil && found == nil && waited(s) {
			found = s
		}
	}
	op.flush()
	op.feed.GiveBack(items)
	return found
}

// take takes one item: it prints the wire, updates the state, and keeps the answer to the turn.
func (op *operation) take(it *log.Item) {
	if s := it.Signal; s != nil && s.Kind == log.SignalBytes {
		op.counter.bytes = s.Bytes
	} else {
		op.counter.erase()
	}
	if op.wire != nil {
		op.wire.item(it)
	}
	if op.passes(it) {
		op.state.Skip(it)
	} else {
		op.state.Apply(*it)
	}
	if s := it.Signal; s != nil {
		op.signal(s)
		return
	}
	r := &it.Record
	switch {
	case op.answer.over || r.Call == nil: // what comes when it is over is older
	case r.Kind == a2a.KindDelivery && op.answer.delivered != "":
		op.delivery(it)
	case op.answer.turn == 0 || r.Call.Turn != op.answer.turn:
	case op.counter.download != nil:
		op.counter.download.take(r)
	default:
		op.record(it)
	}
}

// record takes a record of the turn.
func (op *operation) record(it *log.Item) {
	r := &it.Record
	if r.Call.Dialect == a2a.V01 {
		op.answer.session = r.Call.ContextID
	}
	if r.Kind == a2a.KindRequest && (r.Call.Op == a2a.OpSend || r.Call.Op == a2a.OpStream) {
		op.messageSent(r)
	}
	if said := model.AskedAgainSentence(r.Call); r.Kind == a2a.KindRequest && said != "" && !r.Call.Rest && !op.answer.askedAgain {
		op.answer.askedAgain = true
		op.app.note("Note", "%s", said)
	}
	for i := range it.Update.Events {
		op.event(it, op.answer.withContext(&it.Update.Events[i]))
	}
	if e := it.Update.Err; e != nil && r.Kind == a2a.KindEvent {
		op.app.note("Warning", "%s. Parley continues to read the stream.", strings.TrimSuffix(e.Sentence, "."))
	}
	switch end := r.End; {
	case end == nil:
	case end.Reason == a2a.Cut:
		op.answer.cut, op.answer.unheard = end.Sentence, ""
	case r.Call.Op == a2a.OpSubscribe && end.Class == a2a.ClassStatus:
		op.answer.unheard = end.Sentence
		for _, advice := range [...]string{": ask for the task again", ". Ask for the task again"} { // that is what Parley does
			op.answer.unheard, _, _ = strings.Cut(op.answer.unheard, advice)
		}
		op.answer.unheard = strings.TrimSuffix(op.answer.unheard, ".") + "."
	case end.Class == a2a.ClassGivenUp:
		op.app.note("Warning", "%s", end.Sentence)
	}
	op.answer.leave(r)
}

// event takes an event of a record.
func (op *operation) event(it *log.Item, ev *a2a.Event) {
	r := &it.Record
	known := op.answer.take(ev)
	if ev.Kind != a2a.EventError {
		op.answer.shown = r.Time
	}
	if op.answer.delivered != "" {
		op.answer.noteOver(ev)
	}
	switch subscribed := r.Call.Op == a2a.OpSubscribe; {
	case subscribed && ev.Kind == a2a.EventTask && r.Kind == a2a.KindEvent:
		op.answer.cut = "" // the whole task came again: nothing is lost
	case subscribed && ev.Kind == a2a.EventError:
		op.answer.unheard = strings.TrimSuffix(problem.Cause(ev.Err), ".") + "."
	}
	if op.saver != nil {
		op.saver.event(ev)
	}
	if ev.Kind == a2a.EventCard {
		op.answer.cardRecord = r.ID
	}
	switch {
	case op.live != nil:
		op.live.event(ev, known, it.Update.Err == nil && !r.Torn)
	case op.answer.fresh(ev):
		op.app.note("Note", "waiting for task %s of context %s.", ev.TaskID, orNone(ev.ContextID))
	}
	if ev.Kind == a2a.EventUnknown {
		op.app.note("Warning", "record %d contains something that A2A does not define; --debug shows it.", r.ID)
	}
}

// signal reports what only standard error shows.
func (op *operation) signal(s *log.Signal) {
	switch s.Kind {
	case log.SignalResubscribe:
		if s.After == 0 { // the wait is over
			return
		}
		if op.answer.cut != "" && s.Attempt == 1 {
			op.app.note("Warning", "%s Parley subscribes to the task again.", op.answer.cut)
		}
		if op.wire != nil {
			op.wire.line("waiting " + s.After.String() + " before subscription " + strconv.Itoa(s.Attempt) + " to task " + s.TaskID)
		}
	case log.SignalPoll:
		if op.answer.cut != "" && s.Attempt == 1 {
			op.app.note("Warning", "%s Parley now polls the task.", cmp.Or(op.answer.unheard, op.answer.cut))
		}
		if op.wire != nil {
			op.wire.line("waiting " + s.After.String() + " before get " + strconv.Itoa(s.Attempt) + " of task " + s.TaskID)
		}
		if s.After >= time.Minute && s.After > op.flags.poll { // by itself Parley does not wait so long
			op.app.note("Note", "the answer asks Parley to wait: it asks for the task again in %s.", units.Duration(s.After))
		}
	case log.SignalStall:
		if s.Turn != op.answer.turn {
			return
		}
		silence := "the stream of the task has brought no bytes"
		if !op.answer.began || op.answer.task() == "" {
			silence = "no answer has come"
		}
		op.app.note("Note", "%s for %s.", silence, units.Duration(s.After.Truncate(time.Second)))
	case log.SignalJournal:
		label := "Warning"
		if s.Class == journal.JournalCaughtUp {
			label = "Note"
		}
		op.app.note(label, "%s", s.Sentence)
	}
}
