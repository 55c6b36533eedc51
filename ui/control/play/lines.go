package play

import (
	"fmt"
	"slices"
	"strings"

	"parley/session/script"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// Rows returns how many rows of a screen of w×h cells belong to the script: where its captions
// are, and where it says what it waits for. Their number stays the same, so that nothing moves
// while the script is played. A picture of one that has nothing to say is of the screen alone.
func (c *Controller) Rows(w, h int) int {
	const low, medium, high = 3, 16, 28
	switch {
	case c.state == absent || c.state == ended || h < low || c.opts.Quits && !c.speaks():
		return 0
	case h >= high:
		return 3
	case h >= medium && (c.state == fails || c.longest()+2 > w):
		return 2
	default:
		return 1
	}
}

// speaks reports whether the rows of the script may have something to say to those who see its pictures.
func (c *Controller) speaks() bool {
	return c.opts.Instead != nil || slices.ContainsFunc(c.opts.Script.Steps, func(s script.Step) bool {
		return s.Verb == script.Caption || s.Verb == script.Expect
	})
}

// longest returns the width of the longest caption.
func (c *Controller) longest() int {
	if c.widest == 0 {
		c.widest = 1
		for i := range c.opts.Script.Steps {
			if s := &c.opts.Script.Steps[i]; s.Verb == script.Caption {
				c.widest = max(c.widest, canvas.Width(canvas.SanitizeLine(s.Text)))
			}
		}
	}
	return c.widest
}

// Lines returns the rows of the script.
func (c *Controller) Lines(w, rows int) []string {
	if rows <= 0 || w <= 0 {
		return nil
	}
	var text []string
	switch c.state {
	case fails:
		text = c.failure(w, rows)
	case pauses:
		text = c.hint(w, rows)
	default:
		text = c.captionRows(w, rows)
	}
	for len(text) < rows {
		if text = append(text, ""); len(text) < rows {
			text = append([]string{""}, text...)
		}
	}
	for i, row := range text[:rows] {
		text[i] = c.band(canvas.Fit(row, w))
	}
	return text[:rows]
}

// band draws a row on the background of the script's rows.
func (c *Controller) band(row string) string {
	on := c.st.Well.On
	if on == "" || on == "\x1b[4m" { // without colours, a well is underlined
		return row
	}
	return on + strings.ReplaceAll(row, styles.Reset, styles.Reset+on) + styles.Reset
}

// place names the step that is next: "line 12 of trip.parley".
func (c *Controller) place() string {
	if s := c.play.Step(); s != nil {
		return fmt.Sprintf("line %d: %s", s.Line, s.Label())
	}
	return "the end of the script"
}

// failure says which line failed, and why.
func (c *Controller) failure(w, rows int) []string {
	f := c.result.Failure
	text := fmt.Sprintf("%s line %d: %s", c.st.G[styles.Failed], f.Step.Line, canvas.SanitizeLine(f.Sentence))
	return c.wrapped(text, w, rows, c.st.Failed)
}

// wrapped returns a text in at most so many rows, with a column free at each side.
func (c *Controller) wrapped(text string, w, rows int, paint styles.Paint) (out []string) {
	room := max(1, w-2)
	lines := canvas.Wrap(text, room)
	if len(lines) > rows {
		lines = append(lines[:rows-1], canvas.EllipsizeWords(strings.Join(lines[rows-1:], " "), room, c.st.G[styles.Ellipsis]))
	}
	for _, line := range lines {
		out = append(out, " "+paint.S(line))
	}
	return out
}

// hint says that the script is paused, and what goes on.
func (c *Controller) hint(w, rows int) []string {
	sep := " " + c.st.G[styles.Separator] + " "
	does := func(id action.ID, what string) string { return keys.Name(c.keys.Of(id)) + " " + what }
	mark := c.st.G[styles.Pause] + " paused"
	long := strings.Join([]string{mark, does(goOn, "goes on"), does(skipStep, "skips the step"), does(endScript, "ends the script and leaves the workbench to you")}, sep)
	short := strings.Join([]string{mark, does(goOn, "goes on"), does(skipStep, "skips"), does(endScript, "ends")}, sep)
	line := long
	if canvas.Width(long)+2 > w {
		line = short
	}
	if canvas.Width(line)+2 > w {
		line = canvas.Ellipsize(line, max(1, w-2), c.st.G[styles.Ellipsis])
	}
	out := []string{" " + c.st.Accent.Bold().S(line)}
	if rows > 1 {
		out = append(out, " "+c.st.Dim.S(canvas.Ellipsize("next is "+c.place(), max(1, w-2), c.st.G[styles.Ellipsis])))
	}
	return out
}

// captionRows returns the caption in the middle, with what else has to be known at the sides.
func (c *Controller) captionRows(w, rows int) []string {
	left := ""
	if c.recorded {
		left = c.st.Waiting.Bold().S("recorded")
	}
	right := ""
	if c.verdict != "" && !c.links.Presents() {
		right = c.st.OK.S(c.st.G[styles.Done]) + " " + c.st.Dim.S(canvas.Ellipsize(canvas.SanitizeLine(c.verdict), max(1, w/4), c.st.G[styles.Ellipsis]))
	}
	caption := canvas.SanitizeLine(c.caption)
	room := func() int { // in the middle
		side := max(canvas.Width(left), canvas.Width(right))
		if side > 0 {
			side += 2
		}
		return max(1, w-2*max(side, 1))
	}
	if canvas.Width(caption) > room() { // the caption comes first
		right = ""
	}
	lines := canvas.Wrap(caption, room())
	if len(lines) > rows {
		lines = append(lines[:rows-1], canvas.EllipsizeWords(strings.Join(lines[rows-1:], " "), room(), c.st.G[styles.Ellipsis]))
	}
	out := make([]string, 0, rows)
	for i, line := range lines {
		before := max(0, (w-canvas.Width(line))/2)
		row := strings.Repeat(" ", before) + c.st.Title.S(line)
		if i == 0 {
			row = c.beside(row, left, right, w)
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		out = append(out, c.beside("", left, right, w))
	}
	return out
}

// beside puts texts at the edges of a row.
func (c *Controller) beside(row, left, right string, w int) string {
	out := []string{canvas.Fit(row, w)}
	if left != "" {
		out = canvas.Overlay(out, []string{left}, 1, 0)
	}
	if right != "" {
		out = canvas.Overlay(out, []string{right}, max(0, w-1-canvas.Width(right)), 0)
	}
	return out[0]
}
