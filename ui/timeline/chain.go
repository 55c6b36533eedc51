package timeline

import (
	"sort"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// A chain is a stream with those that went on with it. Its entries are their steps, and
// between two of them one that tells of the going on.
type chain struct {
	streams []*log.Stream
	first   []int // entry with which each stream begins
	total   int
}

func newChain(streams []*log.Stream) chain {
	c := chain{streams: streams, first: make([]int, len(streams))}
	c.measure()
	return c
}

// measure counts the entries anew: all streams but the last are over.
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

// stream returns the index of an exchange's stream, -1 if it is none of the chain.
func (c *chain) stream(x a2a.ExchangeID) int {
	i := sort.Search(len(c.streams), func(i int) bool { return c.streams[i].Exchange >= x })
	if i == len(c.streams) || c.streams[i].Exchange != x {
		return -1
	}
	return i
}

// home returns the index of the stream that tells of an item, -1 if none does. Notes
// stand at the end.
func (c *chain) home(it *log.Item) int {
	k := c.stream(it.Exchange())
	if k >= 0 && it.Record.Exchange == 0 {
		return len(c.streams) - 1
	}
	return k
}

// entry returns the stream and the step of entry i; the step is nil for a link, which
// belongs to the stream that it leads to.
func (c *chain) entry(i int) (*log.Stream, *log.Step) {
	k := sort.Search(len(c.first), func(k int) bool { return c.first[k] > i }) - 1
	if step := i - c.first[k]; step < len(c.streams[k].Steps) {
		return c.streams[k], &c.streams[k].Steps[step]
	}
	return c.streams[k+1], nil
}

// record returns the record that an entry stands for: its first, of a wait the one that
// ended it, of a link the next stream's first.
func (c *chain) record(i int) a2a.RecordID {
	s, step := c.entry(i)
	switch {
	case step == nil:
		return s.Steps[0].From
	case step.Kind == log.StepWait:
		return step.To
	default:
		return step.From
	}
}

// covers reports whether entry i tells of a record.
func (c *chain) covers(i int, id a2a.RecordID) bool {
	if i < 0 || i >= c.total {
		return false
	}
	s, step := c.entry(i)
	switch {
	case step == nil:
		return id == s.Steps[0].From
	case step.Kind == log.StepWait:
		return id == step.To
	default:
		return step.From <= id && id <= step.To
	}
}

// find returns the entry that tells of a record.
func (c *chain) find(log *log.Log, id a2a.RecordID) int {
	it := log.At(id)
	if it == nil {
		return 0
	}
	k := c.home(it)
	if k < 0 {
		return 0
	}
	steps := c.streams[k].Steps
	// A wait begins with the last record of the step before it, which comes first.
	i := sort.Search(len(steps), func(i int) bool { return starts(&steps[i]) > id }) - 1
	return c.first[k] + max(i, 0)
}

// starts returns the first record that a step alone tells of.
func starts(st *log.Step) a2a.RecordID {
	if st.Kind == log.StepWait {
		return st.To
	}
	return st.From
}

// beside returns the record that comes after another one, or before it if delta is -1
// and not 1; 0 if there is none.
func (c *chain) beside(log *log.Log, id a2a.RecordID, delta int) a2a.RecordID {
	it := log.At(id)
	if it == nil {
		return 0
	}
	k := c.home(it)
	if k < 0 {
		return 0
	}
	ids := log.Exchange(c.streams[k].Exchange)
	i := sort.Search(len(ids), func(i int) bool { return ids[i] >= id })
	if delta < 0 || i < len(ids) && ids[i] == id {
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

// nearest returns the record that is nearest to a time since the chain began.
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

// offset returns when a time of a stream is, since the chain began.
func (c *chain) offset(s *log.Stream, at time.Duration) time.Duration {
	return max(s.Start.Sub(c.streams[0].Start), 0) + at
}

// span returns how long the chain took, or has taken by now.
func (c *chain) span(now time.Time) time.Duration {
	var most time.Duration
	for _, s := range c.streams {
		most = max(most, c.offset(s, s.Duration(now)))
	}
	return most
}
