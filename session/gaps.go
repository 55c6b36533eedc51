package session

import (
	"math/bits"
	"time"

	"parley/a2a"
)

// Gaps tells how long the pauses between the events of a stream were. It keeps no more
// than a count for each of a few hundred lengths, so quantiles are right to about three
// percent, and what it costs does not grow with the stream.
type Gaps struct {
	Count int
	Max   time.Duration
	// After is the event that the longest pause came before.
	After a2a.RecordID

	min    time.Duration
	counts []uint32 // by slot
}

// slotBits is how many leading bits of a length tell its slot.
const slotBits = 4

// slot returns the slot of a length: below 32 µs one for each microsecond, from there on
// sixteen for each doubling.
func slot(d time.Duration) int {
	us := uint64(d / time.Microsecond)
	e := max(bits.Len64(us)-slotBits-1, 0)
	return e<<slotBits + int(us>>e)
}

// middle returns the length in the middle of a slot.
func middle(slot int) time.Duration {
	e := max(slot>>slotBits-1, 0)
	from := uint64(slot-e<<slotBits) << e
	return time.Duration(from+uint64(1)<<e>>1) * time.Microsecond
}

// add counts a pause that ended with a record.
func (g *Gaps) add(d time.Duration, r a2a.RecordID) {
	if g.Count == 0 || d < g.min {
		g.min = d
	}
	if d > g.Max || g.Count == 0 {
		g.Max, g.After = d, r
	}
	g.Count++
	i := slot(d)
	if n := i + 1 - len(g.counts); n > 0 {
		g.counts = append(g.counts, make([]uint32, n)...)
	}
	g.counts[i]++
}

// Quantile returns the length that a share q of the pauses do not exceed, 0 if there
// were none: 0.5 is the median.
func (g *Gaps) Quantile(q float64) time.Duration {
	if g.Count == 0 {
		return 0
	}
	left := int(q*float64(g.Count) + 0.5)
	for i, n := range g.counts {
		if left -= int(n); n > 0 && left <= 0 {
			return min(max(middle(i), g.min), g.Max)
		}
	}
	return g.Max
}
