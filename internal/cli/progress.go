package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// A progress is the line at the bottom of a terminal that shows how far a command is. It is
// drawn again only when its percentage changes.
type progress struct {
	w io.Writer // nil if standard error is not a terminal

	mu   sync.Mutex
	text string // on the terminal
	last int64  // percent
	what string
}

// newProgress returns a line that is not drawn yet.
func (a *app) newProgress() *progress {
	p := &progress{last: -1}
	if isTerminal(a.streams.Err) {
		p.w = a.streams.Err
	}
	return p
}

// barWidth is the length of a bar in cells.
const barWidth = 24

// show draws the line if the percentage has changed.
func (p *progress) show(what string, done, total int64) {
	if p.w == nil || total <= 0 {
		return
	}
	percent := min(100*done/total, 100)
	p.mu.Lock()
	defer p.mu.Unlock()
	if percent == p.last && what == p.what {
		return
	}
	p.last, p.what = percent, what
	text := progressBar(what, done, total)
	_, _ = io.WriteString(p.w, "\r"+text) // there is no other place to report it
	p.text = text
}

// progressBar draws how much of something is done.
func progressBar(what string, done, total int64) string {
	percent := int(min(100*done/total, 100))
	full := percent * barWidth / 100
	return fmt.Sprintf("%s %s%s %3d%%", what, strings.Repeat("━", full), strings.Repeat("─", barWidth-full), percent)
}

// erase removes the line.
func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text != "" {
		_, _ = io.WriteString(p.w, "\r"+strings.Repeat(" ", utf8.RuneCountInString(p.text))+"\r")
		p.text = ""
	}
}
