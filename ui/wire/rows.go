package wire

import (
	"time"

	"parley/a2a"
	"parley/session/annotation"
	"parley/session/log"
	"parley/ui/list"
)

// rows is the sequence of listed records, with the selection. It is the source of the pane's
// list.
//
// A record is listed if it is in scope, passes the filter and its exchange is not folded. A folded
// exchange is listed as its first record in scope if any of its records passes the filter.
type rows struct {
	log          *log.Log
	total        int  // number of records of the log that are taken over
	listed       set  // the records that have a row
	hits         set  // the records that pass the filter, if filtered
	filtered     bool // a filter is in effect
	counts       hitCounts
	scope        scope
	folds        folds
	marks        set // the user's marks
	marksVersion uint64
	// remarks are the marks and comments that were saved; a mark appears with its record.
	remarks       *annotation.Content
	remarkVersion uint64 // counts what changes which records a filter finds

	sel    a2a.RecordID // the selected record; 0 if there is no row
	follow bool
	latest a2a.RecordID // the listed record that following selects; 0 if there is no row

	now   time.Time // of the session
	epoch uint64    // counts changes that affect every row
	draw  func(id a2a.RecordID, w int) []string
	list  list.List
	head  headRow // above the list

	newChunk func(a2a.RecordID) bool // see [Pane.SetNewChunk]; may be nil

	tag func(a2a.AgentID) string // returns an agent's tag, safe to draw; nil without agents

	current row
}

// reset switches to another log, with no record taken over yet.
func (r *rows) reset(log *log.Log) {
	r.log, r.total, r.sel, r.latest, r.follow = log, 0, 0, 0, true
	r.filtered, r.folds = false, folds{}
	r.scope.reset()
	r.listed.clear()
	r.hits.clear()
	r.counts.clear()
	r.marks.clear()
	r.marksVersion++
	if r.remarks == nil {
		r.remarks = &annotation.Content{}
	}
	r.list.SetSource(r)
}

// Len returns the number of rows.
func (r *rows) Len() int { return r.listed.len() }

// at returns the record in row i.
func (r *rows) at(i int) a2a.RecordID { return r.listed.at(i) }

// Item returns row i. It is valid until the next call, because a frame asks for each row
// several times.
func (r *rows) Item(i int) list.Item {
	r.current = row{r, r.at(i)}
	return &r.current
}

// Height implements list.Measurer: two lines for a row with [Pane.statisticsLine], whatever the width.
func (r *rows) Height(i, _ int) int {
	id := r.at(i)
	s := r.log.Stream(r.log.ExchangeOf(id))
	if s != nil && (s.End != nil && hasSummary(s) && r.log.At(id).Record.Kind == a2a.KindEnd || r.stalled(id)) {
		return 2
	}
	return 1
}

// A row is the list's item for a record.
type row struct {
	rows *rows
	id   a2a.RecordID
}

// Version changes with the selection, the mark and all that affects every row. Records never
// change, but an exchange grows, and while it is open its row tells how long it has taken; after its end the
// bars of its rows are compared with all its gaps.
func (r *row) Version() uint64 {
	v, x := r.rows.epoch<<40, r.rows.log.ExchangeOf(r.id)
	s := r.rows.log.Stream(x)
	if r.rows.heads(r.id) {
		v |= uint64(len(r.rows.log.Exchange(x))) << 3
		if s != nil && s.Open() {
			v ^= uint64(max(s.Duration(r.rows.now), 0)/clockStep) << 24
		}
	}
	switch {
	case s != nil && s.End != nil:
		v |= 4
	case r.rows.isNewChunk(r.id):
		v |= 8
	}
	for _, x := range r.rows.foldedChecks(r.id) {
		v += uint64(len(r.rows.log.Exchange(x))) << 3
	}
	if r.rows.marks.has(r.id) {
		v |= 2
	}
	if r.rows.sel == r.id {
		v |= 1
	}
	return v
}

// isNewChunk reports whether a record brought the newest chunk of a stream just now.
func (r *rows) isNewChunk(id a2a.RecordID) bool { return r.newChunk != nil && r.newChunk(id) }

// clockStep is how often the row of an open exchange tells another duration.
const clockStep = 100 * time.Millisecond

// Lines draws the row.
func (r *row) Lines(w int) []string { return r.rows.draw(r.id, w) }

// item returns the selected record, nil if there is none.
func (r *rows) item() *log.Item { return r.log.At(r.sel) }

// index returns the row of a record, or the row before which it would be inserted, and whether
// it is listed.
func (r *rows) index(id a2a.RecordID) (int, bool) { return r.listed.rank(id), r.listed.has(id) }

// passes reports whether a record is in scope and passes the filter.
func (r *rows) passes(id a2a.RecordID) bool {
	return r.scope.has(id) && (!r.filtered || r.hits.has(id))
}

// matching returns those of a set of records that are in scope.
func (r *rows) matching(ids *set) *set {
	if e := r.scope.extent(); e.kind == OfAll && e.cleared == 0 {
		return ids
	}
	both := ids.clone()
	r.scope.clip(&both)
	return &both
}

