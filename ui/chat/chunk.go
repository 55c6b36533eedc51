package chat

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
)

// A spot is a position in an artifact's text that is more exact than the cursor's line: what
// one record brought. It is valid only while the cursor is on that line.
type spot struct {
	row    *row
	line   int
	offset int // in the text: anywhere in what the record brought
}

// chunkHere returns the chunk under the cursor, as a part of the artifact's text.
func (v *view) chunkHere() (a *artifact, from, to int, ok bool) {
	if v.row == nil || v.at.row != v.row || v.at.line != v.line {
		return nil, 0, 0, false
	}
	a, is := v.row.body.(*artifact)
	if !is || a.bare() || v.at.offset >= len(a.art.Text) {
		return nil, 0, 0, false
	}
	i := spanAt(a.art, v.at.offset)
	if i < 0 {
		return nil, 0, 0, false
	}
	from, to = spanOf(a.art, i)
	return a, from, to, true
}

// spanAt returns the index of the span that holds an offset, -1 if there is none.
func spanAt(a *model.Artifact, offset int) int {
	return sort.Search(len(a.Spans), func(i int) bool { return a.Spans[i].Offset > offset }) - 1
}

// spanOf returns the beginning and the end of span i.
func spanOf(a *model.Artifact, i int) (from, to int) {
	if i+1 < len(a.Spans) {
		return a.Spans[i].Offset, a.Spans[i+1].Offset
	}
	return a.Spans[i].Offset, len(a.Text)
}

// firstWord returns the offset of the first word in the chunk at an offset. Its line is the one
// to go to: what precedes it, an end of line or the mark of a heading, belongs to no line or to
// the one before.
func firstWord(a *model.Artifact, offset int) int {
	i := spanAt(a, offset)
	if i < 0 || offset >= len(a.Text) {
		return offset
	}
	_, to := spanOf(a, i)
	text := string(a.Text[offset:min(to, offset+lookAhead)])
	if word, rest := nextWord(text); word != "" {
		return offset + len(text) - len(rest) - len(word)
	}
	return offset
}

// text returns the artifact under the cursor if it has text from chunks.
func (p *Pane) text() *artifact {
	if a, ok := p.body().(*artifact); ok && len(a.art.Spans) > 0 {
		return a
	}
	return nil
}

// step moves the cursor to the next chunk, or to the previous one if delta is -1 and not 1.
// From a line it first goes to the chunk of the line's beginning, whose record is already
// selected.
func (p *Pane) step(delta int) Intent {
	a := p.text()
	if a == nil {
		return nil
	}
	p.row.Lines(p.w)
	if _, at, _, ok := p.chunkHere(); ok {
		i := spanAt(a.art, at) + delta
		if i < 0 || i >= len(a.art.Spans) {
			return nil
		}
		p.pointChunk(a, a.art.Spans[i].Offset)
	} else if at, ok := a.content.offset(p.row.src, p.line); ok {
		p.at = spot{p.row, p.line, at}
	} else {
		p.pointChunk(a, 0)
	}
	return p.arrive()
}

// pointChunk puts the cursor on the chunk at an offset, at the first line that shows it.
func (p *Pane) pointChunk(a *artifact, offset int) {
	p.line = a.content.line(p.row.src, model.Anchor{Offset: offset})
	p.at = spot{p.row, p.line, offset}
}

// lit highlights the part of a line that shows the cursor's chunk, if there is any.
func (p *Pane) lit(line string, n int) (drawn string, ok bool) {
	a, from, to, ok := p.chunkHere()
	if !ok || n < 0 || n >= len(p.row.src) {
		return line, false
	}
	begin, end := a.content.visible(p.row.src, n, from, to)
	if begin < 0 {
		return line, false
	}
	indent, found := indentOf(line, p.row.src[n]), false
	if indent < 0 {
		return line, false
	}
	once := func(text []byte) (int, int) {
		if found || indent+end > len(text) {
			return -1, -1
		}
		found = true
		return indent + begin, indent + end
	}
	return canvas.Hits(line, once, p.ink.st.Mark), true
}

// indentOf returns how many visible bytes precede the text of a line; -1 if the line does not
// show it.
func indentOf(line, drawn string) int {
	return strings.Index(ansi.Strip(line), strings.TrimRight(ansi.Strip(drawn), " "))
}

// pick points at the chunk that brought what is drawn at cell x of line n of the cursor's
// artifact.
func (p *Pane) pick(x, y, n int) {
	a := p.text()
	if a == nil || n < 0 || n >= len(p.row.src) || y >= len(p.lines) {
		return
	}
	indent := indentOf(p.lines[y], p.row.src[n])
	byteAt := len(ansi.Strip(canvas.Fit(p.lines[y], x))) - indent
	if at, ok := a.content.under(p.row.src, n, byteAt); ok && indent >= 0 {
		p.at = spot{p.row, n, at}
	}
}

// offset returns the beginning of a drawn line in the artifact's text; false for a line without
// text.
func (c *content) offset(lines []string, line int) (at int, ok bool) {
	i := c.run(line)
	if i < 0 || c.runs[i].text == nil {
		return 0, false
	}
	r := &c.runs[i]
	if r.doc.shown {
		from, _ := r.doc.inset.span(line - r.line)
		return r.from + from, true
	}
	shown, from := c.trace(lines, i)
	n := line - r.line - r.skip
	switch {
	case n < 0 || n >= len(shown):
		return 0, false
	case n == 0:
		return from, true // with the space in front of its first word
	}
	return from + shown[n].from, true
}

// run returns the index of a drawn line's run, -1 for none.
func (c *content) run(line int) int {
	if line < 0 {
		return -1
	}
	return sort.Search(len(c.runs), func(i int) bool { return c.runs[i].line > line }) - 1
}

// hits returns the words of a drawn line that were found in the artifact's text, and the
// offset from which they count.
func (c *content) hits(lines []string, line int) (hits []hit, from int) {
	i := c.run(line)
	if i < 0 || c.runs[i].text == nil || c.runs[i].doc.shown {
		return nil, 0
	}
	shown, from := c.trace(lines, i)
	if n := line - c.runs[i].line - c.runs[i].skip; n >= 0 && n < len(shown) {
		return shown[n].hits, from
	}
	return nil, 0
}

// shows reports whether a word of the line is at an offset of the source.
func (l *tracedLine) shows(at int) bool {
	for _, h := range l.hits {
		if h.at <= at && at < h.at+h.n {
			return true
		}
	}
	return false
}

// visible returns which of a drawn line's visible bytes show the text between two
// offsets; negative if none do.
func (c *content) visible(lines []string, line, from, to int) (begin, end int) {
	begin, end = -1, -1
	hits, base := c.hits(lines, line)
	for _, h := range hits {
		if at := h.at + base; at < to && at+h.n > from {
			if begin < 0 {
				begin = h.seen + max(from-at, 0)
			}
			end = h.seen + min(to-at, h.n)
		}
	}
	return begin, end
}

// under returns the offset in the artifact's text of a visible byte of a line.
func (c *content) under(lines []string, line, b int) (offset int, ok bool) {
	offset, ok = c.offset(lines, line)
	hits, base := c.hits(lines, line)
	for _, h := range hits {
		if h.seen > b {
			break
		}
		offset = base + h.at + min(b-h.seen, h.n-1)
	}
	return offset, ok
}

// chunkRecord returns the record of the cursor's chunk, 0 if there is none.
func (v *view) chunkRecord() a2a.RecordID {
	a, from, _, ok := v.chunkHere()
	if !ok {
		return 0
	}
	return a.art.RecordAt(from)
}
