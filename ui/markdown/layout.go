package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// block renders n in rows of at most w cells; text in quotes is dim.
func (p *painter) block(n ast.Node, w int, dim bool) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return p.heading(n, w, dim)
	case *ast.Paragraph, *ast.TextBlock:
		if !n.HasChildren() {
			return nil
		}
		p.renderedBytes += extent(n)
		return trimBlank(wrap(p.text(n, dim), w))
	case *ast.Blockquote:
		bar := p.st.Hairline.S(p.st.G[styles.Vertical]) + " "
		return p.indent(n, w, bar, bar, true, true)
	case *ast.List:
		return p.list(n, w, dim)
	case *extast.Table:
		return p.table(n, w)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return p.code(n, w)
	case *ast.HTMLBlock:
		text := lines(n, p.src)
		if n.HasClosure() {
			text = append(text, n.ClosureLine.Value(p.src)...)
		}
		return plainRows(text, w, p.st.Dim)
	case *ast.ThematicBreak:
		return []string{canvas.Rule(p.st, w)}
	}
	return nil
}

// heading renders a heading behind the mark of its level, where that leaves enough room.
func (p *painter) heading(n *ast.Heading, w int, dim bool) []string {
	if !n.HasChildren() {
		return nil
	}
	p.renderedBytes += extent(n)
	text, lead := p.text(n, dim), n.Level+1
	if w-lead < minWidth {
		return trimBlank(wrap(text, w))
	}
	rows := trimBlank(wrap(text, w-lead))
	for i := range rows {
		if i == 0 {
			rows[i] = p.st.Accent.S(strings.Repeat("#", n.Level)) + " " + rows[i]
		} else {
			rows[i] = strings.Repeat(" ", lead) + rows[i]
		}
	}
	return rows
}

// extent returns how many bytes of source the lines of n are.
func extent(n ast.Node) int {
	size := 0
	for _, segment := range n.Lines().Sliced(0, n.Lines().Len()) {
		size += segment.Len()
	}
	return size
}

// indent renders the blocks in n behind first and, from the second row on, behind rest, which
// is equally wide. If that leaves too little room, only first precedes them, on a row of its
// own.
func (p *painter) indent(n ast.Node, w int, first, rest string, loose, dim bool) []string {
	room := w - canvas.Width(first)
	narrow := room < minWidth
	if narrow {
		room = w
	}
	var rows []string
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling() // text moves c's children, not its siblings
		rows = join(rows, p.block(c, room, dim), loose)
		c = next
	}
	if narrow {
		return append(wrap(strings.TrimRight(first, " "), w), rows...)
	}
	if len(rows) == 0 {
		return []string{first}
	}
	rows[0] = first + rows[0]
	for i := 1; i < len(rows); i++ {
		if rows[i] == "" && strings.Trim(rest, " ") == "" {
			continue
		}
		rows[i] = rest + rows[i]
	}
	return rows
}

// list renders the items of n behind their markers, with hanging indents.
func (p *painter) list(n *ast.List, w int, dim bool) []string {
	var rows []string
	number, digits := n.Start, len(strconv.Itoa(n.Start+max(n.ChildCount()-1, 0)))
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := p.st.Faint.S(p.st.G[styles.Bullet])
		width := 1
		if n.IsOrdered() {
			mark = p.st.Faint.S(canvas.FitRight(strconv.Itoa(number), digits) + ".")
			width = digits + 1
			number++
		}
		if box := checkBox(item); box != nil {
			mark, width = p.st.Faint.S(p.st.G[styles.Idle]), 1
			if box.IsChecked {
				mark = p.st.OK.S(p.st.G[styles.Done])
			}
			box.Parent().RemoveChild(box.Parent(), box)
		}
		rest := strings.Repeat(" ", width+1)
		rows = join(rows, p.indent(item, w, mark+" ", rest, !n.IsTight, dim), !n.IsTight)
	}
	return rows
}

// checkBox returns the box at the beginning of a task list's item.
func checkBox(item ast.Node) *extast.TaskCheckBox {
	if item.FirstChild() == nil {
		return nil
	}
	box, _ := item.FirstChild().FirstChild().(*extast.TaskCheckBox)
	return box
}

// cell renders the content of a table cell without a width limit.
func (p *painter) cell(n ast.Node, dim bool) string {
	if !n.HasChildren() {
		return ""
	}
	p.renderedBytes += extent(n)
	return strings.TrimSpace(strings.ReplaceAll(p.text(n, dim), "\n", " "))
}
