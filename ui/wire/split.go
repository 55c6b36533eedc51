package wire

import "parley/a2a"

// splitFrom is the height from which the pane shows both the rows and the selected record.
const splitFrom = 10

// A split is where the rows end and the record begins, while both are shown.
type split struct {
	at   int // height above the record
	rows int // lines of all rows, at most as many as the pane has
	// record is the most that a record of the exchange needed: a split that followed each record
	// of a stream would move with every event. At the end of the exchange it is what that needs.
	record   int
	exchange a2a.ExchangeID
}

// leastRecord is the least height of the record in a pane of h rows.
func leastRecord(h int) int { return max(5, h/5) }

// divide sets the split. The record gets what it needs, from [leastRecord] to half of the
// height, and the rows the rest, or what they need if that is less. Unless the pane follows, new
// rows do not move the split, and neither does what the reader unfolds in the record.
func (p *Pane) divide() {
	if p.h < splitFrom {
		return
	}
	s := &p.split
	if p.rows.follow || s.at == 0 {
		s.rows = 0
		for i := 0; i < p.rows.Len() && s.rows < p.h; i++ {
			s.rows += p.rows.Height(i, p.w)
		}
	}
	if !p.reading || s.at == 0 || p.stream.on {
		p.measureRecord()
	}
	around := p.filterHeight() + p.searchHeight()
	rows := max(2+around+s.rows, 4+around, 5) // with the head and a blank row; less has no room for the head
	s.at = min(rows, p.h-min(max(s.record, leastRecord(p.h)), p.h/2))
}

// measureRecord finds out what the selected record needs. The stream in its place gets all that
// it can.
func (p *Pane) measureRecord() {
	s, it := &p.split, p.rows.item()
	switch {
	case p.stream.on:
		s.record, s.exchange = p.h, 0
		return
	case it == nil:
		return
	}
	x, ends := it.Record.Exchange, it.Record.Kind == a2a.KindEnd
	if x > s.exchange || x != s.exchange && !p.rows.follow || ends && x == s.exchange {
		s.record, s.exchange = 0, x
	}
	p.detail.Show(it)
	s.record = max(s.record, p.detail.Need(p.w, p.h/2))
}
