package cli

import (
	"io"
	"strings"

	"parley/internal/units"
)

// A byteLine is the line at the bottom of a terminal that counts the bytes of an incomplete
// answer. It is erased before anything else is printed, with spaces, which every terminal
// understands.
type byteLine struct {
	w     io.Writer // nil if standard error is not a terminal
	bytes int64     // that came, 0 for no line
	shown string    // the text on the terminal
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
		_, _ = io.WriteString(l.w, text) // there is no other place to report it
		l.shown = text
	}
}

// erase removes the line until the next draw.
func (l *byteLine) erase() {
	if l.shown == "" {
		return
	}
	_, _ = io.WriteString(l.w, "\r"+strings.Repeat(" ", len(l.shown))+"\r")
	l.shown = ""
}
