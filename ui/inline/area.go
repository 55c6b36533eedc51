// Package inline draws Markdown and pictures below what a terminal already shows, and leaves
// them in the scrollback. An [Area] draws Markdown that grows, and [Terminal.Picture]
// pictures. It also asks a terminal what it can draw: [Ask].
//
// Rows that are complete are written once. Only the last ones, which still change, are drawn
// again: the cursor moves up to the first row that differs, and everything below is written anew.
// The cursor is always at the beginning of the line below.
package inline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/ui/canvas"
	"parley/ui/markdown"
	"parley/ui/media"
	"parley/ui/styles"
)

const (
	// indent is what is left of a text, in cells.
	indent = "  "
	// maxWidth is the widest text: longer lines are hard to read.
	maxWidth = 100
	// minWidth is the narrowest.
	minWidth = 20
)

// An Area is a text that grows at the end of the terminal's output. Its methods return what to
// write.
type Area struct {
	st   *styles.Styles
	size func() (w, h int) // of the terminal
	now  func() time.Time

	text    *markdown.Stream // nil while no text is open
	width   int              // of the text, which a resize does not change
	mark    markdown.Mark    // of the rows that were written
	written int              // how many rows were written
	last    []string         // the last of them, which are still on the screen
	lifted  bool             // the last rows were erased
}

// NewArea returns an area without text. size returns the columns and rows of the terminal.
func NewArea(st *styles.Styles, size func() (w, h int), now func() time.Time) *Area {
	return &Area{st: st, size: size, now: now}
}

// Open reports whether a text is open.
func (a *Area) Open() bool { return a.text != nil }

// Append adds to the text. If none is open it begins one: Markdown or, where the media type or the
// name says so, code or plain text. Nothing is drawn yet.
func (a *Area) Append(text, mediaType, name string) {
	if a.text == nil {
		w, _ := a.size()
		a.width = max(min(w-1-len(indent), maxWidth), minWidth)
		if form, language := media.Of(mediaType, name); form == media.Markdown {
			a.text = markdown.New(a.st, a.now)
		} else {
			a.text = markdown.NewCode(a.st, a.now, language)
		}
		a.mark, a.written, a.last, a.lifted = markdown.Mark{}, 0, nil, false
	}
	a.text.Append([]byte(text))
}

// Draw returns what brings the rows of the text up to date.
func (a *Area) Draw() string {
	if a.text == nil {
		return ""
	}
	for job, ok := a.text.Job(a.width); ok; job, ok = a.text.Job(a.width) {
		a.text.Apply(job.Run())
	}
	rows := a.text.Lines(a.width)
	mark := a.text.Mark()
	first := a.written - len(a.last) // the rows before cannot be changed any more
	from := max(first, min(mark.Unchanged(a.mark), a.written, len(rows)))
	for from < a.written && from < len(rows) && rows[from] == a.last[from-first] {
		from++
	}
	var b strings.Builder
	if a.lifted {
		from = min(first, len(rows))
	} else {
		b.WriteString(a.up(a.last[from-first:]))
	}
	if from < len(rows) || from < a.written {
		b.WriteString("\x1b[J")
	}
	for _, row := range rows[min(from, len(rows)):] {
		if row != "" {
			b.WriteString(indent + row)
		}
		b.WriteString("\r\n")
	}
	a.mark, a.written, a.lifted = mark, max(len(rows), first), false
	a.last = slices.Clone(a.reachable(rows[min(max(first, mark.Final()), len(rows)):]))
	return b.String()
}

// up returns what moves the cursor to the first of the rows above it.
func (a *Area) up(rows []string) string {
	n := 0
	for _, row := range rows {
		n += a.lines(row)
	}
	if n == 0 {
		return ""
	}
	return "\x1b[" + strconv.Itoa(n) + "A\r"
}

// lines returns how many lines of the terminal a row takes: more than one after the terminal
// became narrower.
func (a *Area) lines(row string) int {
	w, _ := a.size()
	return max(1, (len(indent)+canvas.Width(row)+w-1)/max(w, 1))
}

// reachable returns the last of the rows, as many as the terminal shows: the cursor cannot go
// further up.
func (a *Area) reachable(rows []string) []string {
	_, h := a.size()
	n, left := len(rows), h-2
	for ; n > 0; n-- {
		if left -= a.lines(rows[n-1]); left < 0 {
			break
		}
	}
	return rows[n:]
}

// Lift returns what erases the rows that may still change, so that something else can be printed
// above them. The next Draw writes them again.
func (a *Area) Lift() string {
	if a.text == nil || a.lifted || len(a.last) == 0 {
		return ""
	}
	a.lifted = true
	return a.up(a.last) + "\x1b[J"
}

// End returns the last drawing of the text, which then is complete.
func (a *Area) End() string {
	if a.text == nil {
		return ""
	}
	a.text.Close()
	out := a.Draw() + "\r\n"
	a.text, a.last = nil, nil
	return out
}

// Due returns when a delayed drawing is due; false if none is delayed.
func (a *Area) Due() (time.Time, bool) {
	if a.text == nil {
		return time.Time{}, false
	}
	return a.text.Due()
}
