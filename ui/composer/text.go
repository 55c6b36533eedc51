package composer

import (
	"strings"
	"unicode/utf8"

	"parley/ui/canvas"
)

// Limits of the text in the text area, which wraps all its text at each key press. A paste that
// would exceed them is folded.
const (
	inlineRunes = 3_000
	inlineLines = 80
	// A shorter piece is typed text, not a paste, and is never folded.
	typedRunes = 200
)

// Unassigned runes of plane 16 stand for what the text area cannot contain: shownBase+r for the
// character r, and foldBase+n for a folded paste.
const (
	shownBase = 0x100000
	foldBase  = 0x103000
	foldEnd   = 0x10F000
)

// folds maps the runes in the text area to the pastes for which they stand.
type folds map[rune]string

// lineEnds replaces each line end by a newline. Terminals paste a carriage return per line;
// files have both.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// encode returns s as the text area can contain it, next to a text of runes characters and lines
// lines: s with runes for some characters, or one rune for a folded paste.
func (f folds) encode(s string, runes, lines int) string {
	s = Normalize(s)
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

// Normalize returns a pasted text as [Composer.Value] returns it.
func Normalize(s string) string {
	return lineEnds.Replace(strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// fold stores s and returns the rune that stands for it. It reports false if all runes are in
// use, after 49,152 pastes in one message.
func (f folds) fold(s string) (rune, bool) {
	for mark := rune(foldBase); mark < foldEnd; mark++ {
		if _, taken := f[mark]; !taken {
			f[mark] = s
			return mark, true
		}
	}
	return 0, false
}

// prune drops the pastes whose rune is no longer in held.
func (f folds) prune(held string) {
	for mark := range f {
		if !strings.ContainsRune(held, mark) {
			delete(f, mark)
		}
	}
}

// decode is the inverse of hold: it returns the text that is sent.
func (f folds) decode(held string) string {
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

// unshowable reports whether the text area would drop or change r, or a terminal would obey it
// or show nothing. A joiner stays, because it joins several characters into one emoji.
func unshowable(r rune) bool {
	switch {
	case canvas.IsUnruly(r), r == utf8.RuneError, r == '\uFEFF', r == '\u200B', r == '\u180E', r == '\u00AD':
		return true
	default:
		return r >= '\u2060' && r <= '\u2064' // word joiner and invisible operators
	}
}
