package plaintext

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// pairs are the pairs of bytes that follow each other in some plain texts, the wanted ones. With them, most
// sources are told not to contain a wanted text at a small part of the cost of [Text.Read]. The zero value
// wants nothing.
type pairs struct {
	known    [1 << 16 / 64]uint64
	firsts   [256]bool
	shortest int // bytes of the shortest of the texts
}

// add adds a plain text to the wanted ones.
func (p *pairs) add(plain string) {
	if plain == "" {
		return
	}
	for i := range len(plain) - 1 {
		at := uint16(plain[i])<<8 | uint16(plain[i+1])
		p.known[at/64] |= 1 << (at % 64)
	}
	p.firsts[plain[0]] = true
	if p.shortest == 0 || len(plain) < p.shortest {
		p.shortest = len(plain)
	}
}

func (p *pairs) has(a, b byte) bool {
	at := uint16(a)<<8 | uint16(b)
	return p.known[at/64]&(1<<(at%64)) != 0
}

// may reports whether a source may contain a wanted text that is not spelled plainly: with something in it
// that [Text.Read] decodes or leaves out, except spaces alone.
func (p *pairs) may(source []byte) bool {
	if p.shortest == 0 {
		return false
	}
	r := run{pairs: p}
	for i := 0; ; {
		even := evenLength(source[i:])
		if r.stretch(source[i:i+even]) >= p.shortest {
			return true
		}
		if i += even; i == len(source) {
			return false
		}
		if classes[source[i]] == blank {
			i++
			continue
		}
		u := glance(source[i:])
		if u.decoded {
			return true
		}
		i += u.size
		for j := range len(u.text) {
			if r.step(u.text[j]) >= p.shortest {
				return true
			}
		}
	}
}

// A run is the end of a plain text in which every byte follows the one before as in a wanted text.
type run struct {
	pairs  *pairs
	length int  // bytes; 0 at the beginning
	last   byte // of them
}

// step adds a byte, and returns the length.
func (r *run) step(c byte) int {
	if r.length > 0 && r.pairs.has(r.last, c) {
		r.length++
	} else {
		r.length = 1
	}
	r.last = c
	return r.length
}

// stretch adds bytes that are what is left of them, and spaces. It returns the length of the run that goes on in
// them, and reads of the others only those with which the run ends: what is spelled plainly is found otherwise.
func (r *run) stretch(even []byte) (longest int) {
	for i, c := range even {
		if c == ' ' {
			continue
		}
		if r.length > 0 && r.pairs.has(r.last, c) {
			longest = r.step(c)
			continue
		}
		r.end(even[i:])
		return longest
	}
	return longest
}

// end begins a run with the end of bytes that are not all spaces.
func (r *run) end(even []byte) {
	r.length = 0
	next := byte(0)
	for i := len(even) - 1; i >= 0; i-- {
		switch c := even[i]; {
		case c == ' ':
		case r.length == 0:
			r.length, r.last, next = 1, c, c
		case !r.pairs.has(c, next):
			return
		default:
			r.length++
			next = c
		}
	}
}

// end returns where the end of a source begins that may begin a wanted text; the length of the source if
// nothing at its end does.
func (p *pairs) end(source []byte) (from int) {
	end := bytes.TrimRight(source, " \n")
	if n := len(end); alike(end) && !p.has(end[n-2], end[n-1]) && !p.firsts[end[n-1]] {
		return len(source)
	}
	return p.pending(source)
}

// alike reports whether the last two bytes of a source are what is left of them.
func alike(source []byte) bool {
	// Of the units that end in a letter or a digit, apart from escape sequences, \u0000 is the longest; up to
	// three of its digits may follow one that is spelled so itself.
	const longestHex = len(`\u0000`) + (depth-1)*3
	n := len(source)
	if n < longestHex+1 || source[n-2] == ' ' {
		return false
	}
	for _, c := range source[n-longestHex-1:] {
		if (classes[c] != plain && c != ' ') || c >= utf8.RuneSelf || c == '>' || c == ';' || c == ')' {
			return false
		}
	}
	return bytes.IndexByte(source, 0x1b) < 0
}

// pending returns where the run at the end of a source begins.
func (p *pairs) pending(source []byte) (from int) {
	r := run{pairs: p}
	from = len(source)
	for i := 0; i < len(source); {
		u := unit{size: 1}
		switch classes[source[i]] {
		case plain:
			u.text = ascii(source[i])
		case marked:
			u = glance(source[i:])
		}
		if u.decoded {
			return 0
		}
		for j := range len(u.text) {
			if r.step(u.text[j]) == 1 {
				from = i
			}
		}
		i += u.size
	}
	if r.length == 1 && !p.firsts[r.last] {
		from = len(source)
	}
	return from
}

// The classes of bytes.
const (
	plain  uint8 = iota // the byte is what is left of it
	blank               // nothing is left of it
	marked              // it depends on what follows
)

var classes = func() (class [256]uint8) {
	for c := range byte(' ' + 1) {
		class[c] = blank
	}
	for _, c := range []byte("*_`~[>\x7f") {
		class[c] = blank
	}
	for _, c := range []byte("%&\\<]\x1b") {
		class[c] = marked
	}
	for c := 0xc0; c <= 0xff; c++ {
		class[c] = marked
	}
	for _, all := range [...][2]int{{0xc3, 0xcc}, {0xce, 0xd3}, {0xe4, 0xed}} { // Latin, Greek, Cyrillic, Chinese, Korean: readRune leaves all
		for c := all[0]; c <= all[1]; c++ {
			class[c] = plain
		}
	}
	return class // bytes within a character are plain, if its first byte is
}()

// uneven has a 1 for each byte that may not be all that is left of it, apart from the space.
var uneven = func() (is [256]uint8) {
	for c, class := range classes {
		if class != plain && c != ' ' {
			is[c] = 1
		}
	}
	return is
}()

// evenLength returns how many bytes at the beginning of a source are what is left of them, or spaces.
func evenLength(source []byte) (n int) {
	for ; n+8 <= len(source); n += 8 {
		s := source[n : n+8 : n+8]
		if uneven[s[0]]|uneven[s[1]]|uneven[s[2]]|uneven[s[3]]|uneven[s[4]]|uneven[s[5]]|uneven[s[6]]|uneven[s[7]] != 0 {
			break
		}
	}
	for n < len(source) && uneven[source[n]] == 0 {
		n++
	}
	return n
}

// glance reads what [decode] and [strip] leave of a unit. What is decoded is told so only if it may be a
// part of another unit.
func glance(b []byte) unit {
	if b[0] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(b)
		return unit{size: size, text: readRune(r, b[:size]), decoded: r >= 0xff01 && r <= 0xff5e}
	}
	if b[0] == 0x1b || b[0] == '\\' && len(b) > 1 && (b[1] == '%' || b[1] == '&') {
		return unit{size: 1, decoded: true} // it depends on what is decoded
	}
	u := decode(b)
	if !u.decoded {
		return strip(b)
	}
	r, size := utf8.DecodeRune(u.text)
	switch {
	case size < len(u.text), r == utf8.RuneError, r < utf8.RuneSelf && strings.IndexByte(alone, u.text[0]) < 0, r >= 0xff01 && r <= 0xff5e:
		return u
	case r < utf8.RuneSelf && classes[u.text[0]] == blank:
		return unit{size: u.size}
	case r >= utf8.RuneSelf:
		u.text = readRune(r, u.text)
	}
	return unit{size: u.size, text: u.text}
}

// alone are characters that complete no unit when they are decoded.
const alone = " \n\r\t\b\f\"',+@"
