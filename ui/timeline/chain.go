package timeline

import (
	"slices"
	"sort"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// A chain is a stream with the streams that continued it. Its entries are their steps, with a
// link between two streams.
type chain struct {
	streams []*log.Stream
	first   []int // index of each stream's first entry
	total   int
}

func newChain(streams []*log.Stream) chain {
	c := chain{streams: streams, first: make([]int, len(streams))}
	c.measure()
	return c
}

// measure counts the entries again: only the last stream can grow.
func (c *chain) measure() {
	at := 0
	for i, s := range c.streams {
		if i > 0 {
			at++ // the link
		}
		c.first[i] = at
		at += len(s.Steps)
	}
	c.total = at
}

func (c *chain) len() int { return c.total }

func (c *chain) last() *log.Stream { return c.streams[len(c.streams)-1] }

// newest returns the newest record.
func (c *chain) newest() a2a.RecordID {
	steps := c.last().Steps
	return steps[len(steps)-1].To
}

// stream returns the index of an exchange's stream, -1 if the chain does not contain it.
func (c *chain) stream(x a2a.ExchangeID) int {
	i := sort.Search(len(c.streams), func(i int) bool { return c.streams[i].Exchange >= x })
	if i == len(c.streams) || c.streams[i].Exchange != x {
		return -1
	}
	return i
}

// streamOf returns the index of the stream that a record belongs to, -1 if there is none. Notes
// belong to the last stream.
func (c *chain) streamOf(log *log.Log, id a2a.RecordID) int {
	it := log.At(id)
	if it == nil {
		return -1
	}
	k := c.stream(it.Exchange())
	if k >= 0 && it.Record.Exchange == 0 {
		return len(c.streams) - 1
	}
	return k
}

// entry returns the stream and the step of entry i; the step is nil for a link, which belongs
// to the stream after it.
func (c *chain) entry(i int) (*log.Stream, *log.Step) {
	k := sort.Search(len(c.first), func(k int) bool { return c.first[k] > i }) - 1
	if step := i - c.first[k]; step < len(c.streams[k].Steps) {
		return c.streams[k], &c.streams[k].Steps[step]
	}
	return c.streams[k+1], nil
}

// record returns the record that an entry represents: its first; of a wait the one that ended
// it, of a link the next stream's first.
func (c *chain) record(i int) a2a.RecordID {
	s, step := c.entry(i)
	if step == nil {
		step = &s.Steps[0]
	}
	return starts(step)
}

// covers reports whether entry i includes a record.
func (c *chain) covers(i int, id a2a.RecordID) bool {
	if i < 0 || i >= c.total {
		return false
	}
	if _, step := c.entry(i); step != nil && step.Kind != log.StepWait {
		return step.From <= id && id <= step.To
	}
	return id == c.record(i)
}

// find returns the entry that includes a record.
func (c *chain) find(log *log.Log, id a2a.RecordID) int {
	k := c.streamOf(log, id)
	if k < 0 {
		return 0
	}
	steps := c.streams[k].Steps
	// A wait begins with the last record of the step before it; that step takes precedence.
	i := sort.Search(len(steps), func(i int) bool { return starts(&steps[i]) > id }) - 1
	return c.first[k] + max(i, 0)
}

// starts returns the first record that belongs only to this step.
func starts(st *log.Step) a2a.RecordID {
	if st.Kind == log.StepWait {
		return st.To
	}
	return st.From
}

// neighbour returns the next record, or the previous one if delta is -1 and not 1; 0 if there
// is none.
func (c *chain) neighbour(log *log.Log, id a2a.RecordID, delta int) a2a.RecordID {
	k := c.streamOf(log, id)
	if k < 0 {
		return 0
	}
	ids := log.Exchange(c.streams[k].Exchange)
	i, found := slices.BinarySearch(ids, id)
	if delta < 0 || found {
		i += delta
	}
	switch {
	case i >= 0 && i < len(ids):
		return ids[i]
	case i < 0 && k > 0:
		before := log.Exchange(c.streams[k-1].Exchange)
		return before[len(before)-1]
	case i > 0 && k+1 < len(c.streams):
		return c.streams[k+1].Steps[0].From
	}
	return 0
}

// nearest returns the record nearest to a time, counted from the start of the chain.
func (c *chain) nearest(log *log.Log, at time.Duration) a2a.RecordID {
	when := c.streams[0].Start.Add(at)
	best, least := a2a.RecordID(0), time.Duration(1<<63-1)
	for _, s := range c.streams {
		ids := log.Exchange(s.Exchange)
		i := sort.Search(len(ids), func(i int) bool { return !log.At(ids[i]).Record.Time.Before(when) })
		for _, j := range [...]int{i - 1, i} {
			if j < 0 || j >= len(ids) {
				continue
			}
			if d := log.At(ids[j]).Record.Time.Sub(when).Abs(); d < least {
				best, least = ids[j], d
			}
		}
	}
	return best
}

// offset converts a time of a stream to one counted from the start of the chain.
func (c *chain) offset(s *log.Stream, at time.Duration) time.Duration {
	return max(s.Start.Sub(c.streams[0].Start), 0) + at
}

// span returns the duration of the chain, until now if it is open.
func (c *chain) span(now time.Time) time.Duration {
	var most time.Duration
	for _, s := range c.streams {
		most = max(most, c.offset(s, s.Duration(now)))
	}
	return most
}
