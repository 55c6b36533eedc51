package cli

import (
	"io"
	"strings"

	"parley/internal/units"
)

// A byteLine is the line at the bottom of a terminal that says how many bytes came of what
// an agent sends and has not completed. It is erased before anything else is printed, with
// spaces, which every terminal understands.
type byteLine struct {
	w     io.Writer // nil where standard error is no terminal
	bytes int64     // that came, 0 for no line
	shown string    // what stands on the terminal
}

// draw shows the count, or erases the line if there is none.
func (l *byteLine) draw() {
	if l.w == nil {
		return
	}
	text := ""
	if l.bytes > 0 {
		text = units.Bytes(l.bytes) + " received"
	}
	if text == l.shown {
		return
	}
	l.erase()
	if text != "" {
		_, _ = io.WriteString(l.w, text) // there is nowhere else to say it
		l.shown = text
	}
}

// erase takes the line away until the next draw.
func (l *byteLine) erase() {
	if l.shown == "" {
		return
	}
	_, _ = io.WriteString(l.w, "\r"+strings.Repeat(" ", len(l.shown))+"\r")
	l.shown = ""
}
