package ui

import (
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
	over func() bool // reports whether it is over; nil if only time ends it
}

// say shows a sentence for a while.
func (m *Model) say(text string, bad bool) tea.Cmd {
	m.notice = notice{text: text, bad: bad, seq: m.notice.seq + 1}
	m.touch()
	return expireNotice(m.notice)
}

// sayUntil is say for a sentence that goes when over reports true, if not earlier.
func (m *Model) sayUntil(text string, bad bool, over func() bool) tea.Cmd {
	cmd := m.say(text, bad)
	m.notice.over = over
	return cmd
}

// end removes the notice that was shown long enough, unless another one has replaced it.
func (n *notice) end(msg noticeOverMsg) bool {
	if msg.Seq != n.seq {
		return false
	}
	n.text, n.over = "", nil
	return true
}

// check removes the notice if what it tells of is over.
func (n *notice) check() {
	if n.over != nil && n.over() {
		n.text, n.over = "", nil
	}
}

const (
	// noticeRows is how many rows a notice has at most.
	noticeRows = 6
	// noticeEdge is the distance between a notice and the right edge of the screen.
	noticeEdge = 1
	// noticeWidth is the width of a wire pane in whose corner a notice of several rows stands.
	noticeWidth = 40
)

// lines returns the rows of a notice: one row if it is at most w cells wide, else several of
// narrow cells each.
func (n *notice) lines(st *styles.Styles, w, narrow int) []string {
	paint, mark := st.Dim, st.G[styles.Bullet]
	if n.bad {
		paint, mark = st.Failed, st.G[styles.Failed]
	}
	text := canvas.SanitizeLine(n.text)
	const sides = 4 // a space at each side, the mark and a space
	if canvas.Width(text)+sides <= w {
		return []string{" " + paint.S(mark+" "+text) + " "}
	}
	room := max(1, narrow-sides)
	words := canvas.Wrap(text, room)
	if len(words) > noticeRows {
		rest := strings.Join(words[noticeRows-1:], " ")
		words = append(words[:noticeRows-1], canvas.EllipsizeWords(rest, room, st.G[styles.Ellipsis]))
	}
	rows := make([]string, len(words))
	for i, line := range words {
		rows[i] = " " + paint.S(mark) + " " + canvas.Fit(paint.S(line), room) + " "
		mark = strings.Repeat(" ", canvas.Width(mark))
	}
	return rows
}

// drawNotice draws the notice over the bottom right corner of the panes: in their border if it
// has one row. More rows stand in the wire pane, or above the text field, so that they never hide
// what is written.
func (m *Model) drawNotice(rows []string) []string {
	if m.notice.text == "" {
		return rows
	}
	w, l := m.screen.w, m.screen.layout
	wide := max(1, w-2*noticeEdge)
	bottom, narrow, right := len(rows)-l.Footer.H, wide, w-noticeEdge
	switch {
	case m.screen.over != noOverlay:
	case l.Wire.W >= noticeWidth && l.Talk.W > 0:
		narrow, right = l.WireBody.W+2, w-noticeEdge
	case l.Composer.H > 0:
		narrow = min(wide, l.Composer.W)
	}
	lines := m.present.Masked(drawn.Notice, m.notice.lines(m.st, wide, narrow))
	switch {
	case len(lines) == 1 || m.screen.over != noOverlay:
	case l.Wire.W >= noticeWidth && l.Talk.W > 0:
		bottom--
	case l.Composer.H > 0:
		bottom = max(l.Composer.Y, len(lines))
	}
	return canvas.Overlay(rows, lines, max(0, right-canvas.Width(lines[0])), bottom-len(lines))
}
