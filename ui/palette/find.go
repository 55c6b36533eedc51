package palette

import (
	"cmp"
	"slices"
	"strings"
)

// A use identifies an entry that was chosen, for as long as the program runs.
type use struct{ group, name string }

// find lists the entries that match the text, see [compare] for their order.
func (p *Palette) find() {
	p.List.At, p.List.Top = 0, 0
	p.found, p.near, p.arg, p.other, p.taken, p.refused = p.found[:0], nil, "", "", true, ""
	text := strings.TrimSpace(p.input.Value())
	if text == "" {
		p.findAll()
		return
	}
	if p.findWord(text); len(p.found) > 0 {
		return
	}
	p.findText(text)
	p.findTyped(text)
	if len(p.found) > 0 {
		return
	}
	p.near = nearest(text, p.shown.Entries)
	if p.shown.Else != nil {
		p.other, p.taken = p.shown.Else(text)
	}
}

// findAll lists all entries: first those that need the user, then those that were chosen lately. It
// leaves out those that are only there to be found.
func (p *Palette) findAll() {
	for i := range p.shown.Entries {
		if e := &p.shown.Entries[i]; !e.Hidden {
			p.found = append(p.found, match{entry: e})
		}
	}
	slices.SortStableFunc(p.found, func(a, b match) int {
		if a.entry.First != b.entry.First {
			return compareBool(a.entry.First, b.entry.First)
		}
		return cmp.Compare(p.recency(b.entry), p.recency(a.entry))
	})
}

// findText finds entries by the words of a text, each of which has to occur in the entry. Only if
// there is none, it finds those whose names have its letters.
func (p *Palette) findText(text string) {
	low := strings.ToLower(text)
	words := strings.Fields(low)
	for i := range p.shown.Entries {
		e, t := &p.shown.Entries[i], &p.texts[i]
		r := t.is(low)
		if r == rankNone {
			r = t.find(words)
		}
		if r != rankNone {
			p.found = append(p.found, match{entry: e, rank: r})
		}
	}
	if len(p.found) == 0 {
		p.found = scattered(text, p.shown.Entries)
	}
	slices.SortStableFunc(p.found, p.compare)
	p.words = words
}

// compare orders what a text finds: an entry that is not possible now stands after all that are;
// otherwise whole words stand before beginnings of words, those before parts of words, and an entry
// that was chosen lately before others of its rank.
func (p *Palette) compare(a, b match) int {
	return cmp.Or(
		compareBool(a.entry.Why == "", b.entry.Why == ""),
		cmp.Compare(a.rank, b.rank),
		cmp.Compare(p.recency(b.entry), p.recency(a.entry)),
	)
}

// findTyped adds the entry that does something with the text itself.
func (p *Palette) findTyped(text string) {
	if p.shown.Typed == nil {
		return
	}
	e, sure, ok := p.shown.Typed(text)
	if !ok {
		return
	}
	at := slices.IndexFunc(p.found, func(m match) bool {
		return m.entry.Why != "" || sure && m.rank > rankAlso
	})
	if at < 0 || e.Why != "" {
		at = len(p.found)
	}
	p.found = slices.Insert(p.found, at, match{entry: &e})
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

// findWord finds entries by a slash word: the one with exactly that word, else those whose word
// begins with it, by the alphabet.
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
	slices.SortStableFunc(p.found, func(a, b match) int {
		return cmp.Or(compareBool(a.entry.Why == "", b.entry.Why == ""), cmp.Compare(a.entry.Word, b.entry.Word))
	})
}
