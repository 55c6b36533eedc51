package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/filter"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// maxCandidates is how many candidates the list shows at a time.
const maxCandidates = 8

// A candidateList has the completion candidates of the filter line.
type candidateList struct {
	all []filter.Candidate
	// hidden is set until the first character of a word is typed, so that the list does not
	// cover the records. The completion key shows it earlier.
	hidden bool
	pick   int // index of the selected candidate, -1 for none
	top    int // index of the first visible candidate
}

// visible returns the candidates of the list, none while it is hidden.
func (o *candidateList) visible() []filter.Candidate {
	if o.hidden {
		return nil
	}
	return o.all
}

// move selects the candidate n positions further and wraps at the ends. The position before the
// first candidate selects none.
func (o *candidateList) move(n int) {
	count := len(o.all) + 1
	o.pick = (o.pick+1+n+count)%count - 1
	o.top = min(max(o.top, o.pick-maxCandidates+1), max(o.pick, 0))
}

// updateCandidates computes the candidates for the cursor's position. It offers none while the
// user goes through the history.
func (p *Pane) updateCandidates() {
	f := &p.filter
	f.candidates = candidateList{pick: -1}
	if !f.open || f.history.at > 0 {
		return
	}
	text, at := f.input.Value(), f.cursorByte()
	f.candidates.all = filter.Complete(text, at, p.env())
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	begun := at > 0 && !unicode.IsSpace(before)
	f.candidates.hidden = !begun && (strings.TrimSpace(text) != "" || p.roomBelow() < minRoomBelow)
}

// activeLength returns how many bytes of the line take effect: all but a last word that a
// candidate could complete. While the user types state:failed, the filter does not search for st.
func (f *filterLine) activeLength() int {
	text, list := f.input.Value(), f.candidates.visible()
	if len(list) == 0 || f.cursorByte() != len(text) {
		return len(text)
	}
	from := list[0].From
	if from == len(text) || from > 0 && strings.IndexByte(`:=<>,"`, text[from-1]) >= 0 {
		return len(text)
	}
	return from
}

