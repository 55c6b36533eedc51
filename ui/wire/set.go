package wire

import (
	"iter"
	"math/bits"
	"slices"

	"parley/a2a"
)

// blockWords is how many words of a [set] share a counter.
const blockWords = 64

// A set is an ordered set of record numbers with fast ranks and indexes: 100,000 members take
// some 12 kB. The zero set is empty.
type set struct {
	words  []uint64 // bit id%64 of word id/64
	blocks []int    // number of members in each block of blockWords words
	n      int
	last   member // result of the last call of at, which often continues there
}

// A member is a member with its index; id is 0 for none.
type member struct {
	i  int
	id a2a.RecordID
}

// len returns the number of members.
func (s *set) len() int { return s.n }

// has reports whether id is a member.
func (s *set) has(id a2a.RecordID) bool {
	w := id / 64
	return w < a2a.RecordID(len(s.words)) && s.words[w]>>(id%64)&1 != 0
}

// add adds id and reports whether it was missing.
func (s *set) add(id a2a.RecordID) bool {
	if s.has(id) {
		return false
	}
	w := int(id / 64)
	s.grow(w + 1)
	s.words[w] |= 1 << (id % 64)
	s.blocks[w/blockWords]++
	s.n++
	s.dropCache(id)
	return true
}

// dropCache drops the cached member if adding or removing id may have changed its index.
func (s *set) dropCache(id a2a.RecordID) {
	if id <= s.last.id {
		s.last = member{}
	}
}

// grow makes room for n words.
func (s *set) grow(n int) {
	for len(s.words) < n {
		s.words = append(s.words, 0)
	}
	for len(s.blocks)*blockWords < n {
		s.blocks = append(s.blocks, 0)
	}
}

// remove removes id and reports whether it was a member.
func (s *set) remove(id a2a.RecordID) bool {
	if !s.has(id) {
		return false
	}
	w := int(id / 64)
	s.words[w] &^= 1 << (id % 64)
	s.blocks[w/blockWords]--
	s.n--
	s.dropCache(id)
	return true
}

// fill sets the members to all records up to last.
func (s *set) fill(last a2a.RecordID) {
	s.clear()
	if last == 0 {
		return
	}
	s.grow(int(last/64) + 1)
	for w := range s.words {
		s.words[w] = ^uint64(0)
	}
	s.words[0] &^= 1 // there is no record 0
	if over := 63 - last%64; over > 0 {
		s.words[len(s.words)-1] &= ^uint64(0) >> over
	}
	for w, word := range s.words {
		s.blocks[w/blockWords] += bits.OnesCount64(word)
	}
	s.n = int(last)
}

// clear removes all members.
func (s *set) clear() { *s = set{words: s.words[:0], blocks: s.blocks[:0]} }

// intersect removes all members that are not in other.
func (s *set) intersect(other *set) {
	clear(s.blocks)
	s.n, s.last = 0, member{}
	for w := range s.words {
		if w >= len(other.words) {
			s.words[w] = 0
		}
		if s.words[w] == 0 {
			continue
		}
		s.words[w] &= other.words[w]
		members := bits.OnesCount64(s.words[w])
		s.blocks[w/blockWords] += members
		s.n += members
	}
}

// removeTo removes all members up to id.
func (s *set) removeTo(id a2a.RecordID) {
	s.last = member{}
	for w := range s.words {
		before := bits.OnesCount64(s.words[w])
		switch first := a2a.RecordID(w) * 64; {
		case first > id:
			return
		case first+63 <= id:
			s.words[w] = 0
		default:
			s.words[w] &^= 1<<(id-first+1) - 1
		}
		removed := before - bits.OnesCount64(s.words[w])
		s.blocks[w/blockWords] -= removed
		s.n -= removed
	}
}

// clone returns a copy.
func (s *set) clone() set {
	return set{words: slices.Clone(s.words), blocks: slices.Clone(s.blocks), n: s.n}
}

// at returns the member with index i, from 0 in ascending order; 0 if there is none.
func (s *set) at(i int) a2a.RecordID {
	switch {
	case i < 0 || i >= s.n:
		return 0
	case s.last.id != 0 && i == s.last.i:
	case s.last.id != 0 && i == s.last.i+1:
		s.last = member{i, s.memberAfter(s.last.id)}
	case s.last.id != 0 && i == s.last.i-1:
		s.last = member{i, s.memberBefore(s.last.id)}
	default:
		s.last = member{i, s.find(i)}
	}
	return s.last.id
}

// memberAfter returns the first member after id, which must exist.
func (s *set) memberAfter(id a2a.RecordID) a2a.RecordID {
	w := int(id+1) / 64
	word := s.words[w] &^ (1<<((id+1)%64) - 1)
	for ; word == 0; word = s.words[w] {
		w++
	}
	return a2a.RecordID(w*64 + bits.TrailingZeros64(word))
}

// memberBefore returns the last member before id, which must exist.
func (s *set) memberBefore(id a2a.RecordID) a2a.RecordID {
	w := int(id) / 64
	word := s.words[w] & (1<<(id%64) - 1)
	for ; word == 0; word = s.words[w] {
		w--
	}
	return a2a.RecordID(w*64 + bits.Len64(word) - 1)
}

// find returns the member with index i, which must exist.
func (s *set) find(i int) a2a.RecordID {
	b := 0
	for ; i >= s.blocks[b]; b++ {
		i -= s.blocks[b]
	}
	w := b * blockWords
	for ; i >= bits.OnesCount64(s.words[w]); w++ {
		i -= bits.OnesCount64(s.words[w])
	}
	word := s.words[w]
	for ; i > 0; i-- {
		word &= word - 1
	}
	return a2a.RecordID(w*64 + bits.TrailingZeros64(word))
}

// rank returns the number of members lower than id, which is the index of id if it is a member.
func (s *set) rank(id a2a.RecordID) int {
	w := id / 64
	if w >= a2a.RecordID(len(s.words)) {
		return s.n
	}
	n, block := 0, int(w)/blockWords
	for _, members := range s.blocks[:block] {
		n += members
	}
	for _, word := range s.words[block*blockWords : w] {
		n += bits.OnesCount64(word)
	}
	return n + bits.OnesCount64(s.words[w]&(1<<(id%64)-1))
}

// next returns the first member after id, 0 if there is none.
func (s *set) next(id a2a.RecordID) a2a.RecordID { return s.at(s.rank(id + 1)) }

// prev returns the last member before id, 0 if there is none.
func (s *set) prev(id a2a.RecordID) a2a.RecordID { return s.at(s.rank(id) - 1) }

// all returns an iterator over the members in ascending order.
func (s *set) all() iter.Seq[a2a.RecordID] {
	return func(yield func(a2a.RecordID) bool) {
		for w, word := range s.words {
			for ; word != 0; word &= word - 1 {
				if !yield(a2a.RecordID(w*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
