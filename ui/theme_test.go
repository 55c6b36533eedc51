package ui

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
)

// Everything that draws has the colours of the theme: a screen whose theme changed equals one
// that began in that theme. The screens have every pane, and every sheet of the table.
func TestAChangeOfThemeRestylesEveryPaneAndSheet(t *testing.T) {
	all := slices.DeleteFunc(slices.Clone(spots), func(s spot) bool { return !s.types }) // with text fields
	for _, s := range scenes {
		all = append(all, spot{name: "scene " + s.name, play: s.play})
	}
	inbox := func(d *desk) {
		d.book(asksWhere)
		d.tells(control.Place{Agent: 2, Conversation: 50}, "aaaa-1111", "AUTH_REQUIRED", "Sign in at https://login.example/x.")
		d.press("ctrl+g")
	}
	all = append(all, []spot{
		{name: "inbox", play: inbox},
		{name: "picker", play: func(d *desk) { d.sends("docs/one.txt", "zz.txt"); d.press("alt+a") }},
		{name: "preview", play: func(d *desk) { d.book(allBooked); d.write("/preview fares.json"); d.press("enter") }},
		{name: "extensions", play: func(d *desk) { d.extensible(); d.write("/ext"); d.press("enter") }},
		{name: "send options", play: func(d *desk) { d.book(allFound); d.press("alt+h") }},
		{name: "JSON", play: func(d *desk) { d.book(allFound); d.write("/data"); d.press("enter") }},
	}...)
	var sheets []control.Sheet
	covered := map[control.SheetName]bool{}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			draw := func(theme string) (rows []string) {
				o := s.o
				o.Theme = theme
				bubble(t, 120, 40, o, func(d *desk) {
					s.play(d)
					d.model.touch()
					d.send(tea.BackgroundColorMsg{Color: color.White}) // a theme of its own ignores it
					d.wait(noticeTime * 10)                            // notices go, and what is rendered in the background comes
					rows = strings.Split(strings.ReplaceAll(d.model.View().Content, d.model.opts.Dir, "DIR"), "\n")
					sheets = d.model.sheets
					covered[d.model.screen.over] = true
				})
				return rows
			}
			got, want := draw("auto"), draw("light")
			for y := range want {
				if got[y] != want[y] {
					t.Fatalf("row %d after the theme became light: got %q, want %q as in a light theme from the start", y, got[y], want[y])
				}
			}
		})
	}
	for _, s := range sheets {
		if !covered[s.Name] {
			t.Errorf("no screen shows the sheet %s", s.Name)
		}
	}
}
