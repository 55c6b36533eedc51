package jsonview

// A place is a line of a document whose number of lines is unknown. Places are ordered by row,
// then by sub; the walker defines both.
type place struct{ row, sub int }

func (p place) before(q place) bool {
	return p.row < q.row || p.row == q.row && p.sub < q.sub
}

// A walker steps from line to line.
type walker interface {
	first() (place, bool) // false if there are no lines
	last() place          // valid if there is a first one
	next(place) (place, bool)
	prev(place) (place, bool)
	fix(place) place // the nearest existing place, not after p if possible
}

// A window shows h lines of a document from top on and has a cursor.
type window struct {
	top, at place
	h       int
	full    fullWindow
}

// fullWindow caches the last line of a full window of h lines from top, which takes a step per
// line to find.
type fullWindow struct {
	top, bottom place
	h           int
}

// invalidate drops the cache after a change of the document.
func (s *window) invalidate() { s.full = fullWindow{} }

// settle moves top and cursor to existing lines and fills the window. It reports whether there
// is any line.
func (s *window) settle(doc walker) bool {
	if _, ok := doc.first(); !ok || s.h <= 0 {
		return false
	}
	s.at = doc.fix(s.at)
	if s.full.h == s.h && s.full.top == s.top {
		return true
	}
	s.top = doc.fix(s.top)
	below, p := 1, s.top
	for ; below < s.h; below++ {
		q, ok := doc.next(p)
		if !ok {
			break
		}
		p = q
	}
	s.top = step(doc, s.top, below-s.h)
	s.full = fullWindow{s.top, p, s.h}
	return true
}

// step returns the place n lines below p, or above it if n is negative, at most the last or the
// first one.
func step(doc walker, p place, n int) place {
	walk := doc.next
	if n < 0 {
		walk, n = doc.prev, -n
	}
	for ; n > 0; n-- {
		q, ok := walk(p)
		if !ok {
			break
		}
		p = q
	}
	return p
}

// move moves the cursor by n lines and scrolls to it.
func (s *window) move(doc walker, n int) {
	if !s.settle(doc) {
		return
	}
	s.at = step(doc, s.at, n)
	s.reveal(doc)
}

// jump moves the cursor to p.
func (s *window) jump(doc walker, p place) {
	if s.settle(doc) {
		s.at = doc.fix(p)
		s.reveal(doc)
	}
}

// reveal scrolls to the cursor.
func (s *window) reveal(doc walker) {
	if s.at.before(s.top) {
		s.top = s.at
	}
	if low := step(doc, s.at, 1-s.h); s.top.before(low) {
		s.top = low
	}
}

// scroll moves the window by n lines; the cursor stays inside it.
func (s *window) scroll(doc walker, n int) {
	if !s.settle(doc) {
		return
	}
	f := &s.full
	for ; n > 0; n-- {
		below, ok := doc.next(f.bottom)
		if !ok {
			break
		}
		f.bottom = below
		f.top, _ = doc.next(f.top)
	}
	for ; n < 0; n++ {
		above, ok := doc.prev(f.top)
		if !ok {
			break
		}
		f.top = above
		f.bottom, _ = doc.prev(f.bottom)
	}
	s.top = f.top
	if s.at.before(s.top) {
		s.at = s.top
	}
	if f.bottom.before(s.at) {
		s.at = f.bottom
	}
}

// height returns the number of lines of the document, at most limit.
func height(doc walker, limit int) int {
	p, ok := doc.first()
	n := 0
	for ok && n < limit {
		n++
		p, ok = doc.next(p)
	}
	return n
}
