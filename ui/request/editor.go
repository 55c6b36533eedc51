package request

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// An editor holds text of any size and of any bytes, and changes it at a cursor. A
// text area of Bubbles would replace tabs and control characters and wrap all its text
// at every key; here a key costs a line and a frame costs the window, and what was not
// touched stays as it was, byte for byte.
type editor struct {
	lines    []string // at least one; no line ends in them
	row, col int      // of the cursor; col is a byte of its line, at the start of a cluster
	want     int      // the cell that moving up and down keeps to, -1 for that of the cursor
	top      int      // first line in the window
	left     int      // first byte shown of the cursor's line
	w, h     int
	version  uint64 // grows with every change of the text
	undone   undo
}

func newEditor() editor { return editor{lines: []string{""}, want: -1} }

// set replaces the text and puts the cursor at its start.
func (e *editor) set(text string) {
	e.lines = strings.Split(text, "\n")
	e.row, e.col, e.want, e.top, e.left = 0, 0, -1, 0, 0
	e.undone = undo{}
	e.version++
}

// replace puts another text in the place of this one, which can be taken back.
func (e *editor) replace(text string) {
	e.remember(false)
	e.lines = strings.Split(text, "\n")
	e.goTo(e.row, e.col)
	e.left = 0
	e.changed()
}

// text returns all of it.
func (e *editor) text() string { return strings.Join(e.lines, "\n") }

// line is the cursor's line.
func (e *editor) line() string { return e.lines[e.row] }

// goTo puts the cursor at a byte of a line.
func (e *editor) goTo(row, col int) {
	e.row = max(0, min(row, len(e.lines)-1))
	col = max(0, min(col, len(e.line())))
	for col > 0 && col < len(e.line()) && !utf8.RuneStart(e.line()[col]) {
		col--
	}
	e.col, e.want = col, -1
}

// insert puts s, which may hold line feeds, at the cursor and moves behind it.
func (e *editor) insert(s string) {
	if s == "" {
		return
	}
	e.remember(utf8.RuneCountInString(s) == 1 && s != "\n")
	before, after := e.line()[:e.col], e.line()[e.col:]
	parts := strings.Split(s, "\n")
	last := len(parts) - 1
	e.col = len(parts[last])
	if last == 0 {
		e.col += len(before)
	}
	parts[0] = before + parts[0]
	parts[last] += after
	e.lines = slices.Replace(e.lines, e.row, e.row+1, parts...)
	e.row += last
	e.changed()
}

// newline breaks the line. The next one begins as deep as this one, and deeper behind
// an opening brace; a closing one goes to a line of its own.
func (e *editor) newline() {
	line := e.line()
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	indent = indent[:min(len(indent), e.col)]
	before, after := strings.TrimRight(line[:e.col], " "), strings.TrimLeft(line[e.col:], " ")
	opens := before != "" && strings.ContainsRune("{[", rune(before[len(before)-1]))
	closes := after != "" && strings.ContainsRune("}]", rune(after[0]))
	if !opens {
		e.insert("\n" + indent)
		return
	}
	e.insert("\n" + indent + "  ")
	if closes {
		row, col := e.row, e.col
		e.insert("\n" + indent)
		e.row, e.col = row, col
	}
}

// cut removes what stands between the cursor and a place before or after it on the
// same line.
func (e *editor) cut(to int) {
	from := e.col
	if to < from {
		from, to = to, from
	}
	if from == to {
		return
	}
	e.remember(false)
	e.lines[e.row] = e.line()[:from] + e.line()[to:]
	e.col = from
	e.changed()
}

// join removes the line end behind a line.
func (e *editor) join(row int) {
	if row < 0 || row+1 >= len(e.lines) {
		return
	}
	e.remember(false)
	e.row, e.col = row, len(e.lines[row])
	e.lines[row] += e.lines[row+1]
	e.lines = slices.Delete(e.lines, row+1, row+2)
	e.changed()
}

func (e *editor) changed() {
	e.want = -1
	e.version++
}

// backspace removes what stands before the cursor: in the white space that a line
// begins with, a step of indentation.
func (e *editor) backspace() {
	switch before := e.line()[:e.col]; {
	case e.col == 0:
		e.join(e.row - 1)
	case len(before) > 1 && len(before)%2 == 0 && strings.Trim(before, " ") == "":
		e.cut(e.col - 2)
	default:
		e.cut(lastUnit(before))
	}
}

// remove removes what stands behind the cursor.
func (e *editor) remove() {
	if e.col == len(e.line()) {
		e.join(e.row)
		return
	}
	n, _, _ := unit(e.line()[e.col:])
	e.cut(e.col + n)
}

// right and left move by what stands in one place on the screen.
func (e *editor) right() {
	switch {
	case e.col < len(e.line()):
		n, _, _ := unit(e.line()[e.col:])
		e.goTo(e.row, e.col+n)
	case e.row+1 < len(e.lines):
		e.goTo(e.row+1, 0)
	}
}

func (e *editor) leftward() {
	switch {
	case e.col > 0:
		e.goTo(e.row, lastUnit(e.line()[:e.col]))
	case e.row > 0:
		e.goTo(e.row-1, len(e.lines[e.row-1]))
	}
}

// wordRight and wordLeft are where the next word ends and the one before begins.
func (e *editor) wordRight() int {
	rest := e.line()[e.col:]
	start := strings.IndexFunc(rest, isWord)
	if start < 0 {
		return len(e.line())
	}
	if end := strings.IndexFunc(rest[start:], func(r rune) bool { return !isWord(r) }); end >= 0 {
		return e.col + start + end
	}
	return len(e.line())
}

func (e *editor) wordLeft() int {
	before := strings.TrimRightFunc(e.line()[:e.col], func(r rune) bool { return !isWord(r) })
	return len(strings.TrimRightFunc(before, isWord))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// farthest is how many bytes of a line are measured to keep the cursor's column.
const farthest = 4096

// vertical moves n lines down, keeping the column.
func (e *editor) vertical(n int) {
	if e.want < 0 {
		e.want = cells(e.line()[:min(e.col, farthest)])
	}
	want := e.want
	e.row = max(0, min(e.row+n, len(e.lines)-1))
	e.col = byteAt(e.line(), want)
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

// cells is how wide a piece of a line is drawn.
func cells(s string) int {
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

// reveal scrolls so that the cursor is in the window, w cells of text wide.
func (e *editor) reveal(w int) {
	e.top = max(0, min(e.top, len(e.lines)-e.h))
	switch {
	case e.row < e.top:
		e.top = e.row
	case e.row >= e.top+e.h:
		e.top = e.row - e.h + 1
	}
	line := e.line()
	if e.left > len(line) || e.left > e.col || e.col < w && cells(line[:e.col]) < w-1 {
		e.left = 0
	}
	if e.col-e.left <= longest*w && cells(line[e.left:e.col]) < w-1 {
		return
	}
	e.left = e.col // then back over three quarters of the window
	for x := 0; e.left > 0; {
		at := lastUnit(line[:e.left])
		if x += cells(line[at:e.left]); x > w*3/4 {
			break
		}
		e.left = at
	}
}

// draw draws a line from byte from on, in at most w cells, each unit by paint.
func (e *editor) draw(st *styles.Styles, line string, from, w int, paint func(at int) styles.Paint) string {
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
