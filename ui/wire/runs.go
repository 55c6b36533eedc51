package wire

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A run is a sequence of records of an exchange that extend one artifact. After the end of the exchange it has
// one row, unless the user unfolded it or the cursor is in it.
type run struct {
	first, last a2a.RecordID
	records     int
	bytes       int64 // that they add to the artifact
	flags       flags
}

// leastRun is the number of records from which a run has one row.
const leastRun = 4

// runs are the runs of an exchange, in order.
type runs struct {
	all   []run
	now   run           // the newest; it is not in all while it may grow
	end   log.Extension // the newest of now
	ended bool
}

// add adds the next record of the exchange. What comes after its end, as in a session that was edited by hand,
// keeps a row for each record.
func (rs *runs) add(it *log.Item) {
	if rs.ended {
		return
	}
	e, extends := log.Extends(it)
	if !extends || rs.now.records == 0 || !e.Continues(rs.end) {
		rs.close()
	}
	if extends {
		if rs.now.records == 0 {
			rs.now.first = it.Record.ID
		}
		rs.now.last, rs.end = it.Record.ID, e
		rs.now.records++
		rs.now.bytes += e.Bytes
		rs.now.flags.add(it)
	}
	rs.ended = it.Record.Kind == a2a.KindEnd
}

// in returns the records of a run, of those of its exchange.
func (of *run) in(ids []a2a.RecordID) []a2a.RecordID {
	from, _ := slices.BinarySearch(ids, of.first)
	return ids[from : from+of.records]
}

// close ends the newest run.
func (rs *runs) close() {
	if rs.now.records >= leastRun {
		rs.all = append(rs.all, rs.now)
	}
	rs.now, rs.end = run{}, log.Extension{}
}

// of returns the run of a record, nil if it is in none.
func (rs *runs) of(id a2a.RecordID) *run {
	if rs == nil {
		return nil
	}
	i, _ := slices.BinarySearchFunc(rs.all, id, func(r run, id a2a.RecordID) int {
		if r.last < id {
			return -1
		}
		return 1
	})
	if i < len(rs.all) && rs.all[i].first <= id {
		return &rs.all[i]
	}
	return nil
}

// run returns the run that has one row, of a record of an exchange that is not folded; nil if there is none.
func (f *folds) run(x a2a.ExchangeID, id a2a.RecordID) *run {
	rs := f.runs[x]
	if rs == nil || !rs.ended {
		return nil
	}
	if of := rs.of(id); of != nil && f.foldedRun(of.first) {
		return of
	}
	return nil
}

// runAt returns the run that the row of id stands for, nil if it stands for its record alone.
func (r *rows) runAt(id a2a.RecordID) *run {
	x := r.log.ExchangeOf(id)
	if x == 0 || r.filtered || r.folds.folded(x) {
		return nil
	}
	return r.folds.run(x, id)
}

// openRun returns the run of a record that has a row for each of its records, nil if there is none.
func (r *rows) openRun(id a2a.RecordID) *run {
	x := r.log.ExchangeOf(id)
	if rs := r.folds.runs[x]; rs != nil && rs.ended && !r.filtered && !r.folds.folded(x) && r.runAt(id) == nil {
		return rs.of(id)
	}
	return nil
}

// foldRun gives a run one row, or a row for each of its records.
func (r *rows) foldRun(x a2a.ExchangeID, of *run, fold bool) {
	r.changeRows(func() {
		r.folds.visited = 0
		r.folds.foldRun(of.first, fold)
		r.listRun(x, of)
		r.findLatest()
	})
	r.selectRepresentative()
}

// foldedRun reports whether a run has one row after the end of its exchange.
func (f *folds) foldedRun(first a2a.RecordID) bool {
	_, odd := f.oddRuns[first]
	return f.chunks == odd && first != f.visited
}

// foldRun notes how a run is listed.
func (f *folds) foldRun(first a2a.RecordID, fold bool) {
	if fold != f.chunks {
		delete(f.oddRuns, first)
		return
	}
	if f.oddRuns == nil {
		f.oddRuns = map[a2a.RecordID]struct{}{}
	}
	f.oddRuns[first] = struct{}{}
}

// listRun lists the rows of a run, and no other of its records.
func (r *rows) listRun(x a2a.ExchangeID, of *run) {
	folded, row := r.runAt(of.first) != nil, r.rowOf(of.first)
	for _, id := range of.in(r.log.Exchange(x)) {
		switch {
		case folded && id != row:
			r.listed.remove(id)
		case r.passes(id):
			r.listed.add(id)
		}
	}
}

