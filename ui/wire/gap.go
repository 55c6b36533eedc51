package wire

import "parley/a2a"

// Describe describes a record in one line, as its row does, safe to draw; empty if there is none.
func (p *Pane) Describe(id a2a.RecordID) string {
	p.sync()
	it := p.rows.log.At(id)
	if it == nil {
		return ""
	}
	what, tail := p.words(it)
	return what + tail
}
