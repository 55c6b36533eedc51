package markdown

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"

	"parley/ui/styles"
)

// The guards: what is larger is shown as plain text.
const (
	maxBlock    = 32 << 10 // bytes of source between two cuts
	maxDepth    = 16       // nodes inside nodes
	maxSiblings = 500      // blocks in a block, lines in a paragraph
)

// minWidth is the least number of cells that containers leave to what they hold.
// Where it would be less they stop indenting.
const minWidth = 8

// A painter renders pieces of a text. It is not safe for concurrent use; each Job
// has its own.
type painter struct {
	st   *styles.Styles
	body *inliner // for text
	side *inliner // for what is dimmer: quotes and the headings of tables

	src   []byte              // of the piece at hand, and what was added to it
	memo  map[string][]string // highlighted code of an earlier Job
	used  map[string][]string // highlighted code of this Job, if it is to be kept
	given int                 // bytes of source that Glamour or a lexer was given
}

func newPainter(st *styles.Styles) *painter {
	return &painter{st: st}
}

// piece renders src, which begins and ends at cuts, in rows of at most w cells.
func (p *painter) piece(src []byte, w int, refs *lookup) (rows []string) {
	defer func() {
		// Two libraries of others see hostile text here; a defect of theirs must
		// cost the looks of a paragraph, not the program.
		if recover() != nil {
			p.body, p.side = nil, nil // they may be in the middle of something
			rows = plain(src, w, p.st.Text)
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
		return plain(src, w, p.st.Text)
	}
	return p.block(n, w)
}

// excessive reports whether n, at the given depth, has too much in it. A list and
// its items are one level; a node that holds nothing is none.
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
		*in = newInliner(p.st, base)
	}
	s, err := (*in).draw(n, &p.src)
	if err != nil {
		// Rendering into memory fails for a defect only: piece shows the source.
		panic(fmt.Errorf("markdown: %w", err))
	}
	return s
}

// join returns rows with more behind them, after a blank row if loose.
func join(rows, more []string, loose bool) []string {
	if loose && len(rows) > 0 && len(more) > 0 {
		rows = append(rows, "")
	}
	return append(rows, more...)
}
