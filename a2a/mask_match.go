package a2a

// blockBits is the size of the table of a [matcher], as a power of two.
const blockBits = 12

// A matcher finds many patterns in a text at once. It looks at pairs of bytes and skips as far
// as the shortest pattern allows, so that the time depends on the length of the text and hardly
// on the number of patterns (Wu and Manber, 1994). It is immutable, and the zero value finds
// nothing.
type matcher struct {
	patterns []string
	shortest int                   // bytes of the shortest pattern
	shift    [1 << blockBits]uint8 // how far the text can be skipped, by the pair that was seen
	ends     [1 << blockBits]int32 // the first pattern whose first shortest bytes end in a pair, counted from 1
	next     []int32               // the next one of the same pair, counted from 1
	begins   [256]bool             // first bytes of patterns
}

// newMatcher returns a matcher of patterns, each of at least two bytes.
func newMatcher(patterns []string) *matcher {
	if len(patterns) == 0 {
		return nil
	}
	m := &matcher{patterns: patterns, shortest: len(patterns[0]), next: make([]int32, len(patterns))}
	for _, p := range patterns {
		m.shortest = min(m.shortest, len(p))
	}
	m.shortest = min(m.shortest, 1<<8)
	for i := range m.shift {
		m.shift[i] = uint8(m.shortest - 1)
	}
	for n, p := range patterns {
		for i := 1; i < m.shortest; i++ {
			pair := block(p[i-1], p[i])
			m.shift[pair] = min(m.shift[pair], uint8(m.shortest-1-i))
		}
		last := block(p[m.shortest-2], p[m.shortest-1])
		m.next[n], m.ends[last] = m.ends[last], int32(n)+1
		m.begins[p[0]] = true
	}
	return m
}

// block is the index of a pair of bytes in the table.
func block(a, b byte) uint16 { return (uint16(a)<<5 ^ uint16(b)) & (1<<blockBits - 1) }

// find yields every occurrence of a pattern in a text, in order of their beginnings.
func (m *matcher) find(text []byte, yield func(pattern, from int)) {
	if m == nil {
		return
	}
	for i := m.shortest - 1; i < len(text); {
		pair := block(text[i-1], text[i])
		if skip := m.shift[pair]; skip > 0 {
			i += int(skip)
			continue
		}
		from := i - m.shortest + 1
		if i++; !m.begins[text[from]] {
			continue
		}
		for n := m.ends[pair]; n > 0; n = m.next[n-1] {
			p := m.patterns[n-1]
			if p[1] == text[from+1] && len(text)-from >= len(p) && string(text[from:from+len(p)]) == p {
				yield(int(n-1), from)
			}
		}
	}
}
