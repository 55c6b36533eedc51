package wire

import (
	"maps"

	"parley/a2a"
)

// Folds are which exchanges are folded.
type Folds struct {
	all        bool
	exceptions map[a2a.ExchangeID]struct{}
}

// Folds returns which exchanges are folded.
func (p *Pane) Folds() Folds { return Folds{p.rows.folds.all, maps.Clone(p.rows.folds.exceptions)} }

// SetFolds folds the exchanges that were folded in a pane of the same session.
func (p *Pane) SetFolds(f Folds) {
	p.sync()
	r := &p.rows
	r.changeRows(func() {
		r.folds.all, r.folds.exceptions = f.all, maps.Clone(f.exceptions)
		r.relist()
	})
	r.selectRepresentative()
}
