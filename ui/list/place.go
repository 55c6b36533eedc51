package list

func (l *List) length() int {
	if l.src == nil {
		return 0
	}
	return l.src.Len()
}

// newest returns the number of the newest arrival.
func (l *List) newest() int {
	if c, ok := l.src.(Counter); ok {
		return c.Newest()
	}
	return l.length()
}

func (l *List) render(i int) []string { return l.cache.lines(l.src.Item(i), i, l.w) }

func (l *List) height(i int) int {
	if l.known != nil {
		return l.known.Height(i, l.w)
	}
	return len(l.render(i))
}

// place moves the window back into the list after a change: to the end if the list follows,
// else so that its position stays if possible and the window is full if there are enough lines.
// It also finds the bottom of the window, and reports whether there is anything to show.
func (l *List) place() bool {
	n := l.length()
	if n == 0 || l.w == 0 || l.h == 0 {
		return false
	}
	l.cache.shrink(l.item, l.h)
	if !l.follow {
		l.item = min(max(l.item, 0), n-1)
		l.line = min(max(l.line, 0), max(l.height(l.item)-1, 0))
	}
	if l.follow || !l.findBottom() {
		l.toEnd()
		l.findBottom()
	}
	for l.item < n-1 && l.height(l.item) == 0 {
		// A position is a line, so move to an item that has one.
		l.item, l.line = l.item+1, 0
	}
	if !l.paused && l.atBottom() {
		l.seen = l.newest()
	}
	return true
}

// atBottom is [List.AtBottom] right after place.
func (l *List) atBottom() bool { return l.rest == 0 && l.last == l.length()-1 }

// findBottom sets the last item in the window and how many of its lines are below
// it, and reports whether the window is full. Items without lines that follow
// directly are in the window too.
func (l *List) findBottom() bool {
	room := l.h + l.line
	l.last, l.rest = l.item, 0
	for i := l.item; i < l.length(); i++ {
		h := l.height(i)
		if h > room {
			if room > 0 {
				l.last, l.rest = i, h-room
			}
			return true
		}
		l.last, room = i, room-h
	}
	return room == 0
}

// toEnd moves the last line into the last row, or the whole list into the window.
func (l *List) toEnd() {
	l.item, l.line = l.length(), 0
	l.up(l.h)
}

// up moves n lines up, or to the top.
func (l *List) up(n int) {
	for l.line < n {
		if l.item == 0 {
			l.line = 0
			return
		}
		n -= l.line
		l.item--
		l.line = l.height(l.item)
	}
	l.line -= n
}

// down moves n lines down, or behind the last line.
func (l *List) down(n int) {
	for l.item < l.length() {
		rest := l.height(l.item) - l.line
		if n < rest {
			l.line += n
			return
		}
		n -= rest
		l.item, l.line = l.item+1, 0
	}
	l.toEnd()
}
