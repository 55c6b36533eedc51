// Package themes holds Parley's colours by meaning.
//
// A [Theme] names meanings, not hues: the user, the agent, done, waiting, failed and three
// greys. Drawing code names a meaning; the theme alone chooses its colour. Each built-in theme
// is a small file in the folder builtin, which is read when the theme is used. A user's file in
// a [Folder] has the same form and changes a built-in theme ([Read]).
//
// [Legible] makes a colour readable on a background, and [Theme.In] finds the colours of a theme
// for a terminal that has fewer. Tests compute the contrast of every text colour against each
// of its backgrounds. The package knows no escape sequences: package styles writes them.
package themes

import "image/color"

// A Theme gives a colour to each meaning. A nil colour means "leave it to the terminal"; [Mono]
// leaves everything.
type Theme struct {
	Name     string
	About    string  // a few words for lists
	Dark     bool    // light text on a dark ground
	Contrast float64 // what text needs at least on its backgrounds
	Depth    Depth   // the colours that it is made of

	Ground    color.Color // behind everything
	Hairline  color.Color // borders and rules: the only token exempt from the contrast rule
	Selection color.Color // behind the selected row: at least 1.6:1 against Ground
	Well      color.Color // behind inputs and chips: between Ground and Selection
	Band      color.Color // behind blocks of text: between Ground and Well

	Text  color.Color // main text
	Dim   color.Color // secondary text
	Faint color.Color // details: sizes, times, ids, names of values; on Selection use Dim

	Accent  color.Color // focus, and marks of headings
	User    color.Color // the user, and sent data
	Agent   color.Color // the agent, and received data
	OK      color.Color // done; strings in code
	Waiting color.Color // needs the user, and findings: nothing else
	Failed  color.Color // failed and refused
	Number  color.Color // numbers in JSON

	Tags [6]color.Color // the tags that tell agents apart; a seventh agent gets the first again
}

// A Depth is how many colours a terminal has.
type Depth uint8

// The depths. The zero value is the richest.
const (
	Full       Depth = iota // 24 bits
	Indexes256              // the cube and the greys of xterm
	Indexes16               // those that the user's terminal defines
	NoColours
)

// Colorless reports whether t has no colours at all, so that glyphs and attributes must convey
// meanings.
func (t Theme) Colorless() bool { return t.Accent == nil }

// An Index is a colour of the terminal's table of 256. The first 16 look as the user's terminal
// defines them.
type Index uint8

// RGBA implements [color.Color], with xterm's values.
func (i Index) RGBA() (r, g, b, a uint32) {
	level := func(n Index) uint8 {
		if n == 0 {
			return 0
		}
		return uint8(55 + 40*n)
	}
	switch {
	case i < 8:
		on := func(bit Index) uint8 { return uint8(i >> bit & 1 * 205) }
		return color.RGBA{R: on(0), G: on(1), B: on(2), A: 0xff}.RGBA()
	case i < 16:
		on := func(bit Index) uint8 { return uint8(i >> bit & 1 * 255) }
		return color.RGBA{R: on(0), G: on(1), B: on(2), A: 0xff}.RGBA()
	case i < 232:
		n := i - 16
		return color.RGBA{R: level(n / 36), G: level(n / 6 % 6), B: level(n % 6), A: 0xff}.RGBA()
	default:
		grey := uint8(8 + 10*(i-232))
		return color.RGBA{R: grey, G: grey, B: grey, A: 0xff}.RGBA()
	}
}

// A token is a colour of a theme, under its key in a file.
type token struct {
	key string
	of  func(t *Theme) *color.Color
}

// tokens are the colours of a theme in the order of a file, without the tags.
var tokens = [...]token{
	{"ground", func(t *Theme) *color.Color { return &t.Ground }},
	{"hairline", func(t *Theme) *color.Color { return &t.Hairline }},
	{"selection", func(t *Theme) *color.Color { return &t.Selection }},
	{"well", func(t *Theme) *color.Color { return &t.Well }},
	{"band", func(t *Theme) *color.Color { return &t.Band }},
	{"text", func(t *Theme) *color.Color { return &t.Text }},
	{"dim", func(t *Theme) *color.Color { return &t.Dim }},
	{"faint", func(t *Theme) *color.Color { return &t.Faint }},
	{"accent", func(t *Theme) *color.Color { return &t.Accent }},
	{"user", func(t *Theme) *color.Color { return &t.User }},
	{"agent", func(t *Theme) *color.Color { return &t.Agent }},
	{"ok", func(t *Theme) *color.Color { return &t.OK }},
	{"waiting", func(t *Theme) *color.Color { return &t.Waiting }},
	{"failed", func(t *Theme) *color.Color { return &t.Failed }},
	{"number", func(t *Theme) *color.Color { return &t.Number }},
}

// No text is drawn in the first tokens, and the next ones are greys in most themes.
const grounds, greys = 5, 3
