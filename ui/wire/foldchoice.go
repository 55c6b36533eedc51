package wire

import (
	"maps"

	"parley/a2a"
)

// Folds are which exchanges and runs are folded.
type Folds struct {
	all, chunks bool
	exceptions  map[a2a.ExchangeID]struct{}
	oddRuns     map[a2a.RecordID]struct{}
}

// Folds returns which exchanges and runs are folded.
func (p *Pane) Folds() Folds {
	f := &p.rows.folds
	return Folds{f.all, f.chunks, maps.Clone(f.exceptions), maps.Clone(f.oddRuns)}
}

// SetFolds folds the exchanges and runs that were folded in a pane of the same session.
func (p *Pane) SetFolds(f Folds) {
	p.sync()
	r := &p.rows
	r.changeRows(func() {
		r.folds.all, r.folds.exceptions = f.all, maps.Clone(f.exceptions)
		r.folds.chunks, r.folds.oddRuns = f.chunks, maps.Clone(f.oddRuns)
		r.relist()
	})
	r.selectRepresentative()
}
