package composer

import (
	"slices"
	"strings"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// maxQueued is how many messages that wait are shown; more are counted.
const maxQueued = 3

// A Queue is what waits to be sent behind the turn that is under way, as the composer
// shows it.
type Queue struct {
	Waiting []Draft
	// Held says why none of it is sent without being asked for, empty while the next one
	// goes when the turn is over.
	Held string
}

// Resume asks to send what waits although it is held.
type Resume struct{}

// Unqueue asks to bring a message that waits back into the composer, which is empty, or
// to drop it.
type Unqueue struct {
	Index int
	Drop  bool
}

func (Resume) intent()  {}
func (Unqueue) intent() {}

// SetQueue sets what waits to be sent.
func (c *Composer) SetQueue(q Queue) {
	same := q.Held == c.queue.Held && slices.EqualFunc(q.Waiting, c.queue.Waiting, func(a, b Draft) bool {
		return a.Text == b.Text && len(a.Parts) == len(b.Parts)
	})
	if !same {
		c.queue = Queue{Waiting: slices.Clone(q.Waiting), Held: q.Held}
		c.dirty = true
	}
}

// resumes reports whether enter sends what is held.
func (c *Composer) resumes() bool {
	return c.queue.Held != "" && len(c.queue.Waiting) > 0 && c.Empty()
}

// lastQueued returns the index of the message that the key for the history's previous
// entry brings back, -1 if it brings back what was sent.
func (c *Composer) lastQueued() int {
	if !c.Empty() || c.past.at < len(c.past.all) {
		return -1
	}
	return len(c.queue.Waiting) - 1
}

// queueRows describes what waits, in the order in which it will be sent.
func (c *Composer) queueRows() []string {
	waiting := c.queue.Waiting
	if len(waiting) == 0 {
		return nil
	}
	rows := make([]string, 0, maxQueued)
	shown := c.queued()
	for i := range shown {
		about := ""
		if i == shown-1 {
			about = c.keys.Previous.Help().Key + " edits"
			if c.queue.Held != "" {
				about = "held"
			}
		}
		rows = append(rows, c.queuedRow(&waiting[i], about))
	}
	if more := len(waiting) - shown; more > 0 {
		rows = append(rows, c.st.Faint.S("  and "+units.Count(more)+" more"))
	}
	return rows
}

// queued returns how many messages that wait have a row of their own.
func (c *Composer) queued() int {
	if n := len(c.queue.Waiting); n <= maxQueued {
		return n
	}
	return maxQueued - 1
}

// queuedRow draws a message that waits, with the mark that drops it.
func (c *Composer) queuedRow(d *Draft, about string) string {
	glyph, paint := c.st.G[styles.Idle], c.st.Dim
	if c.queue.Held != "" {
		glyph, paint = c.st.G[styles.Pause], c.st.Waiting
	}
	text := firstLine(strings.TrimLeft(d.Text[:min(len(d.Text), maxWords)], "\n"))
	switch {
	case d.Secret:
		text = "•••"
	case text == "" && len(d.Parts) > 0:
		text = Describe(&d.Parts[0])[0]
	case len(d.Parts) > 0:
		text += " +" + units.Plural(len(d.Parts), "part")
	}
	remove := " " + c.st.Faint.S(c.st.G[styles.Times])
	if about != "" {
		about = "  " + c.st.Faint.S(about)
	}
	room := c.w - 2 - canvas.Width(remove) - canvas.Width(about)
	if room < 12 {
		room, about = room+canvas.Width(about), ""
	}
	return paint.S(glyph) + " " + paint.S(canvas.Ellipsize(text, max(0, room), c.st.G[styles.Ellipsis])) + about + remove
}

// clickQueue brings the message of row y back, or drops it if its mark was clicked.
func (c *Composer) clickQueue(x, y int) Intent {
	if y < 0 || y >= c.queued() {
		return nil
	}
	row := c.queueRows()[y]
	if drop := x >= canvas.Width(row)-2; drop || c.Empty() {
		return Unqueue{Index: y, Drop: drop}
	}
	return Refused{Why: "The text field is not empty: send or clear it before you edit a queued message."}
}

// heldLine stands in the place of the target while enter sends what is held.
func (c *Composer) heldLine() string {
	enter := "enter sends it"
	if len(c.queue.Waiting) > 1 {
		enter = "enter sends them"
	}
	words := c.st.G[styles.Pause] + " " + canvas.SanitizeLine(c.queue.Held)
	room := c.w - len("  ") - len(enter)
	if room < 20 { // that it is asked about matters more than why
		return c.st.Waiting.S(canvas.EllipsizeWords(c.st.G[styles.Pause]+" held, "+enter, c.w, c.st.G[styles.Ellipsis]))
	}
	return c.with(c.st.Waiting.S(canvas.EllipsizeWords(words, room, c.st.G[styles.Ellipsis])), "  ", enter)
}
