package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/units"
)

// A byteLine is the line at the bottom of a terminal that counts the bytes of an incomplete
// answer. It is erased before anything else is printed, with spaces, which every terminal
// understands.
type byteLine struct {
	w     io.Writer // nil if standard error is not a terminal
	bytes int64     // that came, 0 for no line
	idle  int       // for how many ticks nothing came
	text  string    // the text on the terminal
	// download is the file that is downloaded, nil if none is.
	download *download
}

// While nothing comes, the line moves once a tick, after so many of them.
const (
	tick      = time.Second / 5
	idleTicks = 5
	spinner   = `|/-\`
)

// draw shows the count, or that nothing comes; it erases the line if there is nothing to show.
func (l *byteLine) draw() {
	if l.w == nil {
		return
	}
	text := ""
	if l.bytes > 0 {
		text = units.Bytes(l.bytes) + " received"
		if l.download != nil {
			text = cmp.Or(l.download.bar(l.bytes), text)
		}
	} else if l.idle >= idleTicks {
		text = fmt.Sprintf("%c waiting for the agent, %s", spinner[l.idle%len(spinner)], (time.Duration(l.idle) * tick).Truncate(time.Second))
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
	_, _ = io.WriteString(l.w, "\r"+strings.Repeat(" ", utf8.RuneCountInString(l.text))+"\r")
	l.text = ""
}
