// Package editor edits text that must stay exact, such as HTTP requests and JSON.
//
// Bubbles' text area replaces tabs and control characters and wraps all text at every key. Here
// a key costs one line and a frame costs the window, and bytes that are not edited stay
// unchanged. Panes draw the text with [Editor.Rows]; [JSON] colours it.
package editor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/canvas"
)

// An Editor is a text of any size and any bytes with a cursor. Callers only read its fields. It is
// not safe for use by several goroutines.
type Editor struct {
	Lines    []string // at least one, without line ends
	Row, Col int      // the cursor; Col is the byte offset of a grapheme cluster in its line
	Top      int      // first line in the window
	Left     int      // first visible byte of the cursor's line
	h        int      // height of the window
	Version  uint64   // counts changes of the text
	column   int      // cell column for vertical moves, -1 for the cursor's
	history  undo
	cutText  string // text last cut by word or to an end of the line
}

// New returns an editor without text.
func New() Editor { return Editor{Lines: []string{""}, column: -1} }

// Set replaces the text and puts the cursor at its start.
func (e *Editor) Set(text string) {
	e.Lines = strings.Split(text, "\n")
	e.Row, e.Col, e.column, e.Top, e.Left = 0, 0, -1, 0, 0
	e.history = undo{}
	e.Version++
}

// Replace replaces the text; the user can undo it.
func (e *Editor) Replace(text string) {
	e.remember(false)
	e.Lines = strings.Split(text, "\n")
	e.GoTo(e.Row, e.Col)
	e.Left = 0
	e.changed()
}

// Text returns the whole text.
func (e *Editor) Text() string { return strings.Join(e.Lines, "\n") }

// Line returns the cursor's line.
func (e *Editor) Line() string { return e.Lines[e.Row] }

// GoTo moves the cursor to a byte of a line.
func (e *Editor) GoTo(row, col int) {
	e.Row = max(0, min(row, len(e.Lines)-1))
	col = max(0, min(col, len(e.Line())))
	for col > 0 && col < len(e.Line()) && !utf8.RuneStart(e.Line()[col]) {
		col--
	}
	e.Col, e.column = col, -1
}

