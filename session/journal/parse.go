package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"parley/a2a"
)

// A lineParser reads journal lines.
type lineParser struct {
	bodies unescaper
	line   line
}

// record reads a journal line. The error is the JSON parser's.
func (p *lineParser) record(b []byte) (a2a.Record, error) {
	l := &p.line
	*l = line{}
	raw, meta, fast := p.splitRaw(b)
	if !fast || !parseMeta(meta, l) && json.Unmarshal(append(meta, '}'), l) != nil {
		raw, *l = nil, line{}
		if err := json.Unmarshal(b, l); err != nil {
			return a2a.Record{}, err
		}
	}
	r := a2a.Record{
		ID: l.ID, Exchange: l.Exchange, Kind: l.Kind, Dir: l.Dir, Time: l.Time, Call: l.Call, Raw: raw,
		Torn: l.Torn, Omitted: l.Omitted, PauseTime: l.Held, Coding: l.Coded, Head: l.Head, SSE: l.SSE, End: l.End, Note: l.Note, Redactions: l.Redactions,
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
	if r.Binary = l.Proto; r.Binary != nil && l.B64 != nil {
		r.Binary.Bytes = r.Raw // until it is rendered
	}
	return r, nil
}

// splitRaw removes the raw member from a line as [appendRecord] writes it: last, and with no
// escapes but appendEscaped's. It is three times as fast as the general parser, which handles
// all other lines. A `,"raw":"` inside a string would have its quotes escaped, and inside a
// nested object it leaves a meta that does not parse.
func (p *lineParser) splitRaw(b []byte) (raw, meta []byte, ok bool) {
	const mark = `,"raw":"`
	at := bytes.Index(b, []byte(mark))
	if at < 0 || !bytes.HasSuffix(b, []byte(`"}`)) || at+len(mark) > len(b)-2 {
		return nil, nil, false
	}
	raw, ok = p.bodies.unescape(b[at+len(mark) : len(b)-2])
	if !ok {
		return nil, nil, false
	}
	return raw, b[:at:at], true
}

// parseMeta reads the part before raw in the most frequent lines: those of a stream's events.
// It accepts exactly what appendRecord writes for them, without escapes, and reports false for
// anything else.
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
	if fields := c.sse(); !c.failed && len(c.rest) == 0 {
		l.SSE = fields
		return true
	}
	return false
}

// A cutter removes members from the front of a line.
type cutter struct {
	rest   []byte
	failed bool
}

// sse removes the fields of a frame as appendSSE writes them.
func (c *cutter) sse() *a2a.SSEFields {
	f := new(a2a.SSEFields)
	rest, ok := bytes.CutPrefix(c.rest, []byte(`,"sse":{`))
	c.rest, c.failed = rest, c.failed || !ok
	for _, m := range [...]struct {
		name  string
		value *string
	}{{`"id":"`, &f.ID}, {`"event":"`, &f.Event}, {`"retry":"`, &f.Retry}} {
		rest, comma := bytes.CutPrefix(c.rest, []byte{','})
		if comma == (*f == a2a.SSEFields{}) || !bytes.HasPrefix(rest, []byte(m.name)) {
			continue
		}
		c.rest = rest
		text := c.text(m.name)
		c.failed = c.failed || !utf8.Valid(text) || bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' })
		*m.value = string(text)
	}
	rest, ok = bytes.CutPrefix(c.rest, []byte{'}'})
	c.rest, c.failed = rest, c.failed || !ok
	return f
}

// number removes a member whose value is a number.
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

// text removes a member whose value is a string without escapes; name ends with the opening
// quote.
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
