package canvas

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Sanitize makes text of unknown origin safe to draw and reliable to measure.
//
// Line feeds stay; CRLF, CR and the Unicode line ends become line feeds, tabs four spaces.
// ⟨ESC⟩ replaces an escape sequence, or ⟨ESC 12 B⟩ if it is a string of that many bytes in
// which text could be hidden. Other controls become a visible sign of one cell, bytes that are
// not UTF-8 U+FFFD, and characters that reorder or hide text are spelled out as in ⟨U+202E⟩.
// Grapheme clusters that terminals measure differently (by cluster or by code point) are split
// until both ways agree, and at most eight marks stay on one character.
//
// Text that needs none of this is returned unchanged.
func Sanitize(s string) string { return clean(s, manyLines) }

// SanitizeLine is [Sanitize] for a single line: line ends become spaces.
func SanitizeLine(s string) string { return clean(s, oneLine) }

// SanitizeTyped converts typed or pasted text for a field of one line: like [SanitizeLine], but
// without escape sequences, which no user means.
func SanitizeTyped(s string) string { return clean(s, typed) }

// SanitizeRendered is [Sanitize] for the output of Parley's renderers, whose input may have
// smuggled in anything: of all escape sequences only SGR without concealed or blinking text and
// links (OSC 8) to addresses that are [Linkable] stay. The same mark as in Sanitize replaces
// every other one.
func SanitizeRendered(s string) string { return clean(s, rendered) }

type cleanMode uint8

const (
	manyLines cleanMode = iota
	oneLine
	typed
	rendered
)

const (
	tab       = "    "
	breakMark = "\u200b" // ZERO WIDTH SPACE: nothing joins across it
	markLimit = 8
)

// replacement replaces bytes that are not text: U+FFFD, unless characters of ambiguous width
// are wide, because its width is then uncertain.
var replacement = strings.Repeat("\ufffd", 2-ambiguousWidth) + strings.Repeat("?", ambiguousWidth-1)

// A cleaner copies from the first byte that must change.
type cleaner struct {
	src    string
	mode   cleanMode
	out    []byte
	copied int // out replaces src[:copied]; out is nil while nothing has changed

	marks        int  // zero-width runes since the last visible one
	afterBreak   bool // a break mark precedes: what follows joins nothing
	afterRemoval bool // something invisible was removed: a break mark must prevent new joins
}

func clean(s string, mode cleanMode) string {
	c := cleaner{src: s, mode: mode}
	for i := 0; i < len(s); {
		b := s[i]
		switch {
		case b >= 0x20 && b < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf):
			c.visible()
			i++
		case b < 0x20 || b == 0x7f:
			i += c.control(i)
		default:
			i += c.text(i)
		}
	}
	if c.out == nil {
		return s
	}
	return string(append(c.out, s[c.copied:]...))
}

// control handles the C0 control or DEL at i and returns its length.
func (c *cleaner) control(i int) int {
	switch b := c.src[i]; b {
	case '\n':
		c.newline(i, 1, c.mode == oneLine || c.mode == typed)
	case '\r':
		if i+1 < len(c.src) && c.src[i+1] == '\n' {
			c.newline(i, 2, true)
			return 2
		}
		c.newline(i, 1, true)
	case '\t':
		c.replace(i, 1, tab)
	case esc:
		n, kind := escape(c.src[i:])
		if c.mode == rendered && isHarmless(c.src[i:i+n], kind) {
			return n
		}
		c.sequence(i, n)
		return n
	case 0x7f:
		c.replace(i, 1, "␡")
	default:
		c.replace(i, 1, string('␀'+rune(b)))
	}
	return 1
}

// text handles the rune or grapheme cluster at i and returns its length.
func (c *cleaner) text(i int) int {
	s := c.src[i:]
	r, size := utf8.DecodeRuneInString(s)
	if plainWidth(r) > 0 && (len(s) == size || s[size] < utf8.RuneSelf || standsAlone(s[size:])) {
		c.visible()
		return size
	}
	if r == utf8.RuneError && size == 1 {
		c.replace(i, 1, replacement)
		return 1
	}
	switch classify(r) {
	case lineEnd:
		c.newline(i, size, true)
		return size
	case hidden:
		c.drop(i, size)
		return size
	case numbered:
		c.replace(i, size, runeMark(r))
		return size
	case introducer:
		n := escapeC1(s)
		c.sequence(i, n)
		return n
	case unknown:
		c.replace(i, size, replacement)
		return size
	}
	cluster := firstCluster(s)
	c.cluster(i, cluster)
	return len(cluster)
}

// firstCluster returns the grapheme cluster at the beginning of s as far as it is UTF-8: after
// an invalid byte the tables take in whatever follows, including controls.
func firstCluster(s string) string {
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	for i := 0; i < len(cluster); {
		r, size := utf8.DecodeRuneInString(cluster[i:])
		if i > 0 && r == utf8.RuneError && size == 1 {
			return cluster[:i]
		}
		i += size
	}
	return cluster
}

// visible notes that a cell was filled.
func (c *cleaner) visible() { c.marks, c.afterBreak, c.afterRemoval = 0, false, false }

func (c *cleaner) newline(i, n int, change bool) {
	switch {
	case !change:
		c.visible()
	case c.mode == oneLine || c.mode == typed:
		c.replace(i, n, " ")
	default:
		c.replace(i, n, "\n")
	}
}

// replace puts something visible in place of the n bytes at i.
func (c *cleaner) replace(i, n int, with string) {
	c.put(i, n, with)
	c.visible()
}

// sequence removes the escape sequence at i, and leaves a mark except in typed text.
func (c *cleaner) sequence(i, n int) {
	if c.mode == typed {
		c.drop(i, n)
		return
	}
	c.replace(i, n, escapeMark(c.src[i:i+n]))
}

// drop removes n bytes that took no cell.
func (c *cleaner) drop(i, n int) {
	c.put(i, n, "")
	c.afterRemoval = true
}

func (c *cleaner) put(i, n int, with string) {
	if c.out == nil {
		c.out = make([]byte, 0, len(c.src)+len(with))
	}
	c.out = append(append(c.out, c.src[c.copied:i]...), with...)
	c.copied = i + n
}

// escapeMark returns the mark that replaces an escape sequence.
func escapeMark(seq string) string {
	introducer := 2
	if seq[0] != esc {
		introducer = len("\u009d")
	}
	if len(seq) > introducer && isString(seq) {
		return "⟨ESC " + strconv.Itoa(len(seq)) + " B⟩"
	}
	return "⟨ESC⟩"
}

// isString reports whether an escape sequence is one that a terminal reads as a string:
// OSC, DCS, APC, PM or SOS.
func isString(seq string) bool {
	if seq[0] == esc {
		return strings.IndexByte("]P_^X", seq[1]) >= 0
	}
	return seq[1] != 0x9b
}

func isHarmless(seq string, kind escapeKind) bool {
	return kind == escapeSGR && sgrIsHarmless(seq) || kind == escapeLink && linkIsClean(seq)
}
