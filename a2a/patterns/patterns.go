// Package patterns finds many patterns in a text at once, such as all spellings of all secrets of a
// session in each body.
package patterns

import (
	"sort"
	"strings"
)

// blockBits is the size of the table of a [Set], as a power of two.
const blockBits = 12

// A Set is patterns. A search looks at pairs of bytes and skips as far as the shortest pattern allows, so
// that the time depends on the length of the text and hardly on the number of patterns (Wu and Manber,
// 1994). A Set is immutable, and a nil Set finds nothing.
type Set struct {
	patterns []string
	shortest int                   // bytes of the shortest pattern
	shift    [1 << blockBits]uint8 // how far the text can be skipped, by the pair that was seen
	ends     [1 << blockBits]int32 // the first pattern whose first shortest bytes end in a pair, counted from 1
	next     []int32               // the next one of the same pair, counted from 1
	begins   [256]bool             // first bytes of patterns
}

// New returns a set of patterns, each of at least two bytes; nil of none.
func New(patterns []string) *Set {
	if len(patterns) == 0 {
		return nil
	}
	s := &Set{patterns: patterns, shortest: len(patterns[0]), next: make([]int32, len(patterns))}
	for _, p := range patterns {
		s.shortest = min(s.shortest, len(p))
	}
	s.shortest = min(s.shortest, 1<<8)
	for i := range s.shift {
		s.shift[i] = uint8(s.shortest - 1)
	}
	for n, p := range patterns {
		for i := 1; i < s.shortest; i++ {
			pair := block(p[i-1], p[i])
			s.shift[pair] = min(s.shift[pair], uint8(s.shortest-1-i))
		}
		last := block(p[s.shortest-2], p[s.shortest-1])
		s.next[n], s.ends[last] = s.ends[last], int32(n)+1
		s.begins[p[0]] = true
	}
	return s
}

// block is the index of a pair of bytes in the table.
func block(a, b byte) uint16 { return (uint16(a)<<5 ^ uint16(b)) & (1<<blockBits - 1) }

// Length returns the bytes of a pattern, by its index among those that [New] got.
func (s *Set) Length(pattern int) int { return len(s.patterns[pattern]) }

// Find yields every occurrence of a pattern in a text, in order of their beginnings.
func (s *Set) Find(text []byte, yield func(pattern, from int)) {
	if s == nil {
		return
	}
	for i := s.shortest - 1; i < len(text); {
		pair := block(text[i-1], text[i])
		if skip := s.shift[pair]; skip > 0 {
			i += int(skip)
			continue
		}
		from := i - s.shortest + 1
		if i++; !s.begins[text[from]] {
			continue
		}
		for n := s.ends[pair]; n > 0; n = s.next[n-1] {
			p := s.patterns[n-1]
			if p[1] == text[from+1] && len(text)-from >= len(p) && string(text[from:from+len(p)]) == p {
				yield(int(n-1), from)
			}
		}
	}
}

// Begun reports whether a text is the beginning of one of some texts, which are in order, without being all of
// it.
func Begun(ordered []string, text []byte) bool {
	i := sort.Search(len(ordered), func(i int) bool { return ordered[i] > string(text) })
	return i < len(ordered) && strings.HasPrefix(ordered[i], string(text))
}
