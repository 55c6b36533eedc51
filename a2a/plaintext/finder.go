package plaintext

import (
	"bytes"
	"slices"
	"sync"

	"parley/a2a/patterns"
)

// A Finder finds wanted texts in sources by what a reader sees of both, whatever spelling that undoes. It is
// immutable, and nil finds nothing.
type Finder struct {
	match   *patterns.Set
	pairs   pairs
	starts  []string // what a reader sees of the texts that may be divided, in order
	longest int      // bytes of the longest of them
}

// NewFinder returns a finder of texts, in the spellings that no reader undoes, such as base64, that have as many
// bytes as it takes at least; nil if no such text has enough that a reader sees. A source may end within one of the
// divided texts, which are among the others.
func NewFinder(wanted, divided []string, least int) *Finder {
	f := &Finder{starts: plainTexts(divided, least)}
	all := plainTexts(wanted, least)
	if len(all) == 0 {
		return nil
	}
	for _, plain := range all {
		f.pairs.add(plain)
	}
	for _, plain := range f.starts {
		f.longest = max(f.longest, len(plain))
	}
	f.match = patterns.New(all)
	return f
}

// plainTexts returns, in order, what a reader sees of texts, without what is too short to be searched for.
func plainTexts(texts []string, least int) (all []string) {
	for _, text := range texts {
		// A short text may have marks, such as "_", which are left out of what a reader sees.
		if plain := Plain(text); len(text) >= least && len(plain) >= max(least*3/4, 2) {
			all = append(all, plain)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// texts are reused, because almost every one is read for a moment.
var texts = sync.Pool{New: func() any { return new(Text) }}

// Find yields the places of wanted texts in a source, if one of them is not spelled plainly.
func (f *Finder) Find(source []byte, yield func(from, to int)) {
	if f == nil || !f.pairs.may(source) {
		return
	}
	t := texts.Get().(*Text)
	defer texts.Put(t)
	t.Read(source)
	f.match.Find(t.Plain, func(pattern, from int) { yield(withMarks(source, t, from, from+f.match.Length(pattern))) })
}

// withMarks returns where a range of a plain text comes from, with the marks around it that belong to those in it: half of
// them would be left, as in "**•••".
func withMarks(source []byte, t *Text, from, to int) (begin, end int) {
	begin, end = t.Source(from, to)
	inside := source[begin:end]
	pairs := func(c byte) bool { return (c == '*' || c == '`' || c == '~') && bytes.IndexByte(inside, c) >= 0 }
	for begin > 0 && pairs(source[begin-1]) {
		begin--
	}
	for end < len(source) && pairs(source[end]) {
		end++
	}
	if begin > 0 && source[begin-1] == '[' && (bytes.Contains(inside, []byte("](")) || bytes.Contains(inside, []byte("]["))) {
		begin--
	}
	return begin, end
}

// Longest is how many bytes at the end of a source [Finder.Begun] reads.
const Longest = 8 << 10

// Begun returns how many bytes at the end of a source begin a divided text without completing it, and how many
// bytes a reader sees of it.
func (f *Finder) Begun(source []byte) (length, seen int) {
	if f == nil {
		return 0, 0
	}
	tail := source[max(0, len(source)-Longest):]
	open := unfinished(tail)
	from := f.pairs.end(tail[:len(tail)-open])
	if from == len(tail)-open {
		return open, 0
	}
	tail = tail[from:]
	t := texts.Get().(*Text)
	defer texts.Put(t)
	t.Read(tail[:len(tail)-open])
	for i := max(0, len(t.Plain)-f.longest+1); i < len(t.Plain); i++ {
		if !f.pairs.firsts[t.Plain[i]] || !patterns.Begun(f.starts, t.Plain[i:]) {
			continue
		}
		from, _ := t.Source(i, i+1)
		if seen = len(t.Plain) - i; open > 0 && f.isWhole(tail[from:]) {
			return 0, 0
		}
		return len(tail) - from, seen
	}
	return open, 0
}

// isWhole reports whether a source begins with a divided text.
func (f *Finder) isWhole(source []byte) bool {
	t := texts.Get().(*Text)
	defer texts.Put(t)
	t.Read(source)
	return slices.ContainsFunc(f.starts, func(text string) bool { return bytes.HasPrefix(t.Plain, []byte(text)) })
}
