package model

import "parley/a2a"

// A Gap says that events of a task may be missing between two records, because its stream ended
// and the next one does not say where it continues.
type Gap struct {
	From, To a2a.RecordID
	// Whole is the record of the newest snapshot since then, which contains the result of the
	// missing events; 0 if there was none.
	Whole a2a.RecordID
}
