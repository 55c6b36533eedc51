// Package activity is the pane of an activity: long work, such as an export, with its progress. It returns
// what the user asks for as an [Intent].
package activity

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Cancel cancels the activity.
	Cancel struct{}
	// Leave closes the pane; the activity goes on.
	Leave struct{}
)

func (Cancel) intent() {}
func (Leave) intent()  {}

// Progress is how far an activity is.
type Progress struct {
	Name, About, Note string
	Done, Total       int // Total is 0 while it is unknown
	Elapsed           time.Duration
}

// percent returns how much of the activity is done.
func (p *Progress) percent() int {
	if p.Total <= 0 {
		return 0
	}
	return int(100 * max(0, min(1, float64(p.Done)/float64(p.Total))))
}

// A Pane shows an activity. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	of Progress
}

// New returns a pane without an activity.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// SetProgress sets what the pane shows.
func (p *Pane) SetProgress(of Progress) { p.of = of }

// Title returns the title of the frame.
func (p *Pane) Title() string { return p.of.Name }

// Note returns the time that it took so far.
func (p *Pane) Note() string {
	return units.Duration(p.of.Elapsed.Truncate(100 * time.Millisecond))
}

// Cursor returns nil: the user types no text.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	all := []string{
		p.St.Text.S(p.Cut(canvas.SanitizeLine(p.of.About))),
		"",
		p.bar(),
		p.St.Dim.S(p.Cut(canvas.SanitizeLine(p.of.Note))),
	}
	if p.H < len(all) { // the bar first
		all = []string{all[2], all[0], all[3]}
	}
	rows := make([]string, p.H)
	for i := range rows {
		if i < len(all) {
			rows[i] = all[i]
		}
		rows[i] = canvas.Fit(rows[i], p.W)
	}
	return rows
}

// bar draws how much is done, with the percentage at its right.
func (p *Pane) bar() string {
	words := "  " + strconv.Itoa(p.of.percent()) + " %"
	words = strings.Repeat(" ", max(0, 7-len(words))) + words
	w := p.W - len(words)
	if w < 1 {
		return p.St.Text.S(strings.TrimSpace(words))
	}
	full := w * p.of.percent() / 100
	return p.St.Accent.S(strings.Repeat(p.St.G[styles.Played], full)) + p.St.Hairline.S(strings.Repeat(p.St.G[styles.Horizontal], w-full)) + p.St.Text.S(words)
}

// Mouse handles a mouse event at a cell of the pane: none does anything.
func (p *Pane) Mouse(tea.MouseMsg, int, int) Intent { return nil }
