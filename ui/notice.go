package ui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	drawn "parley/ui/present"
	"parley/ui/styles"
)

// notice is a sentence that goes away: after a while, or when what it tells of is over.
type notice struct {
	text string
	bad  bool
	seq  int
	read bool        // it was shown for long enough, or a key was pressed since
	over func() bool // reports whether it is over; nil if only time ends it
}

// ended reports whether what the notice tells of is over.
func (n *notice) ended() bool { return n.over != nil && n.over() }

// notices are the notice on the screen and those that wait until it was read: none replaces one
// that nobody could read.
type notices struct {
	shown   notice
	waiting []notice
	missed  int // that did not wait, because too many did
	seq     int
}

// noticesWaiting is how many notices wait at most: of a flood, the newest are shown.
const noticesWaiting = 8

// say shows a sentence for a while, once those before it could be read.
func (m *Model) say(text string, bad bool) tea.Cmd { return m.sayUntil(text, bad, nil) }

// sayUntil is say for a sentence that goes when over reports true, if not earlier.
func (m *Model) sayUntil(text string, bad bool, over func() bool) tea.Cmd {
	m.touch()
	return m.notices.add(notice{text: text, bad: bad, over: over})
}

// add shows a notice, or lets it wait for the one that is shown.
func (q *notices) add(n notice) tea.Cmd {
	if s := &q.shown; s.text == "" || s.read || s.text == n.text || s.ended() {
		return q.show(n)
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(w notice) bool { return w.text == n.text })
	q.waiting = append(q.waiting, n)
	over := max(0, len(q.waiting)-noticesWaiting)
	q.missed += over
	q.waiting = slices.Delete(q.waiting, 0, over)
	return nil
}

func (q *notices) show(n notice) tea.Cmd {
	q.seq++
	n.seq = q.seq
	q.shown = n
	return timeNotice(n)
}

// next shows the first waiting notice that is not over, or none.
func (q *notices) next() tea.Cmd {
	for len(q.waiting) > 0 {
		n := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		if !n.ended() {
			return q.show(n)
		}
	}
	q.shown, q.missed = notice{}, 0
	return nil
}

// line returns the sentence that is shown, with the number of those that nobody could read yet.
func (q *notices) line() string {
	text := canvas.SanitizeLine(q.shown.text)
	if n := len(q.waiting); n > 0 {
		text += "  +" + strconv.Itoa(n)
	}
	if q.missed > 0 {
		text += "  " + strconv.Itoa(q.missed) + " not shown"
	}
	return text
}

// press notes that the user has pressed a key or a button, and so has seen the notice that is shown.
func (q *notices) press() { q.shown.read = true }

// turn shows the next notice if one waits and the one that is shown was read.
func (q *notices) turn() tea.Cmd {
	if !q.shown.read || len(q.waiting) == 0 {
		return nil
	}
	return q.next()
}

// onTime acts on a time of a notice, unless another one is shown by now. It reports whether the
// screen changes.
func (q *notices) onTime(msg noticeTimeMsg) (changed bool, cmd tea.Cmd) {
	switch {
	case msg.Seq != q.shown.seq:
		return false, nil
	case msg.Over:
		return true, q.next()
	}
	q.shown.read = true
	return len(q.waiting) > 0, q.turn()
}

// check removes the notice that is shown if what it tells of is over.
func (q *notices) check() tea.Cmd {
	if !q.shown.ended() {
		return nil
	}
	return q.next()
}

const (
	// noticeRows is how many rows a notice has at most.
	noticeRows = 6
	// noticeEdge is the distance between a notice and the right edge of the screen.
	noticeEdge = 1
)

// lines returns the rows of the notice that is shown, at most so many: one row as wide as its text
// if that is at most w cells, else rows of w cells.
func (q *notices) lines(st *styles.Styles, w, most int) []string {
	paint, mark := st.Dim, st.G[styles.Bullet]
	if q.shown.bad {
		paint, mark = st.Failed, st.G[styles.Failed]
	}
	text := q.line()
	const sides = 4 // a space at each side, the mark and a space
	if canvas.Width(text)+sides <= w {
		return []string{" " + paint.S(mark+" "+text) + " "}
	}
	room := max(1, w-sides)
	words := canvas.Wrap(text, room)
	if len(words) > most {
		rest := strings.Join(words[most-1:], " ")
		words = append(words[:most-1], canvas.EllipsizeWords(rest, room, st.G[styles.Ellipsis]))
	}
	rows := make([]string, len(words))
	for i, line := range words {
		rows[i] = " " + paint.S(mark) + " " + canvas.Fit(paint.S(line), room) + " "
		mark = strings.Repeat(" ", canvas.Width(mark))
	}
	return rows
}

// drawNotice draws the notice at the bottom right: in the border of the pane there if it has one row, else
// inside that border. An open box has it in its own border if it has one row. In the wire it covers the record
// and never the rows, of which the newest is the last; where too little of a record is shown, and in a
// conversation, it stands above the text field, so that it never hides what is written either.
func (m *Model) drawNotice(rows []string) []string {
	if m.notices.shown.text == "" {
		return rows
	}
	l, bottom := &m.screen.layout, len(rows)-m.screen.layout.Footer.H
	corner, free := l.Corner(), m.screen.over == noOverlay
	most := noticeRows
	if box := m.overlayBox(); !free && (box.Y+box.H >= bottom && box.X+box.W >= corner.X+corner.W || len(m.notices.lines(m.st, box.W-2, most)) == 1) {
		corner, bottom = box, min(bottom, box.Y+box.H)
	} else if !free {
		most = max(1, min(most, bottom-1-box.Y-box.H)) // below the box
	}
	room, right := max(1, corner.W-2), corner.X+corner.W-1
	lines := m.notices.lines(m.st, room, most)
	covers := free && corner == l.Wire && len(lines) > m.panes.wire.Spare()
	switch {
	case len(lines) == 1:
	case free && l.Composer.H > 0 && (covers || corner != l.Wire):
		right = l.Composer.X + l.Composer.W + 1
		lines = m.notices.lines(m.st, l.Composer.W+2, noticeRows)
		bottom = max(l.Composer.Y, len(lines))
	case covers:
		lines = m.notices.lines(m.st, room, 1)
	default:
		bottom--
	}
	lines = m.present.Masked(drawn.Notice, lines)
	return canvas.Overlay(rows, lines, max(0, right-canvas.Width(lines[0])), bottom-len(lines))
}
