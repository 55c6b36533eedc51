package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"parley/internal/visible"
)

// clean makes text of unknown origin safe for a terminal and a pipe.
func clean(s string) string { return visible.Text(s) }

// line is clean for a single line.
func line(s string) string { return visible.Line(s) }

// compact returns a JSON value on one line in which every unsafe character is escaped. It fails
// for invalid JSON.
func compact(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(raw) + 1) // and its line end
	err := json.Compact(&b, escapeUnsafe(raw))
	return b.Bytes(), err
}

// tight reports whether a JSON value equals its compact form. It makes no copy.
func tight(raw []byte) bool { return isCompact(raw) && json.Valid(raw) }

// isCompact reports whether a text, if it is JSON, equals its compact form.
func isCompact(raw []byte) bool {
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c < ' ', c > '~', c == ' ' && !quoted:
			return false
		}
	}
	return !quoted && len(raw) > 0
}

// indent is compact with line breaks.
func indent(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Indent(&b, escapeUnsafe(bytes.TrimSpace(raw)), "", "  ")
	return b.Bytes(), err
}

// escapeInside is [escapeUnsafe] for a piece of the inside of a string.
func escapeInside(piece []byte) []byte {
	quoted := escapeUnsafe(slices.Concat([]byte{'"'}, piece, []byte{'"'}))
	return quoted[1 : len(quoted)-1]
}

// escapeUnsafe writes the unsafe characters of a JSON text as \u escapes, and bytes that are
// not UTF-8 as the replacement character. Valid JSON has only ASCII between strings, which
// stays.
func escapeUnsafe(raw []byte) []byte {
	var out []byte // nil until something changes
	kept, quoted := 0, false
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '"':
			quoted = !quoted
			i++
			continue
		case c == '\\' && quoted && i+1 < len(raw) && raw[i+1] < utf8.RuneSelf && raw[i+1] >= ' ':
			i += 2
			continue
		case ' ' <= c && c < 0x7f, !quoted && c < ' ':
			i++
			continue
		}
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 || r < ' ' || visible.IsUnsafe(r) {
			out = appendEscape(append(out, raw[kept:i]...), r)
			kept = i + size
		}
		i += size
	}
	if out == nil {
		return raw
	}
	return append(out, raw[kept:]...)
}

func appendEscape(b []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
