package styles

import (
	"fmt"
	"image/color"
	"strconv"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/textinput"
	"charm.land/lipgloss/v2"

	"parley/themes"
)

// Input returns the styles of a one-line input.
func (st *Styles) Input() textinput.Styles {
	state := textinput.StyleState{
		Text:        lip(st.Theme.Text),
		Placeholder: lip(st.Theme.Faint),
		Suggestion:  lip(st.Theme.Faint),
		Prompt:      lip(st.Theme.Accent),
	}
	return textinput.Styles{
		Focused: state, Blurred: state,
		Cursor: textinput.CursorStyle{Color: st.Theme.Text},
	}
}

// Help returns the styles of generated help.
func (st *Styles) Help() help.Styles {
	keys, words, faint := lip(st.Theme.Dim), lip(st.Theme.Faint), lip(st.Theme.Faint)
	if st.Theme.Colorless() {
		keys = keys.Bold(true)
	}
	return help.Styles{
		Ellipsis: faint, ShortKey: keys, ShortDesc: words, ShortSeparator: faint,
		FullKey: lip(st.Theme.Text), FullDesc: keys, FullSeparator: faint,
	}
}

func lip(c color.Color) lipgloss.Style {
	if c == nil {
		return lipgloss.NewStyle()
	}
	return lipgloss.NewStyle().Foreground(lipgloss.Color(Name(c)))
}

// Name returns a colour in the notation of Lip Gloss and Glamour: "#rrggbb", or the number of an
// index.
func Name(c color.Color) string {
	if i, ok := c.(themes.Index); ok {
		return strconv.Itoa(int(i))
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
