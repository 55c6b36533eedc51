package styles

import (
	"image/color"

	"parley/themes"
)

// An Area has one colour: a bar, or a part of one. Text on it can be read in Text; Fill draws its other
// cells, with the sign [Solid], so that it shows without colours and in a text that is copied.
type Area struct{ Text, Fill Paint }

// TextIn returns the paint of text on an area, which on a row that is selected differs without colours: there
// reverse video is the row, not the area.
func (st *Styles) TextIn(a Area, selected bool) Paint {
	if selected && st.Theme.Colorless() {
		return Paint{On: sgr("1", "4")}
	}
	return a.Text
}

// areaOf returns an area of a colour.
func areaOf(t themes.Theme, c color.Color) Area {
	return Area{Text: solid(t, c), Fill: Paint{On: sgr(fg(c), bg(c))}}
}

// tagAreas returns the areas in the colours of the agents' tags.
func tagAreas(t themes.Theme) (out []Area) {
	for _, c := range t.Tags {
		out = append(out, areaOf(t, c))
	}
	return out
}
