// Package themes holds Parley's colours as values.
//
// A [Theme] names meanings, not hues: the user, the agent, done, waiting, failed and three
// greys. Drawing code names a meaning; the theme alone chooses its colour. The built-in themes
// are functions that return values, so nothing can change them, and a test computes the
// contrast of every text colour against its possible backgrounds.
//
// The package knows nothing of terminals: package styles turns a theme into
// escape sequences.
package themes

import "image/color"

// A Theme gives a colour to each meaning. A nil colour means "leave it to the
// terminal"; [Mono] leaves everything.
type Theme struct {
	Name string
	Dark bool // light text on a dark ground

	Ground    color.Color // behind everything
	Hairline  color.Color // borders and rules: the only token exempt from the contrast rule
	Selection color.Color // behind the selected row: at least 1.6:1 against Ground
	Well      color.Color // behind inputs and chips: between Ground and Selection

	Text  color.Color // main text
	Dim   color.Color // secondary text
	Faint color.Color // details: sizes, times, ids; on Selection use Dim

	Accent  color.Color // focus and headings
	User    color.Color // the user, and sent data
	Agent   color.Color // the agent, and received data
	OK      color.Color // done; strings in JSON
	Waiting color.Color // needs the user, and findings: nothing else
	Failed  color.Color // failed and refused
	Number  color.Color // numbers in JSON

	Tags [6]color.Color // the tags that tell agents apart; a seventh agent gets the first again
}

// Colorless reports whether t has no colours at all, so that glyphs and attributes must convey
// meanings.
func (t Theme) Colorless() bool { return t.Ground == nil && t.Text == nil }

// Dark returns the theme for terminals with a dark background.
func Dark() Theme {
	return Theme{
		Name: "dark", Dark: true,
		Ground: rgb(0x11131a), Hairline: rgb(0x2c3142), Selection: rgb(0x323957), Well: rgb(0x262b40),
		Text: rgb(0xc8d0e6), Dim: rgb(0x9ca5be), Faint: rgb(0x7d869f),
		Accent: rgb(0x7da4f7), User: rgb(0xbb9af7), Agent: rgb(0x7dcfff),
		OK: rgb(0x9ece6a), Waiting: rgb(0xe0af68), Failed: rgb(0xf88096), Number: rgb(0xff9e64),
		Tags: [6]color.Color{rgb(0x5fd7c4), rgb(0xe8a2c8), rgb(0x8fb8f0), rgb(0xc8c0a0), rgb(0x8fd48f), rgb(0xb6a6e8)},
	}
}

// Light returns the theme for terminals with a light background.
func Light() Theme {
	return Theme{
		Name:   "light",
		Ground: rgb(0xfbfbfd), Hairline: rgb(0xd5d9e4), Selection: rgb(0xbac8e7), Well: rgb(0xdde5f5),
		Text: rgb(0x22283a), Dim: rgb(0x4b5368), Faint: rgb(0x697288),
		Accent: rgb(0x264da8), User: rgb(0x6b37a9), Agent: rgb(0x09597a),
		OK: rgb(0x225f25), Waiting: rgb(0x744a08), Failed: rgb(0x9f2134), Number: rgb(0x8a3b09),
		Tags: [6]color.Color{rgb(0x0b7468), rgb(0xa0307a), rgb(0x2a5bb0), rgb(0x665d3a), rgb(0x35703a), rgb(0x5f48b0)},
	}
}

// Mono returns the theme without colours, for NO_COLOR and for terminals that have none: bold,
// reverse and underline replace colours.
func Mono() Theme { return Theme{Name: "mono", Dark: true} }

// All returns the built-in themes in the order of the theme key.
func All() []Theme { return []Theme{Dark(), Light(), Mono()} }

// ByName returns the built-in theme of that name.
func ByName(name string) (Theme, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}

func rgb(hex uint32) color.Color {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}
