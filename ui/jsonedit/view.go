package jsonedit

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/editor"
	"parley/ui/keys"
	"parley/ui/styles"
)

// headRows is the height of the description and the rule above the text.
const headRows = 2

// Title returns the title of the frame.
func (p *Pane) Title() string { return canvas.SanitizeLine(p.draft.Title) }

// Note returns the note of the frame: the line of the cursor.
func (p *Pane) Note() string {
	return "line " + strconv.Itoa(p.edit.Row+1) + " of " + units.Count(len(p.edit.Lines))
}

// what describes a value.
func what(n jsontok.Node) string {
	size := ", " + units.Bytes(int64(len(n.Raw())))
	switch n.Kind() {
	case jsontok.Object:
		return "an object with " + units.Plural(n.Len(), "member") + size
	case jsontok.Array:
		return "an array of " + units.Plural(n.Len(), "value") + size
	case jsontok.String:
		return "a text" + size
	default:
		return "the value " + canvas.SanitizeLine(string(n.Raw()[:min(len(n.Raw()), 40)]))
	}
}

// Cursor returns the terminal's cursor relative to the pane.
func (p *Pane) Cursor() *tea.Cursor {
	if p.W == 0 || p.H <= headRows {
		return nil
	}
	return p.edit.Cursor(headRows, p.W, p.H-headRows)
}

// Lines returns the rows of the pane: exactly its height, each exactly its width.
func (p *Pane) Lines() []string {
	p.read()
	colours := func(row int) func(int) styles.Paint { return editor.JSON(p.St, p.edit.Lines[row]) }
	rows := p.edit.Rows(p.St, p.W, max(0, p.H-headRows), p.sign, colours)
	return canvas.Block(append([]string{p.head(), canvas.Rule(p.St, p.W)}, rows...), p.W, p.H)
}

// head draws the description of the text, or its error.
func (p *Pane) head() string {
	if w := p.wrong; w != nil {
		words := p.St.G[styles.Failed] + " line " + strconv.Itoa(w.row+1) + ", column " + strconv.Itoa(w.col+1) + ": " + canvas.SanitizeLine(w.words)
		return p.St.Failed.S(p.Cut(words))
	}
	return p.St.OK.S(p.Cut(p.St.G[styles.Done]+" "+canvas.SanitizeLine(p.about))) + p.St.Faint.S("  "+keys.Name(p.Of(acceptValue))+" accepts it")
}

// sign returns the mark of a line and the colour of its number, which show an error.
func (p *Pane) sign(row int) (string, styles.Paint) {
	if p.wrong != nil && p.wrong.row == row {
		return p.St.G[styles.Failed], p.St.Failed
	}
	return " ", p.St.Faint
}
