package chat

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	// lookAhead is how far a line's first word may be behind the previous line, and nearby how
	// far a word may be behind the previous word: there are links in between, of which only the
	// text is drawn.
	lookAhead = 4096
	nearby    = 512
	// maxMisses is how many words of a line may be missing.
	maxMisses = 4
)

// A hit is a word of a drawn line that was found in the source.
type hit struct {
	visible int // offset in the line's visible bytes
	at      int // offset in the source
	n       int // length
}

// A tracer maps the words of drawn lines to their positions in a source. Rendering moves,
// wraps and drops characters but keeps the order of words, so the words of a line are searched
// for after those of the previous line; except for rows of tables, whose cells are wrapped side
// by side. Unchanged lines are not traced again.
type tracer struct {
	source []byte
	lines  []lineTrace
	spent  []hit // the words of the table row that is being drawn
}

// A lineTrace has the words of one line, and what they were found with.
type lineTrace struct {
	line string
	from int // where it begins in the source
	end  int // behind the last word so far
	hits []hit
	part bool // of the table row that the line before shows
}

// trace brings the tracing up to date with lines that show source. A source only grows.
func (t *tracer) trace(lines []string, source []byte) []lineTrace {
	t.source = source
	same := 0
	for same < min(len(lines), len(t.lines)) && t.lines[same].line == lines[same] {
		same++
	}
	if same == len(lines) {
		t.lines = t.lines[:same]
		return t.lines
	}
	same = max(same-1, 0)
	for same > 0 && t.lines[same].part { // to where the table row begins
		same--
	}
	t.lines, t.spent = t.lines[:min(same, len(t.lines))], nil
	for _, line := range lines[len(t.lines):] {
		t.lines = append(t.lines, t.next(line))
	}
	return t.lines
}

// next traces the next line.
func (t *tracer) next(line string) lineTrace {
	at := 0
	if n := len(t.lines); n > 0 {
		at = t.lines[n-1].end
	}
	l := lineTrace{line: line, from: at, end: at}
	text := ansi.Strip(line)
	l.hits = t.traceTableRow(text, at)
	if l.part = l.hits != nil; !l.part {
		l.hits = t.findWords(text, at)
		t.spent = nil
	}
	if n := len(l.hits); n > 0 {
		l.from, l.end = l.hits[0].at, max(at, l.hits[n-1].at+l.hits[n-1].n)
		t.spent = append(t.spent, l.hits...)
	}
	return l
}

// findWords finds the words of a line after an offset.
func (t *tracer) findWords(text string, at int) []hit {
	var hits []hit
	window := lookAhead
	for rest, misses := text, 0; misses < maxMisses; {
		var word string
		if word, rest = nextWord(rest); word == "" {
			break
		}
		found := findWord(t.source[at:min(at+window, len(t.source))], word)
		if found < 0 || window == lookAhead && !t.continuesAt(rest, at+found+len(word)) {
			misses++ // the renderer's own, or broken by the end of the line
			continue
		}
		hits = append(hits, hit{len(text) - len(rest) - len(word), at + found, len(word)})
		at += found + len(word)
		window = nearby
	}
	return hits
}

// continuesAt reports whether the next word of a line is near an offset, or whether there is none.
func (t *tracer) continuesAt(rest string, at int) bool {
	word, _ := nextWord(rest)
	return word == "" || findWord(t.source[at:min(at+nearby, len(t.source))], word) >= 0
}

// traceTableRow finds all words of a line among those of the table row of which the previous line
// showed a part; nil if it is not a part of that row.
func (t *tracer) traceTableRow(text string, at int) []hit {
	row, begin := t.row(at)
	if len(t.spent) == 0 || bytes.IndexByte(row, '|') < 0 {
		return nil
	}
	shown := make([]bool, len(row)) // by lines before
	for _, h := range t.spent {
		for i := max(h.at-begin, 0); i < min(h.at+h.n-begin, len(row)); i++ {
			shown[i] = true
		}
	}
	var hits []hit
	from := 0
	for rest := text; ; {
		var word string
		if word, rest = nextWord(rest); word == "" {
			return hits
		}
		found := findHiddenWord(row, shown, from, word)
		if found < 0 {
			return nil
		}
		hits = append(hits, hit{len(text) - len(rest) - len(word), begin + found, len(word)})
		from = found + len(word)
	}
}

// row returns the line of the source that contains an offset, and its beginning; nothing if it
// is too long to be a readable row of a table.
func (t *tracer) row(at int) (row []byte, begin int) {
	const most = 1 << 10
	begin = max(at-most, 0)
	if i := bytes.LastIndexByte(t.source[begin:at], '\n'); i >= 0 {
		begin += i + 1
	} else if begin > 0 {
		return nil, 0
	}
	row = t.source[begin:min(begin+most, len(t.source))]
	if i := bytes.IndexByte(row, '\n'); i >= 0 {
		return row[:i], begin
	} else if len(row) == most {
		return nil, 0
	}
	return row, begin
}

// findHiddenWord finds a word in a table row where no line has shown it yet.
func findHiddenWord(row []byte, shown []bool, from int, word string) int {
	for {
		found := findWord(row[from:], word)
		if found < 0 {
			return -1
		}
		if from += found; !shown[from] && !shown[from+len(word)-1] {
			return from
		}
		from += len(word)
	}
}

// findWord returns the position of a word in source, preferably as a whole word; -1 if it is
// missing.
func findWord(source []byte, word string) int {
	part := -1
	for at := 0; ; {
		found := bytes.Index(source[at:], []byte(word))
		if found < 0 {
			return part
		}
		found += at
		before, _ := utf8.DecodeLastRune(source[:found])
		after, _ := utf8.DecodeRune(source[found+len(word):])
		if !inWord(before) && !inWord(after) {
			return found
		}
		if part < 0 {
			part = found
		}
		at = found + len(word)
	}
}

// nextWord returns the first run of letters and digits in s and what follows it.
func nextWord(s string) (word, rest string) {
	start := -1
	for i, r := range s {
		if inWord(r) && start < 0 {
			start = i
		}
		if !inWord(r) && start >= 0 {
			return s[start:i], s[i:]
		}
	}
	if start >= 0 {
		return s[start:], ""
	}
	return "", ""
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
