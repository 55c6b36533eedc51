package chat

import "parley/a2a"

// insetLines is an inset among the lines of a body.
type insetLines struct {
	inset
	line int // where it begins
	n    int // of its lines
}

// addInset adds the content of a part if it is explored line by line.
func addInset(list []insetLines, in partContent, line, n int) []insetLines {
	if in, ok := in.(inset); ok && n > 0 {
		return append(list, insetLines{in, line, n})
	}
	return list
}

// partOf draws part i of a message, and returns its inset if there is one.
func (k *renderer) partOf(p *a2a.Part, contents *partContents, i int, open bool, w int) ([]string, insetLines) {
	in := contents.get(k, open, partKey{i: i}, p)
	lines := k.chip(p, "", open, in, w)
	if in, ok := in.(inset); ok {
		return lines, insetLines{in, 1, len(lines) - 1}
	}
	return lines, insetLines{}
}

// add appends lines to the body, and their inset if there is one.
func (d *drawing) add(lines []string, s insetLines) {
	if s.inset != nil && s.n > 0 {
		s.line += len(d.body)
		d.insets = append(d.insets, s)
	}
	d.body = append(d.body, lines...)
}

// insetAt returns the inset that shows a line; its inset is nil if there is none.
func insetAt(list []insetLines, line int) insetLines {
	for _, s := range list {
		if line >= s.line && line < s.line+s.n {
			return s
		}
	}
	return insetLines{}
}

// lineOf returns the line of the inset at an offset of its text, or the nearest one before it.
func (s insetLines) lineOf(offset int) int {
	found := 0
	for i := range s.n {
		if from, _ := s.span(i); from <= offset {
			found = i
		}
	}
	return found
}

// insetAtCursor returns the inset under the cursor, and the line there.
func (p *Pane) insetAtCursor() (s insetLines, line int) {
	if p.row == nil || !p.isListed(p.row) {
		return insetLines{}, 0
	}
	s = insetAt(p.row.insets, p.line)
	return s, p.line - s.line
}

// toggleInset folds or unfolds the line under the cursor in an inset and reports whether there is
// one.
func (p *Pane) toggleInset() bool {
	s, line := p.insetAtCursor()
	if s.inset == nil {
		return false
	}
	p.line = s.line + s.toggle(line)
	p.refold()
	return true
}

// copyText returns the text to copy at the cursor.
func (p *Pane) copyText() string {
	if s, line := p.insetAtCursor(); s.inset != nil {
		if text := s.copyText(line); text != "" {
			return text
		}
	}
	return p.row.body.copyText()
}
