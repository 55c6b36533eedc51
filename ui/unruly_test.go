package ui

import (
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
)

// No character that a user types, in any input, may change its surroundings.
func TestUnrulyCharactersAreHarmlessWhereverOneWrites(t *testing.T) {
	t.Parallel()
	var unruly []rune
	for r := rune(0xa0); r < 0x20000; r++ {
		if canvas.IsUnruly(r) && !unicode.Is(unicode.Cs, r) {
			unruly = append(unruly, r)
		}
	}
	fields := map[string][]string{
		"composer": nil, "search of the history": {"ctrl+r"}, "finder": {"ctrl+p"}, "search of the chat": {"tab", "/"},
		"filter of the wire": {"tab", "tab", "/"}, "search of the wire": {"tab", "tab", "ctrl+f"},
	}
	for name, open := range fields {
		t.Run(name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.book(allBooked)
				d.press(open...)
				for _, r := range unruly {
					d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
					d.write("x")
					d.rows()
					d.press("backspace")
					d.rows()
					d.press("backspace")
				}
				all := string(unruly)
				d.send(tea.PasteMsg{Content: "a" + all})
				d.rows()
			})
		})
	}
}
