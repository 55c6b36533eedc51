package composer

import (
	"slices"
	"strings"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// maxQueued is the largest number of queued messages that are shown; further ones are counted.
const maxQueued = 3

// A Queue contains the messages that wait until the current turn ends.
type Queue struct {
	Waiting []Draft
	// Held is the reason why the messages are not sent automatically, empty if the next one is
	// sent when the turn ends.
	Held string
}

// Resume sends the queued messages although they are held.
type Resume struct{}

// Unqueue brings a queued message back into the composer, which is empty, or drops it.
type Unqueue struct {
	Index int
	Drop  bool
}

func (Resume) intent()  {}
func (Unqueue) intent() {}

// SetQueue sets the queued messages.
func (c *Composer) SetQueue(q Queue) {
	same := q.Held == c.queue.Held && slices.EqualFunc(q.Waiting, c.queue.Waiting, func(a, b Draft) bool {
		return a.Text == b.Text && len(a.Parts) == len(b.Parts)
	})
	if !same {
		c.queue = Queue{Waiting: slices.Clone(q.Waiting), Held: q.Held}
		c.dirty = true
	}
}

// resumes reports whether enter sends the held messages.
func (c *Composer) resumes() bool {
	return c.queue.Held != "" && len(c.queue.Waiting) > 0 && c.Empty()
}

// lastQueued returns the index of the queued message that the key for the previous entry
// recalls, -1 if it recalls the history.
func (c *Composer) lastQueued() int {
	if !c.Empty() || c.past.at < len(c.past.all) {
		return -1
	}
	return len(c.queue.Waiting) - 1
}

// queueRows renders the queued messages in the order in which they will be sent.
func (c *Composer) queueRows() []string {
	waiting, shown := c.queue.Waiting, c.queued()
	var rows []string
	for i := range shown {
		about := ""
		if i == shown-1 {
			about = keys.Name(c.Of(PreviousMessage)) + " edits"
			if c.queue.Held != "" {
				about = "waits"
			}
		}
		rows = append(rows, c.queuedRow(&waiting[i], about))
	}
	if more := len(waiting) - shown; more > 0 {
		rows = append(rows, c.st.Faint.S("  and "+units.Count(more)+" more"))
	}
	return rows
}

// queued returns how many queued messages have a row of their own.
func (c *Composer) queued() int { return countShown(len(c.queue.Waiting), maxQueued) }

// queuedRow renders a queued message with the mark that drops it.
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

// clickQueue handles a click in row y of the queue: on the mark it drops the message, else it
// recalls it.
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

// heldLine renders why the messages are held and what enter does, in place of the target.
func (c *Composer) heldLine() string {
	enter := keys.Name(c.Of(SendMessage)) + " sends it"
	if len(c.queue.Waiting) > 1 {
		enter = keys.Name(c.Of(SendMessage)) + " sends them"
	}
	words := c.st.G[styles.Pause] + " " + canvas.SanitizeLine(c.queue.Held)
	room := c.w - len("  ") - len(enter)
	if room < 20 { // what enter does matters more than the reason
		return c.st.Waiting.S(canvas.EllipsizeWords(c.st.G[styles.Pause]+" waits, "+enter, c.w, c.st.G[styles.Ellipsis]))
	}
	return c.with(c.st.Waiting.S(canvas.EllipsizeWords(words, room, c.st.G[styles.Ellipsis])), "  ", enter)
}
