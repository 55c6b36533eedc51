package wire

import (
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

// foldAll folds or unfolds all exchanges.
func (f *folds) foldAll(on bool) { f.all, f.exceptions = on, nil }

// addRecord adds the log's newest record. Exchanges that Parley started itself (checks, auth
// polls) start folded, and so do accepted deliveries, whose row shows everything.
func (f *folds) addRecord(log *log.Log, id a2a.RecordID) {
	x := log.ExchangeOf(id)
	if x != 0 && log.Exchange(x)[0] != id {
		return
	}
	f.firstRecords.add(id)
	if c := log.At(id).Record.Call; x != 0 && c != nil && (c.Check || c.AuthPoll || c.Delivery != nil && c.Delivery.RefusalReason == "") {
		f.fold(x, true)
	}
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
// exchange if that is folded.
func (r *rows) rowOf(id a2a.RecordID) a2a.RecordID {
	if x := r.log.ExchangeOf(id); r.folds.folded(x) {
		return r.log.Exchange(x)[0]
	}
	return id
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

// foldable reports whether a record belongs to an exchange.
func (r *rows) foldable(id a2a.RecordID) bool {
	return r.log.ExchangeOf(id) != 0
}

// toggle folds or unfolds the exchange of a record.
func (r *rows) toggle(id a2a.RecordID) {
	x := r.log.ExchangeOf(id)
	r.changeRows(func() {
		r.folds.fold(x, !r.folds.folded(x))
		if !r.filtered {
			r.folds.updateExchange(r.log, r.total, x, &r.listed)
			return
		}
		ids := r.log.Exchange(x)
		for _, id := range ids {
			r.listed.remove(id)
		}
		for _, id := range ids {
			if r.hits.has(id) {
				r.listed.add(r.rowOf(id))
			}
		}
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

// unfold unfolds the exchange of a record if that hides it.
func (r *rows) unfold(id a2a.RecordID) {
	if r.rowOf(id) != id {
		r.toggle(id)
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
