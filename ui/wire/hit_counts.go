package wire

import (
	"slices"

	"parley/a2a"
)

// hitCounts count the records of each exchange that pass the filter. A record is added at the cost of
// a binary search.
type hitCounts struct {
	of      map[a2a.ExchangeID]*set // one more than the indexes of the records in their exchange
	version uint64
}

// clear removes all records.
func (c *hitCounts) clear() {
	clear(c.of)
	c.version++
}

// addHit adds a record that passes the filter.
func (r *rows) addHit(id a2a.RecordID) {
	if !r.hits.add(id) {
		return
	}
	x := r.log.ExchangeOf(id)
	i, found := slices.BinarySearch(r.log.Exchange(x), id)
	if !found {
		return // it belongs to no exchange
	}
	c := &r.counts
	if c.of[x] == nil {
		if c.of == nil {
			c.of = map[a2a.ExchangeID]*set{}
		}
		c.of[x] = &set{}
		c.version++
	}
	c.of[x].add(a2a.RecordID(i + 1))
}

// CountHits returns how many of the records of an exchange pass the filter, of those with an index from
// one to before another. Without a filter it is none.
func (p *Pane) CountHits(x a2a.ExchangeID, from, to int) int {
	hits := p.rows.counts.of[x]
	if hits == nil || to <= from {
		return 0
	}
	return hits.rank(a2a.RecordID(to+1)) - hits.rank(a2a.RecordID(from+1))
}

// HitsVersion changes when the first record of an exchange passes the filter, and with the filter.
func (p *Pane) HitsVersion() uint64 { return p.rows.counts.version }

// FilterText returns the filter in effect, empty if there is none.
func (p *Pane) FilterText() string {
	if p.filter.set == nil {
		return ""
	}
	return p.filter.set.String()
}
