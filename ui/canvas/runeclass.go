package canvas

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A runeClass is how a rune that begins a grapheme cluster is treated.
type runeClass uint8

const (
	asIs       runeClass = iota
	lineEnd              // ends a line
	hidden               // takes no cell, and can be removed
	numbered             // reorders, hides or swallows its neighbours: show its number
	introducer           // begins an escape sequence (C1)
	unknown              // a C1 control: U+FFFD
)

// classify returns the class of a rune, which is printable if it is ASCII.
func classify(r rune) runeClass {
	switch {
	case r < utf8.RuneSelf || r == utf8.RuneError:
		return asIs
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return lineEnd
	case r == 0x9b || r == 0x9d || r == 0x90 || r == 0x98 || r == 0x9e || r == 0x9f:
		return introducer
	case r < 0xa0:
		return unknown
	case isHidden(r):
		return hidden
	case r == 0x200b || r == 0x200c:
		return asIs
	case unicode.Is(unicode.Cf, r) || unicode.Is(prependRunes, r):
		return numbered
	}
	return asIs
}

// IsUnruly reports whether r affects the text around it on a terminal: it ends its line, begins
// an escape sequence, or reorders, hides or swallows its neighbours. The other functions of
// this package show such runes in a harmless way; other code that draws must keep them away
// from the screen.
func IsUnruly(r rune) bool {
	if r < utf8.RuneSelf {
		return unicode.IsControl(r)
	}
	switch classify(r) {
	case lineEnd, numbered, introducer, unknown:
		return true
	}
	return false
}

// isHidden covers joiners and presentation selectors, on whose effect terminals
// do not agree, and format characters without any.
func isHidden(r rune) bool {
	switch r {
	case 0x00ad, 0x180e, 0x200d, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xfe0e, 0xfe0f, 0xfeff:
		return true
	}
	return false
}

// prependRunes are the letters that form a cluster with any following character
// (Grapheme_Cluster_Break=Prepend), except for the format characters among them.
var prependRunes = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1},
		{Lo: 0x113d1, Hi: 0x113d1, Stride: 1},
		{Lo: 0x1193f, Hi: 0x1193f, Stride: 1},
		{Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11a84, Hi: 0x11a89, Stride: 1},
		{Lo: 0x11d46, Hi: 0x11d46, Stride: 1},
		{Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

// runeMark returns the rune's number between brackets.
func runeMark(r rune) string {
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "⟨U+" + strings.Repeat("0", max(4-len(hex), 0)) + hex + "⟩"
}
