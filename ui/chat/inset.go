package chat

import (
	"parley/ui/media"
	"strings"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/jsonview"
	"parley/ui/styles"
	"parley/ui/table"
)

const (
	// maxInset is the size from which a part is not expanded in the conversation: that would
	// cost more than a frame.
	maxInset = 1 << 20
	// maxTable is the same for CSV, of which only the beginnings of rows are searched.
	maxTable = 16 << 20
	// maxSource is the size from which a file's text is not highlighted in it.
	maxSource = 256 << 10
	// fewLines is how many lines of a tree, or rows of a table, are seen at first.
	fewLines = 20
)

// A partContent is the content of a part, drawn below its name.
type partContent interface {
	lines(k *ink, w int) []string
	// version changes with the content of the lines, independent of their width and styles.
	version() int
}

// An inset is a filling that is explored line by line: a tree, or a table.
type inset interface {
	partContent
	// toggle folds or unfolds a line, and returns its new position.
	toggle(line int) int
	// copyText returns the source of a line.
	copyText(line int) string
	// span returns the position of a line in the part.
	span(line int) (from, to int)
}

// insetOf returns JSON or CSV as a table or a tree, nil if it is neither.
func insetOf(st *styles.Styles, data []byte, form media.Form) inset {
	switch {
	case form == media.CSV && len(data) <= maxTable:
		if t, ok := table.CSV(data, 0); ok {
			return &grid{table: t, data: data}
		}
	case form == media.JSON && len(data) <= maxInset:
		doc := new(jsontok.Doc)
		if doc.Parse(data) != nil || !isComposed(doc.Root()) {
			return nil // and shown as it is
		}
		if t, ok := table.JSON(doc); ok {
			return &grid{table: t, data: data}
		}
		return newTree(st, data)
	}
	return nil
}

// isComposed reports whether a value contains others.
func isComposed(n jsontok.Node) bool {
	return (n.Kind() == jsontok.Object || n.Kind() == jsontok.Array) && n.Len() > 0
}

// A tree is folded JSON.
type tree struct {
	view    *jsonview.View
	st      *styles.Styles
	changes int
	w       int
	drawn   []string
	at      []stretch // where in the body they stand
}

// A stretch is a piece of a body.
type stretch struct{ from, to int }

func newTree(st *styles.Styles, data []byte) *tree {
	t := &tree{view: jsonview.New(st), st: st}
	t.view.HideNumbers()
	t.view.SetBody(data, nil)
	t.view.SetSize(80, 1)
	if t.view.Height(fewLines+1) > fewLines {
		t.view.FoldAll(true)
	}
	return t
}

func (t *tree) version() int { return t.changes }

func (t *tree) lines(k *ink, w int) []string {
	if t.st != k.st {
		t.st, t.drawn = k.st, nil
		t.view.SetStyles(k.st)
	}
	if t.drawn != nil && t.w == w {
		return t.drawn
	}
	t.w = w
	t.view.SetSize(w, 1)
	n := t.view.Height(maxJSONLines + 1)
	t.view.SetSize(w, min(n, maxJSONLines))
	t.drawn, t.at = t.view.Lines(), t.at[:0]
	t.view.Top()
	for range t.drawn {
		from, to := t.view.Span()
		t.at = append(t.at, stretch{from, to})
		t.view.Move(1)
	}
	t.view.Top()
	if n > maxJSONLines {
		t.drawn = append(t.drawn, k.allOf("more lines", w))
	}
	return t.drawn
}

// stand moves the view's cursor to a line.
func (t *tree) stand(line int) bool {
	if line < 0 || line >= len(t.at) {
		return false
	}
	t.view.SetSize(t.w, maxJSONLines)
	t.view.Top()
	t.view.Move(line)
	return true
}

func (t *tree) toggle(line int) int {
	if t.stand(line) && t.view.CanToggle() {
		t.view.Toggle()
		line = t.view.Cursor()
		t.drawn = nil
		t.changes++
	}
	return line
}

func (t *tree) copyText(line int) string {
	if !t.stand(line) {
		return ""
	}
	text, _ := t.view.Selection()
	return text
}

func (t *tree) span(line int) (from, to int) {
	if line < 0 || len(t.at) == 0 {
		return 0, 0
	}
	if line >= len(t.at) { // below the tree
		return t.at[len(t.at)-1].to, t.at[len(t.at)-1].to
	}
	return t.at[line].from, t.at[line].to
}

// A grid is the beginning of a table.
type grid struct {
	table   *table.Table
	data    []byte // that it was made of
	more    bool   // more than its first rows
	changes int
}

// head is how many lines are above the rows.
func (g *grid) head() int {
	if g.table.Name() != "" {
		return 3
	}
	return 2
}

func (g *grid) version() int { return g.changes }

// rows returns how many rows are drawn.
func (g *grid) rows() int {
	n := g.table.Len()
	if n > fewLines+1 && !g.more {
		return fewLines
	}
	return min(n, maxJSONLines)
}

func (g *grid) lines(k *ink, w int) []string {
	l := g.table.Fit(k.st, w, 0)
	var out []string
	if name := g.table.Name(); name != "" {
		out = append(out, k.cut(k.st.Agent.S(k.word(name)), w))
	}
	out = append(out, l.Head()...)
	for i := range g.rows() {
		out = append(out, l.Row(i))
	}
	var hidden []string
	if n := g.table.Len() - g.rows(); n > 0 {
		hidden = append(hidden, units.Plural(n, "more row"))
	}
	if words := l.Hidden(); words != "" {
		hidden = append(hidden, words)
	}
	if len(hidden) > 0 {
		out = append(out, k.allOf(strings.Join(hidden, ", "), w))
	}
	return out
}

func (g *grid) toggle(line int) int {
	if g.table.Len() <= fewLines+1 {
		return line
	}
	g.more = !g.more
	g.changes++
	return min(line, g.head()+g.rows())
}

func (g *grid) copyText(line int) string {
	switch i := line - g.head(); {
	case i < 0:
		return strings.Join(g.table.Names(), "\t")
	case i < g.rows():
		from, to := g.table.Span(i)
		return string(g.data[from:to])
	default:
		return ""
	}
}

func (g *grid) span(line int) (from, to int) {
	switch i := line - g.head(); {
	case i < 0:
		return 0, 0
	case i < g.rows():
		return g.table.Span(i)
	case g.rows() < g.table.Len():
		return g.table.Span(g.rows())
	default: // below the table
		return len(g.data), len(g.data)
	}
}

// allOf says that a part has more than is drawn.
func (k *ink) allOf(more string, w int) string {
	return k.st.Faint.S(k.cut(k.st.G[styles.Ellipsis]+" V shows "+more, w))
}
