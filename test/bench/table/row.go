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

// name is the title's beginning, which is enough to know the section by.
func (s section) name() string {
	name, _, _ := strings.Cut(s.title, ":")
	return name
}

// A row is one figure of a benchmark, beside that of another benchmark or beside none.
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
	why   string // why it is missed, where it is known: printed if it is
}

// A benchmark is run in a process of its own, for some time or so many times.
type benchmark struct{ pkg, name, time string }

func (r row) measured() benchmark { return benchmark{r.pkg, r.ours, cmp.Or(r.time, "500ms")} }

func (r row) beneath() benchmark { return benchmark{r.pkg, r.floor, cmp.Or(r.time, "500ms")} }

func (r row) units() (ours, floor string) {
	ours = cmp.Or(r.unit, "ns/op")
	return ours, cmp.Or(r.under, ours)
}

// An aim is what a figure should not exceed, or should at least be.
type aim struct {
	kind  kind
	limit float64
}

type kind int

const (
	none     kind = iota // a figure that explains others
	multiple             // so many times the floor
	surplus              // so much more than the floor
	most                 // the figure itself
	least                // the figure itself, which should be large
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
)

// A result is what a row shows: the best of all rounds.
type result struct {
	ours, floor float64 // NaN where there is none, ours where the benchmark failed
	spread      float64 // the worst round of the floor, or of ours, divided by the best
}

// result picks a row's figures from what all rounds found.
func (t *table) result(r row) result {
	ours, floor := r.units()
	mine := t.seen[r.measured()][ours]
	lowest, highest := extremes(mine)
	res := result{ours: lowest, floor: math.NaN(), spread: spread(mine)}
	if r.aim.kind == least {
		res.ours = highest
	}
	if r.floor != "" {
		theirs := t.seen[r.beneath()][floor]
		res.floor, _ = extremes(theirs)
		res.spread = spread(theirs)
	}
	return res
}

// extremes returns NaN where there is nothing.
func extremes(rounds []float64) (lowest, highest float64) {
	if len(rounds) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(rounds), slices.Max(rounds)
}

// spread is 1 where all rounds agreed.
func spread(rounds []float64) float64 {
	lowest, highest := extremes(rounds)
	if lowest == highest {
		return 1
	}
	return highest / lowest
}

// ratio is NaN where there is no floor.
func (r result) ratio() float64 { return r.ours / r.floor }

// meets reports whether a result is what was aimed at.
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
