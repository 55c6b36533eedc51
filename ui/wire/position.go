package wire

import (
	"parley/a2a"
	"parley/ui/record"
)

// A Position is where a reader is in the records.
type Position struct {
	follow, reading, whole bool
	visits                 bool         // the cursor is in a run that is unfolded because of that
	sel, top               a2a.RecordID // the selected record, and the one at the top of the window
	line                   int          // of its row
	split                  split
	detail                 record.Position
}

// Position returns where the reader is.
func (p *Pane) Position() Position {
	p.sync()
	p.arrange()
	at := Position{follow: p.rows.follow, visits: p.rows.folds.visited != 0, reading: p.reading, whole: p.whole, sel: p.rows.sel, split: p.split, detail: p.detail.Position()}
	i, line := p.rows.list.Anchor()
	if i < p.rows.Len() {
		at.top, at.line = p.rows.at(i), line
	}
	return at
}

// Return goes back to a position, in the size that the pane had there, as far as its records are
// still listed.
func (p *Pane) Return(at Position) {
	p.sync()
	p.reading, p.whole, p.split = at.reading, at.whole, at.split
	p.arrange()
	p.rows.leaveRun(0)
	if of := p.rows.runAt(at.sel); at.visits && of != nil {
		p.rows.visitRun(p.rows.log.ExchangeOf(at.sel), of)
	}
	i, ok := p.rows.index(at.sel)
	switch {
	case at.follow:
		p.rows.resume()
	case ok:
		if p.rows.follow {
			p.rows.pause()
		}
		p.rows.choose(i)
	}
	p.split = at.split
	p.arrange()
	if i, ok := p.rows.index(at.top); ok && !at.follow {
		p.rows.list.ScrollTo(i, at.line)
	}
	p.detail.Return(at.detail)
}

// UnderCursor reports whether a line of the pane belongs to the selected record: its row, or the
// record itself below the rows.
func (p *Pane) UnderCursor(y int) bool {
	y -= p.headHeight()
	if y < 0 || y >= p.listHeight() {
		return y >= p.listHeight()+p.filterHeight()+p.searchHeight()
	}
	i, _, ok := p.rows.list.ItemAt(y)
	return ok && p.rows.at(i) == p.rows.sel
}
