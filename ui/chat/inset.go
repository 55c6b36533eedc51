package chat

import (
	"parley/ui/media"
	"strings"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/jsonview"
	"parley/ui/keys"
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
	// initialLines is how many lines of a tree, or rows of a table, are visible at first.
	initialLines = 20
)

// A partContent is the content of a part, drawn below its name.
type partContent interface {
	lines(k *renderer, w int) []string
	// version changes with the content of the lines, independent of their width and styles.
	version() int
}

// An inset is a partContent with lines to fold and copy: a tree, or a table.
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
		if doc.Parse(data) != nil || !isContainer(doc.Root()) {
			return nil // and shown as it is
		}
		if t, ok := table.JSON(doc); ok {
			return &grid{table: t, data: data}
		}
		return newTree(st, data)
	}
	return nil
}

// isContainer reports whether a value contains others.
func isContainer(n jsontok.Node) bool {
	return (n.Kind() == jsontok.Object || n.Kind() == jsontok.Array) && n.Len() > 0
}

// A tree is folded JSON.
type tree struct {
	view    *jsonview.View
	st      *styles.Styles
	changes int
	w       int
	drawn   []string
	ranges  []byteRange // of the lines in the body
}

// A byteRange is a range of bytes of a body.
type byteRange struct{ from, to int }

func newTree(st *styles.Styles, data []byte) *tree {
	t := &tree{view: jsonview.New(st), st: st}
	t.view.HideNumbers()
	t.view.SetBody(data, nil)
	t.view.SetSize(80, 1)
	if t.view.Height(initialLines+1) > initialLines {
		t.view.FoldAll(true)
	}
	return t
}

func (t *tree) version() int { return t.changes }

func (t *tree) lines(k *renderer, w int) []string {
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
	t.drawn, t.ranges = t.view.Lines(), t.ranges[:0]
	t.view.Top()
	for range t.drawn {
		from, to := t.view.Span()
		t.ranges = append(t.ranges, byteRange{from, to})
		t.view.Move(1)
	}
	t.view.Top()
	if n > maxJSONLines {
		t.drawn = append(t.drawn, k.moreNote("more lines", w))
	}
	return t.drawn
}

// moveTo moves the view's cursor to a line.
func (t *tree) moveTo(line int) bool {
	if line < 0 || line >= len(t.ranges) {
		return false
	}
	t.view.SetSize(t.w, maxJSONLines)
	t.view.Top()
	t.view.Move(line)
	return true
}

func (t *tree) toggle(line int) int {
	if t.moveTo(line) && t.view.CanToggle() {
		t.view.Toggle()
		line = t.view.Cursor()
		t.drawn = nil
		t.changes++
	}
	return line
}

func (t *tree) copyText(line int) string {
	if !t.moveTo(line) {
		return ""
	}
	text, _ := t.view.Selection()
	return text
}

func (t *tree) span(line int) (from, to int) {
	if line < 0 || len(t.ranges) == 0 {
		return 0, 0
	}
	if line >= len(t.ranges) { // below the tree
		return t.ranges[len(t.ranges)-1].to, t.ranges[len(t.ranges)-1].to
	}
	return t.ranges[line].from, t.ranges[line].to
}

// A grid is the beginning of a table.
type grid struct {
	table   *table.Table
	data    []byte // that it was made of
	all     bool   // show more than its first rows
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
	if n > initialLines+1 && !g.all {
		return initialLines
	}
	return min(n, maxJSONLines)
}

func (g *grid) lines(k *renderer, w int) []string {
	l := g.table.Fit(k.st, w, 0)
	var out []string
	if name := g.table.Name(); name != "" {
		out = append(out, k.truncate(k.st.Dim.S(k.clean(name)), w))
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
		out = append(out, k.moreNote(strings.Join(hidden, ", "), w))
	}
	return out
}

func (g *grid) toggle(line int) int {
	if g.table.Len() <= initialLines+1 {
		return line
	}
	g.all = !g.all
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

// moreNote says that a part has more than is drawn.
func (k *renderer) moreNote(more string, w int) string {
	return k.st.Faint.S(k.truncate(k.st.G[styles.Ellipsis]+" "+keys.Name(k.keys(PreviewFile))+" shows "+more, w))
}
