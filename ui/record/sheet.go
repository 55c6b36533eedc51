package record

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/styles"
)

// A sheet is the part of a record that is neither a tree nor bytes: heads, ends, notes, timing,
// findings. It is rebuilt when its content changes. The steps of an exchange can be many, so
// they are drawn on demand.
type sheet struct {
	rows   []row
	text   string // the rows as text to copy, not wrapped
	steps  []a2a.RecordID
	cursor list.Cursor
	key    sheetKey
	stale  bool
}

// A row is one line with what it refers to.
type row struct {
	line  string
	entry entry
	idle  bool // a heading of columns or a blank row: the cursor passes over it
}

// An entry is what a row refers to.
type entry struct {
	secret  secret       // can be revealed
	finding *a2a.Finding // can be followed or muted
	record  a2a.RecordID // can be selected
}

// sheetKey is the input from which the rows were built; records is the length of the exchange.
type sheetKey struct {
	it          *log.Item
	tab         Tab
	w           int
	records     int
	next        a2a.ExchangeID // the stream that continued this one
	mutes       uint64         // state of the mutes
	shownSecret secret
}

// fill builds the rows unless they are up to date.
func (s *sheet) fill(v *View) {
	key := sheetKey{v.it, v.Tab(), v.w, len(v.log.Exchange(v.it.Record.Exchange)), v.next(), v.log.Findings().Mutes(), v.shownSecret}
	if key.tab == Headers {
		key.records = min(key.records, headsAmong)
	}
	if key == s.key && !s.stale {
		return
	}
	if key.it != s.key.it || key.tab != s.key.tab {
		s.cursor = list.Cursor{}
	}
	s.key, s.stale, s.steps = key, false, nil
	w := v.writer()
	if s.write(&w, v, key.tab); w.widest > 0 && key.tab != Timing { // the phases of a timing are a table
		narrow := v.writer()
		narrow.gutter = min(w.widest+2, fieldWidth)
		s.write(&narrow, v, key.tab)
		w = narrow
	}
	s.rows, s.text = w.rows, w.text.String()
	if s.cursor.At == 0 {
		s.leaveIdle(1)
	}
}

// leaveIdle moves the cursor from an idle row to the next other one in a direction, if there is one.
func (s *sheet) leaveIdle(by int) {
	for i := s.cursor.At; i >= 0 && i < s.len(); i += by {
		if !s.isIdle(i) {
			s.cursor.At = i
			return
		}
	}
}

func (s *sheet) isIdle(i int) bool { return i < len(s.rows) && s.rows[i].idle }

// comment writes what the user wrote about the record.
func (w *writer) comment(text string) {
	if text != "" {
		w.hang(label{w.st.G[styles.Comment], w.st.Accent}, w.st.Text, 2, text)
	}
}

// write writes the content of a tab.
func (s *sheet) write(w *writer, v *View, tab Tab) {
	if tab != Timing { // whose rows are counted
		w.comment(v.comment)
	}
	switch tab {
	case Findings:
		w.findings(v, true)
	case Timing:
		s.steps = w.timing(v)
	case Headers:
		w.heads(v)
	default:
		w.record(v, tab)
	}
}

func (s *sheet) len() int { return len(s.rows) + len(s.steps) }

// scroll moves the window by n rows; the cursor stays inside it.
func (s *sheet) scroll(n, h int) {
	c := &s.cursor
	c.Scroll(n, s.len(), h)
	c.Go(max(min(c.At, c.Top+h-1), c.Top), s.len())
}

// move moves the cursor by n rows, on over idle ones, and scrolls to it and to the headings above it.
func (s *sheet) move(n, h int) {
	c, by := &s.cursor, 1
	if n < 0 {
		by = -1
	}
	c.Move(n, s.len())
	s.leaveIdle(by)
	s.leaveIdle(-by) // there may be none in the direction of the move
	c.Reveal(s.len(), h)
	for by < 0 && c.Top > 0 && c.At-c.Top+1 < h && s.isIdle(c.Top-1) {
		c.Top--
	}
}

