package journal

import (
	"sort"
	"strconv"
	"unicode/utf8"

	"parley/session/log"
)

// An unescaper reverses [appendEscaped]. The frames of a stream are alike, so it keeps one as a
// pattern and reads of others only what differs.
type unescaper struct {
	escaped, plain []byte // the pattern
	escapes        []escape
}

// An escape is a sequence in the pattern that represents one byte.
type escape struct{ from, to, before int } // before is what the escapes before it saved

// maxPattern is the longest body that is kept as a pattern.
const maxPattern = 16 << 10

// unescape returns the unescaped s in fresh memory; ok is false if s contains anything that
// appendEscaped does not write.
func (u *unescaper) unescape(s []byte) (out []byte, ok bool) {
	front := u.front(log.CommonPrefix(u.escaped, s))
	rest := s[front:]
	back := u.back(len(u.escaped) - log.CommonSuffix(u.escaped[front:], rest))
	middle := rest[:len(rest)-(len(u.escaped)-back)]
	if len(middle) > len(s)/2 {
		return u.learn(s)
	}
	begin, end := u.plain[:u.plainAt(front)], u.plain[u.plainAt(back):]
	out = append(make([]byte, 0, len(begin)+len(middle)+len(end)), begin...)
	if out, ok = appendUnescaped(out, middle, nil); !ok || !utf8.Valid(out[len(begin):]) {
		return nil, false
	}
	return append(out, end...), true
}

// learn is unescape without a pattern, and makes s the pattern.
func (u *unescaper) learn(s []byte) (out []byte, ok bool) {
	u.escaped, u.plain, u.escapes = u.escaped[:0], u.plain[:0], u.escapes[:0]
	var note *[]escape
	if len(s) <= maxPattern {
		note = &u.escapes
	}
	out, ok = appendUnescaped(make([]byte, 0, len(s)), s, note)
	if !ok || !utf8.Valid(out) {
		return nil, false
	}
	if note != nil {
		u.escaped, u.plain = append(u.escaped, s...), append(u.plain, out...)
	}
	return out, true
}

// front returns the last position of the pattern up to at that is neither inside an escape nor
// inside a character.
func (u *unescaper) front(at int) int {
	if i := u.behind(at) - 1; i >= 0 {
		if e := u.escapes[i]; at < e.to {
			return e.from
		}
	}
	for at > 0 && at < len(u.escaped) && !utf8.RuneStart(u.escaped[at]) {
		at--
	}
	return at
}

// back returns the first such position from at on.
func (u *unescaper) back(at int) int {
	if i := u.behind(at) - 1; i >= 0 {
		if e := u.escapes[i]; at < e.to {
			return e.to
		}
	}
	for at < len(u.escaped) && !utf8.RuneStart(u.escaped[at]) {
		at++
	}
	return at
}

// plainAt returns the position in plain of a position of the pattern that front or back
// returned.
func (u *unescaper) plainAt(at int) int {
	i := u.behind(at) - 1
	if i < 0 {
		return at
	}
	e := u.escapes[i]
	return at - e.before - (e.to - e.from - 1)
}

// behind returns the first escape that begins at or after a position.
func (u *unescaper) behind(at int) int {
	return sort.Search(len(u.escapes), func(i int) bool { return u.escapes[i].from >= at })
}

// appendUnescaped appends the unescaped s, and notes the escapes. They occur every few bytes,
// so that a plain loop beats searching for them.
func appendUnescaped(dst, s []byte, note *[]escape) (out []byte, ok bool) {
	saved := 0
	for at := 0; ; {
		from := at
		for at < len(s) && s[at] != '\\' && s[at] != '"' {
			at++
		}
		dst = append(dst, s[from:at]...)
		if at == len(s) {
			return dst, true
		}
		c, width := unescapeOne(s[at:])
		if width == 0 {
			return nil, false
		}
		dst = append(dst, c)
		if note != nil {
			*note = append(*note, escape{at, at + width, saved})
		}
		at += width
		saved += width - 1
	}
}

// unescapeOne reads one escape sequence of length n; n is 0 if it is not one of
// appendEscaped's.
func unescapeOne(s []byte) (c byte, n int) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\':
		return s[1], 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	if len(s) < 6 || s[1] != 'u' || s[2] != '0' || s[3] != '0' {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(s[4:6]), 16, 8)
	if err != nil || v >= ' ' {
		return 0, 0
	}
	return byte(v), 6
}
