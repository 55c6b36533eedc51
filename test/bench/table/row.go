package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A section is a part of the table, under a title.
type section struct {
	title string
	rows  []row
}

// name is the beginning of the title, which identifies the section.
func (s section) name() string {
	name, _, _ := strings.Cut(s.title, ":")
	return name
}

// A row is one figure of a benchmark, compared with that of a floor or with nothing.
type row struct {
	what  string
	pkg   string // folder of both benchmarks
	ours  string // name without Benchmark, sub-benchmarks after slashes
	unit  string // which of its figures; empty for ns/op
	floor string // the benchmark to compare with; empty for none
	under string // which of the floor's figures; empty for the same unit
	least string // what the floor does
	aim   aim
	time  string // -benchtime; empty for a default
	why   string // the reason why it is missed, if known; printed if it is missed
}

// A benchmark runs in its own process, for a time or a number of iterations.
type benchmark struct{ pkg, name, time string }

func (r row) measured() benchmark { return benchmark{r.pkg, r.ours, cmp.Or(r.time, "500ms")} }

func (r row) beneath() benchmark { return benchmark{r.pkg, r.floor, cmp.Or(r.time, "500ms")} }

func (r row) units() (ours, floor string) {
	ours = cmp.Or(r.unit, "ns/op")
	return ours, cmp.Or(r.under, ours)
}

// An aim is the limit of a figure.
type aim struct {
	kind  kind
	limit float64
}

type kind int

const (
	none     kind = iota // a figure that explains others
	multiple             // at most this many times the floor
	surplus              // at most this much more than the floor
	most                 // at most this value
	least                // at least this value
)

// times aims at no more than x times the floor.
func times(x float64) aim { return aim{multiple, x} }

// over aims at no more than n above the floor.
func over(n float64) aim { return aim{surplus, n} }

// atMost and atLeast aim at a value in the row's unit, whatever the floor is.
func atMost(x float64) aim  { return aim{most, x} }
func atLeast(x float64) aim { return aim{least, x} }

// Units of time for atMost, in nanoseconds.
const (
	microsecond = 1e3
	millisecond = 1e6
	second      = 1e9
)

// A result is the content of a row: the best of all rounds.
type result struct {
	ours, floor float64 // NaN without a floor; ours is NaN if the benchmark failed
	spread      float64 // the worst round of the floor or of ours, divided by the best
}

// result selects a row's figures from those of all rounds.
func (t *table) result(r row) result {
	ours, floor := r.units()
	mine := t.results[r.measured()][ours]
	lowest, highest := extremes(mine)
	res := result{ours: lowest, floor: math.NaN(), spread: spread(mine)}
	if r.aim.kind == least {
		res.ours = highest
	}
	if r.floor != "" {
		theirs := t.results[r.beneath()][floor]
		res.floor, _ = extremes(theirs)
		res.spread = spread(theirs)
	}
	return res
}

// extremes returns NaN for no values.
func extremes(rounds []float64) (lowest, highest float64) {
	if len(rounds) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(rounds), slices.Max(rounds)
}

// spread is 1 if all rounds have the same figure.
func spread(rounds []float64) float64 {
	lowest, highest := extremes(rounds)
	if lowest == highest {
		return 1
	}
	return highest / lowest
}

// ratio is NaN without a floor.
func (r result) ratio() float64 { return r.ours / r.floor }

// meets reports whether a result reaches the aim.
func (r result) meets(a aim) bool {
	switch a.kind {
	case multiple:
		return r.ratio() <= a.limit
	case surplus:
		return r.ours-r.floor <= a.limit
	case most:
		return r.ours <= a.limit
	case least:
		return r.ours >= a.limit
	default:
		return true
	}
}
