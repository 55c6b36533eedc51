// Package visible makes text of unknown origin safe for files, pipes and terminals: control
// characters, and those that reorder or hide text, become visible signs. It measures nothing;
// ui/canvas cleans what is drawn in cells.
package visible

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text cleans a text of several lines: line feeds and tabs stay, other line ends become line
// feeds, and every control or direction character becomes visible. Nothing else changes, so that
// the next program in a pipe gets what was sent.
func Text(s string) string {
	if IsPlain(s) || strings.IndexFunc(s, IsUnsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n").Replace(s)
	var b strings.Builder
	for _, r := range s { // a byte that is not UTF-8 becomes U+FFFD here
		switch {
		case r == '\n' || r == '\t' || !IsUnsafe(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('␀' + r)
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}

// Line is [Text] for a single line.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(Text(s), func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// IsPlain reports whether a text contains only printable ASCII, line feeds and tabs.
func IsPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// IsUnsafe reports whether a character controls a terminal, or reorders or hides
// text. Joiners stay: emoji and many scripts need them.
func IsUnsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', 0x7f <= r && r <= 0x9f, r == 0x061c, r == 0x200e, r == 0x200f, r == 0xfeff:
		return true
	case 0x2028 <= r && r <= 0x202e, 0x2066 <= r && r <= 0x206f, 0xfff9 <= r && r <= 0xfffb:
		return true
	default:
		return 0xe0000 <= r && r <= 0xe007f
	}
}
