// Package timestamp reads the times that agents write into their statuses: RFC 3339 as the specification demands,
// and the spellings of agents that depart from it.
package timestamp

import (
	"strconv"
	"time"
)

// longest is longer than any valid timestamp.
const longest = 64

// Parse reads RFC 3339, then the forms without a zone, which are taken for UTC, then seconds and milliseconds
// since 1970. It returns the zero time for anything else.
func Parse(text string) (t time.Time, hasZone bool) {
	if len(text) > longest {
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
