// Package styles turns a theme and a table of glyphs into the styles of the panes.
//
// A [Paint] is an escape sequence that was computed once; painting a word costs one
// concatenation, so that a frame of thousands of styled words needs no style library. [New]
// builds a [Styles] from a [themes.Theme] and a [Glyphs] table. Every pane gets it, and a new
// one when the theme changes. There are no package-level styles.
package styles

import (
	"image/color"
	"strconv"

	"parley/themes"
	"parley/ui/keys"
)

// Styles are the colours and glyphs of the panes, and the keys of their inputs. Paints set the
// foreground and attributes only, except Selected, Well, Band, Mark, Chip, Cursor, the solid ones and those of
// areas, which set a background too. The root model draws Ground under all of them.
type Styles struct {
	Theme themes.Theme
	G     Glyphs
	// Editing are the keys that edit text, in every input that has these styles.
	Editing *keys.Text

	Text, Dim, Faint Paint // the three greys
	Bold             Paint // names
	Title            Paint // the title of the focused pane, names in headers
	Accent           Paint // focus, and marks of headings
	Count            Paint // how much is new
	User             Paint
	Agent            Paint
	OK               Paint
	Waiting          Paint
	Failed           Paint
	Number           Paint
	Tags             []Paint // tags of agents; none without colours
	Hairline         Paint   // borders and rules without focus
	Focus            Paint   // the border of the focused pane

	// Ground is the text and background colour of everything not painted otherwise. It is drawn
	// cell by cell: a background set in the terminal would stay after a kill, and not all
	// terminals support it.
	Ground Paint

	Selected Paint // background of the selected row, for canvas.Select
	Held     Paint // the selected row without the focus, for canvas.Hold; the sequence is no other paint's
	Well     Paint // behind an input
	NewChunk Paint // behind the chunk that came just now; empty where there is no ground to tell it from
	Band     Paint // behind a block of rows, for canvas.Highlight: a background only, and none with few colours
	Mark     Paint // what a search found
	Chip     Paint // in front of a file or data part
	Cursor   Paint // the block at the growing end of a stream

	// Areas in the colours of states, for a bar or a block that has to meet the eye.
	AgentArea, WaitingArea, FailedArea, OKArea, DimArea Area
	TagAreas                                            []Area // in the colours of the tags; none without colours

	selection map[string]string // what replaces a foreground on the selection, by its parameters
}

// New builds the styles for a theme. A theme without colours gets attributes instead, but not
// faint, which many terminals draw unreadably or not at all.
func New(t themes.Theme, g Glyphs) *Styles {
	if t.Colorless() {
		return mono(t, g)
	}
	st := &Styles{
		Theme: t, G: g, Editing: keys.TextKeys(),
		Ground:   Paint{On: sgr(fg(t.Text), bg(t.Ground))},
		Text:     Paint{On: sgr(fg(t.Text))},
		Dim:      Paint{On: sgr(fg(t.Dim))},
		Faint:    Paint{On: sgr(fg(t.Faint))},
		Bold:     Paint{On: sgr("1", fg(t.Text))},
		Title:    Paint{On: sgr("1", fg(t.Text))},
		Accent:   Paint{On: sgr(fg(t.Accent))},
		Count:    Paint{On: sgr("1", fg(t.Accent))},
		User:     Paint{On: sgr(fg(t.User))},
		Agent:    Paint{On: sgr(fg(t.Agent))},
		OK:       Paint{On: sgr(fg(t.OK))},
		Waiting:  Paint{On: sgr(fg(t.Waiting))},
		Failed:   Paint{On: sgr(fg(t.Failed))},
		Number:   Paint{On: sgr(fg(t.Number))},
		Tags:     tags(t),
		Hairline: Paint{On: sgr(fg(t.Hairline))},
		Focus:    Paint{On: sgr(fg(t.Accent))},
		Selected: Paint{On: sgr(bg(t.Selection))},
		Mark:     Paint{On: sgr("1", fg(t.Ground), bg(t.Accent))},
		Held:     Paint{On: held},
		Well:     Paint{On: sgr(bg(t.Well))},
		Band:     Paint{On: sgr(bg(t.Band))},
		Chip:     Paint{On: sgr(fg(t.Text), bg(t.Well))},
		Cursor:   Paint{On: sgr(fg(t.Ground), bg(t.Text))},

		AgentArea: areaOf(t, t.Agent), WaitingArea: areaOf(t, t.Waiting), FailedArea: areaOf(t, t.Failed), OKArea: areaOf(t, t.OK),
		DimArea: areaOf(t, t.Dim), TagAreas: tagAreas(t),

		selection: map[string]string{},
	}
	for _, change := range t.OnSelection() {
		st.selection[fg(change.From)] = fg(change.To)
	}
	if to := st.selection[fg(t.Text)]; to != "" { // for text without a paint of its own
		st.Selected = Paint{On: sgr(to, bg(t.Selection))}
	}
	if t.Depth == themes.Indexes16 {
		st.few(t)
	} else if g != ASCII() {
		st.NewChunk = st.Well
	}
	return st
}

