package main

import (
	"fmt"
	"strings"

	"parley/internal/units"
	"parley/test/bench/page"
)

// report formats the result for docs/performance.md.
func report(w *watch, l *listener, p plan, faults []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured with %s: %d agents for %s.\n\n| What | Seen | Aim |\n|---|--:|---|\n", page.Machine(), p.agents, units.Duration(w.took))
	row := func(what, seen, aim string) { fmt.Fprintf(&b, "| %s | %s | %s |\n", what, seen, aim) }
	row("events", units.Count(int(l.events)), "")
	row("events a second", units.Count(int(float64(l.events)/w.took.Seconds())), "")
	row("streams that were cut in the middle of an event", units.Count(int(l.cuts)), "")
	row("bodies whose hash is the agent's own", units.Count(int(l.bodies)), "all")
	row("records, numbered without a gap", units.Count(int(l.last)), "all")
	if n := len(w.samples); n > 0 {
		row("memory in use, in the beginning and at the end", units.Bytes(int64(w.samples[0].bytes))+", "+units.Bytes(int64(w.samples[n-1].bytes)), "")
	}
	row("memory grows, in the last three fifths", fmt.Sprintf("%.2f MB a minute", w.slope()/(1<<20)), "≤ 1")
	row("goroutines left over", fmt.Sprint(w.growth.goroutines), "0")
	row("files left open", fmt.Sprint(w.growth.files), "0")
	if len(faults) > 0 {
		fmt.Fprintf(&b, "\n**Not all is well:** %s.\n", strings.Join(faults, "; "))
	}
	return b.String() + "\n"
}
