package record

import "parley/ui/canvas"

// A pager is a tree or bytes.
type pager interface {
	Scroll(n int)
	Top()
	Bottom()
	Seek(backwards bool) bool
}

// pager returns the record as a tree or as bytes, nil if the view shows neither.
func (v *View) pager() pager {
	switch v.shows() {
	case showTree:
		v.load()
		return v.tree
	case showBytes:
		v.load()
		return v.raw
	default:
		return nil
	}
}

// Scroll moves the window by n lines.
func (v *View) Scroll(n int) {
	v.invalidate()
	if p := v.pager(); p != nil {
		p.Scroll(n)
	} else if v.it != nil {
		v.sheet.fill(v)
		v.sheet.scroll(n, v.h-1)
	}
}

// Move moves the cursor by n lines, or the window if there is no cursor.
func (v *View) Move(n int) {
	v.invalidate()
	how := v.shows()
	if how == showSheet {
		v.sheet.fill(v)
	}
	switch {
	case how == showTree:
		v.load()
		v.tree.Move(n)
	case how == showSheet && v.sheet.actionable():
		v.sheet.move(n, v.h-1)
	default:
		v.Scroll(n)
	}
}

// End goes to the first or the last line.
func (v *View) End(last bool) {
	v.invalidate()
	if v.shows() == showSheet {
		v.sheet.fill(v)
	}
	switch p := v.pager(); {
	case p != nil && last:
		p.Bottom()
	case p != nil:
		p.Top()
	case last:
		v.Move(v.sheet.len())
	default:
		v.Move(-v.sheet.len())
	}
}

// SetFinder marks all matches of find; nil marks none.
func (v *View) SetFinder(find canvas.Finder) {
	v.find = find
	v.tree.SetFinder(find)
	v.raw.SetFinder(find)
	v.invalidate()
}

// Seek moves the cursor to the next match in the record, or to the previous one, and reports
// whether there is one. The search of a large body is bounded because it blocks the screen.
func (v *View) Seek(backwards bool) bool {
	if v.find == nil {
		return false
	}
	v.invalidate()
	if p := v.pager(); p != nil || v.it == nil {
		return p != nil && p.Seek(backwards)
	}
	v.sheet.fill(v)
	return v.sheet.seek(v, backwards)
}

// mostRows is how many rows of a sheet one search draws at most.
const mostRows = 10_000

// seek moves the cursor to the next row with a match.
func (s *sheet) seek(v *View, backwards bool) bool {
	by := 1
	if backwards {
		by = -1
	}
	for i, n := s.cursor.At+by, 0; i >= 0 && i < s.len() && n < mostRows; i, n = i+by, n+1 {
		if line := s.row(v, i); canvas.HighlightHits(line, v.find, v.st.Mark) != line {
			s.move(i-s.cursor.At, v.h-1)
			return true
		}
	}
	return false
}
