package wire

import (
	"iter"

	"parley/a2a"
	"parley/internal/units"
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
	if !p.rows.marks.remove(id) {
		p.rows.marks.add(id)
	}
}

// hasMark reports whether the user marked a record of an exchange.
func (p *Pane) hasMark(x a2a.ExchangeID) bool {
	for id := range p.rows.marks.all() {
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
		return Say{"No record is marked yet: m marks the record."}
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
	return Say{"The filter hides " + units.Plural(marks.len(), "mark") + ": esc clears it."}
}
