// Package themelist is the pane of the themes to choose from: a row for each, with its main
// colours on its own ground.
//
// A [Pane] gets the themes as [Entry] values. The selected one is for the whole screen at once,
// which its controller takes care of; enter keeps it.
package themelist

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Auto is the name of the entry for the theme that the terminal's background chooses.
const Auto = "auto"

// An Entry is a theme of the list.
type Entry struct {
	Name  string
	About string
	Theme themes.Theme
	// Problem is a sentence about what is wrong with the user's file, empty if nothing is.
	Problem string
}

// An Intent is what the user asked for: [Keep] or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Keep is the intent to use a theme from now on.
	Keep struct{ Name string }
	// Close closes the list; the theme of before comes back.
	Close struct{}
)

func (Keep) intent()  {}
func (Close) intent() {}

// A Pane lists themes. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	entries []Entry
	kept    string // the theme that is used without the list
	hint    string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// Open shows themes and selects the one that is used now. The hint says where own themes can be
// put.
func (p *Pane) Open(entries []Entry, kept, hint string) {
	p.entries, p.kept, p.hint = entries, kept, hint
	p.List = list.Cursor{At: p.index(kept)}
}

// SetEntries replaces the themes. The selected one stays selected.
func (p *Pane) SetEntries(entries []Entry) {
	selected := p.Selected()
	p.entries = entries
	p.List.At = p.index(selected)
}

// index returns the row of a theme, the first if it is not listed.
func (p *Pane) index(name string) int {
	return max(0, slices.IndexFunc(p.entries, func(e Entry) bool { return e.Name == name }))
}

// Selected returns the name of the selected theme, empty if there is none.
func (p *Pane) Selected() string {
	if p.List.At < len(p.entries) {
		return p.entries[p.List.At].Name
	}
	return ""
}

// footRows is how many rows the foot has: a rule, and text about the selected theme.
const footRows = 5

// Wants returns how many columns the list wants.
func (p *Pane) Wants() int { return 46 }

// Title returns the title of the frame.
func (p *Pane) Title() string { return "themes" }

// Note returns the number of themes, for the right end of the frame's top edge.
func (p *Pane) Note() string { return units.Plural(max(0, len(p.entries)-1), "theme") }

// Lines renders the pane.
func (p *Pane) Lines() []string {
	parts := p.SplitFor(len(p.entries), 0, footRows, 1)
	rows := p.Rows(len(p.entries), parts.List, p.row, func() string { return "There are no themes." })
	return p.Stack(parts, nil, rows, p.foot())
}

// The widths of the columns.
const (
	nameWidth   = 22
	swatchWidth = 15
)

// row renders a theme: whether it is used or wrong, its name, what it is where there is room, and its
// colours.
func (p *Pane) row(i int) string {
	e, st := &p.entries[i], p.St
	lead, paint := "  ", st.Text
	switch {
	case e.Problem != "":
		lead = st.Waiting.S(st.G[styles.Flag] + " ")
	case e.Name == p.kept:
		lead, paint = st.Accent.S(st.G[styles.Done]+" "), st.Accent
	}
	line := lead + paint.S(p.Cell(canvas.SanitizeLine(e.Name), nameWidth-1)+" ")
	room := max(0, p.W-2-nameWidth-swatchWidth)
	about := ""
	if room > 8 {
		about = st.Faint.S(p.Ellipsize(canvas.SanitizeLine(e.About), room-1))
	}
	return line + canvas.Fit(about, room) + p.swatch(e.Theme)
}

// swatch renders the main colours of a theme on its ground; nothing where they are not its own.
func (p *Pane) swatch(t themes.Theme) string {
	if t.Colorless() || t.Depth == themes.Indexes16 {
		return ""
	}
	var b strings.Builder
	sign := p.St.G[styles.Online]
	for _, c := range [...]styles.Paint{
		styles.Pair(t.Text, t.Ground), styles.Pair(t.Accent, t.Ground), styles.Pair(t.User, t.Ground), styles.Pair(t.Agent, t.Ground),
		styles.Pair(t.OK, t.Ground), styles.Pair(t.Waiting, t.Ground), styles.Pair(t.Failed, t.Ground),
	} {
		b.WriteString(c.S(" " + sign))
	}
	return b.String() + styles.Pair(t.Text, t.Ground).S(" ")
}

// foot says what the selected theme is, or what is wrong with it, and where own themes can be put.
func (p *Pane) foot() []string {
	if p.List.At >= len(p.entries) {
		return nil
	}
	e := &p.entries[p.List.At]
	if e.Problem != "" {
		return canvas.Paragraph(canvas.SanitizeLine(e.Problem), p.W, p.St.Waiting)
	}
	rows := []string{p.Cut(p.St.Text.S(canvas.SanitizeLine(e.About)))}
	if p.hint == "" {
		return rows
	}
	return append(rows, canvas.Paragraph(canvas.SanitizeLine(p.hint), p.W, p.St.Faint)...)
}

// height returns how many rows the list has.
func (p *Pane) height() int { return p.SplitFor(len(p.entries), 0, footRows, 1).List }

func (p *Pane) keep() Intent {
	if name := p.Selected(); name != "" {
		return Keep{Name: name}
	}
	return nil
}

// Mouse handles a click or a turn of the wheel at row y. A click on the selected theme keeps it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.List.Mouse(msg, y, len(p.entries), p.height()) == list.HitSelected {
		return p.keep()
	}
	return nil
}

// Cursor returns nil: no text is typed.
func (p *Pane) Cursor() *tea.Cursor { return nil }
