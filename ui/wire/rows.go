package wire

import (
	"parley/a2a"
	"parley/session/log"
	"parley/ui/list"
)

// rows is the sequence of records that are listed, and the selection in it. It is
// the source of the pane's list.
//
// A record is listed if the filter lets it through and its exchange is not folded. A
// folded exchange is listed as its first record as soon as the filter lets any of its
// records through.
type rows struct {
	log      *log.Log
	known    int  // records of the log that were looked at
	listed   set  // those that have a row
	hits     set  // those that the filter lets through, while there is one
	filtered bool // there is one
	folds    folds
	marks    set // made by the user

	sel    a2a.RecordID // 0 while there is no row
	follow bool
	newest a2a.RecordID // when following was paused

	epoch uint64 // grows when every row looks different
	draw  func(id a2a.RecordID, w int) []string
	list  list.List
	head  headRow // above the list

	handed row
}

// reset lists the records of another log, none of which was looked at yet.
func (r *rows) reset(log *log.Log) {
	r.log, r.known, r.sel, r.newest, r.follow = log, 0, 0, 0, true
	r.filtered, r.folds = false, folds{}
	r.listed.clear()
	r.hits.clear()
	r.marks.clear()
	r.list.SetSource(r)
}

// Len returns how many records are listed.
func (r *rows) Len() int { return r.listed.len() }

// at returns the record in row i.
func (r *rows) at(i int) a2a.RecordID { return r.listed.at(i) }

// Item returns row i, which is good until the next one is asked for: a frame asks for
// each of its rows several times.
func (r *rows) Item(i int) list.Item {
	r.handed = row{r, r.at(i)}
	return &r.handed
}

// A row is a record as the list knows it.
type row struct {
	rows *rows
	id   a2a.RecordID
}

// Version changes with the selection, the mark and with everything that changes all
// rows. Records themselves never change, but a folded exchange grows.
func (r *row) Version() uint64 {
	v := r.rows.epoch << 40
	if n, ok := r.rows.foldedAt(r.id); ok {
		v |= uint64(n) << 2
	}
	if r.rows.marks.has(r.id) {
		v |= 2
	}
	if r.rows.sel == r.id {
		v |= 1
	}
	return v
}

// Lines draws the row.
func (r *row) Lines(w int) []string { return r.rows.draw(r.id, w) }

// item returns the selected record, nil if there is none.
func (r *rows) item() *log.Item {
	if r.log == nil {
		return nil
	}
	return r.log.At(r.sel)
}

// index returns the row of a record, or the row that it would come before, and
// whether it is listed.
func (r *rows) index(id a2a.RecordID) (int, bool) { return r.listed.below(id), r.listed.has(id) }

// passes reports whether the filter lets a record through.
func (r *rows) passes(id a2a.RecordID) bool { return !r.filtered || r.hits.has(id) }

// grown takes over a record that was added; pass says whether the filter lets it
// through.
func (r *rows) grown(id a2a.RecordID, pass bool) {
	r.known = int(id)
	r.folds.grown(r.log, id)
	if !pass {
		return
	}
	if r.filtered {
		r.hits.add(id)
	}
	at := r.rowOf(id)
	if at == id {
		r.listed.add(id)
	} else if !r.listed.has(at) { // an old exchange comes in among later rows
		r.changing(func() { r.listed.add(at) })
	}
	if r.follow || r.sel == 0 {
		r.sel = r.at(r.Len() - 1)
	}
}

// choose selects row i, or the nearest there is. Leaving the newest row pauses
// following.
func (r *rows) choose(i int) {
	n := r.Len()
	if n == 0 {
		r.sel = 0
		return
	}
	i = min(max(i, 0), n-1)
	r.sel = r.at(i)
	if i < n-1 {
		r.pause()
	}
	r.reveal()
}

// move moves the selection n rows.
func (r *rows) move(n int) {
	i, _ := r.index(r.sel)
	r.choose(i + n)
}

// pause lets the selection stay where it is while records arrive.
func (r *rows) pause() {
	if r.follow {
		r.follow, r.newest = false, a2a.RecordID(r.known)
	}
}

// resume selects the newest row and stays with it.
func (r *rows) resume() {
	r.follow = true
	r.choose(r.Len() - 1)
}

// unseen returns how many rows arrived since following was paused.
func (r *rows) unseen() int {
	if r.follow {
		return 0
	}
	return r.Len() - r.listed.below(r.newest+1)
}

// reveal scrolls so that the selection can be seen. Following is done by selecting,
// so the list must not follow by itself.
func (r *rows) reveal() {
	if i, ok := r.index(r.sel); ok {
		r.list.EnsureVisible(i)
		r.list.SetFollow(false)
	}
}

// refilter lists the records that another filter lets through, all of them if it is
// none. The selection stays if it can, else it goes to the row that comes next.
func (r *rows) refilter(hits []a2a.RecordID, filtered bool) {
	r.hits.clear()
	for _, id := range hits {
		r.hits.add(id)
	}
	r.filtered = filtered
	r.relist()
	r.list.SetSource(r)
	r.settle()
}

// admit lets more records through the filter, wherever they stand among the rows.
// What is read stays where it is.
func (r *rows) admit(hits []a2a.RecordID) {
	r.changing(func() {
		for _, id := range hits {
			r.hits.add(id)
			r.listed.add(r.rowOf(id))
		}
	})
	r.settle()
}

// relist works out the rows anew.
func (r *rows) relist() {
	if r.filtered {
		r.listed.clear()
		for id := range r.hits.all() {
			r.listed.add(r.rowOf(id))
		}
		return
	}
	r.folds.list(r.log, r.known, &r.listed)
}

// settle selects a row again after others went.
func (r *rows) settle() {
	switch i, ok := r.index(r.sel); {
	case r.Len() == 0:
		r.sel = 0
	case r.follow:
		r.choose(r.Len() - 1)
	case r.sel == 0 || !ok:
		r.choose(i)
	}
	r.reveal()
}

// changing changes which rows there are and leaves what is in the window where it
// stands, as far as it is still there.
func (r *rows) changing(change func()) {
	top, line := r.list.Anchor()
	at := r.at(top)
	change()
	i, ok := r.index(at)
	if !ok {
		line = 0
	}
	r.list.SetSource(r)
	r.list.ScrollTo(i, line)
}

// redraw says that every row looks different now.
func (r *rows) redraw() { r.epoch++ }
