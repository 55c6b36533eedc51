package canvas

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// plainRun returns how many bytes s begins with of which each is a character of one cell, whatever follows.
func plainRun(s string) int {
	n := 0
	for n < len(s) && s[n] >= 0x20 && s[n] < 0x7f {
		n++
	}
	if n > 0 && n < len(s) && s[n] >= utf8.RuneSelf {
		n-- // a combining character may follow
	}
	return n
}

// next returns the length of the first unit of s, which is not empty, and its cells. A unit is
// indivisible: a grapheme cluster, an escape sequence or a control; the last two take no cell.
//
// Text is measured by grapheme cluster. Terminals without mode 2027 measure by code point
// instead, and [Sanitize] ensures that both agree.
func next(s string) (n, w int) {
	c := s[0]
	switch {
	case c >= 0x20 && c < 0x7f:
		if len(s) == 1 || s[1] < utf8.RuneSelf || standsAlone(s[1:]) {
			return 1, 1
		}
	case c == esc:
		n, _ = escape(s)
		return n, 0
	case c < utf8.RuneSelf:
		return 1, 0
	default:
		r, size := utf8.DecodeRuneInString(s)
		if w = plainWidth(r); w > 0 && (len(s) == size || s[size] < utf8.RuneSelf || standsAlone(s[size:])) {
			return size, w
		}
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster), w
}

// standsAlone reports whether s begins with a rune that never joins what precedes it.
func standsAlone(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return plainWidth(r) > 0
}

// ambiguousWidth is 2 if the environment tells the width tables below the renderer that
// characters of ambiguous width are wide, otherwise 1.
var ambiguousWidth = ansi.StringWidth("│")

// AmbiguousIsWide reports whether the environment (RUNEWIDTH_EASTASIAN) says that
// the terminal draws characters of ambiguous width in two cells. The glyphs of the
// interface must then be the ASCII ones.
func AmbiguousIsWide() bool { return ambiguousWidth > 1 }

// plainWidth returns the cells of a rune that is always a grapheme cluster of its own between
// such runes. It covers most text; 0 means that the tables must decide.
func plainWidth(r rune) int {
	switch {
	case r < 0x20:
		return 0
	case r < 0x7f:
		return 1
	case r < 0x2e80:
		// Greek, Cyrillic, box drawing and much else is of ambiguous width.
		if ambiguousWidth == 1 && isNarrow(r) {
			return 1
		}
	case r >= 0x3041 && r <= 0x3096, // Hiragana
		r >= 0x30a1 && r <= 0x30fa, // Katakana
		r >= 0x3400 && r <= 0x4dbf, // ideographs
		r >= 0x4e00 && r <= 0x9fff,
		r >= 0xac00 && r <= 0xd7a3, // Hangul syllables
		r >= 0x3001 && r <= 0x3029, // CJK punctuation
		r >= 0xff01 && r <= 0xff60: // full-width forms
		return 2
	}
	return 0
}

// isNarrow covers the common alphabets and the signs of the interface.
func isNarrow(r rune) bool {
	switch {
	case r < 0x370:
		return r >= 0xa1 && r < 0x300 && r != 0xad
	case r < 0x530:
		return r >= 0x37a && r <= 0x37f || r >= 0x3a3 && r <= 0x482 || r >= 0x48a
	case r < 0x2190:
		return r >= 0x2010 && r <= 0x2027 || r >= 0x2030 && r <= 0x205e
	case r < 0x2600:
		return r < 0x2300 || r >= 0x2500 && r != 0x25fd && r != 0x25fe
	default:
		return r >= 0x2800 && r <= 0x28ff || r == '⚑' || r == '✓' || r == '✕' || r == '❯'
	}
}
