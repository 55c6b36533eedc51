package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"parley/a2a"
)

// parseRecord reads a journal line. The error is the JSON parser's.
func parseRecord(b []byte) (a2a.Record, error) {
	var l line
	raw, meta, fast := splitRaw(b)
	if !fast || !parseMeta(meta, &l) && json.Unmarshal(append(meta, '}'), &l) != nil {
		raw, l = nil, line{}
		if err := json.Unmarshal(b, &l); err != nil {
			return a2a.Record{}, err
		}
	}
	r := a2a.Record{
		ID: l.ID, Exchange: l.Exchange, Kind: l.Kind, Dir: l.Dir, Time: l.Time, Call: l.Call, Raw: raw,
		Torn: l.Torn, Omitted: l.Omitted, Head: l.Head, SSE: l.SSE, End: l.End, Note: l.Note, Redactions: l.Redactions,
	}
	switch {
	case l.Raw != nil:
		r.Raw = []byte(*l.Raw)
	case l.B64 != nil:
		dec, err := base64.StdEncoding.DecodeString(*l.B64)
		if err != nil {
			return a2a.Record{}, err
		}
		r.Raw = dec
	}
	return r, nil
}

// splitRaw takes the raw member off a line as [appendRecord] writes it: last, and
// with no escapes but appendEscaped's. It is three times as fast as the general
// parser, which takes over when it does not apply. A `,"raw":"` inside a string
// would have its quotes escaped, and inside a nested object it leaves a meta that
// does not parse.
func splitRaw(b []byte) (raw, meta []byte, ok bool) {
	const mark = `,"raw":"`
	at := bytes.Index(b, []byte(mark))
	if at < 0 || !bytes.HasSuffix(b, []byte(`"}`)) || at+len(mark) > len(b)-2 {
		return nil, nil, false
	}
	raw, ok = unescape(b[at+len(mark) : len(b)-2])
	if !ok {
		return nil, nil, false
	}
	return raw, b[:at:at], true
}

// parseMeta reads what stands before raw in the lines of which there are most: those
// of a stream's events. It accepts exactly what appendRecord writes for them,
// without escapes, and reports false for anything else.
func parseMeta(b []byte, l *line) bool {
	c := cutter{rest: b}
	l.ID = a2a.RecordID(c.number(`{"id":`))
	l.Exchange = a2a.RecordID(c.number(`,"exchange":`))
	l.Kind = a2a.KindEvent
	if string(c.text(`,"kind":"`)) != string(a2a.KindEvent) || string(c.text(`,"dir":"`)) != string(a2a.In) {
		return false
	}
	l.Dir = a2a.In
	if l.Time.UnmarshalText(c.text(`,"time":"`)) != nil || c.failed {
		return false
	}
	if len(c.rest) == 0 {
		return true
	}
	sse, ok := bytes.CutPrefix(c.rest, []byte(`,"sse":`))
	return ok && json.Unmarshal(sse, &l.SSE) == nil
}

// A cutter takes members off the front of a line.
type cutter struct {
	rest   []byte
	failed bool
}

// number takes a member whose value is a number.
func (c *cutter) number(name string) uint64 {
	if !bytes.HasPrefix(c.rest, []byte(name)) {
		c.failed = true
		return 0
	}
	i, n := len(name), uint64(0)
	for i < len(c.rest) && '0' <= c.rest[i] && c.rest[i] <= '9' {
		n = 10*n + uint64(c.rest[i]-'0')
		i++
	}
	const digits = 18 // more could overflow
	c.failed = c.failed || i == len(name) || i-len(name) > digits
	c.rest = c.rest[i:]
	return n
}

// text takes a member whose value is a string without escapes; name ends with the
// opening quote.
func (c *cutter) text(name string) []byte {
	if !bytes.HasPrefix(c.rest, []byte(name)) {
		c.failed = true
		return nil
	}
	value, rest, ok := bytes.Cut(c.rest[len(name):], []byte{'"'})
	if !ok || bytes.IndexByte(value, '\\') >= 0 {
		c.failed = true
		return nil
	}
	c.rest = rest
	return value
}

// unescape reverses appendEscaped into fresh memory; ok is false when s holds
// anything that appendEscaped does not write. Escapes stand every few bytes, so
// that a plain loop beats searching for them.
func unescape(s []byte) (out []byte, ok bool) {
	out = make([]byte, 0, len(s)-bytes.Count(s, []byte{'\\'})/2)
	for len(s) > 0 {
		i := 0
		for i < len(s) && s[i] != '\\' && s[i] != '"' {
			i++
		}
		out = append(out, s[:i]...)
		if i == len(s) {
			break
		}
		c, width := unescapeOne(s[i:])
		if width == 0 {
			return nil, false
		}
		out = append(out, c)
		s = s[i+width:]
	}
	return out, utf8.Valid(out)
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
