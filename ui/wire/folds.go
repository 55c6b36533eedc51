package wire

import (
	"parley/a2a"
	"parley/session/log"
)

// folds says which exchanges are listed as one row.
type folds struct {
	all bool                        // those that are not told apart, and those to come
	not map[a2a.ExchangeID]struct{} // are not as all says
	// tops are the first records of exchanges, and those that belong to none: what is
	// listed when everything is folded.
	tops set
}

// folded reports whether an exchange is one row.
func (f *folds) folded(x a2a.ExchangeID) bool {
	if x == 0 {
		return false
	}
	_, not := f.not[x]
	return f.all != not
}

// fold folds an exchange, or unfolds it.
func (f *folds) fold(x a2a.ExchangeID, on bool) {
	if on == f.all {
		delete(f.not, x)
		return
	}
	if f.not == nil {
		f.not = map[a2a.ExchangeID]struct{}{}
	}
	f.not[x] = struct{}{}
}

// foldAll folds every exchange, or unfolds them.
func (f *folds) foldAll(on bool) { f.all, f.not = on, nil }

// grown takes note of the log's newest record. What Parley asks by itself, to compare or to
// see whether a task goes on, arrives folded: nobody waits for it. So does a delivery that was let in, whose
// row says it all.
func (f *folds) grown(log *log.Log, id a2a.RecordID) {
	x := log.ExchangeOf(id)
	if x != 0 && log.Exchange(x)[0] != id {
		return
	}
	f.tops.add(id)
	if c := log.At(id).Record.Call; x != 0 && c != nil && (c.Check || c.AuthPoll || c.Delivery != nil && c.Delivery.Refused == "") {
		f.fold(x, true)
	}
}

// list makes rows those of the first known records.
func (f *folds) list(log *log.Log, known int, rows *set) {
	if f.all {
		*rows = f.tops.clone()
	} else {
		rows.fill(a2a.RecordID(known))
	}
	for x := range f.not {
		f.show(log, known, x, rows)
	}
}

// show lists an exchange's records, or takes all but the first off the list.
func (f *folds) show(log *log.Log, known int, x a2a.ExchangeID, rows *set) {
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

// rowOf returns the record whose row stands for a record: itself, or the first of its
// exchange where that is folded.
func (r *rows) rowOf(id a2a.RecordID) a2a.RecordID {
	if x := r.log.ExchangeOf(id); r.folds.folded(x) {
		return r.log.Exchange(x)[0]
	}
	return id
}

// foldedAt returns how many records the row of id stands for, if it is that of a
// folded exchange.
func (r *rows) foldedAt(id a2a.RecordID) (n int, ok bool) {
	x := r.log.ExchangeOf(id)
	if !r.folds.folded(x) {
		return 0, false
	}
	return len(r.log.Exchange(x)), true
}

// foldable reports whether a record belongs to an exchange, which can be folded.
func (r *rows) foldable(id a2a.RecordID) bool {
	return r.log.ExchangeOf(id) != 0
}

// toggle folds the exchange of a record, or unfolds it.
func (r *rows) toggle(id a2a.RecordID) {
	x := r.log.ExchangeOf(id)
	r.changing(func() {
		r.folds.fold(x, !r.folds.folded(x))
		if !r.filtered {
			r.folds.show(r.log, r.known, x, &r.listed)
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
	r.stay()
}

// foldAll folds every exchange, or unfolds them.
func (r *rows) foldAll(on bool) {
	r.changing(func() {
		r.folds.foldAll(on)
		r.relist()
	})
	r.stay()
}

// unfold makes a record listed that only its fold hides.
func (r *rows) unfold(id a2a.RecordID) {
	if r.rowOf(id) != id {
		r.toggle(id)
	}
}

// stay selects the row that now stands for the selected record. Who folds what streams
// wants to see the fold: following pauses.
func (r *rows) stay() {
	if r.sel == 0 {
		return
	}
	at := r.rowOf(r.sel)
	if i, ok := r.index(at); ok && at != r.sel {
		r.choose(i)
		return
	}
	r.settle()
}
