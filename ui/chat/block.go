package chat

import (
	"time"

	"parley/a2a"
	"parley/session/model"
)

// maxSteps is how many steps of a working task are shown before the earlier ones are folded.
const maxSteps = 4

// syncBlock takes the changes of a block and appends its rows to shown.
func (o *outline) syncBlock(turn *model.Turn, b *blockRows, shown []*row) []*row {
	o.syncHead(turn, b)
	o.setGap(b.head, apart)
	shown = append(shown, b.head)
	for len(b.entries) < len(b.block.Entries) {
		b.entries = append(b.entries, o.entryRow(turn, b, len(b.entries)))
	}
	state := a2a.StateUnknown
	asked, begun := false, a2a.RecordID(0)
	first := len(shown)
	for i, r := range b.entries {
		e := &b.block.Entries[i]
		if e.Kind == model.EntryState {
			state, begun = e.State.State, e.State.Record
		}
		if r == nil || e.Replaced {
			continue
		}
		o.syncEntry(b, r, state)
		if m, ok := r.body.(*message); ok {
			asked = asked || m.waits
		}
		shown = append(shown, r)
	}
	shown = o.foldSteps(b, shown, first)
	// A task asks where it began to wait: what came later, such as the refusal of an answer,
	// leaves its question in place.
	if b.question != nil && b.block.Task.Waits() && begun == b.question.body.record() && !asked {
		if stamp := questionStamp(b.block.Task); b.question.stamp != stamp {
			b.question.stamp = stamp
			o.redraw(b.question)
		}
		shown = append(shown, b.question)
	}
	o.setGaps(b, shown[first-1:])
	b.version = b.block.Version
	if b.block.Task != nil {
		b.taskVersion = b.block.Task.Version
	}
	return shown
}

func (o *outline) syncHead(turn *model.Turn, b *blockRows) {
	h := b.head.body.(*head)
	key := headKey{newest: h.newest, pending: turn.Pending, name: turn.AgentName(), incomplete: h.incompleteBytes(), extras: len(b.block.Extras)}
	if t := b.block.Task; t != nil {
		key.states, key.state, key.forgotten, key.poll = len(t.Transitions), t.State, t.Forgotten, t.Poll
		key.lost, key.worker, key.contradiction = t.Lost, t.Worker, t.Contradiction
		key.attach, key.stalled, key.scattered = t.Resubscribe, turn.Stalled, t.Scattered
		key.history, key.away = len(t.History), o.conv.Agent.Away()
		key.breaks, key.repairs = h.repairs()
	}
	if key != b.key {
		b.key = key
		o.redraw(b.head)
	}
}

// entryRow makes the row of an entry; a state has none, because the head shows it.
func (o *outline) entryRow(turn *model.Turn, b *blockRows, i int) *row {
	at := entryBody{block: b.block, i: i}
	var shown body
	switch e := at.entry(); {
	case e.Kind == model.EntryMessage && e.Message != nil:
		shown = &message{entryBody: at, task: b.block.Task, unfolded: &b.unfolded}
	case e.Kind == model.EntryArtifact && e.Artifact != nil:
		shown = &artifact{entryBody: at, art: e.Artifact}
	case e.Kind == model.EntryProblem && e.Problem != nil:
		shown = &problemBlock{entryBody: at}
	case e.Kind == model.EntryGap && e.Gap != nil:
		shown = &gapNote{entryBody: at}
	case e.Kind == model.EntrySame:
		shown = &repeatedTask{entryBody: at, turn: turn}
	case e.Kind == model.EntryUnknown:
		shown = &unknown{entryBody: at}
	default:
		return nil
	}
	o.arrivals++
	r := o.row(shown, turn, b.head.block, i)
	r.count = 1
	return r
}

