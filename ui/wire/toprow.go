package wire

import (
	"parley/a2a"
	"parley/ui/styles"
)

// A topRow is the row of an exchange above the list, with all that it was drawn from.
type topRow struct {
	id      a2a.RecordID
	version uint64
	w       int
	st      *styles.Styles
	line    string
}

// topRow returns the row above the list: that of the exchange whose rows are scrolled under it, otherwise the
// names of the columns.
func (p *Pane) topRow() string {
	id := p.scrolledAway()
	if id == 0 {
		return p.head()
	}
	now := topRow{id: id, version: (&row{&p.rows, id}).Version(), w: p.w, st: p.st, line: p.top.line}
	if now != p.top {
		now.line = p.drawRow(id, p.w)[0]
		p.top = now
	}
	return p.top.line
}

// scrolledAway returns the record whose row stands for the exchange of the first row in the window and is above
// the window; 0 if there is none.
func (p *Pane) scrolledAway() a2a.RecordID {
	r := &p.rows
	top, _ := r.list.Anchor()
	x := r.log.ExchangeOf(r.at(top))
	if x == 0 || top == 0 {
		return 0
	}
	id := r.log.Exchange(x)[0]
	if i, listed := r.index(id); !listed || i >= top || !r.heads(id) {
		return 0
	}
	return id
}
