// Package editor changes text at a cursor, for panes in which a user writes what has to
// stay exact: HTTP requests, JSON.
//
// A text area of Bubbles would replace tabs and control characters and wrap all its text
// at every key; here a key costs a line and a frame costs the window, and what was not
// touched stays as it was, byte for byte. Panes draw the lines, by [Editor.Draw]; [JSON]
// paints them.
package editor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// An Editor holds text of any size and of any bytes, and changes it at a cursor. Its
// fields are to be read; H is set by whoever draws. It is not safe for use by several
// goroutines.
type Editor struct {
	Lines    []string // at least one; no line ends in them
	Row, Col int      // of the cursor; Col is a byte of its line, at the start of a cluster
	Top      int      // first line in the window
	Left     int      // first byte shown of the cursor's line
	H        int      // of the window
	Version  uint64   // grows with every change of the text
	want     int      // the cell that moving up and down keeps to, -1 for that of the cursor
	undone   undo
	taken    string // what was cut last by the word or to an end of the line
}

// New returns an editor without text.
func New() Editor { return Editor{Lines: []string{""}, want: -1} }

// Set replaces the text and puts the cursor at its start.
func (e *Editor) Set(text string) {
	e.Lines = strings.Split(text, "\n")
	e.Row, e.Col, e.want, e.Top, e.Left = 0, 0, -1, 0, 0
	e.undone = undo{}
	e.Version++
}

// Replace puts another text in the place of this one, which can be taken back.
func (e *Editor) Replace(text string) {
	e.remember(false)
	e.Lines = strings.Split(text, "\n")
	e.GoTo(e.Row, e.Col)
	e.Left = 0
	e.changed()
}

// Text returns all of it.
func (e *Editor) Text() string { return strings.Join(e.Lines, "\n") }

// Line is the cursor's line.
func (e *Editor) Line() string { return e.Lines[e.Row] }

// GoTo puts the cursor at a byte of a line.
func (e *Editor) GoTo(row, col int) {
	e.Row = max(0, min(row, len(e.Lines)-1))
	col = max(0, min(col, len(e.Line())))
	for col > 0 && col < len(e.Line()) && !utf8.RuneStart(e.Line()[col]) {
		col--
	}
	e.Col, e.want = col, -1
}

// Insert puts s, which may hold line feeds, at the cursor and moves behind it.
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

// newline breaks the line. The next one begins as deep as this one, and deeper behind
// an opening brace; a closing one goes to a line of its own.
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

// cut removes what stands between the cursor and a place before or after it on the
// same line.
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

// cutOut removes what stands between the cursor and a place on the same line, and keeps it
// for the key that inserts it again.
func (e *Editor) cutOut(to int) {
	if from, end := min(e.Col, to), max(e.Col, to); from < end {
		e.taken = e.Line()[from:end]
	}
	e.cut(to)
}

// join removes the line end behind a line.
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
	e.want = -1
	e.Version++
}

// backspace removes what stands before the cursor: in the white space that a line
// begins with, a step of indentation.
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

// remove removes what stands behind the cursor.
func (e *Editor) remove() {
	if e.Col == len(e.Line()) {
		e.join(e.Row)
		return
	}
	n, _, _ := unit(e.Line()[e.Col:])
	e.cut(e.Col + n)
}

// right and left move by what stands in one place on the screen.
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

// wordRight and wordLeft are where the next word ends and the one before begins.
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

// farthest is how many bytes of a line are measured to keep the cursor's column.
const farthest = 4096

// Vertical moves n lines down, keeping the column.
func (e *Editor) Vertical(n int) {
	if e.want < 0 {
		e.want = Cells(e.Line()[:min(e.Col, farthest)])
	}
	want := e.want
	e.Row = max(0, min(e.Row+n, len(e.Lines)-1))
	e.Col = byteAt(e.Line(), want)
	e.want = want
}

// byteAt returns the byte of a line that stands at a cell.
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

// Cells is how wide a piece of a line is drawn.
func Cells(s string) int {
	x := 0
	for s != "" {
		n, w, _ := unit(s)
		s, x = s[n:], x+w
	}
	return x
}

// longest is how many bytes a cluster may have; hostile text makes them of any length.
const longest = 64

// unit returns the length of what stands first in s, which is not empty, the cells it
// takes and how it is drawn, "" for a sign that stands for it.
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

// lastUnit returns where the last unit of s, which is not empty, begins.
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

// Reveal scrolls so that the cursor is in the window, w cells of text wide.
func (e *Editor) Reveal(w int) {
	e.Top = max(0, min(e.Top, len(e.Lines)-e.H))
	switch {
	case e.Row < e.Top:
		e.Top = e.Row
	case e.Row >= e.Top+e.H:
		e.Top = e.Row - e.H + 1
	}
	line := e.Line()
	if e.Left > len(line) || e.Left > e.Col || e.Col < w && Cells(line[:e.Col]) < w-1 {
		e.Left = 0
	}
	if e.Col-e.Left <= longest*w && Cells(line[e.Left:e.Col]) < w-1 {
		return
	}
	e.Left = e.Col // then back over three quarters of the window
	for x := 0; e.Left > 0; {
		at := lastUnit(line[:e.Left])
		if x += Cells(line[at:e.Left]); x > w*3/4 {
			break
		}
		e.Left = at
	}
}

// Draw draws a line from byte from on, in at most w cells, each unit by paint.
func (e *Editor) Draw(st *styles.Styles, line string, from, w int, paint func(at int) styles.Paint) string {
	var b strings.Builder
	x, last := 0, styles.Paint{}
	var run strings.Builder
	flush := func() {
		b.WriteString(last.S(run.String()))
		run.Reset()
	}
	put := func(p styles.Paint, s string, cells int) {
		if p != last {
			flush()
			last = p
		}
		run.WriteString(s)
		x += cells
	}
	mark := st.G[styles.Ellipsis]
	if from > 0 && w > 1 {
		put(st.Faint, mark, 1)
		n, _, _ := unit(line[from:] + " ")
		from += n
	}
	for i := from; i < len(line); {
		n, cw, drawn := unit(line[i:])
		more := i+n < len(line)
		if x+cw > w || more && x+cw == w {
			put(st.Faint, mark, 1)
			break
		}
		if drawn == "" {
			put(st.Faint, stand(st, line[i]), cw)
		} else {
			put(paint(i), drawn, cw)
		}
		i += n
	}
	flush()
	return canvas.Fit(b.String(), w)
}

// stand is the sign for a byte that cannot be drawn.
func stand(st *styles.Styles, c byte) string {
	if c == '\t' {
		return st.G[styles.Send]
	}
	return st.G[styles.Unknown]
}
