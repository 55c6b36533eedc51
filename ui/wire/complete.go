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

// maxOffers is how many candidates the list shows at a time.
const maxOffers = 8

// offers is the list of completion candidates of the filter line.
type offers struct {
	all []filter.Candidate
	// hidden is set until the first character of a word is typed, so that the list does not
	// cover the records. The completion key shows it earlier.
	hidden bool
	pick   int // index of the selected candidate, -1 for none
	top    int // index of the first visible candidate
}

// shown returns the candidates of the list, none while it is hidden.
func (o *offers) shown() []filter.Candidate {
	if o.hidden {
		return nil
	}
	return o.all
}

// move selects the candidate n positions further and wraps at the ends. The position before the
// first candidate selects none.
func (o *offers) move(n int) {
	count := len(o.all) + 1
	o.pick = (o.pick+1+n+count)%count - 1
	o.top = min(max(o.top, o.pick-maxOffers+1), max(o.pick, 0))
}

// offer computes the candidates for the cursor's position. It offers none while the user goes
// through the history.
func (p *Pane) offer() {
	f := &p.filter
	f.offers = offers{pick: -1}
	if !f.open || f.past.at > 0 {
		return
	}
	text, at := f.input.Value(), f.cursorByte()
	f.offers.all = filter.Complete(text, at, p.env())
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	begun := at > 0 && !unicode.IsSpace(before)
	f.offers.hidden = !begun && (strings.TrimSpace(text) != "" || p.roomBelow() < roomEnough)
}

// activeLength returns how many bytes of the line take effect: all but a last word that a candidate
// could complete. While the user types state:failed, the filter does not search for st.
func (f *filterLine) activeLength() int {
	text, list := f.input.Value(), f.offers.shown()
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
	o := &p.filter.offers
	switch {
	case len(o.all) == 0:
	case o.hidden:
		o.hidden = false
	default:
		p.take(max(o.pick, 0))
	}
}

// take inserts candidate i into the line.
func (p *Pane) take(i int) {
	f := &p.filter
	c := f.offers.all[i]
	text := f.input.Value()
	with, rest := c.Text, text[c.To:]
	if rest == "" && !strings.HasSuffix(with, ":") && !strings.HasSuffix(with, ">") {
		with += " "
	}
	f.input.SetValue(text[:c.From] + with + rest)
	f.input.SetCursor(utf8.RuneCountInString(text[:c.From] + with))
	f.past.at = 0
	p.offer()
	p.refilter(f.activeLength())
}

// offerBox returns the rectangle of the list in the pane and how many candidates fit: below the
// line if there is room, else above it.
func (p *Pane) offerBox() (box canvas.Rect, n int) {
	f := &p.filter
	list := f.offers.shown()
	if len(list) == 0 || !f.open {
		return canvas.Rect{}, 0
	}
	inner, word := 0, f.offers.word()
	for _, c := range list {
		inner = max(inner, word+canvas.Width(canvas.SanitizeLine(c.Note)))
	}
	box.W = min(inner+4, p.w)
	line := p.headHeight() + p.listHeight()
	below, above := p.roomBelow(), line
	room := max(below, above)
	if below >= roomEnough {
		room = below
	}
	n = min(len(list), maxOffers, room-2)
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

// roomEnough is the number of rows below the line from which the list is placed there.
const roomEnough = 5

// roomBelow returns the number of rows below the filter.
func (p *Pane) roomBelow() int { return p.h - p.headHeight() - p.listHeight() - p.filterHeight() }

// maxOfferWord is the maximum width of the candidates' column, with the marker before and the
// space after a candidate.
const maxOfferWord = 30

// word returns the width of the candidates' column, with the marker and the space.
func (o *offers) word() int {
	w := 0
	for _, c := range o.all {
		w = max(w, canvas.Width(canvas.SanitizeLine(c.Text)))
	}
	return min(w+4, maxOfferWord)
}

// drawOffers draws the list over the rows of the pane.
func (p *Pane) drawOffers(out []string) []string {
	box, n := p.offerBox()
	if n == 0 {
		return out
	}
	st, o := p.st, &p.filter.offers
	w, _ := canvas.Inner(box.W, box.H)
	word := o.word()
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
	frame := canvas.Frame{}
	if len(o.all) > n {
		frame.Note = units.Count(len(o.all)) + " words"
	}
	return canvas.Overlay(out, canvas.Box(st, frame, box.W, box.H, rows), box.X, box.Y)
}

// clickFilter handles mouse events on the filter: a click on the line opens it, a click in the
// list inserts a candidate, and the wheel moves the selection. It reports whether the event was
// on the filter.
func (p *Pane) clickFilter(msg tea.MouseMsg, x, y int) bool {
	box, n := p.offerBox()
	if n == 0 || !box.Contains(x, y) {
		return p.clickLine(msg, x, y)
	}
	o := &p.filter.offers
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if row := y - box.Y - 1; msg.Button == tea.MouseLeft && row >= 0 && row < n {
			p.take(o.top + row)
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
	p.offer()
	return true
}
