package list

// A cache contains the rendered items, for one width.
type cache struct {
	entries map[int]entry
}

type entry struct {
	version uint64
	lines   []string
}

// lines returns the rows of item, the i-th of the list. It renders the item unless its version
// is cached.
func (c *cache) lines(item Item, i, w int) []string {
	version := item.Version()
	old, ok := c.entries[i]
	if ok && old.version == version {
		return old.lines
	}
	if c.entries == nil {
		c.entries = make(map[int]entry)
	}
	lines := item.Lines(w)
	c.entries[i] = entry{version, lines}
	return lines
}

func (c *cache) drop(i int) { delete(c.entries, i) }

func (c *cache) clear() { clear(c.entries) }

// shrink drops entries far from item, so that memory use depends on the window and not on the
// length of the list. It runs seldom, so that its cost per frame is negligible.
func (c *cache) shrink(item, height int) {
	keep := 4*height + 256
	if len(c.entries) <= 4*keep {
		return
	}
	for i := range c.entries {
		if i < item-keep || i > item+keep {
			c.drop(i)
		}
	}
}
