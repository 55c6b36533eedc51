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
	text  string    // the text on the terminal
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
	if text == l.text {
		return
	}
	l.erase()
	if text != "" {
		_, _ = io.WriteString(l.w, text) // there is no other place to report it
		l.text = text
	}
}

// erase removes the line until the next draw.
func (l *byteLine) erase() {
	if l.text == "" {
		return
	}
	_, _ = io.WriteString(l.w, "\r"+strings.Repeat(" ", len(l.text))+"\r")
	l.text = ""
}
