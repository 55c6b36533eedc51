package palette

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// A rank says how well a text finds an entry: the lower, the better.
type rank uint8

// The ranks. In each of those of words, a text that needs the note of the entry comes after one that
// does not.
const (
	rankName      rank = iota // the text is the entry's name
	rankAlso                  // the text is its slash word, or another text of it
	rankWords                 // every word of the text is a word of the entry
	rankWordsNote             //
	rankBegins                // every word of the text begins one
	rankBeginsNote
	rankWithin    // every word of the text is a part of the entry, but for its note
	rankScattered // the letters of the text occur in the name, in their order
	rankNone
)

// A match is an entry that the text of the input finds.
type match struct {
	entry *Entry
	rank  rank
	at    []int // byte offsets of the matched characters in the entry's name
}

// A text is what an entry is searched by, in lower case.
type text struct {
	name, note string
	others     []string // its slash word and its other texts
}

// textOf returns what an entry is searched by.
func textOf(e *Entry) text {
	t := text{name: strings.ToLower(e.Name), note: strings.ToLower(e.Note)}
	for _, s := range append(e.Also[:len(e.Also):len(e.Also)], e.Word) {
		if s != "" {
			t.others = append(t.others, strings.ToLower(s))
		}
	}
	return t
}

// is returns the rank of a text that is one of the entry's texts as a whole, otherwise rankNone.
func (t *text) is(wanted string) rank {
	switch {
	case t.name == wanted:
		return rankName
	case slices.ContainsFunc(t.others, func(s string) bool { return sameAddress(s, wanted) }):
		return rankAlso
	}
	return rankNone
}

// sameAddress compares addresses; a slash at the end makes no difference.
func sameAddress(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

// find returns the rank of a text with the words of a search, all in lower case.
func (t *text) find(words []string) rank {
	worst := rankWords
	for _, w := range words {
		best := place(t.name, w)
		for _, s := range t.others {
			best = min(best, place(s, w))
		}
		if note := place(t.note, w); note < best && note <= rankBegins {
			best = note + 1
		}
		if worst = max(worst, best); worst == rankNone {
			break
		}
	}
	return worst
}

// place returns the rank of a word in a text.
func place(in, word string) rank {
	best := rankNone
	for from := 0; best > rankWords; {
		i := strings.Index(in[from:], word)
		if i < 0 {
			break
		}
		at := from + i
		switch begins, ends := apart(in[:at], word), apart(in[at+len(word):], ""); {
		case begins && (ends || !letter(lastRune(word))):
			best = rankWords
		case begins:
			best = min(best, rankBegins)
		default:
			best = min(best, rankWithin)
		}
		_, size := utf8.DecodeRuneInString(in[at:])
		from = at + size
	}
	return best
}

// apart reports whether a word begins behind a text, or, if the word is empty, ends before it.
func apart(beside, word string) bool {
	if word == "" {
		r, _ := utf8.DecodeRuneInString(beside)
		return beside == "" || !letter(r)
	}
	first, _ := utf8.DecodeRuneInString(word)
	return beside == "" || !letter(lastRune(beside)) || !letter(first)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// letter reports whether a character is a part of a word.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// marked returns the byte offsets of the words of a search in a name, for its highlights.
func marked(name string, words []string) (at []int) {
	low := strings.ToLower(name)
	if len(low) != len(name) { // the offsets are others
		return nil
	}
	for _, w := range words {
		if i := strings.Index(low, w); i >= 0 {
			for k := range low[i : i+len(w)] {
				at = append(at, i+k)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// source makes entries searchable by fuzzy.
type source []Entry

func (s source) String(i int) string { return s[i].Name }
func (s source) Len() int            { return len(s) }

// scattered returns the entries whose names have the letters of a text in their order.
func scattered(text string, entries []Entry) (out []match) {
	for _, m := range fuzzy.FindFrom(text, source(entries)) {
		if e := &entries[m.Index]; alike(text, e.Name, m.MatchedIndexes) {
			out = append(out, match{entry: e, rank: rankScattered, at: m.MatchedIndexes})
		}
	}
	return out
}

// alike reports whether matched characters are more than a coincidence in a long name: most of
// them begin a word or continue the match of the one before.
func alike(text, name string, at []int) bool {
	scattered, last := 0, -1
	for _, i := range at {
		before, size := utf8.DecodeLastRuneInString(name[:i])
		if begins := i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before); !begins && i-size != last {
			scattered++
		}
		last = i
	}
	return scattered*3 <= utf8.RuneCountInString(text)
}