// addRecord adds the new record it with the number id; pass says whether it passes the filter.
func (r *rows) addRecord(id a2a.RecordID, it *log.Item, pass bool) {
	r.total = int(id)
	if r.remarks.Remarks[id].Marked {
		r.marksVersion++
		r.marks.add(id)
	}
	r.folds.addRecord(r.log, id, it)
	if pass && r.filtered {
		r.addHit(id)
	}
	if r.scope.addRecord(r.log, id, it) {
		r.changeRows(r.relist)
		r.restoreSelection()
		return
	}
	if !pass || !r.scope.has(id) {
		return
	}
	at := r.rowOf(id)
	if at == id {
		r.listed.add(id)
	} else if !r.listed.has(at) { // an older exchange gets a row between others
		r.changeRows(func() { r.listed.add(at) })
	}
	if r.leads(at) {
		r.latest = at
	}
	if it.Record.Kind == a2a.KindEnd {
		r.endRuns(r.log.ExchangeOf(id))
	}
	if r.follow || r.sel == 0 {
		r.sel = r.newest()
		r.leaveRun(r.sel)
	}
}

// leads reports whether following may select a row. It never selects what Parley requests on its
// own, and while the rows of several agents are listed, only those of the agent that is shown.
func (r *rows) leads(id a2a.RecordID) bool {
	if v := r.scope.view; v.Agent != 0 && r.log.Owner(id).Agent != v.Agent {
		return false
	}
	s := r.log.Stream(r.log.ExchangeOf(id))
	return s == nil || s.Call == nil || !s.Call.Check && !s.Call.AuthPoll
}

// newest returns the row that following selects: the newest that [rows.leads], else the last.
func (r *rows) newest() a2a.RecordID {
	if r.latest != 0 {
		return r.latest
	}
	return r.at(r.Len() - 1)
}

// findLatest finds the newest row that following may select after the rows changed.
func (r *rows) findLatest() {
	r.latest = 0
	for i := r.Len() - 1; i >= 0 && r.latest == 0; i-- {
		if id := r.at(i); r.leads(id) {
			r.latest = id
		}
	}
}

// choose selects row i, or the nearest one. Any row but the last pauses following.
func (r *rows) choose(i int) {
	n := r.Len()
	if n == 0 {
		r.sel = 0
		return
	}
	i = min(max(i, 0), n-1)
	r.sel = r.at(i)
	if r.sel != r.newest() {
		r.pause()
	}
	r.leaveRun(r.sel)
	r.reveal()
}

// move moves the selection by n rows.
func (r *rows) move(n int) {
	i, _ := r.index(r.sel)
	if top, _ := r.list.Anchor(); r.follow && i < top { // rows of other agents moved it out of the window
		i = r.Len()
	}
	r.choose(i + n)
}

// pause stops following: new records do not move the selection.
func (r *rows) pause() {
	r.follow = false
	r.list.SetPaused(true)
}

// resume selects the newest row and follows.
func (r *rows) resume() {
	r.follow = true
	r.list.SetPaused(false)
	r.toNewest()
}

// toNewest selects the row that following selects.
func (r *rows) toNewest() {
	r.sel = r.newest()
	r.leaveRun(r.sel)
	r.reveal()
}

// Newest implements list.Counter: the number of the newest record.
func (r *rows) Newest() int { return r.total }

// After implements list.Counter: the number of listed records after record n.
func (r *rows) After(n int) int { return r.Len() - r.listed.rank(a2a.RecordID(n)+1) }

// reveal scrolls the list to the selection, or to the end while following. The list itself never follows,
// because following moves the selection.
func (r *rows) reveal() {
	i, ok := r.index(r.sel)
	if r.follow {
		i = r.Len() - 1
	}
	if ok {
		r.list.EnsureVisible(i)
		r.list.SetFollow(false)
	}
}

// refilter lists the hits of a filter, or all records if filtered is false. If the selected
// record is not listed, the next row is selected; a run with the selected record stays unfolded.
func (r *rows) refilter(hits []a2a.RecordID, filtered bool) {
	r.hits.clear()
	r.counts.clear()
	for _, id := range hits {
		r.addHit(id)
	}
	r.filtered = filtered
	if of := r.runAt(r.sel); of != nil && !r.follow && r.rowOf(r.sel) != r.sel {
		r.folds.visited = of.first
	}
	r.relist()
	r.list.Reorder()
	r.restoreSelection()
}

// addHits adds matches to the list, at any position. The visible rows do not move.
func (r *rows) addHits(hits []a2a.RecordID) {
	r.changeRows(func() {
		for _, id := range hits {
			r.addHit(id)
			if r.scope.has(id) {
				r.listed.add(r.rowOf(id))
			}
		}
		r.findLatest()
	})
	r.restoreSelection()
}

// relist computes the rows.
func (r *rows) relist() {
	switch {
	case r.filtered:
		r.listed.clear()
		for id := range r.hits.all() {
			if r.scope.has(id) {
				r.listed.add(r.rowOf(id))
			}
		}
	case r.scope.cleared > 0:
		r.listed.clear()
		for id := r.scope.cleared + 1; id <= a2a.RecordID(r.total); id++ {
			if r.scope.has(id) {
				r.listed.add(r.rowOf(id))
			}
		}
	default:
		r.folds.setRows(r.log, r.total, &r.listed)
		r.scope.clip(&r.listed)
	}
	r.findLatest()
}

// restoreSelection selects a row if the selected one is gone.
func (r *rows) restoreSelection() {
	switch i, ok := r.index(r.sel); {
	case r.Len() == 0:
		r.sel = 0
	case r.follow:
		r.toNewest()
	case r.sel == 0 || !ok:
		r.choose(i)
	}
	r.reveal()
}

// changeRows runs a change of the row set and restores the position of the rows in the window.
func (r *rows) changeRows(change func()) {
	top, line := r.list.Anchor()
	at := r.at(top)
	change()
	i, ok := r.index(at)
	if !ok {
		line = 0
	}
	r.list.Reorder()
	r.list.ScrollTo(i, line)
}

// redraw invalidates all drawn rows.
func (r *rows) redraw() { r.epoch++ }
