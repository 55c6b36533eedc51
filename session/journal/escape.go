package journal

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// An escaped is a byte as it is written inside a JSON string.
type escaped struct {
	text [6]byte
	more uint8 // bytes than one; 0 if it is unchanged
}

// escapes has only what JSON requires, so that a journal can be searched with grep.
var escapes = func() (all [256]escaped) {
	set := func(c byte, text string) {
		copy(all[c].text[:], text)
		all[c].more = uint8(len(text) - 1)
	}
	const hex = "0123456789abcdef"
	for c := range byte(' ') {
		set(c, `\u00`+hex[c>>4:c>>4+1]+hex[c&15:c&15+1])
	}
	set('"', `\"`)
	set('\\', `\\`)
	set('\n', `\n`)
	set('\r', `\r`)
	set('\t', `\t`)
	return all
}()

// appendEscaped appends s as the inside of a JSON string, and reports whether all of it is
// ASCII. It copies text without escapes eight bytes at a time: every body contains quotes a few
// words apart, so that a call for each run would cost more than the copy.
func appendEscaped(dst, s []byte) (out []byte, ascii bool) {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
		word  = 8
	)
	var seen uint64
	i := 0
	for i+word <= len(s) {
		if cap(dst)-len(dst) < 2*word {
			dst = slices.Grow(dst, len(s)-i+(len(s)-i)/4+2*word)
		}
		w := binary.LittleEndian.Uint64(s[i:])
		quote, slash := w^'"'*ones, w^'\\'*ones
		stop := (((w - ' '*ones) &^ w) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)) & highs
		n := len(dst)
		binary.LittleEndian.PutUint64(dst[n:n+word], w)
		if stop == 0 {
			seen |= w
			dst, i = dst[:n+word], i+word
			continue
		}
		// The lowest mark is exact: a borrow only disturbs bytes above it.
		clean := bits.TrailingZeros64(stop) / 8
		e := &escapes[s[i+clean]]
		seen |= w & (1<<(8*clean) - 1)
		dst = append(dst[:n+clean], e.text[:e.more+1]...)
		i += clean + 1
	}
	for _, c := range s[i:] {
		seen |= uint64(c)
		if e := &escapes[c]; e.more > 0 {
			dst = append(dst, e.text[:e.more+1]...)
		} else {
			dst = append(dst, c)
		}
	}
	return dst, seen&highs == 0
}
