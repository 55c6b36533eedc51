package markdown

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"

	"parley/ui/styles"
)

// The limits of a block. Larger blocks are shown as plain text.
const (
	maxBlock    = 32 << 10 // bytes of source between two cuts
	maxDepth    = 16       // nodes inside nodes
	maxSiblings = 500      // blocks in a block, lines in a paragraph
)

// minWidth is how many cells containers leave for their content. With less room they do not
// indent.
const minWidth = 8

// A painter renders pieces of a text. It is not safe for concurrent use; each Job
// has its own.
type painter struct {
	st   *styles.Styles
	body *inlineRenderer // for normal text
	side *inlineRenderer // for dim text: quotes and table headings

	src           []byte              // of the current piece, with appended text
	memo          map[string][]string // highlighted code of an earlier Job
	used          map[string][]string // highlighted code of this Job, if it is cached
	renderedBytes int                 // source bytes passed to Glamour and the lexers
}

// piece renders src, which begins and ends at cuts, in rows of at most w cells.
func (p *painter) piece(src []byte, w int, refs *lookup) (rows []string) {
	defer func() {
		// Third-party libraries process hostile text here. A defect in them must cost the
		// formatting of a paragraph, not the program.
		if recover() != nil {
			p.body, p.side = nil, nil // their state may be inconsistent
			rows = plainRows(src, w, p.st.Text)
		}
	}()
	parser := full()
	if len(src) > maxBlock {
		parser = structure()
	}
	doc := parse(parser, src, refs)
	p.src = src[:len(src):len(src)]
	for n := doc.FirstChild(); n != nil; {
		next, end := n.NextSibling(), len(src)
		if next != nil {
			end = start(next, src)
		}
		part := p.top(n, src[min(start(n, src), end):end], w, len(src) > maxBlock)
		rows = join(rows, part, true)
		n = next
	}
	return rows
}

// top renders the top-level block n, the source of which is src.
func (p *painter) top(n ast.Node, src []byte, w int, large bool) []string {
	switch {
	case n.Kind() == ast.KindLinkReferenceDefinition:
		return nil
	case large && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock):
		return p.plainCode(bytes.TrimRight(lines(n, p.src), "\n"), w)
	case large || excessive(n, 1):
		return plainRows(src, w, p.st.Text)
	}
	return p.block(n, w, false)
}

// excessive reports whether n, at the given depth, exceeds a limit. A list and its items are
// one level; a node without children is none.
func excessive(n ast.Node, depth int) bool {
	if !n.HasChildren() {
		return false
	}
	siblings := 0
	switch {
	case n.FirstChild().Type() == ast.TypeBlock:
		siblings = n.ChildCount()
	case n.Type() == ast.TypeBlock:
		siblings = n.Lines().Len()
	}
	if depth > maxDepth || siblings > maxSiblings {
		return true
	}
	if n.Kind() != ast.KindList {
		depth++
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if excessive(c, depth) {
			return true
		}
	}
	return false
}

// text renders the inline content of n as one string.
func (p *painter) text(n ast.Node, dim bool) string {
	in, base := &p.body, p.st.Theme.Text
	if dim {
		in, base = &p.side, p.st.Theme.Dim
	}
	if *in == nil {
		*in = newInlineRenderer(p.st, base)
	}
	s, err := (*in).draw(n, &p.src)
	if err != nil {
		// Rendering into memory fails only because of a defect: piece shows the source.
		panic(fmt.Errorf("markdown: %w", err))
	}
	return s
}

// join appends more to rows, after a blank row if loose.
func join(rows, more []string, loose bool) []string {
	if loose && len(rows) > 0 && len(more) > 0 {
		rows = append(rows, "")
	}
	return append(rows, more...)
}