// syncEntry redraws an entry's row if its content has changed.
func (o *outline) syncEntry(b *blockRows, r *row, state a2a.State) {
	changed := false
	switch e := r.body.(type) {
	case *artifact:
		stall := r.turn.Stalled
		if !e.art.Live {
			stall = nil
		}
		changed = r.stamp != e.art.Version+1 || stall != e.stalled
		r.stamp, e.stalled = e.art.Version+1, stall
		if n := max(e.art.Chunks, 1); n > r.count {
			o.arrivals += n - r.count
			r.count = n
		}
	case *message:
		task := b.block.Task
		waiting := task != nil && task.Waits() && task.Prompt != nil && task.Prompt == e.entry().Message
		progress := task != nil && !waiting && (state == a2a.StateWorking || state == a2a.StateSubmitted) && !e.entry().Grown && isStep(e.entry().Message)
		stamp := uint64(0)
		if waiting {
			stamp = questionStamp(task)
		}
		msg := e.entry().Message
		until, newest := b.nextTime(e.i)
		runs := progress && newest && b.head.body.(*head).running()
		changed = waiting != e.waits || progress != e.progress || stamp != r.stamp || msg != e.drawn || progress && (runs != e.runs || newest != e.newest || !until.Equal(e.until))
		e.waits, e.progress, r.stamp, e.drawn = waiting, progress, stamp, msg
		e.until, e.newest, e.runs = until, newest, runs
	case *problemBlock:
		what, task := e.entry().Problem, b.block.Task
		done := task != nil && (task.Resubscribe != nil || task.Poll != nil || task.Forgotten || overSince(task, e.record()))
		handled := (what.Interrupts() || len(what.Ops) > 0) && done
		remedy := what.Remedy(o.conv.Agent.Profile.Way(), task != nil && task.ID != "", done || what.Resumed != 0 || o.seenSince(task, e.record()))
		retries := what.Busy && r.turn == o.conv.Turns[len(o.conv.Turns)-1]
		changed = what != e.what || handled != e.handled || retries != e.retries || remedy != e.remedy
		e.what, e.handled, e.retries, e.remedy = what, handled, retries, remedy
		if retries {
			o.retry = r
		}
	case *gapNote:
		what := e.entry().Gap
		changed, e.gap = what != e.gap, what
	}
	if changed {
		o.redraw(r)
	}
}

// nextTime returns when the next record after that of an entry came, zero if there is none yet; newest is set if nothing but a
// state follows the entry.
func (b *blockRows) nextTime(i int) (at time.Time, newest bool) {
	all := b.block.Entries
	for j := i + 1; j < len(all); j++ {
		if all[j].Record != all[i].Record {
			return all[j].Time, false
		}
		if all[j].Kind != model.EntryState {
			return time.Time{}, false
		}
	}
	return time.Time{}, true
}

// runningStep returns the row of the step that the agent works on, nil if there is none.
func (b *blockRows) runningStep() *row {
	for i := len(b.entries) - 1; i >= 0; i-- {
		if b.entries[i] == nil {
			continue
		}
		if m, ok := b.entries[i].body.(*message); ok && m.runs {
			return b.entries[i]
		}
		return nil
	}
	return nil
}

// stalledRows returns the rows that say how long a stream has brought no bytes.
func (b *blockRows) stalledRows() (rows []*row) {
	for _, r := range b.entries {
		if r == nil {
			continue
		}
		if a, ok := r.body.(*artifact); ok && a.stalled != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// foldSteps hides all but the last steps of long runs of progress. The rows of the block begin
// at shown[first].
func (o *outline) foldSteps(b *blockRows, shown []*row, first int) []*row {
	out := shown[:first]
	for i := first; i < len(shown); {
		end := i
		for end < len(shown) && isProgress(shown[end]) {
			end++
		}
		if end == i {
			out = append(out, shown[i])
			i++
			continue
		}
		hide := 0
		if !b.unfolded {
			hide = max(0, end-i-maxSteps)
		}
		for j, r := range shown[i+hide : end] {
			hidden := 0
			if j == 0 {
				hidden = hide
			}
			if m := r.body.(*message); m.hidden != hidden {
				m.hidden = hidden
				o.redraw(r)
			}
			out = append(out, r)
		}
		i = end
	}
	return out
}

func isProgress(r *row) bool {
	m, ok := r.body.(*message)
	return ok && m.progress
}

func isChip(r *row) bool {
	a, ok := r.body.(*artifact)
	return ok && a.bare()
}

// isDocument reports whether a row is an artifact whose edge ends in a row of its own.
func isDocument(r *row) bool {
	a, ok := r.body.(*artifact)
	return ok && !a.bare()
}

// setGaps spaces the rows of a block, of which the first is its head.
func (o *outline) setGaps(b *blockRows, rows []*row) {
	for i := 1; i < len(rows); i++ {
		r, above := rows[i], rows[i-1]
		g := inside
		m, isMessage := r.body.(*message)
		_, isQuestion := r.body.(*missingQuestion)
		switch {
		case isQuestion, isMessage && m.waits:
			g = apart
		case isProgress(r) && (isProgress(above) || above == b.head),
			isChip(r) && isChip(above),
			isDocument(above),
			above == b.head && b.block.Task == nil:
			g = tight
		}
		o.setGap(r, g)
	}
}

// seenSince reports whether the agent has told since a record what was open then: the state of the task, or its
// list of tasks where the task is not known.
func (o *outline) seenSince(t *model.Task, r a2a.RecordID) bool {
	if t != nil && t.ID != "" {
		return t.AnsweredSince(r)
	}
	list := o.conv.Agent.List
	return list != nil && list.NewestPage > r
}
