package wire

import (
	"slices"

	"parley/a2a"
	"parley/session"
	"parley/ui/list"
)

// rows is the sequence of records that are listed, and the selection in it. It is
// the source of the pane's list.
type rows struct {
	log   *session.Log
	known int // records of the log that were looked at
	// hits are the records that the filter lets through, nil without one.
	hits     []a2a.RecordID
	filtered bool

	sel    a2a.RecordID // 0 while there is no row
	follow bool
	newest a2a.RecordID // when following was paused

	epoch uint64 // grows when every row looks different
	draw  func(id a2a.RecordID, w int) []string
	list  list.List
}

// Len returns how many records are listed.
func (r *rows) Len() int {
	if r.filtered {
		return len(r.hits)
	}
	return r.known
}

// at returns the record in row i.
func (r *rows) at(i int) a2a.RecordID {
	if r.filtered {
		return r.hits[i]
	}
	return a2a.RecordID(i + 1)
}

// Item returns row i.
func (r *rows) Item(i int) list.Item { return row{r, r.at(i)} }

// A row is a record as the list knows it.
type row struct {
	rows *rows
	id   a2a.RecordID
}

// Version changes with the selection and with everything that changes all rows:
// records themselves never change.
func (r row) Version() uint64 {
	if r.rows.sel == r.id {
		return r.rows.epoch<<1 | 1
	}
	return r.rows.epoch << 1
}

// Lines draws the row.
func (r row) Lines(w int) []string { return r.rows.draw(r.id, w) }

// item returns the selected record, nil if there is none.
func (r *rows) item() *session.Item {
	if r.log == nil {
		return nil
	}
	return r.log.At(r.sel)
}

// index returns the row of a record, or the row that it would come before, and
// whether it is listed.
func (r *rows) index(id a2a.RecordID) (int, bool) {
	if r.filtered {
		return slices.BinarySearch(r.hits, id)
	}
	return int(id) - 1, id > 0 && int(id) <= r.known
}

// grown takes over a record that was added; listed says whether the filter lets
// it through.
func (r *rows) grown(id a2a.RecordID, listed bool) {
	r.known = int(id)
	if !listed {
		return
	}
	if r.filtered {
		r.hits = append(r.hits, id)
	}
	if r.follow || r.sel == 0 {
		r.sel = id
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
	i, _ := r.index(r.newest + 1)
	return max(r.Len()-max(i, 0), 0)
}

// reveal scrolls so that the selection can be seen. Following is done by selecting,
// so the list must not follow by itself.
func (r *rows) reveal() {
	if i, ok := r.index(r.sel); ok {
		r.list.EnsureVisible(i)
		r.list.SetFollow(false)
	}
}

// refilter lists other records. The selection stays if it can, else it goes to
// the row that comes next.
func (r *rows) refilter(hits []a2a.RecordID, filtered bool) {
	r.hits, r.filtered = hits, filtered
	follow := r.follow
	r.list.SetSource(r)
	switch i, ok := r.index(r.sel); {
	case r.Len() == 0:
		r.sel = 0
	case follow:
		r.choose(r.Len() - 1)
	case r.sel == 0 || !ok:
		r.choose(i)
	}
	r.reveal()
}

// redraw says that every row looks different now.
func (r *rows) redraw() { r.epoch++ }
