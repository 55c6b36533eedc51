package filter

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// holds reports whether a compares to b as op says.
func holds[N int | int64 | time.Duration](a N, op string, b N) bool {
	switch op {
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "<":
		return a < b
	case "<=":
		return a <= b
	default:
		return a == b
	}
}

var sizes = []choice{{word: "1k"}, {word: "10k"}, {word: "100k"}, {word: "1M"}}

// ofSize compares the length of a body or frame, including what was not recorded.
func ofSize(op string, v value) (node, *Error) {
	n, ok := parseSize(v.text)
	if !ok || v.re != nil {
		return node{}, &Error{v.off, v.end, "size needs a size such as 10k or 1.5MB"}
	}
	return node{match: func(it *log.Item, _ *Env) bool {
		return holds(int64(len(it.Record.Raw)+it.Record.Omitted), op, n)
	}}, nil
}

// parseSize reads a size in decimal units, or in binary ones: "48", "1.5kB", "4MiB".
func parseSize(s string) (int64, bool) {
	n := strings.IndexFunc(s, letter)
	if n < 0 {
		n = len(s)
	}
	v, err := strconv.ParseFloat(s[:n], 64)
	if err != nil {
		return 0, false
	}
	unit, binary := strings.CutSuffix(strings.TrimSuffix(strings.ToLower(s[n:]), "b"), "i")
	exp := strings.Index("kmgt", unit) + 1
	if unit == "" {
		exp = 0
	}
	if len(unit) > 1 || exp == 0 && (unit != "" || binary) {
		return 0, false
	}
	base := 1000.0
	if binary {
		base = 1024
	}
	if v *= math.Pow(base, float64(exp)); !(v >= 0 && v < 1<<62) {
		return 0, false
	}
	return int64(v), true
}

var spans = []choice{{word: "100ms"}, {word: "500ms"}, {word: "2s"}, {word: "10s"}}

var longest = []choice{{word: "max", note: "the event after the longest gap of its stream"}}

// afterGap compares the time since the previous record of the exchange, or since a cut.
func afterGap(op string, v value) (node, *Error) {
	switch isMax := v.re == nil && strings.EqualFold(v.text, "max"); {
	case op == ":" && isMax:
		return node{uses: UsesLongest, match: func(it *log.Item, env *Env) bool { return env.Longest != nil && env.Longest(it) }}, nil
	case op == ":":
		return node{}, &Error{v.off, v.end, "gap needs a time such as gap>500ms or gap>2s, or gap:max"}
	}
	d, ok := parseSpan(v.text)
	if !ok || v.re != nil {
		return node{}, &Error{v.off, v.end, "gap needs a time with its unit: 500ms or 2s"}
	}
	return node{cost: costsName, match: func(it *log.Item, env *Env) bool {
		r := &it.Record
		return env.Gap != nil && r.Exchange != 0 && r.Exchange != r.ID && holds(env.Gap(it), op, d)
	}}, nil
}

// parseSpan reads a span of time: "500ms", "1m30s", "2min".
func parseSpan(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(strings.ReplaceAll(strings.ToLower(s), "min", "m"))
	return d, err == nil && d >= 0
}

// A codeRange is a range of HTTP statuses.
type codeRange struct{ from, to int }

// withStatus compares the HTTP status of a response's head, or of the error in its body.
func withStatus(op string, v value) (node, *Error) {
	want, ok := parseCodes(v.text)
	if !ok || v.re != nil || want.from != want.to && op != ":" && op != "=" {
		return node{}, &Error{v.off, v.end, "status needs an HTTP status: 404, 4xx or 400-499"}
	}
	is := func(code int) bool { return code >= want.from && code <= want.to }
	if op != ":" && op != "=" {
		is = func(code int) bool { return holds(code, op, want.from) }
	}
	return node{match: func(it *log.Item, _ *Env) bool {
		r := &it.Record
		if r.Head != nil {
			return r.Kind == a2a.KindHead && is(r.Head.Status)
		}
		return hasEvent(it, func(ev *a2a.Event) bool { return ev.Err != nil && ev.Err.HTTPStatus != 0 && is(ev.Err.HTTPStatus) })
	}}, nil
}

// parseCodes reads "404", "4xx" or "400-499".
func parseCodes(s string) (codeRange, bool) {
	if len(s) == 3 && strings.EqualFold(s[1:], "xx") && s[0] >= '1' && s[0] <= '9' {
		from := int(s[0]-'0') * 100
		return codeRange{from, from + 99}, true
	}
	a, b, isRange := strings.Cut(s, "-")
	from, err := strconv.Atoi(a)
	if err != nil || from < 0 || from > 999 {
		return codeRange{}, false
	}
	if !isRange {
		return codeRange{from, from}, true
	}
	to, err := strconv.Atoi(b)
	return codeRange{from, to}, err == nil && to >= from && to <= 999
}

var moments = []choice{
	{word: "30s", note: "30 seconds before the newest record"},
	{word: "2m", note: "2 minutes before the newest record"},
	{word: "+1m", note: "a minute after the start"},
}

// sinceMoment lists what came at a time or later.
func sinceMoment(_ string, v value) (node, *Error) {
	return compareMoment(v, "since needs 14:02, 2m before the newest, +2m from the start, or #120", func(order int) bool { return order >= 0 })
}

// untilMoment lists what came at a time or earlier.
func untilMoment(_ string, v value) (node, *Error) {
	return compareMoment(v, "until needs 14:05, 1m before the newest, +3m from the start, or #240", func(order int) bool { return order <= 0 })
}

// compareMoment compares with a time of day, a time before the newest record, a time after the
// start, or a record's number: holds gets -1 for a record before it, 1 for one after it.
func compareMoment(v value, needs string, holds func(order int) bool) (node, *Error) {
	bad := &Error{v.off, v.end, needs}
	text := strings.ToUpper(v.text)
	if v.re != nil {
		return node{}, bad
	}
	if id, ok := RecordNumber(text); ok {
		return node{match: func(it *log.Item, _ *Env) bool { return holds(cmp.Compare(it.Record.ID, id)) }}, nil
	}
	when, ok := moment(text)
	if !ok {
		return node{}, bad
	}
	return node{match: func(it *log.Item, env *Env) bool { return holds(it.Record.Time.Compare(when(env))) }}, nil
}

// moment reads a time that depends on the session, in upper case.
func moment(text string) (func(*Env) time.Time, bool) {
	if rest, after := strings.CutPrefix(text, "+"); after {
		d, ok := parseSpan(rest)
		return func(env *Env) time.Time { return env.Start.Add(d) }, ok
	}
	if d, ok := parseSpan(strings.TrimPrefix(text, "-")); ok {
		return func(env *Env) time.Time { return env.End.Add(-d) }, true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			if layout == time.RFC3339 {
				return func(*Env) time.Time { return t }, true
			}
			return func(env *Env) time.Time { return onDay(t, t, env.Start.Location()) }, true
		}
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return func(env *Env) time.Time { return newest(t, env) }, true
		}
	}
	return nil, false
}

// onDay returns a day with the time of day of clock.
func onDay(day, clock time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), zone)
}

// newest returns the newest time of day clock in the session, or on its first day if there was
// none.
func newest(clock time.Time, env *Env) time.Time {
	zone := env.Start.Location()
	day := env.End.In(zone)
	if onDay(day, clock, zone).After(env.End) {
		day = day.AddDate(0, 0, -1)
	}
	if last := onDay(day, clock, zone); last.After(env.Start) {
		return last
	}
	return onDay(env.Start, clock, zone)
}
