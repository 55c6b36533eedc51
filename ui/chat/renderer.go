package chat

import (
	"cmp"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// settings are what the rows of every conversation need to draw.
type settings struct {
	st        *styles.Styles
	now       time.Time
	clock     func() time.Time             // paces the rendering of text
	session   func() time.Time             // the time in the session
	timeOf    func(a2a.RecordID) time.Time // when a record came; nil if that is not known
	recording bool                         // a recording is shown: durations do not grow
	keys      func(action.ID) key.Binding  // the keys of the pane, for texts
	keyOf     func(action.ID) key.Binding  // the keys of others, for texts
	send      string                       // the key that sends what is in the text field
	newChunk  func(a2a.RecordID) bool      // whether a record brought the newest chunk just now; nil for never
	calm      bool                         // the audience reads along: see [Pane.SetCalm]
}

// A renderer has what every row of a conversation needs to draw.
type renderer struct {
	*settings
	// download returns the file that was downloaded from an address; may be nil.
	download func(uri string) *model.File
	// paneHeight is the height of the pane, which limits pictures.
	paneHeight int
	// spinner is the sign of what works, empty for one that stands still.
	spinner string
}

// spin returns the sign of what works.
func (k *renderer) spin() string { return cmp.Or(k.spinner, k.st.G[styles.Online]) }

// clean sanitises s, a name or another piece of one line.
func (k *renderer) clean(s string) string { return canvas.SanitizeLine(s) }

// task names a task by the distinctive part of its id.
func (k *renderer) task(t *model.Task) string {
	if k.calm {
		return ""
	}
	if t.ID == "" {
		return "a task without an id"
	}
	return "task " + k.clean(units.ID(t.ID))
}

// glyph returns a sign of the interface, painted.
func (k *renderer) glyph(p styles.Paint, g styles.Glyph) string { return p.S(k.st.G[g]) }

// join joins words with the separator of status lines and omits empty ones.
func (k *renderer) join(words ...string) string {
	var b strings.Builder
	for _, word := range words {
		if word == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" " + k.st.G[styles.Separator] + " ")
		}
		b.WriteString(word)
	}
	return b.String()
}

// text returns s, sanitised and wrapped to w cells.
func (k *renderer) text(p styles.Paint, s string, w int) []string {
	return k.cleanText(p, canvas.Sanitize(s), w)
}

// cleanText returns text that is sanitised already, wrapped to w cells.
func (k *renderer) cleanText(p styles.Paint, s string, w int) []string {
	return canvas.WrapPainted(s, w, p)
}

// title returns a painted name and its description on one line, or on separate lines if there
// is no room.
func (k *renderer) title(name, about string, w int) []string {
	if about == "" || canvas.Width(name)+2+canvas.Width(about) <= w {
		return []string{k.truncate(strings.TrimRight(name+"  "+k.st.Faint.S(about), " "), w)}
	}
	return append([]string{k.truncate(name, w)}, k.cleanText(k.st.Faint, about, w)...)
}

// truncate returns the line s in at most w cells, with an ellipsis if it was longer.
func (k *renderer) truncate(s string, w int) string {
	return canvas.Ellipsize(s, w, k.st.G[styles.Ellipsis])
}

// beginningNote says that the first n bytes of a text are not drawn.
func (k *renderer) beginningNote(n int) string {
	return k.st.Faint.S(k.st.G[styles.Ellipsis] + " " + units.Bytes(int64(n)) + " before this; " + keys.Name(k.keys(PreviewFile)) + " shows all of it")
}

// timeOfDay returns the time of day in the user's zone, with the day if it differs.
func (k *renderer) timeOfDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(k.now.Location())
	if !k.now.IsZero() && t.Format(time.DateOnly) != k.now.Format(time.DateOnly) {
		return t.Format("2 Jan 15:04")
	}
	return t.Format("15:04")
}

// hangingIndent indents lines by n cells and puts lead, at most n cells, at the beginning of the
// first.
func hangingIndent(n int, lead string, lines []string) []string {
	out := indent(n, lines)
	if len(out) > 0 {
		out[0] = lead + out[0][min(canvas.Width(lead), n):]
	}
	return out
}

// indent puts n spaces in front of lines.
func indent(n int, lines []string) []string {
	space := strings.Repeat(" ", n)
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = space + line
	}
	return out
}
