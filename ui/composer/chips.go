package composer

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// maxChips is how many parts are shown; more are counted.
const maxChips = 4

// chipRows describes what goes with the text, a row for each part.
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
func (c *Composer) chips() int {
	if n := len(c.draft.Parts); n <= maxChips {
		return n
	}
	return maxChips - 1
}

// chip draws a part: what it is, what it is called, how large it is, and the mark that
// takes it away.
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
	if why := c.unwanted(p); why != "" {
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

// Describe says of a part what it is called and then what is known about it, in words
// that can be shown.
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

// clickChip takes away the part whose mark was clicked, row y of those below the text, and
// asks for another way to send the one whose name was.
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

// takeAway takes away the last part, or drops what was queued last.
func (c *Composer) takeAway() Intent {
	if n := c.lastQueued(); n >= 0 {
		return Unqueue{Index: n, Drop: true}
	}
	return c.detach(len(c.draft.Parts) - 1)
}

// detach takes away the part of that index and says so.
func (c *Composer) detach(i int) Intent {
	p, ok := c.Detach(i)
	if !ok {
		return nil
	}
	return Detached{Name: Describe(&p)[0]}
}
