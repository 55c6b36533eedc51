package composer

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// maxChips is the largest number of parts that are shown; further parts are counted.
const maxChips = 4

// chipRows renders a row for each part of the draft.
func (c *Composer) chipRows() []string {
	var rows []string
	shown := c.chips()
	for i := range shown {
		rows = append(rows, c.chip(&c.draft.Parts[i]))
	}
	if more := len(c.draft.Parts) - shown; more > 0 {
		rows = append(rows, c.st.Faint.S("  and "+units.Plural(more, "more part")))
	}
	return rows
}

// chips returns how many parts have a row of their own.
func (c *Composer) chips() int { return countShown(len(c.draft.Parts), maxChips) }

// countShown returns how many of n things have a row of their own in at most most rows, the last
// of which counts the others.
func countShown(n, most int) int {
	if n <= most {
		return n
	}
	return most - 1
}

// chip renders a part: its name, type and size, and the mark that removes it.
func (c *Composer) chip(p *a2a.Part) string {
	about := Describe(p)
	remove := " " + c.st.Faint.S(c.st.G[styles.Times])
	glyph := c.st.G[styles.File]
	switch {
	case p.Kind == a2a.PartURL:
		glyph = c.st.G[styles.Link]
	case strings.HasPrefix(p.MediaType, "image/"):
		glyph = c.st.G[styles.Image]
	}
	sep := " " + c.st.G[styles.Separator] + " "
	room, warning := c.w-4-canvas.Width(remove), ""
	if why := c.modeWarning(p); why != "" {
		warning = " " + c.st.G[styles.Flag]
		if words := warning + " " + why; canvas.Width(about[0])+canvas.Width(strings.Join(about[1:], sep))+canvas.Width(words)+1 <= room {
			warning = words
		}
		room -= canvas.Width(warning)
	}
	words := canvas.Ellipsize(strings.Join(about[1:], sep), max(0, room/2, room-canvas.Width(about[0])-1), c.st.G[styles.Ellipsis])
	name := canvas.Ellipsize(about[0], max(0, room-canvas.Width(words)-1), c.st.G[styles.Ellipsis])
	return "  " + c.st.Chip.S(glyph) + " " + c.st.Text.S(name) + " " + c.st.Faint.S(words) + c.st.Waiting.S(warning) + remove
}

// Describe returns the name of a part, followed by what is known about it, sanitized.
func Describe(p *a2a.Part) []string {
	name, about := canvas.SanitizeLine(p.Filename), []string{}
	switch p.Kind {
	case a2a.PartBytes:
		about = append(about, units.Bytes(p.Size()))
	case a2a.PartURL:
		if name == "" {
			name = canvas.SanitizeLine(a2a.MaskURL(p.URL))
		}
		about = append(about, "by its address")
		if p.Content != nil {
			about = append(about, units.Bytes(p.Size()))
		}
	case a2a.PartData:
		const glimpse = 80
		about = append(about, "JSON", units.Bytes(int64(len(p.Data))), strings.Join(strings.Fields(canvas.SanitizeLine(string(p.Data[:min(len(p.Data), glimpse)]))), " "))
	}
	if name == "" {
		name = p.Kind.String()
	}
	if len(p.Metadata) > 0 {
		about = append(about, "metadata")
	}
	if p.MediaType != "" && (p.Kind != a2a.PartData || p.MediaType != "application/json") {
		about = append([]string{canvas.SanitizeLine(p.MediaType)}, about...)
	}
	return append([]string{name}, about...)
}

// clickChip handles a click in row y below the text: on the mark of a part it removes the part,
// on its name it asks how to send it.
func (c *Composer) clickChip(x, y int) Intent {
	y -= len(c.foldRows())
	if y < 0 || y >= c.chips() {
		return nil
	}
	if end := canvas.Width(c.chip(&c.draft.Parts[y])); x < end-2 {
		return Change{Index: y}
	} else if x > end {
		return nil
	}
	return c.detach(y)
}

// takeAway removes the last part, or drops the last queued message.
func (c *Composer) takeAway() Intent {
	if n := c.lastQueued(); n >= 0 {
		return Unqueue{Index: n, Drop: true}
	}
	return c.detach(len(c.draft.Parts) - 1)
}

// detach removes part i and returns the intent that reports it.
func (c *Composer) detach(i int) Intent {
	p, ok := c.Detach(i)
	if !ok {
		return nil
	}
	return Detached{Name: Describe(&p)[0]}
}
