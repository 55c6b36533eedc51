package redact

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/a2a"
)

// A span is a range of bytes that is replaced. A number becomes a string.
type span struct {
	from, to int
	number   bool
}

// body masks the bytes of a record.
func (p *Patterns) body(r *a2a.Record) {
	masked, spans := p.bytes(r.Raw, r.Kind == a2a.KindEvent, p.pieces[r.ID])
	if len(spans) == 0 {
		return
	}
	if r.Binary != nil {
		binary := *r.Binary
		binary.Bytes, binary.Rebuilt = nil, true
		r.Binary = &binary
	}
	var gone []a2a.Redaction
	for _, old := range r.Redactions {
		if old.Length == 0 {
			gone = append(gone, old)
			continue
		}
		at, inside := old.Offset, false
		for _, s := range spans {
			if s.to <= old.Offset {
				at += s.length() - (s.to - s.from)
			}
			inside = inside || s.from < old.Offset+old.Length && old.Offset < s.to
		}
		if !inside {
			old.Offset = at
			gone = append(gone, old)
		}
	}
	shift := 0
	for _, s := range spans {
		at := s.from + shift
		if s.number {
			at++
		}
		gone = append(gone, a2a.Redaction{Name: "in the body", Offset: at, Length: len(a2a.Mask), Size: s.to - s.from})
		shift += s.length() - (s.to - s.from)
	}
	slices.SortStableFunc(gone, func(x, y a2a.Redaction) int { return cmp.Compare(x.Offset, y.Offset) })
	r.Raw, r.Data, r.Redactions = masked, nil, gone
}

// length is that of the text in place of a span.
func (s *span) length() int {
	if s.number {
		return len(a2a.Mask) + 2
	}
	return len(a2a.Mask)
}

// bytes returns bytes with masks, and which spans of b these replace.
func (p *Patterns) bytes(b []byte, frame bool, pieces []piece) ([]byte, []span) {
	var spans []span
	cells := cut(b, frame)
	for _, c := range cells {
		spans = append(spans, p.cell(b, c, pieces)...)
	}
	for _, re := range p.all { // a pattern may be about names and values together
		for _, m := range re.FindAllIndex(b, -1) {
			spans = append(spans, across(b, cells, m[0], m[1])...)
		}
	}
	spans = joined(spans)
	if len(spans) == 0 {
		return b, nil
	}
	var out []byte
	from := 0
	for _, s := range spans {
		out = append(out, b[from:s.from]...)
		if s.number {
			out = append(out, `"`+a2a.Mask+`"`...)
		} else {
			out = append(out, a2a.Mask...)
		}
		from = s.to
	}
	return append(out, b[from:]...), spans
}

// joined sorts spans and merges those that overlap.
func joined(spans []span) []span {
	slices.SortFunc(spans, func(x, y span) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	var out []span
	for _, s := range spans {
		if n := len(out) - 1; n >= 0 && s.from < out[n].to {
			out[n].to = max(out[n].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// cell returns the spans that the patterns match in the text of one cell.
func (p *Patterns) cell(b []byte, c cell, pieces []piece) []span {
	text, at := c.text(b)
	var spans []span
	add := func(from, to int) {
		switch {
		case from == to:
		case c.kind == cellNumber:
			spans = append(spans, span{c.from, c.to, true})
		default:
			spans = append(spans, span{from: at(from), to: at(to)})
		}
	}
	for _, re := range p.all {
		for _, m := range re.FindAllStringIndex(text, -1) {
			add(m[0], m[1])
		}
	}
	for _, piece := range pieces {
		if from, to, ok := piece.in(text); ok && c.kind == cellString {
			add(from, to)
		}
	}
	if c.kind == cellString && len(spans) == 0 && p.inBase64(text) {
		add(0, len(text))
	}
	return spans
}

// inBase64 reports whether a pattern matches the text that a value encodes.
func (p *Patterns) inBase64(s string) bool {
	const shortest = 8 // below, words would be taken for base64
	if s = strings.TrimRight(s, "="); len(s) < shortest || len(p.all) == 0 {
		return false
	}
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.RawURLEncoding
	}
	plain, err := encoding.DecodeString(s)
	return err == nil && utf8.Valid(plain) && p.matches(string(plain))
}

// across returns what is masked of a match in the bytes that is not inside one cell: the values
// in it, or the names if there are no values. Between cells nothing changes, so that JSON stays
// JSON.
func across(b []byte, cells []cell, from, to int) []span {
	var values, names []span
	for _, c := range cells {
		if c.to <= from || to <= c.from || c.from <= from && to <= c.to && c.kind != cellNumber {
			continue
		}
		s := span{from: max(c.from, from), to: min(c.to, to)}
		if c.kind == cellNumber || bytes.IndexByte(b[c.from:c.to], '\\') >= 0 {
			s = span{c.from, c.to, c.kind == cellNumber}
		}
		if s.from == s.to {
			continue
		}
		if c.name {
			names = append(names, s)
		} else {
			values = append(values, s)
		}
	}
	if len(values) > 0 {
		return values
	}
	return names
}
