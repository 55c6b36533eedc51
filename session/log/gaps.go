package log

import (
	"math/bits"
	"time"

	"parley/a2a"
)

// Gaps measures the pauses between the events of a stream. It keeps only a count for each of a
// few hundred lengths, so quantiles are exact to about three percent, and its cost does not
// grow with the stream.
type Gaps struct {
	Count int
	// Max is the longest pause, also that of the cut before a stream that continues another, which is not counted:
	// it says nothing of how the agent sends.
	Max time.Duration
	// After is the event after the longest pause.
	After a2a.RecordID

	min    time.Duration
	counts []length // by slot
}

// A length counts the pauses of about one length, and sums them.
type length struct {
	n   uint32
	sum time.Duration
}

// slotBits is how many leading bits of a length determine its slot.
const slotBits = 4

// slot returns the slot of a length: one for each microsecond below 32 µs, then sixteen for
// each doubling.
func slot(d time.Duration) int {
	us := uint64(d / time.Microsecond)
	e := max(bits.Len64(us)-slotBits-1, 0)
	return e<<slotBits + int(us>>e)
}

// add counts a pause that ended with a record.
func (g *Gaps) add(d time.Duration, r a2a.RecordID) {
	if g.Count == 0 || d < g.min {
		g.min = d
	}
	g.longest(d, r)
	g.Count++
	i := slot(d)
	if n := i + 1 - len(g.counts); n > 0 {
		g.counts = append(g.counts, make([]length, n)...)
	}
	g.counts[i].n++
	g.counts[i].sum += d
}

// longest takes a pause that ended with a record if no other is as long.
func (g *Gaps) longest(d time.Duration, r a2a.RecordID) {
	if d > g.Max || g.After == 0 {
		g.Max, g.After = d, r
	}
}

// Known reports whether there was a pause.
func (g *Gaps) Known() bool { return g.After != 0 }

// Quantile returns the length that a share q of the pauses do not exceed, 0 if there
// were none: 0.5 is the median. It is that of the rank q·n, rounded, or the mean of
// those that are nearly as long.
func (g *Gaps) Quantile(q float64) time.Duration {
	if g.Count == 0 {
		return 0
	}
	left := int(q*float64(g.Count) + 0.5)
	for _, c := range g.counts {
		if left -= int(c.n); c.n > 0 && left <= 0 {
			return min(max(c.sum/time.Duration(c.n), g.min), g.Max)
		}
	}
	return g.Max
}
