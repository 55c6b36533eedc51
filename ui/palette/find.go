package palette

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// A match is an entry that the text of the input finds.
type match struct {
	entry *Entry
	at    []int // byte offsets of the matched characters in the entry's name
}

// A use identifies an entry that was chosen, for as long as the program runs.
type use struct{ group, name string }

// source makes entries searchable by fuzzy.
type source []Entry

func (s source) String(i int) string { return s[i].Name }
func (s source) Len() int            { return len(s) }

// find lists the entries that match the text: exact matches, those that were chosen lately, and
// the others by their similarity.
func (p *Palette) find() {
	p.List.At, p.List.Top = 0, 0
	p.found, p.near, p.arg, p.other, p.taken = p.found[:0], nil, "", "", true
	text := strings.TrimSpace(p.input.Value())
	if text == "" {
		p.findAll()
		return
	}
	if p.findWord(text); len(p.found) > 0 {
		return
	}
	p.findText(text)
	if p.shown.Typed != nil {
		if e, sure, ok := p.shown.Typed(text); ok {
			at := len(p.found)
			for at > 0 && sure && !exact(p.found[at-1].entry, text) {
				at--
			}
			p.found = slices.Insert(p.found, at, match{entry: &e})
		}
	}
	if len(p.found) > 0 {
		return
	}
	p.near = nearest(text, p.shown.Entries)
	if p.shown.Else != nil {
		p.other, p.taken = p.shown.Else(text)
	}
}

// findAll lists all entries: first those that need the user, then those that were chosen lately.
func (p *Palette) findAll() {
	for i := range p.shown.Entries {
		p.found = append(p.found, match{entry: &p.shown.Entries[i]})
	}
	slices.SortStableFunc(p.found, func(a, b match) int {
		if a.entry.First != b.entry.First {
			return compareBool(a.entry.First, b.entry.First)
		}
		return cmp.Compare(p.recency(b.entry), p.recency(a.entry))
	})
}

// findText finds entries by their name or their other text.
func (p *Palette) findText(text string) {
	for i := range p.shown.Entries {
		if e := &p.shown.Entries[i]; e.Also != "" && sameAddress(e.Also, text) && !strings.EqualFold(e.Name, text) {
			p.found = append(p.found, match{entry: e})
		}
	}
	for _, m := range fuzzy.FindFrom(text, source(p.shown.Entries)) {
		if e := &p.shown.Entries[m.Index]; alike(text, e.Name, m.MatchedIndexes) {
			p.found = append(p.found, match{entry: e, at: m.MatchedIndexes})
		}
	}
	slices.SortStableFunc(p.found, func(a, b match) int {
		if x, y := exact(a.entry, text), exact(b.entry, text); x != y {
			return compareBool(x, y)
		}
		return cmp.Compare(p.recency(b.entry), p.recency(a.entry))
	})
}

// recency returns when an entry was chosen last, 0 for never and for what is not possible now.
func (p *Palette) recency(e *Entry) int {
	if e.Why != "" {
		return 0
	}
	return p.used[use{e.Group, e.Name}]
}

// compareBool orders true before false.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// exact reports whether a text is the name, the slash word or the other text of an entry.
func exact(e *Entry, text string) bool {
	return strings.EqualFold(e.Name, text) || e.Word != "" && strings.EqualFold(e.Word, text) || e.Also != "" && sameAddress(e.Also, text)
}

// sameAddress compares addresses; a slash at the end makes no difference.
func sameAddress(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, "/"), strings.TrimRight(b, "/"))
}

// alike reports whether matched characters are more than a coincidence in a long name: most of
// them begin a word or continue the match of the one before.
func alike(text, name string, at []int) bool {
	if strings.Contains(strings.ToLower(name), strings.ToLower(text)) {
		return true
	}
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

// findWord finds entries by a slash word: the one with exactly that word, else those whose word
// begins with it.
func (p *Palette) findWord(text string) {
	text, ok := strings.CutPrefix(text, "/")
	if !ok {
		return
	}
	word, arg, more := strings.Cut(text, " ")
	for i := range p.shown.Entries {
		switch e := &p.shown.Entries[i]; {
		case e.Word == "":
		case e.Word == word:
			p.found, p.arg = []match{{entry: e}}, strings.TrimSpace(arg)
			return
		case !more && strings.HasPrefix(e.Word, word):
			p.found = append(p.found, match{entry: e})
		}
	}
}
