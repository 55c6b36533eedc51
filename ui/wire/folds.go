package wire

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
)

// folds records which exchanges are folded into one row.
type folds struct {
	all        bool                        // the default, also for exchanges to come
	exceptions map[a2a.ExchangeID]struct{} // exchanges that differ from the default
	// firstRecords are the first records of exchanges and the records without an exchange: the
	// rows when everything is folded.
	firstRecords set
	checks       map[a2a.ExchangeID][]a2a.ExchangeID // the checks of a stream, by the stream

	runs    map[a2a.ExchangeID]*runs
	chunks  bool                      // a run has a row for each of its records, also those to come
	oddRuns map[a2a.RecordID]struct{} // runs that differ from that, by their first record
	visited a2a.RecordID              // the first record of the run that is unfolded because the cursor is in it, 0 for none
}

// folded reports whether an exchange is folded.
func (f *folds) folded(x a2a.ExchangeID) bool {
	if x == 0 {
		return false
	}
	_, not := f.exceptions[x]
	return f.all != not
}

// fold folds or unfolds an exchange.
func (f *folds) fold(x a2a.ExchangeID, on bool) {
	if on == f.all {
		delete(f.exceptions, x)
		return
	}
	if f.exceptions == nil {
		f.exceptions = map[a2a.ExchangeID]struct{}{}
	}
	f.exceptions[x] = struct{}{}
}

// foldAll folds or unfolds all exchanges and runs.
func (f *folds) foldAll(on bool) {
	f.all, f.exceptions, f.chunks, f.oddRuns, f.visited = on, nil, !on, nil, 0
}

// addRecord adds the log's newest record. Exchanges that Parley started itself (checks, auth
// polls) start folded, and so do accepted deliveries, whose row shows everything.
func (f *folds) addRecord(l *log.Log, id a2a.RecordID, it *log.Item) {
	x := l.ExchangeOf(id)
	if x != 0 {
		f.addToRuns(x, it)
	}
	if x != 0 && l.Exchange(x)[0] != id {
		return
	}
	f.firstRecords.add(id)
	if s := l.Stream(x); s != nil && s.Checks != 0 {
		if f.checks == nil {
			f.checks = map[a2a.ExchangeID][]a2a.ExchangeID{}
		}
		f.checks[s.Checks] = append(f.checks[s.Checks], x)
	}
	if c := it.Record.Call; x != 0 && c != nil && (c.Check || c.AuthPoll || c.Delivery != nil && c.Delivery.RefusalReason == "") {
		f.fold(x, true)
	}
}

// addToRuns adds a record of an exchange to its runs.
func (f *folds) addToRuns(x a2a.ExchangeID, it *log.Item) {
	rs := f.runs[x]
	if rs == nil {
		if it.Record.Kind != a2a.KindEvent { // most exchanges have none
			return
		}
		if f.runs == nil {
			f.runs = map[a2a.ExchangeID]*runs{}
		}
		rs = &runs{}
		f.runs[x] = rs
	}
	rs.add(it)
}

// setRows sets rows to the rows of the first known records.
func (f *folds) setRows(log *log.Log, known int, rows *set) {
	if f.all {
		*rows = f.firstRecords.clone()
	} else {
		rows.fill(a2a.RecordID(known))
	}
	for x := range f.exceptions {
		f.updateExchange(log, known, x, rows)
	}
	for x, rs := range f.runs {
		f.removeRuns(log, x, rs, rows)
	}
	for _, checks := range f.checks {
		for _, x := range checks {
			if ids := log.Exchange(x); f.folded(x) && len(ids) > 0 {
				rows.remove(ids[0]) // the end of the stream stands for it
			}
		}
	}
}

// removeRuns removes the records of the runs of an exchange that have one row, except the first of each.
func (f *folds) removeRuns(log *log.Log, x a2a.ExchangeID, rs *runs, rows *set) {
	if f.folded(x) {
		return
	}
	for i := range rs.all {
		if of := f.run(x, rs.all[i].first); of != nil {
			for _, id := range of.in(log.Exchange(x))[1:] {
				rows.remove(id)
			}
		}
	}
}

// updateExchange adds an exchange's records to rows, or removes all but the first if it is folded.
func (f *folds) updateExchange(log *log.Log, known int, x a2a.ExchangeID, rows *set) {
	ids := log.Exchange(x)
	for i, id := range ids {
		switch {
		case id > a2a.RecordID(known):
			return
		case i > 0 && f.folded(x):
			rows.remove(id)
		default:
			rows.add(id)
		}
	}
}

