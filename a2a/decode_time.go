package a2a

import (
	"parley/a2a/jsontok"
	"parley/a2a/timestamp"
)

// timestamp reads a status's time. A wrong spelling never fails the object: the text is always
// kept, and the instant if it can be read.
func (d *decoder) timestamp(n jsontok.Node, s *Status) {
	s.TimestampText = word(n)
	if s.TimestampText == "" {
		return
	}
	s.Time, s.HasZone = timestamp.Parse(s.TimestampText)
	switch {
	case s.Time.IsZero():
		d.note("STAT-004", Warning, n, "The timestamp “"+clip(s.TimestampText)+"” is invalid", "Write RFC 3339 with a zone")
	case !s.HasZone:
		d.note("STAT-004", Warning, n, "The timestamp has no zone; Parley assumes UTC", "Write RFC 3339 with a zone")
	case n.Kind() == jsontok.Number:
		d.note("STAT-004", Warning, n, "The timestamp is a number", "Write RFC 3339 with a zone")
	}
}
