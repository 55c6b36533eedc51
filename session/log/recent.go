package log

import (
	"slices"
	"time"
)

const (
	// RecentSeconds is how many seconds [Stream.Recent] covers.
	RecentSeconds = 16
	// RateSeconds is how many seconds [Stream.Rate] covers, the current one included.
	RateSeconds = 3
)

// recent counts the events of the latest seconds of a stream.
type recent struct {
	counts []int // per second since the start, oldest first
	second int64 // of the last count
}

// add counts an event at a time since the start.
func (r *recent) add(at time.Duration) {
	second := max(int64(at/time.Second), r.second)
	if len(r.counts) == 0 || second-r.second >= RecentSeconds {
		r.counts, r.second = make([]int, 1, RecentSeconds+1), second
	}
	for ; r.second < second; r.second++ {
		r.counts = append(r.counts, 0)
		if len(r.counts) > RecentSeconds {
			r.counts = slices.Delete(r.counts, 0, 1)
		}
	}
	r.counts[len(r.counts)-1]++
}

// rate returns the events per second at a time since the start. The first second counts as a
// whole one.
func (r *recent) rate(at time.Duration) float64 {
	from := max(int64(at/time.Second)-RateSeconds+1, 0)
	n := 0
	for i, count := range r.counts {
		if r.second-int64(len(r.counts)-1-i) >= from {
			n += count
		}
	}
	return float64(n) / max(at-time.Duration(from)*time.Second, time.Second).Seconds()
}
