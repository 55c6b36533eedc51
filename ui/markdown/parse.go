package markdown

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The two parsers, built on first use. They have no state of a text.
var (
	// structure finds only blocks, and of tables only the heading.
	structure = sync.OnceValue(func() parser.Parser {
		return newParser(tableLimiter{headOnly: true})
	})
	// full also parses the content of blocks.
	full = sync.OnceValue(func() parser.Parser {
		return newParser(tableLimiter{},
			append(parser.DefaultInlineParsers(),
				util.Prioritized(extension.NewStrikethroughParser(), 500),
				util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
				util.Prioritized(extension.NewLinkifyParser(), 999),
			)...)
	})
)

func newParser(tables tableLimiter, inline ...util.PrioritizedValue) parser.Parser {
	tables.ParagraphTransformer = extension.NewTableParagraphTransformer()
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(
			util.Prioritized(definitionLimiter{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tables, 200),
		),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// definitionLimiter finds link reference definitions as goldmark does, except in paragraphs so
// long that its quadratic time matters.
type definitionLimiter struct{ parser.ParagraphTransformer }

const maxDefinitionLines = 1000

func (t definitionLimiter) Transform(p *ast.Paragraph, r text.Reader, pc parser.Context) {
	if p.Lines().Len() <= maxDefinitionLines {
		t.ParagraphTransformer.Transform(p, r, pc)
	}
}

// tableLimiter makes tables of paragraphs as goldmark does, except large ones: every row gets
// as many cells as the heading, so a few bytes of source could allocate any amount of memory.
// Large tables remain paragraphs.
type tableLimiter struct {
	parser.ParagraphTransformer
	headOnly bool // omit the rows: the end of the table is known without them
}

const (
	maxColumns = 32
	maxCells   = 8 << 10
)

func (t tableLimiter) Transform(p *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines := *p.Lines()
	var candidates []int
	for i := 1; i < lines.Len(); i++ {
		segment := lines.At(i)
		columns := delimiters(segment.Value(r.Source()))
		if columns == 0 {
			continue
		}
		rows := lines.Len() - i - 1
		if columns > maxColumns || rows > maxSiblings || rows*columns > maxCells {
			return
		}
		candidates = append(candidates, i)
	}
	if !t.headOnly {
		t.ParagraphTransformer.Transform(p, r, pc)
		return
	}
	before := p.NextSibling()
	for _, i := range candidates {
		head := text.NewSegments()
		for j := 0; j <= i; j++ {
			head.Append(lines.At(j))
		}
		p.SetLines(head)
		t.ParagraphTransformer.Transform(p, r, pc)
		if p.Parent() == nil || p.NextSibling() != before {
			return
		}
		p.SetLines(&lines)
	}
}

// delimiters returns the number of columns if line can be the row under a table heading, 0
// otherwise.
func delimiters(line []byte) int {
	if bytes.IndexByte(line, '-') < 0 || len(bytes.Trim(line, "-:| \n")) > 0 {
		return 0
	}
	return bytes.Count(bytes.Trim(line, "| \n"), []byte{'|'}) + 1
}

// parse returns the document in src. Labels are looked up in refs first, unless it is nil.
func parse(p parser.Parser, src []byte, refs *lookup) ast.Node {
	if refs == nil {
		refs = &lookup{}
	}
	refs.Context = parser.NewContext()
	return p.Parse(text.NewReader(src), parser.WithContext(refs))
}

// start returns the offset of the line in which the block n starts.
func start(n ast.Node, src []byte) int {
	pos := n.Pos()
	switch {
	case n.Kind() == extast.KindTable && n.FirstChild() != nil:
		pos = n.FirstChild().Pos()
	case n.Kind() == ast.KindParagraph && n.Lines().Len() > 0:
		// Definitions before the text were removed from the paragraph.
		pos = n.Lines().At(0).Start
	}
	pos = min(max(pos, 0), len(src))
	return bytes.LastIndexByte(src[:pos], '\n') + 1
}

// An outline is the block structure of the open end of a text.
type outline struct {
	cuts        []int // offsets at which the text can be divided for good; the first is 0
	definitions []reference
	fence       *fence // set if the text ends inside a code block
}

// outlineOf returns the outline of src, which begins at a cut and consists of complete lines:
// the beginning of a line determines nothing. Text can be divided before every top-level block
// that follows a blank line. The definitions are those before the last cut.
func outlineOf(src []byte) outline {
	o := outline{cuts: []int{0}}
	doc := parse(structure(), src, nil)
	var pending []reference
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		s := start(n, src)
		if s > o.cuts[len(o.cuts)-1] && followsBlank(src, s) {
			o.cuts = append(o.cuts, s)
			o.definitions, pending = append(o.definitions, pending...), nil
		}
		pending = definitions(pending, n)
	}
	o.fence = openFence(doc.LastChild(), src)
	return o
}

// followsBlank reports whether the line before the one at src[at] is blank.
func followsBlank(src []byte, at int) bool {
	if at == 0 {
		return false
	}
	before := src[:at-1]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return strings.Trim(string(line), " \t") == ""
}

// A fence is the top-level code block that is open at the end of a text.
type fence struct {
	start int  // of its opening line
	code  int  // of its first line of code
	char  byte // ` or ~
	width int  // how many of them opened it
}

// openFence returns the fence that is open at the end of src, which consists of complete lines
// and whose last block is n; nil if there is none.
func openFence(n ast.Node, src []byte) *fence {
	if n == nil || n.Kind() != ast.KindFencedCodeBlock || n.Pos() < 0 {
		return nil
	}
	f := &fence{start: start(n, src), char: src[n.Pos()]}
	for i := n.Pos(); i < len(src) && src[i] == f.char; i++ {
		f.width++
	}
	f.code = f.start + bytes.IndexByte(src[f.start:], '\n') + 1
	if _, closed := f.scan(src[f.code:]); closed {
		return nil
	}
	return f
}

// scan searches the complete lines of text for the end of the code block and returns how many
// bytes it read.
func (f *fence) scan(text []byte) (scanned int, closed bool) {
	for {
		n := bytes.IndexByte(text[scanned:], '\n')
		if n < 0 {
			return scanned, false
		}
		if f.closedBy(text[scanned : scanned+n]) {
			return scanned, true
		}
		scanned += n + 1
	}
}

// closedBy reports whether line ends the code block.
func (f *fence) closedBy(line []byte) bool {
	rest := bytes.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 {
		return false
	}
	tail := bytes.TrimLeft(rest, string(f.char))
	return len(rest)-len(tail) >= f.width && len(bytes.TrimSpace(tail)) == 0
}
