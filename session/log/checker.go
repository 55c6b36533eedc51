package log

import "parley/a2a"

// A Checker finds what is wrong with a record. It gets every record of a session in order,
// before it is applied, with the decoder's result and the fold of the record's agent, nil if
// there is none. It returns all findings of the record: those in u, with their severity in the
// dialect, and its own. It must not change u. Its cost must be proportional to the record.
type Checker interface {
	Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding
}
