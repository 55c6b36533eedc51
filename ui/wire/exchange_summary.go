package wire

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
)

// An exchangeSummary is the outcome of an exchange, for the row that represents it while it is
// folded. Records are added one by one.
type exchangeSummary struct {
	// outcome is the record that describes the result: the newest with an event, an error or an
	// irregular end, else the response's head.
	outcome a2a.RecordID
	meant   bool
	flags   flags
}

// flags are the severities of the findings of several records.
type flags []flag

// A flag is the highest severity of one rule's findings.
type flag struct {
	rule     string
	severity a2a.Severity
}

// add adds the exchange's next record.
func (s *exchangeSummary) add(it *log.Item) {
	switch r := &it.Record; {
	case len(it.Update.Events) > 0 || it.Update.Err != nil || r.End != nil && r.End.Reason != a2a.Ended:
		s.outcome, s.meant = r.ID, true
	case r.Kind == a2a.KindHead && !s.meant:
		s.outcome = r.ID
	}
	s.flags.add(it)
}

// add adds the findings of a record.
func (fs *flags) add(it *log.Item) {
	for i := range it.Findings {
		f := &it.Findings[i]
		at := slices.IndexFunc(*fs, func(x flag) bool { return x.rule == f.Rule })
		if at < 0 {
			*fs = append(*fs, flag{f.Rule, f.Severity})
			continue
		}
		(*fs)[at].severity = max((*fs)[at].severity, f.Severity)
	}
}

// worst returns the highest severity among rules that are not muted; ok is false if there is
// none.
func (fs flags) worst(found *log.Findings) (worst a2a.Severity, ok bool) {
	for _, x := range fs {
		if !found.Muted(x.rule) {
			worst, ok = max(worst, x.severity), true
		}
	}
	return worst, ok
}
