// Package sheet is what the panes that are used as sheets have in common: styles, size and
// inputs, and a list between a head and a foot.
package sheet

import (
	"strings"
	"time"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/styles"
)

// A Base is the common part of a pane, which embeds it. It is not safe for use by several
// goroutines.
type Base struct {
	St     *styles.Styles
	W, H   int         // size in cells
	List   list.Cursor // the selected row
	inputs []*field.Field
	filter *Filter
	scroll canvas.Scroll // of the list, as it was drawn last
}

// New returns a base of no size. It restyles the inputs with the pane.
func New(st *styles.Styles, inputs ...*field.Field) Base {
	return Base{St: st, inputs: inputs}
}

// SetStyles sets the styles of the pane and its inputs.
func (b *Base) SetStyles(st *styles.Styles) {
	b.St = st
	for _, in := range b.inputs {
		in.SetStyles(st)
	}
}

// Focus moves the focus to an input, or to none if in is nil.
func (b *Base) Focus(in *field.Field) {
	for _, other := range b.inputs {
		other.Blur()
	}
	if in != nil {
		in.Focus()
	}
}

// Forget clears the inputs, so that no secret stays longer than needed.
func (b *Base) Forget() {
	for _, in := range b.inputs {
		in.Reset()
	}
}

// SetSize sets the size in cells. The inputs become as wide as the pane; one beside a label gets
// its width when it is drawn.
func (b *Base) SetSize(w, h int) {
	b.W, b.H = max(0, w), max(0, h)
	for _, in := range b.inputs {
		in.SetWidth(b.W)
	}
}

// wellWidth is how many cells a well has at most.
const wellWidth = 60

// Well renders an input on the ground of wells, in at most w cells.
func (b *Base) Well(in *field.Field, w int) string {
	w = max(1, min(w, wellWidth))
	in.SetWidth(w)
	return canvas.Highlight(canvas.Fit(in.View(), w), b.St.Well)
}

// Cut cuts text off at the width of the pane.
func (b *Base) Cut(text string) string { return b.Ellipsize(text, b.W) }

// Ellipsize is [canvas.Ellipsize] with the glyph of the styles.
func (b *Base) Ellipsize(text string, w int) string {
	return canvas.Ellipsize(text, w, b.St.G[styles.Ellipsis])
}

// Cell fits text into a cell of w columns.
func (b *Base) Cell(text string, w int) string { return canvas.Fit(b.Ellipsize(text, w), w) }

// Join joins words by the separator of the styles.
func (b *Base) Join(words ...string) string {
	return strings.Join(words, " "+b.St.G[styles.Separator]+" ")
}

// Parts are the heights in rows of the parts of a pane.
type Parts struct{ Head, List, Foot int }

// Split divides the height of the pane: the head and the foot get as many rows as given, the
// list gets the rest. Where there is no room, the foot shrinks for the sake of the head and of
// least rows of the list, and the head leaves one row.
func (b *Base) Split(head, foot, least int) Parts {
	h := b.Room()
	head = min(head, max(0, h-1))
	foot = max(0, min(foot, h-head-least))
	return Parts{Head: head, List: h - head - foot, Foot: foot}
}

// SplitFor is [Base.Split] for a list of n rows: where they leave room, the foot stands directly
// below them and gets the rest.
func (b *Base) SplitFor(n, head, foot, least int) Parts {
	p := b.Split(head, foot, least)
	if n == 0 {
		n = least // for why there is none
	}
	if spare := p.List - n; spare > 0 && p.Foot > 0 {
		p.List, p.Foot = p.List-spare, p.Foot+spare
	}
	return p
}

// Rows renders the visible ones of n rows of a list that is h rows high. An empty list shows
// the reason why it is empty.
func (b *Base) Rows(n, h int, row func(i int) string, empty func() string) []string {
	if n == 0 {
		return canvas.Paragraph(empty(), b.W, b.St.Faint)
	}
	return b.Listed(0, n, h, row)
}

// Scrolls returns what part of its list the pane drew last, once.
func (b *Base) Scrolls() canvas.Scrolls {
	s := b.scroll
	b.scroll = canvas.Scroll{}
	return canvas.ScrollOf(s)
}

// At says which of how many entries is selected, counted from 1, in a list in which some have several rows.
// It comes after [Base.Rows].
func (b *Base) At(i, of int) {
	if b.scroll.At > 0 {
		b.scroll.At, b.scroll.Of = i, of
	}
}

// Listed is [Base.Rows] for a list that is not empty and begins at row y of a pane without [Base.Stack].
func (b *Base) Listed(y, n, h int, row func(i int) string) []string {
	rows := b.List.Rows(b.St, b.W, n, h, row)
	b.scroll = b.List.Window(y, n, h)
	return rows
}

// Stack renders the parts of the pane as exactly as many rows as its height, each exactly as
// wide as the pane. A foot without rows has no rule.
func (b *Base) Stack(p Parts, head, rows, foot []string) []string {
	if len(foot) == 0 {
		p.List, p.Foot = p.List+p.Foot, 0
	}
	b.scroll.Y = p.Head
	out := canvas.Stack(b.St, b.W, canvas.Part{Rows: head, H: p.Head}, canvas.Part{Rows: rows, H: p.List}, canvas.Part{Rows: foot, H: p.Foot})
	if b.filterHeight() > 0 {
		out = append(out, b.filterRow())
	}
	return out
}

// Detail renders a label of labelWidth columns and at most n rows of value, sanitized; nothing
// if value is empty. It reads no more of value than n rows can show.
func (b *Base) Detail(label string, labelWidth int, value string, n int) []string {
	if value == "" {
		return nil
	}
	room := max(8, b.W-labelWidth)
	value = canvas.SanitizeLine(strings.ToValidUTF8(value[:min(len(value), 8*n*room)], ""))
	return canvas.WrapLabeledIn(n, canvas.Label{Text: label, W: labelWidth, Paint: b.St.Faint}, value, b.W, b.St.Text, b.St.G[styles.Ellipsis])
}

// Ago returns how long ago a time was, in the steps of [units.Age]: "21 min"; empty if either is
// unknown. An age needs no more, and a column of ages stays narrow.
func Ago(at, now time.Time) string {
	if at.IsZero() || now.IsZero() {
		return ""
	}
	age, _ := units.Age(now.Sub(at))
	return units.Seconds(age)
}

// NextAge returns how long the ages of the visible ones of n rows stay as they are, 0 for ever. At returns
// the time whose age a row shows, zero for none.
func (b *Base) NextAge(n int, now time.Time, at func(i int) time.Time) (least time.Duration) {
	for i := b.List.Top; i < min(n, b.List.Top+b.H); i++ {
		if t := at(i); !t.IsZero() {
			if _, next := units.Age(now.Sub(t)); least == 0 || next < least {
				least = next
			}
		}
	}
	return least
}

// Sentence returns a clause as a sentence: with a capital letter and a full stop.
func Sentence(clause string) string {
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + strings.TrimSuffix(clause[1:], ".") + "."
}