// rowOf returns the record that represents id in the list: id itself, or the first of its
// exchange or run that was not cleared if that is folded. The end of a stream represents its folded
// checks.
func (r *rows) rowOf(id a2a.RecordID) a2a.RecordID {
	x := r.log.ExchangeOf(id)
	ids := r.log.Exchange(x)
	if !r.folds.folded(x) {
		if of := r.runAt(id); of != nil {
			i, _ := slices.BinarySearch(ids, max(of.first, r.scope.cleared+1))
			return ids[min(i, len(ids)-1)]
		}
		return id
	}
	if s := r.log.Stream(x); s != nil && s.Checks != 0 {
		if stream := r.log.Exchange(s.Checks); stream[len(stream)-1] > r.scope.cleared {
			return r.rowOf(stream[len(stream)-1])
		}
	}
	i, _ := slices.BinarySearch(ids, r.scope.cleared+1)
	return ids[min(i, len(ids)-1)]
}

// foldedAt returns how many records the row of id represents; ok is false unless its exchange
// is folded.
func (r *rows) foldedAt(id a2a.RecordID) (n int, ok bool) {
	x := r.log.ExchangeOf(id)
	if !r.folds.folded(x) {
		return 0, false
	}
	return len(r.log.Exchange(x)), true
}

// foldedChecks returns the checks that the row of id represents besides its own record: those of
// the stream that it ends.
func (r *rows) foldedChecks(id a2a.RecordID) (checks []a2a.ExchangeID) {
	x := r.log.ExchangeOf(id)
	all := r.folds.checks[x]
	if len(all) == 0 || r.folds.folded(x) {
		return nil
	}
	if ids := r.log.Exchange(x); ids[len(ids)-1] != id {
		return nil
	}
	for _, check := range all {
		if r.folds.folded(check) {
			checks = append(checks, check)
		}
	}
	return checks
}

// toggleRow folds or unfolds what the row of id represents: first the checks of a stream, then the run, then
// the exchange.
func (r *rows) toggleRow(id a2a.RecordID) {
	x, checks := r.log.ExchangeOf(id), r.foldedChecks(id)
	if len(checks) == 0 {
		if of := r.runAt(id); of != nil {
			r.foldRun(x, of, false)
		} else if of := r.openRun(id); of != nil {
			r.foldRun(x, of, true)
		} else {
			r.toggle(x)
		}
		return
	}
	for _, x := range checks {
		r.toggle(x)
	}
}

// foldable reports whether a record belongs to an exchange.
func (r *rows) foldable(id a2a.RecordID) bool {
	return r.log.ExchangeOf(id) != 0
}

// toggle folds or unfolds an exchange.
func (r *rows) toggle(x a2a.ExchangeID) {
	r.changeRows(func() {
		r.folds.fold(x, !r.folds.folded(x))
		ids := r.log.Exchange(x)
		for _, id := range ids {
			r.listed.remove(id)
		}
		for _, id := range ids {
			if id <= a2a.RecordID(r.total) && r.passes(id) {
				r.listed.add(r.rowOf(id))
			}
		}
		r.findLatest()
	})
	r.selectRepresentative()
}

// foldAll folds or unfolds all exchanges.
func (r *rows) foldAll(on bool) {
	r.changeRows(func() {
		r.folds.foldAll(on)
		r.relist()
	})
	r.selectRepresentative()
}

// unfold unfolds the exchange and the run of a record if they hide it.
func (r *rows) unfold(id a2a.RecordID) {
	x := r.log.ExchangeOf(id)
	if r.folds.folded(x) && r.rowOf(id) != id {
		r.toggle(x)
	}
	if of := r.runAt(id); of != nil && r.rowOf(id) != id {
		r.visitRun(x, of)
	}
}

// selectRepresentative selects the row that now represents the selected record. Folding the newest
// exchange pauses following, so that the user sees the folded row.
func (r *rows) selectRepresentative() {
	if r.sel == 0 {
		return
	}
	at := r.rowOf(r.sel)
	if i, ok := r.index(at); ok && at != r.sel {
		r.choose(i)
		return
	}
	r.restoreSelection()
}
