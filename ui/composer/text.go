package composer

import (
	"strings"
	"unicode/utf8"

	"parley/ui/canvas"
)

// The textarea wraps all its text at every key, so only this much stands in
// it; a paste that would go beyond is folded.
const (
	inlineRunes = 3_000
	inlineLines = 80
	// A piece shorter than this is typing, not a paste, and never folded.
	typedRunes = 200
)

// Runes of plane 16, which nobody assigned, stand for what the textarea cannot
// hold: shownBase+r for the character r, and foldBase+n for a folded paste.
const (
	shownBase = 0x100000
	foldBase  = 0x103000
	foldEnd   = 0x10F000
)

// folds are the pastes that stand as one rune in the textarea.
type folds map[rune]string

// lineEnds makes every line end a single newline. Terminals paste a carriage
// return per line; files bring both.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// hold returns s as the textarea can hold it next to a text of the given size,
// which is s itself or one folding rune.
func (f folds) hold(s string, runes, lines int) string {
	s = Normal(s)
	more, breaks := utf8.RuneCountInString(s), strings.Count(s, "\n")
	typed := more <= typedRunes && breaks <= 1
	foreign := strings.ContainsFunc(s, func(r rune) bool { return r >= shownBase })
	if foreign || !typed && (runes+more > inlineRunes || lines+breaks > inlineLines) {
		if mark, ok := f.fold(s); ok {
			return string(mark)
		}
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && unshowable(r) {
			return shownBase + r
		}
		return r
	}, s)
}

// Normal returns a pasted text as [Composer.Value] gives it back.
func Normal(s string) string {
	return lineEnds.Replace(strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// fold keeps s and returns the rune that stands for it. It reports false when
// all runes are taken, which needs 49,152 pastes in one message.
func (f folds) fold(s string) (rune, bool) {
	for mark := rune(foldBase); mark < foldEnd; mark++ {
		if _, taken := f[mark]; !taken {
			f[mark] = s
			return mark, true
		}
	}
	return 0, false
}

// prune forgets the pastes whose rune was deleted from held.
func (f folds) prune(held string) {
	for mark := range f {
		if !strings.ContainsRune(held, mark) {
			delete(f, mark)
		}
	}
}

// whole is the reverse of hold: the text that is sent.
func (f folds) whole(held string) string {
	if !strings.ContainsFunc(held, func(r rune) bool { return r >= shownBase }) {
		return held
	}
	var b strings.Builder
	for _, r := range held {
		text, folded := f[r]
		switch {
		case folded:
			b.WriteString(text)
		case r >= shownBase:
			b.WriteRune(r - shownBase)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unshowable reports whether the textarea would drop or change r, or a terminal
// would obey it or show nothing at all. A joiner stays: it makes one emoji of many.
func unshowable(r rune) bool {
	switch {
	case canvas.Unruly(r), r == utf8.RuneError, r == '\uFEFF', r == '\u200B', r == '\u180E':
		return true
	default:
		return r >= '\u2060' && r <= '\u2064' // word joiner and invisible operators
	}
}
