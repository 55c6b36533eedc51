package model

import (
	"slices"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
)

// A loss is what is known of parts of an artifact that a stream did not bring.
type loss struct {
	// cut is set if a stream that brought some of it ended while its task was at work, and nothing is known of
	// what followed.
	cut    bool
	gap    bool // a stream went on with it, and does not say where
	events int  // that are proved to be missing
}

// Loss says whether parts of an artifact were lost, in words for users. It is empty while more may come, and
// for one that no stream brought.
func (a *Artifact) Loss() string {
	switch {
	case a.loss.events > 0:
		return "at least " + units.Plural(a.loss.events, "event") + " lost"
	case a.loss.cut || a.loss.gap:
		return LossUnknown
	case a.Streaming() || a.Live || a.Snapshots == a.Chunks:
		return ""
	}
	return NoneLost
}

// What [Artifact.Loss] says if no number is known.
const (
	NoneLost    = "none lost"
	LossUnknown = "not known whether parts were lost"
)

// Sum says what brought the parts of an artifact if several things did: "31 events, 1 snapshot"; else it is
// empty.
func (a *Artifact) Sum() string {
	n := a.Chunks - a.Snapshots
	if n == 0 || a.Snapshots == 0 {
		return ""
	}
	return units.Plural(n, "event") + ", " + units.Plural(a.Snapshots, "snapshot")
}

// Facts are the figures of an artifact, in words for exports.
func (a *Artifact) Facts() []string {
	all := []string{units.Plural(a.Count, "part"), units.Bytes(a.Bytes), a.Loss(), a.Sum()}
	return slices.DeleteFunc(all, func(words string) bool { return words == "" })
}

// lose changes what is known of lost parts. It touches the artifact's entry if that is news.
func (a *Artifact) lose(l loss, touch func(place)) {
	if a.loss != l {
		a.loss = l
		a.Version++
		touch(a.place)
	}
}

// grows reports whether more of the artifact may come: its last chunk did not, or was not the last.
func (a *Artifact) grows() bool { return !a.Sealed || a.reopened }

// lostBetween notes that events may be missing between two records.
func (t *Task) lostBetween(l *log.Log, g *Gap, touch func(place)) {
	n := missing(l, g.From, g.To)
	for _, a := range t.Artifacts {
		if a.grows() {
			a.lose(loss{gap: true, events: a.loss.events + n}, touch)
		}
	}
}

// goesOn notes that a stream goes on with a task exactly where the one before ended.
func (t *Task) goesOn(touch func(place)) {
	for _, a := range t.Artifacts {
		l := a.loss
		l.cut = false
		a.lose(l, touch)
	}
}

// hasWhole notes that a snapshot has the whole of the artifacts in it.
func (t *Task) hasWhole(snapshot *a2a.Task, touch func(place)) {
	if snapshot == nil {
		return
	}
	for i := range snapshot.Artifacts {
		if a := t.byKey[snapshot.Artifacts[i].Key]; a != nil {
			a.lose(loss{}, touch)
		}
	}
}

// missing returns how many events are proved to be missing between two records, 0 if nothing is proved: the SSE
// ids of the first one's stream count its events from the beginning, and the second one's goes on counting.
func missing(l *log.Log, from, to a2a.RecordID) int {
	const most = 1 << 20 // a number that is larger counts something else
	st := l.Stream(l.ExchangeOf(from))
	if st == nil || st.Events < 2 {
		return 0
	}
	first := a2a.RecordID(0)
	for _, id := range l.Exchange(st.Exchange) {
		if l.At(id).Record.Kind == a2a.KindEvent {
			first = id
			break
		}
	}
	prefix, begin, ok := frameNumber(l, first)
	before, last, ok2 := frameNumber(l, from)
	after, next, ok3 := frameNumber(l, to)
	counts := last-begin == uint64(st.Events-1) && (begin <= 1 || st.Prev != 0)
	if !ok || !ok2 || !ok3 || prefix != before || prefix != after || !counts || next <= last+1 || next-last > most {
		return 0
	}
	return int(next - last - 1)
}

// frameNumber returns the number at the end of the SSE id of a record, and what is before it.
func frameNumber(l *log.Log, id a2a.RecordID) (prefix string, n uint64, ok bool) {
	it := l.At(id)
	if it == nil || it.Record.SSE == nil {
		return "", 0, false
	}
	return a2a.SplitFrameID(it.Record.SSE.ID)
}
