// Package units writes sizes, durations, counts, paths and the errors of files as Parley's
// screens show them. A number has at most four characters, then come a space and a unit; limits, in [Size], have
// all their digits.
package units

import (
	"strconv"
	"strings"
	"time"
)

// Bytes returns a size in decimal units: "147 B", "1.4 kB", "19.2 kB", "12 MB". A negative
// size, which means unknown, gives "? B".
func Bytes(n int64) string {
	if n < 0 {
		return "? B"
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	v, unit := float64(n)/1000, "kB"
	for _, next := range [...]string{"MB", "GB", "TB", "PB", "EB"} {
		if v < 999.95 {
			break
		}
		v, unit = v/1000, next
	}
	return decimal(v) + " " + unit
}

// Size writes a size as flags take it: "16 MB", "1500 kB", "17 bytes".
func Size(n int64) string {
	for _, unit := range [...]struct {
		name  string
		bytes int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.bytes && n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + " " + unit.name
		}
	}
	return InBytes(n)
}

// InBytes writes a number of bytes: "1 byte", "1234 bytes".
func InBytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// Roughly is [Size] in whole megabytes, or kilobytes.
func Roughly(n int64) string {
	switch {
	case n >= 1e6:
		n -= n % 1e6
	case n >= 1e3:
		n -= n % 1e3
	}
	return Size(n)
}

// Duration returns a span of time: "0 ms", "41 ms", "2.4 s", "3 min 5 s", "2 h 10 min", "4 d 3
// h". Less than a millisecond is "< 1 ms", and a negative span, from clocks that disagree, has
// a minus.
func Duration(d time.Duration) string {
	if d < 0 {
		if d == -1<<63 {
			d++ // the one duration whose negation overflows
		}
		return "-" + Duration(-d)
	}
	switch {
	case d == 0:
		return "0 ms"
	case d < time.Millisecond:
		return "< 1 ms"
	case d < 999500*time.Microsecond:
		return strconv.FormatInt(int64((d+time.Millisecond/2)/time.Millisecond), 10) + " ms"
	case d < 59950*time.Millisecond:
		return decimal(d.Seconds()) + " s"
	case d < time.Hour:
		return pair(d.Round(time.Second), time.Minute, "min", time.Second, "s")
	case d < 24*time.Hour:
		return pair(d.Truncate(time.Minute), time.Hour, "h", time.Minute, "min")
	default:
		return pair(d.Truncate(time.Hour), 24*time.Hour, "d", time.Hour, "h")
	}
}

// Interval is [Duration] for the time between two events, with two decimals from a second to a
// minute: "2.91 s", "12 s". One decimal makes 2.96 s and 3.04 s the same.
func Interval(d time.Duration) string {
	if d < 999500*time.Microsecond || d >= 59950*time.Millisecond {
		return Duration(d)
	}
	s := strconv.FormatFloat(d.Seconds(), 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + " s"
}

// Date formats a day and the time of day, in the user's zone: "21 Nov 2026, 14:02".
func Date(t time.Time) string { return t.Local().Format("2 Jan 2006, 15:04") }

// Count returns n with commas between groups of three digits: "100,000".
func Count(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural returns Count(n) and the noun, with an s unless n is 1: "3 chunks".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// decimal returns v with one decimal, which is omitted when it is zero.
func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	if n := len(s) - 2; s[n:] == ".0" {
		return s[:n]
	}
	return s
}

// PerSecond formats a number of things a second: "0", "1.4", "17". From 10 on it has no decimals.
func PerSecond(v float64) string {
	if v < 9.95 {
		return decimal(v)
	}
	return Count(int(v + 0.5))
}

func pair(d, big time.Duration, bigName string, small time.Duration, smallName string) string {
	s := strconv.FormatInt(int64(d/big), 10) + " " + bigName
	if rest := int64(d % big / small); rest > 0 {
		s += " " + strconv.FormatInt(rest, 10) + " " + smallName
	}
	return s
}
