package markdown

import (
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// codeLead precedes every row of code.
const codeLead = "  "

// maxCodeLine is the longest line of code that is highlighted: lexers are regular
// expressions that look far ahead.
const maxCodeLine = 2 << 10

// code renders a code block, highlighted.
func (p *painter) code(n ast.Node, w int) []string {
	language := ""
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		language = strings.ToLower(string(f.Language(p.src)))
	}
	text := lines(n, p.src)
	key := language + "\n" + string(text)
	painted, ok := p.memo[key]
	if !ok {
		painted = highlight(string(text), language, p.st, neverLate)
		p.renderedBytes += len(text)
	}
	if p.used != nil {
		p.used[key] = painted
	}
	return wrapLines(painted, lead(w), w)
}

// wrapLines wraps painted lines in rows of at most w cells, each behind lead.
func wrapLines(lines []string, lead string, w int) []string {
	f := flow{w: w, lead: lead}
	var rows []string
	for _, line := range lines {
		f.head = line
		rows = append(rows, f.wrap()...)
	}
	return rows
}

// plainCode renders code without highlighting: it is too long, or its end has not arrived yet.
func (p *painter) plainCode(text []byte, w int) []string {
	f := codeFlow(p.st, w)
	f.write(string(text))
	return append(f.rows, f.openRows()...)
}

func codeFlow(st *styles.Styles, w int) flow {
	return flow{w: w, paint: st.Text, lead: lead(w)}
}

// lead returns the indentation of code that is w cells wide; empty where every cell counts.
func lead(w int) string {
	if w < minWidth {
		return ""
	}
	return codeLead
}

// lines returns the unchanged lines of a block.
func lines(n ast.Node, src []byte) []byte {
	var text []byte
	for _, segment := range n.Lines().Sliced(0, n.Lines().Len()) {
		text = append(text, segment.Value(src)...)
	}
	return text
}

// highlight returns the lines of code, painted. Once late returns true, the remaining code is
// not highlighted.
func highlight(code, language string, st *styles.Styles, late func() bool) []string {
	code = strings.TrimSuffix(code, "\n")
	lexer := lexerFor(language)
	if lexer == nil || longestLine(code) > maxCodeLine {
		return paintLines(code, st.Text)
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: true}, code)
	if err != nil {
		return paintLines(code, st.Text)
	}
	var out []string
	var line strings.Builder
	read := 0
	for token := tokens(); token != chroma.EOF; token = tokens() {
		if late() {
			token = chroma.Token{Type: chroma.Text, Value: code[min(read, len(code)):]}
			tokens = chroma.Literator()
		}
		read += len(token.Value)
		paint := tokenPaint(token.Type, st)
		for i, part := range strings.Split(token.Value, "\n") {
			if i > 0 {
				out = append(out, line.String())
				line.Reset()
			}
			if blank(part) {
				line.WriteString(part)
			} else {
				line.WriteString(paint.S(part))
			}
		}
	}
	if line.Len() > 0 {
		out = append(out, line.String())
	}
	for i := range out {
		out[i] = canvas.SanitizeRendered(merge(out[i]))
	}
	return out
}

func paintLines(code string, paint styles.Paint) []string {
	out := strings.Split(code, "\n")
	for i, line := range out {
		out[i] = paint.S(line)
	}
	return out
}

func longestLine(code string) int {
	longest := 0
	for line := range strings.SplitSeq(code, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}

// tokenPaint maps tokens to the theme's colours. Amber and violet are not used: they mean
// "needs you" and "the user".
func tokenPaint(t chroma.TokenType, st *styles.Styles) styles.Paint {
	switch {
	case t.InCategory(chroma.Comment):
		return st.Faint
	case t.InCategory(chroma.Keyword), t == chroma.NameTag, t == chroma.OperatorWord:
		return st.Accent
	case t.InSubCategory(chroma.LiteralString):
		return st.OK
	case t.InSubCategory(chroma.LiteralNumber):
		return st.Number
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameBuiltin,
		t == chroma.NameAttribute, t == chroma.NameDecorator:
		return st.Agent
	case t == chroma.GenericInserted:
		return st.OK
	case t == chroma.GenericDeleted:
		return st.Failed
	case t == chroma.GenericHeading, t == chroma.GenericSubheading:
		return st.Accent
	case t.InCategory(chroma.Operator), t.InCategory(chroma.Punctuation):
		return st.Dim
	}
	return st.Text
}

// lexerFor returns the lexer for a language, nil for plain text. Only languages in the list are
// highlighted: for an unknown name, chroma would try all its file name patterns, and every
// lexer is a set of backtracking expressions that an agent could exploit.
func lexerFor(language string) chroma.Lexer {
	if !slices.Contains(strings.Fields(languages), language) {
		return nil
	}
	return lexers.Get(language)
}

// languages are the names that may follow the opening of a code block.
const languages = `
	awk bash batch c c++ clojure cmake coffeescript cpp cs csharp css csv d dart diff docker
	dockerfile elixir elm erlang fish fortran fsharp gdscript glsl go golang graphql groovy
	haskell hcl hs html http ini java javascript jinja js json jsonc json5 jsx julia kotlin less
	lisp lua make makefile matlab nginx nim nix objective-c ocaml patch perl php powershell prolog
	proto protobuf ps1 py python python3 r rb ruby rs rust scala scheme scss sh shell solidity
	sql svelte svg swift terraform tex toml ts tsx typescript vb verilog vhdl vim vue xml yaml
	yml zig zsh`
