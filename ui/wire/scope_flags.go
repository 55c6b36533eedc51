package wire

import (
	"parley/a2a"
	"parley/session/log"
)

// flagCounts counts the errors and warnings in scope and outside of it, without muted rules.
type flagCounts struct {
	all     []flagged
	counted int    // of all, with these mutes
	mutes   uint64 // see [log.Findings.Mutes]
	in, out int
}

// A flagged is a number of errors and warnings of one rule in one record.
type flagged struct {
	id   a2a.RecordID
	rule string
	n    int
}

// reset forgets the log.
func (f *flagCounts) reset() { *f = flagCounts{} }

// add adds the findings of a new record.
func (f *flagCounts) add(id a2a.RecordID, it *log.Item) {
	for i := range it.Findings {
		x := &it.Findings[i]
		if x.Severity < a2a.Warning {
			continue
		}
		if n := len(f.all); n > 0 && f.all[n-1].id == id && f.all[n-1].rule == x.Rule {
			f.all[n-1].n++
			continue
		}
		f.all = append(f.all, flagged{id, x.Rule, 1})
	}
}

// recount has the next [flagCounts.count] start from the first record.
func (f *flagCounts) recount() { f.counted, f.in, f.out = 0, 0, 0 }

// count returns the numbers in scope and outside of it. It reads what was added since the last
// call, or everything after a change of the scope or of the mutes.
func (f *flagCounts) count(s *scope, found *log.Findings) (in, out int) {
	if f.mutes != found.Mutes() {
		f.mutes = found.Mutes()
		f.recount()
	}
	for ; f.counted < len(f.all); f.counted++ {
		x := &f.all[f.counted]
		switch {
		case found.Muted(x.rule):
		case s.has(x.id):
			f.in += x.n
		default:
			f.out += x.n
		}
	}
	return f.in, f.out
}
