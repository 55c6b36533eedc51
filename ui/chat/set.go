package chat

import "parley/a2a"

// A set is an inset among the lines of a body.
type set struct {
	inset
	line int // where it begins
	n    int // of its lines
}

// addSet adds the content of a part if it is explored line by line.
func addSet(sets []set, in partContent, line, n int) []set {
	if in, ok := in.(inset); ok && n > 0 {
		return append(sets, set{in, line, n})
	}
	return sets
}

// partOf draws part i of a message, and returns its inset if there is one.
func (k *ink) partOf(p *a2a.Part, album *album, i int, open bool, w int) ([]string, set) {
	in := album.of(k, open, partKey{i: i}, p)
	lines := k.chip(p, "", open, in, w)
	if in, ok := in.(inset); ok {
		return lines, set{in, 1, len(lines) - 1}
	}
	return lines, set{}
}

// add appends lines to the body, which may contain a set.
func (d *drawing) add(lines []string, s set) {
	if s.inset != nil && s.n > 0 {
		s.line += len(d.body)
		d.sets = append(d.sets, s)
	}
	d.body = append(d.body, lines...)
}

// setAt returns the set of a line; its inset is nil if there is none.
func setAt(sets []set, line int) set {
	for _, s := range sets {
		if line >= s.line && line < s.line+s.n {
			return s
		}
	}
	return set{}
}

// lineOf returns the line of the inset at an offset of its text, or the nearest one before it.
func (s set) lineOf(offset int) int {
	found := 0
	for i := range s.n {
		if from, _ := s.span(i); from <= offset {
			found = i
		}
	}
	return found
}

// set returns the inset under the cursor, and the line there.
func (p *Pane) set() (s set, line int) {
	if p.row == nil || !p.listed(p.row) {
		return set{}, 0
	}
	s = setAt(p.row.sets, p.line)
	return s, p.line - s.line
}

// foldHere folds or unfolds the line under the cursor in an inset and reports whether there is
// one.
func (p *Pane) foldHere() bool {
	s, line := p.set()
	if s.inset == nil {
		return false
	}
	p.line = s.line + s.toggle(line)
	p.refold()
	return true
}

// copyText returns the text to copy at the cursor.
func (p *Pane) copyText() string {
	if s, line := p.set(); s.inset != nil {
		if text := s.copyText(line); text != "" {
			return text
		}
	}
	return p.row.body.copyText()
}
