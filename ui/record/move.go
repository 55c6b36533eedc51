package record

import "parley/ui/canvas"

// Scroll moves the window by n lines.
func (v *View) Scroll(n int) {
	v.changed()
	switch v.shows() {
	case showTree:
		v.hold()
		v.tree.Scroll(n)
	case showBytes:
		v.hold()
		v.raw.Scroll(n)
	case showSheet:
		v.sheet.fill(v)
		v.sheet.scroll(n, v.h-1)
	}
}

// Move moves the cursor by n lines, or the window if there is no cursor.
func (v *View) Move(n int) {
	v.changed()
	switch v.shows() {
	case showTree:
		v.hold()
		v.tree.Move(n)
	case showBytes:
		v.Scroll(n)
	case showSheet:
		if v.sheet.fill(v); v.sheet.actionable() {
			v.sheet.move(n, v.h-1)
		} else {
			v.sheet.scroll(n, v.h-1)
		}
	}
}

// End goes to the first or the last line.
func (v *View) End(last bool) {
	v.changed()
	switch how := v.shows(); {
	case how == showTree && last:
		v.hold()
		v.tree.Bottom()
	case how == showTree:
		v.hold()
		v.tree.Top()
	case how == showBytes && last:
		v.hold()
		v.raw.Bottom()
	case how == showBytes:
		v.hold()
		v.raw.Top()
	case how == showSheet && last:
		v.Move(v.sheet.len())
	case how == showSheet:
		v.Move(-v.sheet.len())
	}
}

// SetFinder marks all matches of find; nil marks none.
func (v *View) SetFinder(find canvas.Finder) {
	v.find = find
	v.tree.SetFinder(find)
	v.raw.SetFinder(find)
	v.changed()
}

// Seek moves the cursor to the next match in the record, or to the previous one, and reports
// whether there is one. The search of a large body is bounded because it blocks the screen.
func (v *View) Seek(backwards bool) bool {
	if v.find == nil {
		return false
	}
	v.changed()
	switch v.shows() {
	case showTree:
		v.hold()
		return v.tree.Seek(backwards)
	case showBytes:
		v.hold()
		return v.raw.Seek(backwards)
	case showSheet:
		v.sheet.fill(v)
		return v.sheet.seek(v, backwards)
	}
	return false
}

// mostRows is how many rows of a sheet one search draws at most.
const mostRows = 10_000

// seek moves the cursor to the next row with a match.
func (s *sheet) seek(v *View, backwards bool) bool {
	by := 1
	if backwards {
		by = -1
	}
	for i, n := s.at+by, 0; i >= 0 && i < s.len() && n < mostRows; i, n = i+by, n+1 {
		if line := s.row(v, i); canvas.Hits(line, v.find, v.st.Mark) != line {
			s.move(i-s.at, v.h-1)
			return true
		}
	}
	return false
}
