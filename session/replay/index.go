package replay

import (
	"context"
	"math"
	"sort"
	"sync"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
)

// A Kind is what stands out about a record on the time line.
type Kind uint8

// The kinds.
const (
	Turn    Kind = iota // it begins a turn
	Finding             // it has an error or a warning
	kinds
)

// An index has the place of each record on the time line, as far as the recording was read, and
// those with findings, as far as the rules have checked it: they need ten times as long. Any
// goroutine may use it.
type index struct {
	most time.Duration // the longest gap on the time line, 0 for any

	mu    sync.RWMutex
	first time.Time // of the first record
	last  time.Time // from which the next gap counts
	// elapsed is when each record came, since the first one. A clock that was set back is no gap:
	// time goes on from there.
	elapsed []time.Duration
	played  []time.Duration // the same with the gaps cut to most; nil if they are not
	of      [kinds][]int    // the records of each kind, in order
	turn    a2a.TurnID
	over    bool

	checked int  // records that the rules have checked
	all     bool // they have checked all records
	found   findingList
}

// read finds the places of the records of a recording.
func (x *index) read(ctx context.Context, rec *journal.Recording) {
	rec.Outline(ctx, x.add)
	x.mu.Lock()
	x.over = ctx.Err() == nil
	x.mu.Unlock()
}

// check finds the records with findings. Before each block it waits until it may go on.
func (x *index) check(ctx context.Context, rec *journal.Recording, wait func(context.Context)) {
	rec.Items(ctx, func(items []log.Item) {
		wait(ctx)
		x.mu.Lock()
		defer x.mu.Unlock()
		for i := range items {
			x.note(&items[i])
		}
	})
	x.mu.Lock()
	x.all = ctx.Err() == nil
	x.mu.Unlock()
}

// add adds the next record.
func (x *index) add(r *a2a.Record) {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.elapsed)
	elapsed, gap := time.Duration(0), x.pass(r.Time)
	if n > 0 {
		elapsed = x.elapsed[n-1]
	}
	now := elapsed + gap
	if now < elapsed { // clocks that jump by centuries
		now = math.MaxInt64
	}
	x.elapsed = append(x.elapsed, now)
	if x.most > 0 {
		var played time.Duration
		if n > 0 {
			played = x.played[n-1]
		}
		x.played = append(x.played, played+min(gap, x.most))
	}
	if c := r.Call; r.Kind == a2a.KindRequest && c != nil && c.Turn > x.turn && (c.Op == a2a.OpSend || c.Op == a2a.OpStream) {
		x.turn = c.Turn
		x.of[Turn] = append(x.of[Turn], n+1)
	}
}

// setBack is by how much a clock goes back that was set back. By less, records pass each other on their
// way into the file, and time stands still until it has caught up.
const setBack = time.Second

// pass returns the gap before a record, never a negative one.
func (x *index) pass(at time.Time) time.Duration {
	gap := at.Sub(x.last)
	switch {
	case at.IsZero(): // no time is recorded
		return 0
	case x.last.IsZero():
		x.first, x.last = at, at
		return 0
	case gap < 0 && gap > -setBack:
		return 0
	}
	x.last = at
	return max(0, gap)
}

// note adds what the rules found about the next record.
func (x *index) note(it *log.Item) {
	x.checked++
	x.found.add(it)
	for i := range it.Findings {
		if it.Findings[i].Severity >= a2a.Warning {
			x.of[Finding] = append(x.of[Finding], x.checked)
			return
		}
	}
}

// known returns what the rules found, nil until it is all known, and if that is too much to keep.
func (x *index) known() *findingList {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.all || x.found.partly {
		return nil
	}
	return &x.found // nothing changes it any more
}

// checks returns how many records the rules have checked, and whether these are all.
func (x *index) checks() (n int, all bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.checked, x.all
}

// size returns how many records are known, and whether these are all.
func (x *index) size() (n int, over bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.elapsed), x.over
}

// line returns the place of each record on the time line. The caller holds the lock.
func (x *index) line() []time.Duration {
	if x.most > 0 {
		return x.played
	}
	return x.elapsed
}

// at returns the place of a record on the time line; that of the nearest one if there is none.
func (x *index) at(record int) time.Duration {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return nth(x.line(), record)
}

// since returns how long after the first record a record came.
func (x *index) since(record int) time.Duration {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return nth(x.elapsed, record)
}

// nth returns the value of a record, which counts from 1.
func nth(of []time.Duration, record int) time.Duration {
	if len(of) == 0 {
		return 0
	}
	return of[min(max(record-1, 0), len(of)-1)]
}

// gap returns the time between a record and the next one on the time line; false if the next is
// not known.
func (x *index) gap(record int) (time.Duration, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	line := x.line()
	switch {
	case record >= len(line):
		return 0, false
	case record <= 0:
		return 0, true
	}
	return line[record] - line[record-1], true
}

// find returns the last record that came no later than a time after the first one, 0 if there is
// none.
func (x *index) find(since time.Duration) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return sort.Search(len(x.elapsed), func(i int) bool { return x.elapsed[i] > since })
}

// start returns when the first record came, the zero time if none is known.
func (x *index) start() time.Time {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.first
}

// next returns the nearest record of a kind after another one, or before it if dir is negative; 0
// if there is none.
func (x *index) next(k Kind, from, dir int) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return Nearest(x.of[k], from, dir)
}

// Nearest returns the nearest of some ascending records after another one, or before it if dir is
// negative; 0 if there is none.
func Nearest(of []int, from, dir int) int {
	i := sort.SearchInts(of, from)
	switch {
	case dir < 0:
		i--
	case i < len(of) && of[i] == from:
		i++
	}
	if i < 0 || i >= len(of) {
		return 0
	}
	return of[i]
}

// cells divides the time line into w cells, and returns the first record behind each.
func (x *index) cells(w int) []int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	line, ends := x.line(), make([]int, w)
	n := len(line)
	if n == 0 {
		return ends
	}
	total := line[n-1]
	for c := range ends {
		if total == 0 || c == w-1 { // all at the same time: in equal numbers
			ends[c] = n*(c+1)/w + 1
			continue
		}
		end := time.Duration(float64(total) * float64(c+1) / float64(w))
		ends[c] = sort.Search(n, func(i int) bool { return line[i] >= end }) + 1
	}
	return ends
}

// has reports whether a record of a kind is among those from one to another, without that.
func (x *index) has(k Kind, from, to int) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	i := sort.SearchInts(x.of[k], from)
	return i < len(x.of[k]) && x.of[k][i] < to
}