// cursorByte returns the byte offset of the cursor in the text.
func (f *filterLine) cursorByte() int {
	text, at := f.input.Value(), 0
	for range f.input.Position() {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}

// complete inserts the selected candidate, else the first one. If the list is hidden it shows
// it.
func (p *Pane) complete() {
	o := &p.filter.candidates
	switch {
	case len(o.all) == 0:
	case o.hidden:
		o.hidden = false
	default:
		p.insertCandidate(max(o.pick, 0))
	}
}

// insertCandidate inserts candidate i into the line.
func (p *Pane) insertCandidate(i int) {
	f := &p.filter
	c := f.candidates.all[i]
	text := f.input.Value()
	with, rest := c.Text, text[c.To:]
	if rest == "" && !strings.HasSuffix(with, ":") && !strings.HasSuffix(with, ">") {
		with += " "
	}
	f.input.SetValue(text[:c.From] + with + rest)
	f.input.SetCursor(utf8.RuneCountInString(text[:c.From] + with))
	f.history.at = 0
	p.updateCandidates()
	p.refilter(f.activeLength())
}

// candidateBox returns the rectangle of the list in the pane and how many candidates fit: below
// the line if there is room, else above it.
func (p *Pane) candidateBox() (box canvas.Rect, n int) {
	f := &p.filter
	list := f.candidates.visible()
	if len(list) == 0 || !f.open {
		return canvas.Rect{}, 0
	}
	inner, word := 0, f.candidates.wordWidth()
	for _, c := range list {
		inner = max(inner, word+canvas.Width(canvas.SanitizeLine(c.Note)))
	}
	box.W = min(inner+4, p.w)
	line := p.headHeight() + p.listHeight()
	below, above := p.roomBelow(), line
	room := max(below, above)
	if below >= minRoomBelow {
		room = below
	}
	n = min(len(list), maxCandidates, room-2)
	if n < 1 || box.W < 12 {
		return canvas.Rect{}, 0
	}
	box.H = n + 2
	box.Y = line + p.filterHeight()
	if room != below {
		box.Y = line - box.H
	}
	box.X = min(max(p.column(list[0].From)-4, 0), p.w-box.W)
	return box, n
}

// minRoomBelow is the number of rows below the line from which the list is placed there.
const minRoomBelow = 5

// roomBelow returns the number of rows below the filter.
func (p *Pane) roomBelow() int { return p.h - p.headHeight() - p.listHeight() - p.filterHeight() }

// maxCandidateWidth is the maximum width of the candidates' column, with the marker before and the
// space after a candidate.
const maxCandidateWidth = 30

// wordWidth returns the width of the candidates' column, with the marker and the space.
func (o *candidateList) wordWidth() int {
	w := 0
	for _, c := range o.all {
		w = max(w, canvas.Width(canvas.SanitizeLine(c.Text)))
	}
	return min(w+4, maxCandidateWidth)
}

// drawCandidates draws the list over the rows of the pane.
func (p *Pane) drawCandidates(out []string) []string {
	box, n := p.candidateBox()
	if n == 0 {
		return out
	}
	st, o := p.st, &p.filter.candidates
	w, _ := canvas.Inner(box.W, box.H)
	word := o.wordWidth()
	rows := make([]string, 0, n)
	o.top = min(o.top, max(len(o.all)-n, 0))
	o.top = min(max(o.top, o.pick-n+1), max(o.pick, 0))
	for i := o.top; i < len(o.all) && len(rows) < n; i++ {
		c := o.all[i]
		mark := "  "
		if i == o.pick {
			mark = st.G[styles.Prompt] + " "
		}
		text := canvas.Ellipsize(canvas.SanitizeLine(c.Text), word-4, st.G[styles.Ellipsis])
		note := canvas.Ellipsize(canvas.SanitizeLine(c.Note), max(w-word, 0), st.G[styles.Ellipsis])
		line := canvas.Fit(mark+canvas.Fit(st.Text.S(text), word-2)+st.Faint.S(note), w)
		if i == o.pick {
			line = canvas.Select(line, st)
		}
		rows = append(rows, line)
	}
	frame := canvas.Frame{Picks: true}
	if len(o.all) > n {
		frame.Note = units.Count(len(o.all)) + " words"
	}
	return canvas.Overlay(out, canvas.Box(st, frame, box.W, box.H, rows), box.X, box.Y)
}

// clickFilter handles mouse events on the filter: a click on the line opens it, a click in the
// list inserts a candidate, and the wheel moves the selection. It reports whether the event was
// on the filter.
func (p *Pane) clickFilter(msg tea.MouseMsg, x, y int) bool {
	box, n := p.candidateBox()
	if n == 0 || !box.Contains(x, y) {
		return p.clickLine(msg, x, y)
	}
	o := &p.filter.candidates
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if row := y - box.Y - 1; msg.Button == tea.MouseLeft && row >= 0 && row < n {
			p.insertCandidate(o.top + row)
		}
	case tea.MouseWheelMsg:
		o.move(keys.Wheel(msg))
	}
	return true
}

// clickLine opens the filter and moves the cursor to the clicked character.
func (p *Pane) clickLine(msg tea.MouseMsg, x, y int) bool {
	f, at := &p.filter, p.headHeight()+p.listHeight()
	click, ok := msg.(tea.MouseClickMsg)
	if !ok || click.Button != tea.MouseLeft || y < at || y >= at+p.filterHeight() {
		return false
	}
	if !f.open {
		p.openFilter()
	}
	n, text := 0, f.input.Value()
	for i := range text {
		if p.column(i) >= x {
			break
		}
		n++
	}
	f.input.SetCursor(n)
	p.updateCandidates()
	return true
}
