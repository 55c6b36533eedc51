package chat

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/ui/canvas"
)

// SetNewChunk gives the pane the function that tells whether a record brought the newest chunk of a stream just
// now: its text is drawn on a ground of its own for so long.
func (p *Pane) SetNewChunk(is func(a2a.RecordID) bool) { p.shared.settings.newChunk = is }

// SetSpinner sets the sign of what works in the shown conversation; empty for one that stands still.
func (p *Pane) SetSpinner(sign string) {
	if p.renderer.spinner == sign {
		return
	}
	p.renderer.spinner = sign
	for _, t := range p.out.turns {
		if !t.turn.Pending {
			continue
		}
		for _, b := range t.blocks {
			if b.head.body.(*head).running() {
				p.out.redraw(b.head, b.runningStep())
				p.dirty = true
			}
		}
	}
}

// isNewChunk reports whether a record brought the newest chunk just now.
func (k *renderer) isNewChunk(id a2a.RecordID) bool {
	return id != 0 && k.newChunk != nil && k.newChunk(id)
}

// lightNewChunk draws the newest chunk in the window on its ground.
func (p *Pane) lightNewChunk() {
	p.lit = 0
	if p.st.NewChunk.On == "" {
		return
	}
	var of *row
	var starts []int
	y := -1
	for item, line := range p.list.Window() {
		y++
		if r := p.out.rows[item]; r != of {
			of, starts = r, nil
			if id, text := p.newText(r); id != 0 {
				p.lit, starts = id, endOf(r.bodyLines, text)
			}
		}
		n := line - of.bodyStart
		if up := len(of.bodyLines) - 1 - n; up >= 0 && up < len(starts) && starts[up] >= 0 {
			p.lines[y] = p.light(p.lines[y], of.bodyLines[n], starts[up])
		}
	}
}

// newText returns what the newest chunk added to the artifact of a row, and its record, which is 0 if the row
// is no artifact that grew just now.
func (p *Pane) newText(r *row) (a2a.RecordID, string) {
	a, ok := r.body.(*artifact)
	if !ok || !a.art.Live || a.scrub != nil || len(a.art.Spans) == 0 {
		return 0, ""
	}
	last := a.art.Spans[len(a.art.Spans)-1]
	if !p.renderer.isNewChunk(last.Record) {
		return 0, ""
	}
	const most = 1000 // one that fills the window meets the eye without a ground
	if len(a.art.Text)-last.Offset > most {
		return 0, ""
	}
	return last.Record, string(a.art.Text[last.Offset:])
}

// light draws a line of a body on the ground of the newest chunk from a visible byte of the body's line on.
func (p *Pane) light(line, body string, from int) string {
	at := indentOf(line, body)
	if at < 0 {
		return line
	}
	return canvas.HighlightPart(line, at+from, at+len(strings.TrimRight(ansi.Strip(body), " ")), p.st.NewChunk)
}

// endOf returns which part of drawn lines shows a text that ends where they end: for each line, from the last
// one up, the visible byte from which it does, -1 for none. Rendering moves and drops characters but keeps the
// order of words, so letters and digits are compared, up to the first that differs.
func endOf(lines []string, text string) (starts []int) {
	for n := len(lines) - 1; n >= 0; n-- {
		line, start, over := ansi.Strip(lines[n]), -1, false
		for len(line) > 0 && !over {
			r, size := utf8.DecodeLastRuneInString(line)
			line = line[:len(line)-size]
			if !inWord(r) {
				continue
			}
			want, before := lastInWord(text)
			if over = want != r; !over {
				start, text = len(line), before
			}
		}
		starts = append(starts, start)
		if over || text == "" {
			break
		}
	}
	return starts
}

// lastInWord returns the last letter or digit of a text, and what precedes it; 0 if there is none.
func lastInWord(text string) (rune, string) {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		if text = text[:len(text)-size]; inWord(r) {
			return r, text
		}
	}
	return 0, ""
}
