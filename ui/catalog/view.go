package catalog

import (
	"cmp"
	"strings"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if host := clean(p.content.Catalog.Host); host != "" {
		return "catalog " + p.St.G[styles.Separator] + " " + p.Ellipsize(host, 40)
	}
	return "catalog"
}

// Note returns how many entries are listed, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	all, shown := len(p.content.Catalog.Entries), len(p.rows())
	switch {
	case all == 0:
		return ""
	case shown != all:
		return units.Count(shown) + " of " + units.Count(all)
	case all == 1:
		return "1 entry"
	}
	return units.Count(all) + " entries"
}

const (
	headRows = 2 // including the rule below
	footRows = 9 // including the rule above
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts {
	foot := footRows
	if p.H < 2*footRows+headRows { // the list needs the room more
		foot -= 2
	}
	return p.SplitFor(len(p.rows()), headRows, foot, 3)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	rows := p.rows()
	p.List.Move(0, len(rows))
	at := p.parts()
	return p.Stack(at, []string{p.head()}, p.Rows(len(rows), at.List, p.row, p.empty), p.foot())
}

// head says where the catalog is, and what is odd about it.
func (p *Pane) head() string {
	c := &p.content.Catalog
	switch {
	case p.content.Loading:
		return p.St.Accent.S(p.Cut("Reading " + clean(looks.Reference(p.content.Ref)) + " …"))
	case c.Sentence != "":
		return p.St.Failed.S(p.Cut("No catalog was read from " + clean(looks.Reference(p.content.Ref)) + "."))
	case len(c.Warnings) > 0:
		return p.St.Failed.S(p.Cut(clean(strings.Join(c.Warnings, " "))))
	}
	return p.St.Dim.S(p.Cut("Listed at " + clean(looks.Reference(p.content.Ref))))
}

// empty says why no entry is listed.
func (p *Pane) empty() string {
	c := &p.content.Catalog
	switch {
	case p.content.Loading:
		return ""
	case c.Sentence != "":
		return clean(c.Sentence)
	case len(c.Entries) == 0:
		return "The catalog has no entries."
	}
	return "No entry is called like this; " + keys.Name(p.Of(closePane)) + " lists all again."
}

// The widths of the columns, and the least width of the pane that shows them.
const (
	versionWidth = 10
	tagsWidth    = 26
	tagsFrom     = 96
	stateWidth   = 26
	maxText      = 400 // bytes of a text that are read
)

// row renders entry i of the rows.
func (p *Pane) row(i int) string {
	index := p.rows()[i]
	e, st := &p.content.Catalog.Entries[index], p.St
	sign, paint := "  ", st.Faint
	switch e.Kind {
	case aicatalog.Agent:
		sign, paint = st.G[styles.Online]+" ", st.Text
	case aicatalog.Catalog:
		sign, paint = st.G[styles.Folded]+" ", st.Dim
		if e.Read {
			sign = st.G[styles.Unfolded] + " "
		}
	}
	state, bad := p.state(index)
	statePaint := st.Dim
	if bad {
		statePaint = st.Accent
	}
	right := "  " + statePaint.S(p.Cell(state, min(stateWidth, p.W/3)))
	if p.W >= tagsFrom {
		right = "  " + st.Faint.S(p.Cell(clean(strings.Join(e.Tags, " ")), tagsWidth)) + right
	}
	right = "  " + st.Dim.S(p.Cell(clean(e.Version), versionWidth)) + right
	indent := strings.Repeat("  ", len(e.Within))
	room := max(0, p.W-canvas.Width(right)-2-len(indent))
	return indent + st.Accent.S(canvas.Fit(sign, 2)) + paint.S(p.Cell(clean(e.Name()), room)) + right
}

// state says in a few words how an entry is saved or what is wrong with it; news marks a
// difference from what was seen.
func (p *Pane) state(i int) (words string, news bool) {
	e, m := &p.content.Catalog.Entries[i], p.match(i)
	switch {
	case m.Differs != "":
		return "differs, saved as " + clean(m.Name), true
	case m.Name != "":
		return "saved as " + clean(m.Name), false
	case e.Kind == aicatalog.Catalog && !e.Read:
		return "not read", false
	case e.Problem != "":
		return clean(e.Problem), false
	case e.Kind == aicatalog.Other:
		return strings.TrimPrefix(clean(e.Label()), "application/"), false
	}
	return "", false
}

const labelWidth = 12

// foot describes the selected entry.
func (p *Pane) foot() []string {
	e, m := p.selected()
	if e == nil {
		return nil
	}
	var out []string
	add := func(label, value string, n int) { out = append(out, p.Detail(label, labelWidth, value, n)...) }
	if e.Problem != "" {
		add("problem", e.Problem, 2)
	}
	if m.Name != "" {
		add("saved as", p.Join(append([]string{m.Name}, words(m.Differs)...)...), 1)
	}
	add("card", place(e), 1)
	add("identifier", e.Identifier, 1)
	add("about", e.Description, 2)
	add("type", p.Join(append([]string{e.Label()}, words(e.Version, e.Publisher)...)...), 1)
	add("tags", strings.Join(e.Tags, ", "), 1)
	add("within", strings.Join(e.Within, " / "), 1)
	return out
}

// place says where the document of an entry is.
func place(e *a2a.CatalogEntry) string {
	if e.Data != nil {
		return "in the catalog itself: it is opened without another request"
	}
	return cmp.Or(e.URL, "nowhere")
}

// words returns the texts that are not empty.
func words(all ...string) (out []string) {
	for _, w := range all {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// clean sanitizes the beginning of a text of a stranger.
func clean(text string) string {
	return canvas.SanitizeLine(strings.ToValidUTF8(text[:min(len(text), maxText)], ""))
}
