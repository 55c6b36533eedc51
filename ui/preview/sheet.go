package preview

import (
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A sheet is a text or a picture, drawn in lines.
type sheet struct {
	lines []string
	note  string // below the lines, or in place of them
	top   int
	hit   int // line of the last match, -1 for none

	drawn bool
	w, h  int // the size that it was drawn for
	look  Look
}

func (p *Pane) sheetLines() []string {
	s := &p.sheet
	if look, _ := p.Look(); !s.drawn || s.look != look {
		return p.words("drawing" + p.st.G[styles.Ellipsis])
	}
	n := len(s.lines)
	if s.note != "" {
		n++
	}
	s.top = min(max(s.top, 0), max(n-p.rows(), 0))
	var out []string
	find := p.search.finder()
	for _, line := range s.lines[min(s.top, len(s.lines)):min(s.top+p.rows(), len(s.lines))] {
		out = append(out, canvas.HighlightHits(canvas.Fit(line, p.w), find, p.st.Mark))
	}
	if s.note != "" {
		out = append(out, p.st.Faint.S(canvas.Ellipsize(s.note, p.w, p.st.G[styles.Ellipsis])))
	}
	return out
}
