package main

import (
	"fmt"
	"slices"
	"strings"

	"parley/test/bench/page"
)

// table writes the rows in Markdown.
func (r *runner) table(rounds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured with %s: the least of %d rounds.\n", page.Machine(), rounds)
	for _, row := range rows {
		if row.section != "" {
			fmt.Fprintf(&b, "\n### %s\n\n| What | Time | Floor | | Ratio | Aim | Spread |\n|---|--:|--:|---|--:|--:|--:|\n", row.section)
			continue
		}
		ours, floor := row.pair()
		mine, theirs := r.seen[ours], r.seen[floor]
		ratio := slices.Min(mine) / slices.Min(theirs)
		aim := ""
		if row.aim > 0 {
			aim = fmt.Sprintf("≤ %g", row.aim)
			if ratio > row.aim {
				aim += ", **missed**"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %.2f |\n", row.what, duration(slices.Min(mine)), duration(slices.Min(theirs)),
			row.least, quotient(ratio), aim, slices.Max(theirs)/slices.Min(theirs))
	}
	return b.String() + "\n"
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	for _, u := range []struct {
		unit string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= u.ns {
			return digits(ns/u.ns) + " " + u.unit
		}
	}
	return digits(ns) + " ns"
}

func quotient(v float64) string { return digits(v) + "×" }

// digits writes a number with as many digits as mean something.
func digits(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}