// Paste inserts text at the cursor. Terminals send line ends as carriage returns.
func (e *Editor) Paste(text string) {
	e.Insert(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
}

// LargeText is the size in bytes from which a text is too large to check at every key.
const LargeText = 256 << 10

// Large reports whether the text is larger than [LargeText].
func (e *Editor) Large() bool {
	size := 0
	for _, line := range e.Lines {
		if size += len(line) + 1; size > LargeText {
			return true
		}
	}
	return false
}

// Insert inserts s, which may contain line feeds, and moves the cursor behind it.
func (e *Editor) Insert(s string) {
	if s == "" {
		return
	}
	e.remember(utf8.RuneCountInString(s) == 1 && s != "\n")
	before, after := e.Line()[:e.Col], e.Line()[e.Col:]
	parts := strings.Split(s, "\n")
	last := len(parts) - 1
	e.Col = len(parts[last])
	if last == 0 {
		e.Col += len(before)
	}
	parts[0] = before + parts[0]
	parts[last] += after
	e.Lines = slices.Replace(e.Lines, e.Row, e.Row+1, parts...)
	e.Row += last
	e.changed()
}

// newline breaks the line and keeps its indentation. Behind an opening brace it indents further
// and moves a closing brace to its own line.
func (e *Editor) newline() {
	line := e.Line()
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	indent = indent[:min(len(indent), e.Col)]
	before, after := strings.TrimRight(line[:e.Col], " "), strings.TrimLeft(line[e.Col:], " ")
	opens := before != "" && strings.ContainsRune("{[", rune(before[len(before)-1]))
	closes := after != "" && strings.ContainsRune("}]", rune(after[0]))
	if !opens {
		e.Insert("\n" + indent)
		return
	}
	e.Insert("\n" + indent + "  ")
	if closes {
		row, col := e.Row, e.Col
		e.Insert("\n" + indent)
		e.Row, e.Col = row, col
	}
}

// cut removes the text between the cursor and another byte of the line.
func (e *Editor) cut(to int) {
	from := e.Col
	if to < from {
		from, to = to, from
	}
	if from == to {
		return
	}
	e.remember(false)
	e.Lines[e.Row] = e.Line()[:from] + e.Line()[to:]
	e.Col = from
	e.changed()
}

// cutOut cuts the text between the cursor and another byte of the line for a later yank.
func (e *Editor) cutOut(to int) {
	if from, end := min(e.Col, to), max(e.Col, to); from < end {
		e.cutText = e.Line()[from:end]
	}
	e.cut(to)
}

// join removes the line end of a line.
func (e *Editor) join(row int) {
	if row < 0 || row+1 >= len(e.Lines) {
		return
	}
	e.remember(false)
	e.Row, e.Col = row, len(e.Lines[row])
	e.Lines[row] += e.Lines[row+1]
	e.Lines = slices.Delete(e.Lines, row+1, row+2)
	e.changed()
}

func (e *Editor) changed() {
	e.column = -1
	e.Version++
}

// backspace removes the character before the cursor, or one step of the line's indentation.
func (e *Editor) backspace() {
	switch before := e.Line()[:e.Col]; {
	case e.Col == 0:
		e.join(e.Row - 1)
	case len(before) > 1 && len(before)%2 == 0 && strings.Trim(before, " ") == "":
		e.cut(e.Col - 2)
	default:
		e.cut(lastUnit(before))
	}
}

// remove removes the character at the cursor.
func (e *Editor) remove() {
	if e.Col == len(e.Line()) {
		e.join(e.Row)
		return
	}
	n, _, _ := unit(e.Line()[e.Col:])
	e.cut(e.Col + n)
}

// right and leftward move the cursor by one grapheme cluster.
func (e *Editor) right() {
	switch {
	case e.Col < len(e.Line()):
		n, _, _ := unit(e.Line()[e.Col:])
		e.GoTo(e.Row, e.Col+n)
	case e.Row+1 < len(e.Lines):
		e.GoTo(e.Row+1, 0)
	}
}

func (e *Editor) leftward() {
	switch {
	case e.Col > 0:
		e.GoTo(e.Row, lastUnit(e.Line()[:e.Col]))
	case e.Row > 0:
		e.GoTo(e.Row-1, len(e.Lines[e.Row-1]))
	}
}

// wordRight and wordLeft return the end of the next word and the start of the previous one.
func (e *Editor) wordRight() int {
	rest := e.Line()[e.Col:]
	start := strings.IndexFunc(rest, isWord)
	if start < 0 {
		return len(e.Line())
	}
	if end := strings.IndexFunc(rest[start:], func(r rune) bool { return !isWord(r) }); end >= 0 {
		return e.Col + start + end
	}
	return len(e.Line())
}

func (e *Editor) wordLeft() int {
	before := strings.TrimRightFunc(e.Line()[:e.Col], func(r rune) bool { return !isWord(r) })
	return len(strings.TrimRightFunc(before, isWord))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// farthest is how many bytes of a line are measured for the cursor's column.
const farthest = 4096

// Vertical moves the cursor by n lines in its column.
func (e *Editor) Vertical(n int) {
	if e.column < 0 {
		e.column = cells(e.Line()[:min(e.Col, farthest)])
	}
	want := e.column
	e.Row = max(0, min(e.Row+n, len(e.Lines)-1))
	e.Col = byteAt(e.Line(), want)
	e.column = want
}

// byteAt returns the byte of a line at a cell.
func byteAt(line string, cell int) int {
	i, x := 0, 0
	for i < len(line) {
		n, w, _ := unit(line[i:])
		if x+w > cell {
			break
		}
		i, x = i+n, x+w
	}
	return i
}

// cells returns the width of s.
func cells(s string) int {
	x := 0
	for s != "" {
		n, w, _ := unit(s)
		s, x = s[n:], x+w
	}
	return x
}

// longest is the limit of a cluster in bytes; hostile text has clusters of any length.
const longest = 64

// unit returns the length of the first cluster of s, which is not empty, its width and its
// drawn form; that is "" for a cluster that needs a sign.
func unit(s string) (n, w int, drawn string) {
	c := s[0]
	if c < 0x20 || c == 0x7f {
		return 1, 1, ""
	}
	if c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1, s[:1]
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return 1, 1, ""
	}
	cluster, _ := ansi.FirstGraphemeCluster(s[:min(len(s), 4*longest)], ansi.GraphemeWidth)
	if n = len(cluster); n > longest || n < size {
		n = size
	}
	drawn = canvas.SanitizeLine(s[:n])
	if w = canvas.Width(drawn); w == 0 {
		return n, 1, ""
	}
	return n, w, drawn
}

// lastUnit returns the start of the last cluster of s, which is not empty.
func lastUnit(s string) int {
	if c := s[len(s)-1]; c < utf8.RuneSelf && len(s) == 1 || len(s) > 1 && c < utf8.RuneSelf && s[len(s)-2] < utf8.RuneSelf {
		return len(s) - 1
	}
	i := max(0, len(s)-2*longest)
	for i > 0 && i < len(s)-1 && !utf8.RuneStart(s[i]) {
		i++
	}
	for {
		n, _, _ := unit(s[i:])
		if i+n >= len(s) {
			return i
		}
		i += n
	}
}
