// Package distinct counts different things in a stream of names, in memory that grows with their number and not
// with the length of the names.
package distinct

import "hash/maphash"

// A Counter counts different things by a hash of their names: two things with the same hash count as one, which
// is as unlikely as it is harmless. The zero Counter has counted nothing. It is not safe for use by several
// goroutines.
type Counter struct {
	seed  maphash.Seed
	known map[uint64]uint64 // the hash of a thing's value, by the hash of its name
	n     int
}

// Add counts a thing whose name, a kind and texts, is new.
func (c *Counter) Add(kind byte, name ...string) {
	if id := c.hash(kind, name); !c.has(id) {
		c.known[id] = 0
		c.n++
	}
}

// Change counts the value of a thing if it differs from the value before.
func (c *Counter) Change(kind byte, value string, name ...string) {
	id, now := c.hash(kind, name), maphash.String(c.seed, value)
	if old, known := c.known[id]; !known || old != now {
		c.known[id] = now
		c.n++
	}
}

// Next counts a thing without a name.
func (c *Counter) Next() { c.n++ }

// Len returns how many things and changes were counted.
func (c *Counter) Len() int { return c.n }

func (c *Counter) has(id uint64) bool { _, known := c.known[id]; return known }

// hash returns the hash of a name.
func (c *Counter) hash(kind byte, name []string) uint64 {
	if c.known == nil {
		c.seed, c.known = maphash.MakeSeed(), map[uint64]uint64{}
	}
	var h maphash.Hash
	h.SetSeed(c.seed)
	_ = h.WriteByte(kind)
	for _, text := range name {
		_, _ = h.WriteString(text)
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}
