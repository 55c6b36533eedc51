package picker

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	headRows = 2 // the input and a rule
	footRows = 2 // a rule and one line
	mostRows = 18
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "attach a file" }

// Note returns the end of the folder's path, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	dir, mark := canvas.SanitizeLine(p.folder.Dir), ""
	for canvas.Width(mark+dir) > max(10, p.w/2) {
		i := strings.IndexRune(dir[1:], filepath.Separator)
		if i < 0 {
			return canvas.Ellipsize(mark+dir, max(10, p.w/2), p.st.G[styles.Ellipsis])
		}
		dir, mark = dir[1+i:], p.st.G[styles.Ellipsis]
	}
	return mark + dir
}

// Height returns the preferred height in rows. It is the same for every folder, so that the
// frame does not change size.
func (p *Pane) Height() int { return headRows + mostRows + footRows }

func (p *Pane) listHeight() int {
	if p.h < headRows+footRows+1 {
		return max(0, p.h-headRows)
	}
	return p.h - headRows - footRows
}

// Cursor returns the terminal's cursor relative to the pane.
func (p *Pane) Cursor() *tea.Cursor {
	return p.input.Cursor(0, 0, p.w, p.h)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	rule := canvas.Rule(p.st, p.w)
	rows := p.listHeight()
	out := append([]string{p.input.View(), rule}, p.cursor.Rows(p.st, p.w, len(p.rows), rows, func(i int) string { return p.row(p.rows[i]) })...)
	if words := p.empty(); words != "" && rows > 0 {
		out = append(out, p.st.Faint.S(canvas.Ellipsize(words, p.w, p.st.G[styles.Ellipsis])))
	}
	out = append(canvas.Block(out, p.w, headRows+rows), rule, p.foot())
	return canvas.Block(out, p.w, p.h)
}

// empty returns the reason why the list is empty, or "" if it is not.
func (p *Pane) empty() string {
	switch {
	case len(p.rows) > 0 && p.folder.Why == "":
		return ""
	case p.folder.Dir == "":
		return "reading the folder " + p.st.G[styles.Ellipsis]
	case p.folder.Why != "":
		return canvas.SanitizeLine(p.folder.Why)
	default:
		return "no match; enter uses the text as a path"
	}
}

// Widths of the columns beside the name.
const (
	mediaWidth = 24
	sizeWidth  = 9
	dateWidth  = 18
)

// row renders an entry: its mark, name, media type, size and date. Where there is no room for
// long names, first the date is omitted, then the other columns.
func (p *Pane) row(r row) string {
	if r.entry == above {
		return "  " + p.st.Accent.S(p.st.G[styles.Up]+" parent folder")
	}
	e := &p.folder.Entries[r.entry]
	mark := "  "
	if p.marked[p.path(e)] {
		mark = p.st.OK.S(p.st.G[styles.Done]) + " "
	}
	name, paint := canvas.SanitizeLine(e.Name), p.st.Text
	if e.Folder {
		name, paint = name+"/", p.st.Accent
	}
	about, room := p.kind(e), p.w-3-mediaWidth-sizeWidth
	switch {
	case room >= 32+dateWidth:
		about, room = about+p.st.Faint.S("  "+e.Modified.Format("2006-01-02 15:04")), room-dateWidth
	case room < 16: // the name matters most
		about, room = "", p.w-2
	}
	name = canvas.Ellipsize(name, room, p.st.G[styles.Ellipsis])
	return mark + canvas.Fit(paint.S(name), max(0, room)) + " " + about
}

// kind renders the media type and size of a file, blank for a folder.
func (p *Pane) kind(e *attach.Entry) string {
	if e.Folder {
		return canvas.Fit("", mediaWidth+sizeWidth)
	}
	kind, paint := canvas.SanitizeLine(e.Media), p.st.Faint
	if !p.wanted(e.Media) {
		kind, paint = p.st.G[styles.Flag]+" "+kind, p.st.Waiting
	}
	kind = canvas.Fit(canvas.Ellipsize(kind, mediaWidth-1, p.st.G[styles.Ellipsis]), mediaWidth)
	return paint.S(kind) + p.st.Faint.S(canvas.FitRight(units.Bytes(e.Size), sizeWidth))
}

// foot describes what enter attaches, or whether the agent accepts the file at the cursor.
func (p *Pane) foot() string {
	dots := p.st.G[styles.Ellipsis]
	e := p.selected()
	switch {
	case p.waiting != "" && p.folder.Dir != "":
		return p.st.Faint.S(canvas.Ellipsize("reading "+canvas.SanitizeLine(p.waiting)+" "+dots, p.w, dots))
	case len(p.marked) > 0:
		return p.st.OK.S(canvas.Ellipsize("enter attaches "+units.Plural(len(p.marked), "marked file"), p.w, dots))
	case e != nil && !e.Folder && !p.wanted(e.Media):
		return p.st.Waiting.S(canvas.Ellipsize(p.st.G[styles.Flag]+" not among the agent's input modes; you can attach it anyway", p.w, dots))
	case p.folder.More:
		return p.st.Faint.S(canvas.Ellipsize("the folder has more files than listed; type a path for others", p.w, dots))
	default:
		return ""
	}
}
