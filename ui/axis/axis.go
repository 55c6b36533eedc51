// Package axis maps the times of a session to the cells of a row, for the timeline and the
// lanes. An [Axis] maps times to cells, and a [Row] draws one sign per cell.
package axis

import (
	"math/bits"
	"time"
)

// An Axis maps a span of time to the cells of a row. Its times count from a moment that its user
// chooses.
type Axis struct {
	From, Span time.Duration
	Cells      int
}

// Cell returns the cell of a time, the nearest one if the axis does not reach the time.
func (a Axis) Cell(at time.Duration) int {
	switch {
	case at <= a.From || a.Span <= 0 || a.Cells <= 0:
		return 0
	case at >= a.To():
		return a.Cells - 1
	}
	hi, lo := bits.Mul64(uint64(at-a.From), uint64(a.Cells))
	cell, _ := bits.Div64(hi, lo, uint64(a.Span))
	return min(int(cell), a.Cells-1)
}

// To returns the time at which the axis ends.
func (a Axis) To() time.Duration { return a.From + a.Span }

// Contains reports whether the axis reaches a time.
func (a Axis) Contains(at time.Duration) bool { return at >= a.From && at < a.To() }

// Edge returns the time at which a cell begins: the first one whose [Axis.Cell] it is.
func (a Axis) Edge(cell int) time.Duration {
	if a.Cells <= 0 {
		return a.From
	}
	cell = min(max(cell, 0), a.Cells)
	hi, lo := bits.Mul64(uint64(a.Span), uint64(cell))
	at, rest := bits.Div64(hi, lo, uint64(a.Cells))
	if rest > 0 {
		at++
	}
	return a.From + time.Duration(at)
}

// Time returns the time in the middle of a cell.
func (a Axis) Time(cell int) time.Duration {
	return a.From + time.Duration((float64(min(cell, a.Cells))+0.5)/float64(max(a.Cells, 1))*float64(a.Span))
}
