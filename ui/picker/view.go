package picker

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

const (
	headRows = 2 // the input and a rule
	footRows = 2 // a rule and one line
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "attach a file" }

// Note returns the end of the folder's path, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	dir, mark := canvas.SanitizeLine(p.folder.Dir), ""
	for canvas.Width(mark+dir) > max(10, p.W/2) {
		i := strings.IndexRune(dir[1:], filepath.Separator)
		if i < 0 {
			return p.Ellipsize(mark+dir, max(10, p.W/2))
		}
		dir, mark = dir[1+i:], p.St.G[styles.Ellipsis]
	}
	return mark + dir
}

// Pinned returns how many rows stay at the end of the pane: the rule and the line below the list.
func (p *Pane) Pinned() int { return max(0, p.H-headRows-p.listHeight()) }

func (p *Pane) listHeight() int {
	if p.H < headRows+footRows+1 {
		return max(0, p.H-headRows)
	}
	return p.H - headRows - footRows
}

// Cursor returns the terminal's cursor relative to the pane.
func (p *Pane) Cursor() *tea.Cursor {
	return p.input.Cursor(0, 0, p.W, p.H)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	rule := canvas.Rule(p.St, p.W)
	rows := p.listHeight()
	out := append([]string{p.input.View(), rule}, p.Listed(headRows, len(p.rows), rows, func(i int) string { return p.row(p.rows[i]) })...)
	if words := p.empty(); words != "" && rows > 0 {
		out = append(out, p.St.Faint.S(p.Cut(words)))
	}
	out = append(canvas.Block(out, p.W, headRows+rows), rule, p.foot())
	return canvas.Block(out, p.W, p.H)
}

// empty returns the reason why the list is empty, or "" if it is not.
func (p *Pane) empty() string {
	switch {
	case len(p.rows) > 0 && p.folder.Why == "":
		return ""
	case p.folder.Dir == "":
		return "reading the folder " + p.St.G[styles.Ellipsis]
	case p.folder.Why != "":
		return canvas.SanitizeLine(p.folder.Why)
	default:
		return "no match; " + keys.Name(p.Of(attachFile)) + " uses the text as a path"
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
	if r.entry == parentRow {
		return "  " + p.St.Accent.S(p.St.G[styles.Up]+" parent folder")
	}
	e := &p.folder.Entries[r.entry]
	mark := "  "
	if p.marks[p.path(e)] {
		mark = p.St.OK.S(p.St.G[styles.Done]) + " "
	}
	name, paint := canvas.SanitizeLine(e.Name), p.St.Text
	if e.Folder {
		name, paint = name+"/", p.St.Accent
	}
	about, room := p.kind(e), p.W-3-mediaWidth-sizeWidth
	switch {
	case room >= 32+dateWidth:
		about, room = about+p.St.Faint.S("  "+e.Modified.Format("2006-01-02 15:04")), room-dateWidth
	case room < 16: // the name matters most
		about, room = "", p.W-2
	}
	name = p.Ellipsize(name, room)
	return mark + canvas.Fit(paint.S(name), max(0, room)) + " " + about
}

// kind renders the media type and size of a file, blank for a folder.
func (p *Pane) kind(e *attach.Entry) string {
	if e.Folder {
		return canvas.Fit("", mediaWidth+sizeWidth)
	}
	kind, paint := canvas.SanitizeLine(e.Media), p.St.Faint
	if !p.accepts(e.Media) {
		kind, paint = p.St.G[styles.Flag]+" "+kind, p.St.Waiting
	}
	kind = canvas.Fit(p.Ellipsize(kind, mediaWidth-1), mediaWidth)
	return paint.S(kind) + p.St.Faint.S(canvas.FitRight(units.Bytes(e.Size), sizeWidth))
}

// foot describes what enter attaches, or whether the agent accepts the file at the cursor.
func (p *Pane) foot() string {
	e, dots := p.selected(), p.St.G[styles.Ellipsis]
	switch {
	case p.requested != "" && p.folder.Dir != "":
		return p.St.Faint.S(p.Cut("reading " + canvas.SanitizeLine(p.requested) + " " + dots))
	case len(p.marks) > 0:
		return p.St.OK.S(p.Cut(keys.Name(p.Of(attachFile)) + " attaches " + units.Plural(len(p.marks), "marked file")))
	case e != nil && !e.Folder && !p.accepts(e.Media):
		return p.St.Waiting.S(p.Cut(p.St.G[styles.Flag] + " not among the agent's input modes; you can attach it anyway"))
	case p.folder.More:
		return p.St.Faint.S(p.Cut("the folder has more files than listed; type a path for others"))
	default:
		return ""
	}
}
