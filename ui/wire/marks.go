package wire

import (
	"iter"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/annotation"
	"parley/ui/keys"
)

// Marked reports whether the user marked a record.
func (p *Pane) Marked(id a2a.RecordID) bool { return p.rows.marks.has(id) }

// Marks returns the records that the user marked, in ascending order.
func (p *Pane) Marks() iter.Seq[a2a.RecordID] { return p.rows.marks.all() }

// MarksVersion changes with the marks.
func (p *Pane) MarksVersion() uint64 { return p.rows.marksVersion }

// Mark marks a record, or unmarks it.
func (p *Pane) Mark(id a2a.RecordID) {
	p.sync()
	if p.rows.log.At(id) == nil {
		return
	}
	p.rows.marksVersion++
	p.rows.remarkVersion++
	marked := !p.rows.marks.remove(id)
	if marked {
		p.rows.marks.add(id)
	}
	if p.onMark != nil {
		p.onMark(id, marked)
	}
}

// OnMark sets what is told when the user marks a record or unmarks it.
func (p *Pane) OnMark(tell func(id a2a.RecordID, marked bool)) { p.onMark = tell }

// SetRemarks sets the marks and comments, which must not be changed any more. The mark of a record
// that has not arrived yet appears with it.
func (p *Pane) SetRemarks(c *annotation.Content) {
	p.rows.remarks = c
	p.rows.marks.clear()
	for id, r := range c.Remarks {
		if r.Marked && id <= a2a.RecordID(p.rows.total) {
			p.rows.marks.add(id)
		}
	}
	p.rows.marksVersion++
	p.rows.remarkVersion++
	p.rows.redraw()
	p.detail.SetComment(p.Comment(p.rows.sel))
}

// Comment returns what the user wrote about a record, empty for nothing.
func (p *Pane) Comment(id a2a.RecordID) string { return p.rows.remarks.Remarks[id].Comment }

// willBeMarked reports whether a record is marked, or will be when it is taken over.
func (p *Pane) willBeMarked(id a2a.RecordID) bool {
	return p.rows.marks.has(id) || id > a2a.RecordID(p.rows.total) && p.rows.remarks.Remarks[id].Marked
}

// comment asks for a comment on the selected record.
func (p *Pane) comment() Intent { return AskComment{p.rows.sel} }

// hasMark reports whether the user marked a record of an exchange, from the first to the last that are given.
func (p *Pane) hasMark(x a2a.ExchangeID, first, last a2a.RecordID) bool {
	for id := p.rows.marks.next(first - 1); id != 0 && id <= last; id = p.rows.marks.next(id) {
		if p.rows.log.ExchangeOf(id) == x {
			return true
		}
	}
	return false
}

// mark marks or unmarks the selected record.
func (p *Pane) mark() { p.Mark(p.rows.sel) }

// toMark selects the next mark in a direction and wraps at the ends. It skips marks that the
// filter hides, and says so if it hides all.
func (p *Pane) toMark(dir int) Intent {
	marks := &p.rows.marks
	if marks.len() == 0 {
		return Say{"No record is marked yet: " + keys.Name(p.Of(markRecord)) + " marks the record."}
	}
	i := marks.rank(p.rows.sel)
	if dir < 0 || marks.has(p.rows.sel) {
		i += dir
	}
	for range marks.len() {
		i = (i + marks.len()) % marks.len()
		if id := marks.at(i); p.rows.passes(id) {
			p.Select(id)
			return nil
		}
		i += dir
	}
	return Say{"The filter hides " + units.Plural(marks.len(), "mark") + ": " + keys.Name(p.Of(goBack)) + " clears it."}
}
