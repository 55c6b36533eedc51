package visible

import (
	"fmt"
	"unicode/utf8"
)

// JSON writes the unsafe characters in the strings of valid JSON as escapes, which mean the same.
func JSON(b []byte) []byte {
	var out []byte // nil until something changes
	kept := 0
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if IsUnsafe(r) {
			out = append(out, b[kept:i]...)
			if r > 0xffff {
				r -= 0x10000
				out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			kept = i + size
		}
		i += size
	}
	if out == nil {
		return b
	}
	return append(out, b[kept:]...)
}
