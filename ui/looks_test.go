package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/golden"
	"parley/ui/control"
)

// threeAtWork plays three agents at work: one streams on the screen, one asks, one has failed.
// The wire lists all.
func (d *desk) threeAtWork() {
	d.t.Helper()
	d.book(midStream)
	d.tells(control.Place{Agent: 2, Conversation: 50}, "tides-1111", "INPUT_REQUIRED", "For which coast shall I write the table of tides?")
	d.tells(control.Place{Agent: 3, Conversation: 51}, "stamp-2222", "FAILED", "The counter is closed.")
	d.press("tab", "tab", "a", "a", "esc")
}

// The main screen with one agent and with three at work, in every size and look: one file for each
// size, in which a look that draws the same text or the same areas as another one says so.
func TestFramesOfOneAndOfThreeAgents(t *testing.T) {
	t.Parallel()
	scenes := []struct {
		name string
		play func(d *desk)
	}{
		{"one agent", func(d *desk) { d.book(midStream) }},
		{"three agents", (*desk).threeAtWork},
	}
	looks := []struct {
		name string
		o    Options
	}{
		{"dark", Options{Theme: Theme{Name: "dark"}}},
		{"light", Options{Theme: Theme{Name: "light"}}},
		{"mono", Options{Theme: Theme{Name: "mono"}}},
		{"ascii", Options{Theme: Theme{Name: "dark"}, ASCII: true}},
	}
	for _, size := range []struct{ w, h int }{{80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		name := fmt.Sprintf("looks-%dx%d", size.w, size.h)
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, s := range scenes {
				seen := map[string]string{}
				for _, look := range looks {
					bubble(t, size.w, size.h, look.o, func(d *desk) {
						s.play(d)
						areas, styles := areasOf(d.rows())
						for _, part := range []struct{ what, drawn string }{{"text", d.text()}, {"areas", areas}, {"styles", styles}} {
							heading := s.name + ", " + look.name + ": " + part.what
							if as := seen[part.drawn]; as != "" {
								out.WriteString("== " + heading + " as in " + as + "\n")
								continue
							}
							seen[part.drawn] = look.name
							out.WriteString("== " + heading + "\n" + part.drawn + "\n")
						}
					})
				}
			}
			golden.Compare(t, "frames/"+name, out.String())
		})
	}
}

// areasOf returns the areas of each row that have one style, as a letter and the number of cells,
// and the styles: the parameters of their escape sequences.
func areasOf(rows []string) (areas, styles string) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var known []string
	letter := func(style string) byte {
		for i, s := range known {
			if s == style {
				return letters[i]
			}
		}
		known = append(known, style)
		return letters[len(known)-1]
	}
	lines := make([]string, len(rows))
	for y, row := range rows {
		style, last, cells := "", byte(0), 0
		flush := func() {
			if cells > 0 {
				lines[y] += fmt.Sprintf("%c%d ", last, cells)
			}
			cells = 0
		}
		for row != "" {
			if seq, rest, _ := strings.Cut(row, "m"); strings.HasPrefix(row, "\x1b[") {
				if style += seq[2:] + ";"; seq == "\x1b[" || seq == "\x1b[0" {
					style = ""
				}
				row = rest
				continue
			}
			text, rest, more := strings.Cut(row, "\x1b")
			if row = rest; more {
				row = "\x1b" + rest
			}
			if now := letter(style); now != last {
				flush()
				last = now
			}
			cells += ansi.StringWidth(text)
		}
		flush()
	}
	for i, s := range known {
		styles += fmt.Sprintf("%c %s\n", letters[i], s)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), " \n", "\n"), strings.TrimSpace(styles)
}
