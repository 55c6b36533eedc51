package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// line writes a row of the table.
func (res result) line(r row) string {
	ours, under := r.units()
	floor, ratio := "", ""
	if !math.IsNaN(res.floor) {
		floor, ratio = value(res.floor, under), multipleOf(res.ratio())
		if r.aim.kind == surplus {
			ratio = more(res.ours-res.floor, ours)
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %.2f |\n",
		r.what, value(res.ours, ours), floor, r.least, ratio, r.aim.text(ours), res.verdict(r.aim), res.spread)
}

// verdict says in a word whether the aim is reached.
func (res result) verdict(a aim) string {
	switch {
	case a.kind == none:
		return ""
	case res.meets(a):
		return "met"
	default:
		return "**missed**"
	}
}

// text formats an aim in the unit of a figure.
func (a aim) text(unit string) string {
	switch a.kind {
	case multiple:
		return fmt.Sprintf("≤ %g×", a.limit)
	case surplus:
		return "≤ " + more(a.limit, unit)
	case most:
		return "≤ " + value(a.limit, unit)
	case least:
		return "≥ " + value(a.limit, unit)
	default:
		return ""
	}
}

// more formats what a figure has above its floor.
func more(v float64, unit string) string {
	switch text := value(v, unit); {
	case text == number(v):
		return fmt.Sprintf("%+.3g", v)
	case v < 0:
		return "−" + value(-v, unit)
	default:
		return "+" + text
	}
}

// value formats a figure by its unit. Units of time begin with ns/ or end with -ns, -ns/s or
// -ns/event; for others the row's name says what is counted.
func value(v float64, unit string) string {
	if math.IsNaN(v) {
		return "none"
	}
	ends := func(with string) bool { return strings.HasSuffix(unit, with) }
	switch {
	case strings.HasPrefix(unit, "ns/"), ends("-ns"), ends("-ns/s"), ends("-ns/event"):
		return duration(v)
	case ends("events/s"):
		return grouped(v) + "/s"
	case ends("%"):
		return number(v) + " %"
	case ends("MB"):
		return number(v) + " MB"
	case ends("B-written/s"), ends("B-kept/event"), ends("B-peak/event"):
		return number(v) + " B"
	case ends("×"):
		return multipleOf(v)
	default:
		return number(v)
	}
}

// duration formats nanoseconds with three digits.
func duration(ns float64) string {
	for _, u := range []struct {
		unit string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= u.ns {
			return number(ns/u.ns) + " " + u.unit
		}
	}
	return number(ns) + " ns"
}

func multipleOf(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%.2f×", v)
	}
	return number(v) + "×"
}

// number formats a number with its significant digits.
func number(v float64) string {
	switch {
	case v == math.Trunc(v):
		return grouped(v)
	case v >= 100:
		return grouped(math.Round(v))
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

// grouped formats a whole number in groups of three digits.
func grouped(v float64) string {
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
