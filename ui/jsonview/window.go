package jsonview

// A place is one line of a document of which the number of lines is not known.
// Places are ordered: by row, then by sub. What the two mean is up to the walker.
type place struct{ row, sub int }

func (p place) before(q place) bool {
	return p.row < q.row || p.row == q.row && p.sub < q.sub
}

// A walker steps from line to line.
type walker interface {
	first() (place, bool) // false if there is no line at all
	last() place          // defined if there is a first one
	next(place) (place, bool)
	prev(place) (place, bool)
	fix(place) place // the nearest place there is, not behind p if possible
}

// A window shows h lines of a document from top on and has a cursor in them.
type window struct {
	top, at place
	h       int
	filled  filled
}

// filled remembers that a window of h lines from top on needs nothing moved, and which
// line is its last: to find that out takes a step for every line of it.
type filled struct {
	top, bottom place
	h           int
}

// changed says that the document is another one, or has other lines.
func (s *window) changed() { s.filled = filled{} }

// settle puts top and cursor on lines that exist and fills the window. It
// reports whether there is any line.
func (s *window) settle(doc walker) bool {
	if _, ok := doc.first(); !ok || s.h <= 0 {
		return false
	}
	s.at = doc.fix(s.at)
	if s.filled.h == s.h && s.filled.top == s.top {
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
	s.top = back(doc, s.top, s.h-below)
	s.filled = filled{s.top, p, s.h}
	return true
}

// back returns the place n lines above p, or the first.
func back(doc walker, p place, n int) place {
	for ok := true; n > 0 && ok; n-- {
		q, more := doc.prev(p)
		if ok = more; ok {
			p = q
		}
	}
	return p
}

// on returns the place n lines below p, or the last.
func on(doc walker, p place, n int) place {
	for ok := true; n > 0 && ok; n-- {
		q, more := doc.next(p)
		if ok = more; ok {
			p = q
		}
	}
	return p
}

// move moves the cursor n lines and the window as far as it must.
func (s *window) move(doc walker, n int) {
	if !s.settle(doc) {
		return
	}
	if n < 0 {
		s.at = back(doc, s.at, -n)
	} else {
		s.at = on(doc, s.at, n)
	}
	s.reveal(doc)
}

// jump puts the cursor on p.
func (s *window) jump(doc walker, p place) {
	if s.settle(doc) {
		s.at = doc.fix(p)
		s.reveal(doc)
	}
}

// reveal moves the window so that the cursor is in it.
func (s *window) reveal(doc walker) {
	if s.at.before(s.top) {
		s.top = s.at
	}
	if low := back(doc, s.at, s.h-1); s.top.before(low) {
		s.top = low
	}
}

// scroll moves the window n lines and takes the cursor along where it would
// leave it.
func (s *window) scroll(doc walker, n int) {
	if !s.settle(doc) {
		return
	}
	f := &s.filled
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

// height returns how many lines the document has, at most limit.
func height(doc walker, limit int) int {
	p, ok := doc.first()
	n := 0
	for ok && n < limit {
		n++
		p, ok = doc.next(p)
	}
	return n
}
