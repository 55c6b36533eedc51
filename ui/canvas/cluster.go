package canvas

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cluster handles the grapheme cluster at i. Terminals measure one as a whole (mode 2027) or by
// adding up its code points, and a layout must not depend on which. So a cluster whose two
// widths differ is split into pieces that agree: emoji joined by ZWJ are separated, skin tones
// and selectors are removed, conjoining Hangul is composed, and a break mark keeps other pieces
// apart.
func (c *cleaner) cluster(i int, cluster string) {
	if !c.afterRemoval && c.marks == 0 && isStable(cluster) {
		c.visible()
		return
	}
	var room [128]byte
	p := pieces{buf: room[:0], marks: c.marks, apart: c.afterBreak, seam: c.afterRemoval}
	flag := false
	for rest := cluster; rest != ""; {
		r, atom := firstAtom(rest)
		rest = rest[len(atom):]
		flag = flag || r == '\U0001f3f4' // the black flag that tags turn into a region's
		switch v := classify(r); {
		case r == utf8.RuneError:
			p.begin(replacement)
		case v == hidden || flag && isTag(r):
		case v == numbered:
			p.buf = append(p.buf, runeMark(r)...)
			p.start, p.marks = len(p.buf), 0
		case len(atom) > 3 && (isLead(r) || isOpenSyllable(r)):
			p.add(compose(atom))
		default:
			p.add(atom)
		}
	}
	if string(p.buf) != cluster {
		c.put(i, len(cluster), string(p.buf))
	}
	c.marks, c.afterBreak, c.afterRemoval = p.marks, p.apart, p.seam
}

// isStable reports whether a cluster that begins with something visible can stay unchanged. It
// recognises most clusters without building anything.
func isStable(cluster string) bool {
	marks := 0
	for i := 0; i < len(cluster); {
		r, size := utf8.DecodeRuneInString(cluster[i:])
		w := plainWidth(r)
		if w == 0 {
			w = ansi.StringWidthWc(cluster[i : i+size])
		}
		switch {
		case classify(r) != asIs || r == utf8.RuneError && ambiguousWidth > 1 || r == utf8.RuneError && size == 1:
			return false
		case isRegional(r): // two make a flag
		case i == 0 && (w == 0 || isJamo(r) || joinsAny(r)):
			return false
		case i > 0 && w > 0:
			return false
		case w == 0:
			marks++
		}
		i += size
	}
	return marks <= markLimit && widthsAgree(cluster)
}

// firstAtom returns the first rune of s and the runes that must stay with it: the other half of
// a flag, or the letters of a Hangul syllable.
func firstAtom(s string) (rune, string) {
	r, size := utf8.DecodeRuneInString(s)
	second, more := utf8.DecodeRuneInString(s[size:])
	switch {
	case isRegional(r) && isRegional(second):
		return r, s[:size+more]
	case isLead(r) && isVowel(second):
		size += more
		if third, more := utf8.DecodeRuneInString(s[size:]); isTail(third) {
			size += more
		}
	case isOpenSyllable(r) && isTail(second):
		size += more
	}
	return r, s[:size]
}

func isTag(r rune) bool { return r >= 0xe0020 && r <= 0xe007f }

// pieces collects the parts of a cluster; buf[start:] is the last piece. The rest is as in a
// cleaner.
type pieces struct {
	buf   []byte
	start int
	marks int
	apart bool
	seam  bool
}

// add appends an atom to the last piece if that remains measurable, otherwise it begins another
// one.
func (p *pieces) add(atom string) {
	if p.start == len(p.buf) {
		p.begin(atom)
		return
	}
	w := ansi.StringWidthWc(atom)
	if w == 0 {
		if p.marks++; p.marks > markLimit {
			return
		}
	}
	if longer := append(p.buf, atom...); widthsAgree(string(longer[p.start:])) {
		p.buf = longer
		return
	}
	if w > 0 && !isSkinTone(atom) {
		p.begin(atom)
	}
}

// begin starts a piece with an atom, after a break mark if they would join.
func (p *pieces) begin(atom string) {
	if !widthsAgree(atom) {
		atom = replacement
	}
	piece := string(p.buf[p.start:])
	p.start = len(p.buf)
	if ansi.StringWidthWc(atom) == 0 {
		if p.marks++; p.marks <= markLimit {
			p.buf = append(p.buf, atom...)
			p.apart = atom == breakMark
		}
		return
	}
	r, _ := utf8.DecodeRuneInString(atom)
	if !p.apart && (p.seam && plainWidth(r) == 0 || joinsAny(r) || isJamo(r) || piece != "" && joins(piece, atom)) {
		p.buf = append(p.buf, breakMark...)
		p.start = len(p.buf)
	}
	p.buf = append(p.buf, atom...)
	p.marks, p.apart, p.seam = 0, false, false
}

// widthsAgree reports whether s is one cluster and as wide as its code points.
func widthsAgree(s string) bool {
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster) == len(s) && w == ansi.StringWidthWc(s)
}

// joins reports whether atom continues the cluster s.
func joins(s, atom string) bool {
	cluster, _ := ansi.FirstGraphemeCluster(s+atom, ansi.GraphemeWidth)
	return len(cluster) > len(s)
}

// joinsAny reports whether r, which takes a cell, joins whatever precedes it. Symbols and
// emoji do not, except skin tones.
func joinsAny(r rune) bool {
	switch {
	case plainWidth(r) > 0, r >= 0x2190 && r < 0x2c00:
		return false
	case r >= 0x1f000 && r < 0x1fb00:
		return isSkinTone(string(r))
	}
	return joins("a", string(r))
}

func isSkinTone(s string) bool { return s >= "\U0001f3fb" && s <= "\U0001f3ff" }

func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
