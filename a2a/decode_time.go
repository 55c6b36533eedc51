package a2a

import (
	"strconv"
	"time"

	"parley/a2a/jsontok"
)

// timestamp reads a status's time. A wrong spelling never fails the object: the text is always
// kept, and the instant if it can be read.
func (d *decoder) timestamp(n jsontok.Node, s *Status) {
	s.TimestampText = word(n)
	if s.TimestampText == "" {
		return
	}
	s.Time, s.HasZone = parseTimestamp(s.TimestampText)
	switch {
	case s.Time.IsZero():
		d.note("STAT-004", Warning, n, "The timestamp “"+clip(s.TimestampText)+"” is invalid", "Write RFC 3339 with a zone")
	case !s.HasZone:
		d.note("STAT-004", Warning, n, "The timestamp has no zone; Parley assumes UTC", "Write RFC 3339 with a zone")
	case n.Kind() == jsontok.Number:
		d.note("STAT-004", Warning, n, "The timestamp is a number", "Write RFC 3339 with a zone")
	}
}

// maxTimestamp is longer than any valid timestamp.
const maxTimestamp = 64

// parseTimestamp reads RFC 3339, then the forms without a zone, which are taken
// for UTC, then seconds and milliseconds since 1970. It returns the zero time for
// anything else.
func parseTimestamp(text string) (t time.Time, hasZone bool) {
	if len(text) > maxTimestamp {
		return time.Time{}, false
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, true
	}
	if t, err := time.Parse("2006-01-02T15:04:05.999999999Z0700", text); err == nil {
		return t, true
	}
	for _, layout := range [...]string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, false
		}
	}
	const (
		firstSecond, lastSecond = 1e8, 1e11 // 1973 to 5138
		perSecond               = 1000
	)
	switch n, err := strconv.ParseInt(text, 10, 64); {
	case err != nil, n < firstSecond, n >= lastSecond*perSecond:
		return time.Time{}, false
	case n < lastSecond:
		return time.Unix(n, 0).UTC(), true
	default:
		return time.UnixMilli(n).UTC(), true
	}
}