// held is bold, in other parameters than [Paint.Bold], so that a held row can be told from one that
// begins with a name.
const held = "\x1b[1;1m"

// In returns the styles for another theme and other glyphs, with the same keys.
func (st *Styles) In(t themes.Theme, g Glyphs) *Styles {
	other := New(t, g)
	other.Editing = st.Editing
	return other
}

// few sets what differs with 16 colours: the selected row has one text colour, because no other
// is sure to be readable on it, and wells are underlined.
func (st *Styles) few(t themes.Theme) {
	grey := themes.Index(7)
	if t.Dark {
		grey = 8
	}
	st.Selected = Paint{On: sgr(fg(themes.Index(15)), bg(t.Selection))}
	st.Well, st.Chip = Paint{On: sgr("4")}, Paint{On: sgr(fg(t.Text), bg(grey))}
	st.Waiting, st.Failed = st.Waiting.Bold(), st.Failed.Bold()
}

// solid returns bold text on a colour: in the colour of the ground, which differs from all others. Of 16
// colours nobody knows how they look, so the text is black or white, whichever has more contrast in the usual
// table.
func solid(t themes.Theme, c color.Color) Paint {
	text := t.Ground
	if t.Depth == themes.Indexes16 {
		text = themes.Index(0)
		if white := themes.Index(15); themes.Contrast(white, c) > themes.Contrast(text, c) {
			text = white
		}
	}
	return Paint{On: sgr("1", fg(text), bg(c))}
}

// tags returns the paints of the agents' tags.
func tags(t themes.Theme) []Paint {
	var out []Paint
	for _, c := range t.Tags {
		out = append(out, Paint{On: sgr("1", fg(c))})
	}
	return out
}

func mono(t themes.Theme, g Glyphs) *Styles {
	bold, under, reverse := Paint{On: sgr("1")}, Paint{On: sgr("4")}, Paint{On: sgr("7")}
	block := Paint{On: sgr("1", "7")}
	area := Area{Text: block}
	return &Styles{
		Theme: t, G: g, Editing: keys.TextKeys(),
		Bold: bold, Title: Paint{On: sgr("1", "4")}, Accent: bold, Count: bold, User: bold, Agent: bold,
		Waiting: Paint{On: sgr("1", "4")}, Failed: under, Focus: bold,
		Selected: reverse, Held: Paint{On: held}, Well: under, Mark: block, Chip: bold, Cursor: reverse,
		AgentArea: area, WaitingArea: area, FailedArea: area, OKArea: area, DimArea: area,
	}
}

// sgr joins parameters to one Select Graphic Rendition sequence. It skips empty ones and
// returns an empty string for none.
func sgr(params ...string) string {
	out := ""
	for _, p := range params {
		switch {
		case p == "":
		case out == "":
			out = p
		default:
			out += ";" + p
		}
	}
	if out == "" {
		return ""
	}
	return "\x1b[" + out + "m"
}

// Pair returns the paint of a text colour on a background, for colours that are not the theme's.
func Pair(text, ground color.Color) Paint { return Paint{On: sgr(fg(text), bg(ground))} }

func fg(c color.Color) string { return parameters(c, "38;", 30) }
func bg(c color.Color) string { return parameters(c, "48;", 40) }

// parameters returns the parameters that set a colour. One of 16 has a parameter of its own, from
// base on.
func parameters(c color.Color, prefix string, base int) string {
	if c == nil {
		return ""
	}
	if i, ok := c.(themes.Index); ok {
		switch {
		case i < 8:
			return strconv.Itoa(base + int(i))
		case i < 16:
			return strconv.Itoa(base + 60 - 8 + int(i))
		default:
			return prefix + "5;" + strconv.Itoa(int(i))
		}
	}
	r, g, b, _ := c.RGBA()
	return prefix + "2;" + strconv.Itoa(int(r>>8)) + ";" + strconv.Itoa(int(g>>8)) + ";" + strconv.Itoa(int(b>>8))
}
