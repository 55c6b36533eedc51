package wire

import "parley/a2a"

// SelectFinding selects a record because of what a rule found in it, and shows the
// place that the finding is about. The keys act in the record from then on.
func (p *Pane) SelectFinding(id a2a.RecordID, rule string) {
	p.Select(id)
	p.reading = p.rows.sel != 0
	p.arrange()
	p.detail.ToFinding(rule)
}
