package chat

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
)

// A chunkPosition is a position in an artifact's text that is more exact than the cursor's line:
// what one record brought. It is valid only while the cursor is on that line.
type chunkPosition struct {
	row    *row
	line   int
	offset int // in the text: anywhere in what the record brought
}

// chunkAtCursor returns the chunk under the cursor, as a part of the artifact's text.
func (v *view) chunkAtCursor() (a *artifact, from, to int, ok bool) {
	if v.row == nil || v.chunk.row != v.row || v.chunk.line != v.line {
		return nil, 0, 0, false
	}
	a, is := v.row.body.(*artifact)
	if !is || a.bare() || v.chunk.offset >= len(a.art.Text) {
		return nil, 0, 0, false
	}
	i := spanAt(a.art, v.chunk.offset)
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

// firstWordOffset returns the offset of the first word in the chunk at an offset. Its line is the
// one to go to: what precedes it, an end of line or the mark of a heading, belongs to no line or
// to the one before.
func firstWordOffset(a *model.Artifact, offset int) int {
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

// chunkedText returns the artifact under the cursor if it has text from chunks.
func (p *Pane) chunkedText() *artifact {
	if a, ok := p.body().(*artifact); ok && len(a.art.Spans) > 0 {
		return a
	}
	return nil
}

// highlightChunk highlights the part of a line that shows the cursor's chunk, if there is any.
func (p *Pane) highlightChunk(line string, n int) (drawn string, ok bool) {
	a, from, to, ok := p.chunkAtCursor()
	if !ok || n < 0 || n >= len(p.row.bodyLines) {
		return line, false
	}
	begin, end := a.content.visibleRange(p.row.bodyLines, n, from, to)
	if begin < 0 {
		return line, false
	}
	indent, found := indentOf(line, p.row.bodyLines[n]), false
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
	return canvas.HighlightHits(line, once, p.renderer.st.Mark), true
}

// indentOf returns how many visible bytes precede the text of a line; -1 if the line does not
// show it.
func indentOf(line, drawn string) int {
	return strings.Index(ansi.Strip(line), strings.TrimRight(ansi.Strip(drawn), " "))
}

// pickChunk points at the chunk that brought what is drawn at cell x of line n of the cursor's
// artifact.
func (p *Pane) pickChunk(x, y, n int) {
	a := p.chunkedText()
	if a == nil || n < 0 || n >= len(p.row.bodyLines) || y >= len(p.lines) {
		return
	}
	indent := indentOf(p.lines[y], p.row.bodyLines[n])
	byteAt := len(ansi.Strip(canvas.Fit(p.lines[y], x))) - indent
	if at, ok := a.content.offsetAt(p.row.bodyLines, n, byteAt); ok && indent >= 0 {
		p.chunk = chunkPosition{p.row, n, at}
	}
}

// lineOffset returns the beginning of a drawn line in the artifact's text; false for a line
// without text.
func (c *content) lineOffset(lines []string, line int) (at int, ok bool) {
	i := c.runAt(line)
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

// runAt returns the index of a drawn line's run, -1 for none.
func (c *content) runAt(line int) int {
	if line < 0 {
		return -1
	}
	return sort.Search(len(c.runs), func(i int) bool { return c.runs[i].line > line }) - 1
}

// hits returns the words of a drawn line that were found in the artifact's text, and the
// offset from which they count.
func (c *content) hits(lines []string, line int) (hits []hit, from int) {
	i := c.runAt(line)
	if i < 0 || c.runs[i].text == nil || c.runs[i].doc.shown {
		return nil, 0
	}
	shown, from := c.trace(lines, i)
	if n := line - c.runs[i].line - c.runs[i].skip; n >= 0 && n < len(shown) {
		return shown[n].hits, from
	}
	return nil, 0
}

// covers reports whether a word of the line is at an offset of the source.
func (l *lineTrace) covers(at int) bool {
	for _, h := range l.hits {
		if h.at <= at && at < h.at+h.n {
			return true
		}
	}
	return false
}

// visibleRange returns which of a drawn line's visible bytes show the text between two
// offsets; negative if none do.
func (c *content) visibleRange(lines []string, line, from, to int) (begin, end int) {
	begin, end = -1, -1
	hits, base := c.hits(lines, line)
	for _, h := range hits {
		if at := h.at + base; at < to && at+h.n > from {
			if begin < 0 {
				begin = h.visible + max(from-at, 0)
			}
			end = h.visible + min(to-at, h.n)
		}
	}
	return begin, end
}

// offsetAt returns the offset in the artifact's text of a visible byte of a line.
func (c *content) offsetAt(lines []string, line, b int) (offset int, ok bool) {
	offset, ok = c.lineOffset(lines, line)
	hits, base := c.hits(lines, line)
	for _, h := range hits {
		if h.visible > b {
			break
		}
		offset = base + h.at + min(b-h.visible, h.n-1)
	}
	return offset, ok
}

// chunkRecord returns the record of the cursor's chunk, 0 if there is none.
func (v *view) chunkRecord() a2a.RecordID {
	a, from, _, ok := v.chunkAtCursor()
	if !ok {
		return 0
	}
	return a.art.RecordAt(from)
}
