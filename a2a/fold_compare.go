package a2a

import (
	"bytes"
	"slices"
	"strings"
)

// growth recognises agents that set append on chunks that repeat everything so far. One chunk
// that starts with the previous one proves nothing, because deltas do that too; a chain of
// chunks that repeats enough text does.
type growth struct {
	last     string // the text of the previous chunk
	repeated int    // bytes repeated so far, -1 once the chain is broken
}

// enoughRepeated is how many bytes must have been repeated.
const enoughRepeated = 16

func (g *growth) start(parts []Part) {
	*g = growth{repeated: -1}
	if len(parts) == 1 && parts[0].Kind == PartText && parts[0].Text != "" {
		*g = growth{last: parts[0].Text}
	}
}

// next takes an appended chunk. If it repeats everything so far, snapshot is true and news is
// the rest; news is nil when this has just become certain and the chunk must replace what is
// held.
func (g *growth) next(parts []Part) (news []Part, snapshot bool) {
	if g.repeated < 0 {
		return nil, false
	}
	sure := g.sure()
	if len(parts) != 1 || parts[0].Kind != PartText || !strings.HasPrefix(parts[0].Text, g.last) ||
		!sure && len(parts[0].Text) == len(g.last) {
		*g = growth{repeated: -1}
		return nil, false
	}
	seen := len(g.last)
	g.repeated += seen
	g.last = parts[0].Text
	if !sure {
		return nil, g.sure()
	}
	rest, _ := remainder(parts, 0, seen)
	return rest, true
}

// continues reports whether now shows all that held shows; rest is what it shows beyond that.
// How text is divided into parts does not matter. It stops at the first difference and reads at
// most the length of now.
func continues(held, now []Part) (rest []Part, ok bool) {
	j, off := 0, 0 // the next part of now, and how much of its text is used up
	for i := range held {
		h := &held[i]
		for s := h.Text; h.Kind == PartText && s != ""; {
			j, off = skipUsed(now, j, off)
			if j == len(now) || now[j].Kind != PartText {
				return nil, false
			}
			n := min(len(s), len(now[j].Text)-off)
			if s[:n] != now[j].Text[off:off+n] {
				return nil, false
			}
			s, off = s[n:], off+n
		}
		if h.Kind == PartText {
			continue
		}
		j, off = skipUsed(now, j, off)
		if off > 0 || j == len(now) || !samePart(h, &now[j]) {
			return nil, false
		}
		j++
	}
	return remainder(now, j, off)
}

// skipUsed moves over text that is used up.
func skipUsed(parts []Part, j, off int) (int, int) {
	for j < len(parts) && parts[j].Kind == PartText && off == len(parts[j].Text) {
		j, off = j+1, 0
	}
	return j, off
}

// remainder returns the parts from j on, without the first off bytes of text.
// The result is never nil unless nothing is left.
func remainder(parts []Part, j, off int) ([]Part, bool) {
	j, off = skipUsed(parts, j, off)
	if j == len(parts) {
		return []Part{}, true
	}
	if off == 0 {
		return parts[j:], true
	}
	rest := slices.Clone(parts[j:])
	rest[0].Text, rest[0].Raw = rest[0].Text[off:], nil
	return rest, true
}

// samePart compares the payloads of parts that are not text.
func samePart(a, b *Part) bool {
	return a.Kind == b.Kind && a.Encoded == b.Encoded && a.URL == b.URL && a.Filename == b.Filename &&
		bytes.Equal(a.Data, b.Data) && bytes.Equal(a.Content, b.Content) && (a.Kind != PartUnknown || bytes.Equal(a.Raw, b.Raw))
}

// A mark is a position in a list of parts: before the byte off of the text of a part.
type mark struct{ part, off int }

// of reports whether the mark is the end of parts.
func (m mark) of(parts []Part) bool {
	j, _ := skipUsed(parts, m.part, m.off)
	return j == len(parts)
}

// walk advances a mark in what is held while now shows the same. If held ends first, rest is
// what now has beyond it. It reads at most the length of now.
func walk(held []Part, at mark, now []Part) (end mark, rest []Part, ok bool) {
	j, off := at.part, at.off
	for i := range now {
		n := &now[i]
		used := 0
		for n.Kind == PartText && used < len(n.Text) {
			j, off = skipUsed(held, j, off)
			if j == len(held) {
				rest, _ = remainder(now, i, used)
				return mark{j, off}, rest, true
			}
			if held[j].Kind != PartText {
				return at, nil, false
			}
			most := min(len(n.Text)-used, len(held[j].Text)-off)
			if n.Text[used:used+most] != held[j].Text[off:off+most] {
				return at, nil, false
			}
			used, off = used+most, off+most
		}
		if n.Kind == PartText {
			continue
		}
		j, off = skipUsed(held, j, off)
		switch {
		case j == len(held):
			return mark{j, off}, now[i:], true
		case off > 0 || !samePart(&held[j], n):
			return at, nil, false
		}
		j++
	}
	return mark{j, off}, nil, true
}

// between returns a copy of the parts from one mark to another.
func between(parts []Part, from, to mark) []Part {
	var out []Part
	for i := from.part; i <= to.part && i < len(parts); i++ {
		p := parts[i]
		if i == to.part && (p.Kind != PartText || to.off == 0) {
			break
		}
		if p.Kind == PartText {
			if i == to.part && to.off < len(p.Text) {
				p.Text, p.Raw = p.Text[:to.off], nil
			}
			if i == from.part && from.off > 0 {
				p.Text, p.Raw = p.Text[min(from.off, len(p.Text)):], nil
			}
			if p.Text == "" {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// sure reports whether it is certain that chunks repeat everything so far.
func (g *growth) sure() bool { return g.repeated >= enoughRepeated }
