package log

import "time"

// Load is how much came, counted by periods of time.
type Load struct {
	Events int
	Bytes  int64
}

// rate counts what a stream carried over its whole life in a bounded number of periods: when
// they no longer suffice, each becomes twice as long.
type rate struct {
	width time.Duration
	cells []Load
}

const (
	rateCells = 128
	// LoadPeriod is the shortest period by which a stream counts. Later ones are twice as long, four times, and
	// so on.
	LoadPeriod = 10 * time.Millisecond
)

// add counts an event at a time since the stream began.
func (r *rate) add(at time.Duration, bytes int) {
	if r.width == 0 {
		r.width = LoadPeriod
	}
	for at/r.width >= rateCells {
		r.halve()
	}
	i := int(at / r.width)
	for len(r.cells) <= i {
		r.cells = append(r.cells, Load{})
	}
	r.cells[i].Events++
	r.cells[i].Bytes += int64(bytes)
}

// halve doubles the length of every period.
func (r *rate) halve() {
	for i := range r.cells {
		c := r.cells[i]
		if i%2 == 0 {
			r.cells[i/2] = c
		} else {
			r.cells[i/2].Events += c.Events
			r.cells[i/2].Bytes += c.Bytes
		}
	}
	r.cells = r.cells[:(len(r.cells)+1)/2]
	r.width *= 2
}

// spread adds the counts to out, whose elements are equal periods between from and to. Each
// count goes entirely to the period of its middle, so that none is lost.
func (r *rate) spread(out []Load, from, to time.Duration) {
	if to <= from || len(out) == 0 {
		return
	}
	scale := float64(len(out)) / float64(to-from)
	for i, c := range r.cells {
		begin := time.Duration(i) * r.width
		if middle := begin + r.width/2; c.Events > 0 && middle >= from && begin < to {
			k := min(int(float64(middle-from)*scale), len(out)-1)
			out[k].Events += c.Events
			out[k].Bytes += c.Bytes
		}
	}
}
