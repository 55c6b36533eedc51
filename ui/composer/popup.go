package composer

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

const (
	maxCompletions = 200 // offers; nobody scrolls through more
	maxOffers      = 8   // visible at a time
	maxOfferWord   = 34  // cells
	popupEdges     = 4   // cells of the frame, left and right
)

// Popup renders the completions of the command in a frame of at most h rows, to be drawn above
// the composer; nil if there are none, or no room.
func (c *Composer) Popup(h int) []string {
	all := c.visibleOffers()
	n := min(len(all), maxOffers, h-2)
	word, w := c.popupWidths()
	if n < 1 || w < 12 {
		return nil
	}
	s := &c.slash
	s.top = min(s.top, max(len(all)-n, 0))
	s.top = min(max(s.top, s.pick-n+1), max(s.pick, 0))
	inner := w - popupEdges
	rows := make([]string, 0, n)
	for i := s.top; i < s.top+n; i++ {
		rows = append(rows, c.offerRow(i, word, inner))
	}
	frame := canvas.Frame{Picks: true}
	if len(all) > n {
		frame.Note = c.st.Faint.S(units.Count(max(s.pick, 0)+1) + " of " + units.Count(len(all)))
	}
	return canvas.Box(c.st, frame, w, n+2, rows)
}

func (c *Composer) offerRow(i, word, w int) string {
	o, mark := c.slash.offers[i], "  "
	if i == c.slash.pick {
		mark = c.st.G[styles.Prompt] + " "
	}
	text := clip(label(&o))
	if c.slash.word {
		text = "/" + text
	}
	text = canvas.Ellipsize(text, word, c.st.G[styles.Ellipsis])
	note := canvas.Ellipsize(clip(o.Note), max(0, w-word-4), c.st.G[styles.Ellipsis])
	return canvas.Entry(c.st, mark+canvas.Fit(c.st.Text.S(text), word)+"  "+c.st.Faint.S(note), w, i == c.slash.pick)
}

// label returns the text that is listed for an offer.
func label(o *action.Offer) string { return cmp.Or(o.Label, o.Text) }

// clip returns the beginning of a foreign text, sanitized.
func clip(s string) string { return canvas.SanitizeLine(s[:min(len(s), maxWords)]) }

// popupWidths returns the width of the widest word that is offered, and that of the popup.
func (c *Composer) popupWidths() (word, all int) {
	note := 0
	for _, o := range c.visibleOffers() {
		word = max(word, canvas.Width(clip(label(&o)))+1)
		note = max(note, canvas.Width(clip(o.Note)))
	}
	word = min(word, maxOfferWord)
	return word, min(popupEdges+2+word+2+note, c.w)
}

// PopupMouse handles a mouse event at x, y of the popup, which was last drawn for h rows, and
// reports whether the event is inside of the popup.
func (c *Composer) PopupMouse(msg tea.MouseMsg, x, y, h int) bool {
	rows := len(c.Popup(h))
	_, w := c.popupWidths()
	if x < 0 || x >= w || y < 0 || y >= rows {
		return false
	}
	c.dirty = true
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft && y > 0 && y < rows-1 {
			c.accept(c.slash.top + y - 1)
		}
	case tea.MouseWheelMsg:
		c.move(keys.Wheel(msg))
	}
	return true
}

// commandLine renders what enter does with the command, in place of the target.
func (c *Composer) commandLine() string {
	mark := c.st.G[styles.Ellipsis]
	cmd, word, arg := c.command()
	if cmd == nil && len(c.slash.offers) > 0 && c.slash.word {
		return c.st.Accent.S("command") + c.st.Faint.S("  "+keys.Name(c.Of(CompleteWord))+" completes")
	}
	if why := c.unrunnable(cmd, word, arg); why != "" && (cmd == nil || cmd.Why != "" || arg != "") {
		return c.st.Failed.S(canvas.EllipsizeWords(c.st.G[styles.Failed]+" "+canvas.SanitizeLine(why), c.w, mark))
	}
	line := c.st.Accent.S(canvas.EllipsizeWords(canvas.SanitizeLine(cmd.About), c.w, mark))
	return c.with(line, "  ", cmd.Usage())
}