// click moves the cursor to row y of the window and reports whether it was there already.
func (s *sheet) click(y int) bool {
	i := s.cursor.Top + y
	if y < 0 || i >= s.len() || s.isIdle(i) {
		return false
	}
	again := s.cursor.At == i
	s.cursor.At = i
	return again
}

// entry returns what the cursor's row refers to.
func (s *sheet) entry() entry {
	switch at := s.cursor.At; {
	case at < len(s.rows):
		return s.rows[at].entry
	case at < s.len():
		return entry{record: s.steps[at-len(s.rows)]}
	default:
		return entry{}
	}
}

// actionable reports whether any row refers to something.
func (s *sheet) actionable() bool {
	return len(s.steps) > 0 || slices.ContainsFunc(s.rows, func(r row) bool { return r.entry != entry{} })
}

func (s *sheet) row(v *View, i int) string {
	if i < len(s.rows) {
		return s.rows[i].line
	}
	return v.step(s.steps, i-len(s.rows))
}

// window draws h rows, with the cursor if any row refers to something.
func (s *sheet) window(v *View, h int, reading bool) []string {
	c := &s.cursor
	c.Scroll(0, s.len(), h)
	c.Go(c.At, s.len())
	out := make([]string, 0, h)
	reading = reading && s.actionable()
	for i := c.Top; i < min(c.Top+h, s.len()); i++ {
		line := canvas.HighlightHits(s.row(v, i), v.find, v.st.Mark)
		if reading && i == c.At && !s.isIdle(i) {
			line = canvas.Select(line, v.st)
		}
		out = append(out, line)
	}
	return out
}

// A writer collects rows of exactly w cells.
type writer struct {
	st    *styles.Styles
	w     int
	rows  []row
	text  strings.Builder
	entry entry // of the rows to come

	gutter int // the column of values
	widest int // the width of the widest name
}

func (v *View) writer() writer { return writer{st: v.st, w: v.w, gutter: fieldWidth} }

// lines returns the rows without their entries.
func (w *writer) lines() []string {
	out := make([]string, len(w.rows))
	for i := range w.rows {
		out[i] = w.rows[i].line
	}
	return out
}

// A label is painted text before other text.
type label struct {
	text  string
	paint styles.Paint
}

// put adds a painted row.
func (w *writer) put(line string) {
	w.rows = append(w.rows, row{line: canvas.Fit(line, w.w), entry: w.entry})
}

// idle adds a row over which the cursor passes: a painted heading of columns, or a blank row.
func (w *writer) idle(line string) {
	w.rows = append(w.rows, row{line: canvas.Fit(line, w.w), idle: true})
}

// line adds wrapped text, indented by indent cells.
func (w *writer) line(paint styles.Paint, indent int, text string) {
	w.hang(label{}, paint, indent, text)
}

// hang adds wrapped text after a label, indented by indent cells, or by the label's width if
// that is more.
func (w *writer) hang(l label, paint styles.Paint, indent int, text string) {
	l.text = canvas.SanitizeLine(l.text)
	text = canvas.Sanitize(text)
	w.text.WriteString(strings.TrimLeft(l.text+" ", " ") + text + "\n")
	indent = min(indent, w.w/2)
	first := indent
	if l.text != "" {
		first = max(indent, canvas.Width(l.text)+1)
	}
	left, head := strings.Repeat(" ", indent), canvas.Fit(l.paint.S(l.text), first)
	for i, line := range canvas.Wrap(text, max(w.w-first, 1)) {
		if i > 0 {
			head = left
		}
		w.put(head + paint.S(line))
	}
}

func (w *writer) blank() {
	w.idle("")
	w.text.WriteByte('\n')
}

// failure adds a sentence that describes a failure.
func (w *writer) failure(sentence string) {
	w.hang(label{w.st.G[styles.Failed], w.st.Failed}, w.st.Text, 2, sentence)
}

// field adds a name and a value, unless the value is empty.
func (w *writer) field(name, value, remark string) {
	if value == "" {
		return
	}
	if remark != "" {
		value += "  " + remark
	}
	w.widest = max(w.widest, canvas.Width(canvas.SanitizeLine(name)))
	w.hang(label{name, w.st.Faint}, w.st.Text, w.gutter, value)
}

// fieldWidth is the column of values, unless all names are shorter.
const fieldWidth = 16