// visitRun unfolds a run while the cursor is in it.
func (r *rows) visitRun(x a2a.ExchangeID, of *run) {
	r.leaveRun(0)
	r.changeRows(func() {
		r.folds.visited = of.first
		r.listRun(x, of)
		r.findLatest()
	})
}

// leaveRun gives the run that the cursor was in one row again, unless a record is in it; 0 is in none.
func (r *rows) leaveRun(to a2a.RecordID) {
	first := r.folds.visited
	if first == 0 {
		return
	}
	x := r.log.ExchangeOf(first)
	of := r.folds.runs[x].of(first)
	if of != nil && r.log.ExchangeOf(to) == x && to >= of.first && to <= of.last {
		return
	}
	r.folds.visited = 0
	if of != nil && !r.filtered && !r.folds.folded(x) {
		r.changeRows(func() {
			r.listRun(x, of)
			r.findLatest()
		})
	}
}

// endRuns gives the runs of an exchange that has ended one row each, except the one with the cursor.
func (r *rows) endRuns(x a2a.ExchangeID) {
	rs := r.folds.runs[x]
	if rs == nil || len(rs.all) == 0 {
		return
	}
	if r.log.ExchangeOf(r.sel) == x && !r.follow {
		if of := rs.of(r.sel); of != nil {
			r.folds.visited = of.first
		}
	}
	if r.filtered || r.folds.folded(x) {
		return
	}
	r.changeRows(func() {
		for i := range rs.all {
			r.listRun(x, &rs.all[i])
		}
		r.findLatest()
	})
	if _, listed := r.index(r.sel); !listed {
		r.restoreSelection()
	}
}

// runRow draws the row of a run: the artifact, how many records extended it, and how they came.
func (p *Pane) runRow(it *log.Item, of *run, c columns) string {
	st, r := p.st, &it.Record
	e, _ := log.Extends(it)
	name := st.Text.S(st.G[styles.File] + " " + p.clean(e.Name))
	if p.commentsRun(r.Exchange, of) {
		name = st.Text.S(st.G[styles.Comment] + " " + st.G[styles.File] + " " + p.clean(e.Name))
	}
	count := st.Dim.S(st.G[styles.Times] + units.Count(of.records))
	shape := p.shape(r.Exchange, of)
	room := c.text - canvas.Width(count) - 1
	if least := canvas.Width(name) + len(nearGap) + canvas.Width(shape); least <= room {
		count += strings.Repeat(" ", len(nearGap)) + shape
		room -= len(nearGap) + canvas.Width(shape)
	}
	text := canvas.Ellipsize(name, room, st.G[styles.Ellipsis]) + " " + count
	worst, flagged := of.flags.worst(p.rows.log.Findings())
	return p.join(c, rowParts{
		p.number(r.ID, p.hasMark(r.Exchange, of.first, of.last)), p.timePaint(r).S(p.when(r, c.time)), st.Dim.S(st.G[styles.Folded]), p.tag(r.ID, c), p.sign(r, c),
		canvas.HighlightHits(text, p.search.find, st.Mark), st.Dim.S(units.Bytes(of.bytes)), p.flag(worst, flagged),
	})
}

// shapeCells is how many cells tell how the records of a run came.
const shapeCells = 10

// shape draws how the records of a run came over its time.
func (p *Pane) shape(x a2a.ExchangeID, of *run) string {
	s := p.rows.log.Stream(x)
	if s == nil {
		return ""
	}
	from, to := p.rows.log.At(of.first).Record.Time.Sub(s.Start), p.rows.log.At(of.last).Record.Time.Sub(s.Start)
	var loads [shapeCells]log.Load
	s.Spread(loads[:], from, to+1)
	top := 0
	for _, l := range loads {
		top = max(top, l.Events)
	}
	if top == 0 {
		return ""
	}
	var b strings.Builder
	for _, l := range loads {
		b.WriteString(p.st.G.Spark(l.Events, top))
	}
	return p.st.Agent.S(b.String())
}

// commentsRun reports whether the user wrote about a record of a run.
func (p *Pane) commentsRun(x a2a.ExchangeID, of *run) bool {
	for id, remark := range p.rows.remarks.Remarks {
		if remark.Comment != "" && id >= of.first && id <= of.last && p.rows.log.ExchangeOf(id) == x {
			return true
		}
	}
	return false
}
