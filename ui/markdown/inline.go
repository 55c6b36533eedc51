package markdown

import (
	"bufio"
	"bytes"
	"html"
	"image/color"
	"strings"

	"charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// An inlineRenderer renders the content of a block: text, emphasis, code spans, links. It is
// Glamour's node renderer without wrapping, so that its output does not depend on a width.
type inlineRenderer struct {
	r   renderer.Renderer
	out *bufio.Writer // to buf; goldmark would allocate one for every call
	buf bytes.Buffer
}

func newInlineRenderer(st *styles.Styles, base color.Color) *inlineRenderer {
	node := ansi.NewRenderer(ansi.Options{PreserveNewLines: true, Styles: config(st, base)})
	in := &inlineRenderer{r: renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(node, 1000)))}
	in.out = bufio.NewWriter(&in.buf)
	return in
}

// config converts the styles to Glamour's configuration, for text of the colour base.
func config(st *styles.Styles, base color.Color) ansi.StyleConfig {
	t, yes := st.Theme, true
	heading := ansi.StylePrimitive{Color: hex(t.Text), Bold: &yes}
	code := ansi.StylePrimitive{Color: hex(t.Text), BackgroundColor: hex(t.Well)}
	if t.Colorless() {
		heading.Underline = &yes            // like titles
		code.Prefix, code.Suffix = "`", "`" // reverse video is the selection's
	}
	return ansi.StyleConfig{
		Document:      ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: hex(base)}},
		Heading:       ansi.StyleBlock{StylePrimitive: heading},
		Emph:          ansi.StylePrimitive{Italic: &yes},
		Strong:        ansi.StylePrimitive{Bold: &yes},
		Strikethrough: ansi.StylePrimitive{CrossedOut: &yes},
		Code:          ansi.StyleBlock{StylePrimitive: code},
		LinkText:      ansi.StylePrimitive{Underline: &yes},
		Link:          ansi.StylePrimitive{Color: hex(t.Faint)},
		ImageText:     ansi.StylePrimitive{Prefix: st.G[styles.Image] + " "},
		Image:         ansi.StylePrimitive{Color: hex(t.Faint)},
	}
}

// hex returns c in Glamour's notation; nil leaves the colour to the terminal.
func hex(c color.Color) *string {
	if c == nil {
		return nil
	}
	s := styles.Name(c)
	return &s
}

// draw returns the content of n as styled text, in which only line breaks of the source break
// lines. It removes n's children and may append to src.
func (in *inlineRenderer) draw(n ast.Node, src *[]byte) (string, error) {
	var block ast.Node = ast.NewParagraph()
	if h, ok := n.(*ast.Heading); ok {
		block = ast.NewHeading(h.Level)
	}
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		block.AppendChild(block, c)
	}
	sanitizeNodes(block, src)
	doc := ast.NewDocument()
	doc.AppendChild(doc, block)
	in.buf.Reset()
	if err := in.r.Render(in.out, *src, doc); err != nil {
		return "", err
	}
	return canvas.SanitizeRendered(merge(strings.Trim(in.buf.String(), "\n"))), nil
}

// merge removes sequences from styled text that switch a style off and on again. Glamour styles
// every node separately, and the parser makes many nodes of one sentence.
func merge(s string) string {
	var out strings.Builder
	on := ""
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			break
		}
		n := strings.IndexByte(s[i:], 'm')
		if n < 0 {
			break
		}
		out.WriteString(s[:i])
		seq := s[i : i+n+1]
		s = s[i+n+1:]
		switch {
		case seq != styles.Reset:
			on = seq
		case on != "" && strings.HasPrefix(s, on):
			s = s[len(on):]
			continue
		default:
			on = ""
		}
		out.WriteString(seq)
	}
	out.WriteString(s)
	return out.String()
}

// sanitizeNodes makes the inline nodes below n safe and suitable for Glamour, which resolves
// entities in all its input, drops HTML, knows only half of the escapable characters, and
// reports unknown nodes on standard output. New text is appended to src, since nodes refer to
// it by offset.
func sanitizeNodes(n ast.Node, src *[]byte) {
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch c := c.(type) {
		case *ast.Text:
			raw := c.Segment.Value(*src)
			if bytes.ContainsAny(raw, "\\&") {
				c.Segment = literal(escapeText(canvas.SanitizeLine(unescapeText(string(raw)))), src)
			}
		case *ast.CodeSpan:
			flatten(c, html.EscapeString(strings.ReplaceAll(string(contents(c, *src)), "\n", " ")), src)
		case *ast.RawHTML:
			n.ReplaceChild(n, c, ast.NewTextSegment(literal(escapeText(string(c.Segments.Value(*src))), src)))
		case *ast.Link:
			sanitizeNodes(c, src)
			sanitizeLink(n, c, src)
		case *ast.Image:
			alt := canvas.SanitizeLine(unescapeText(string(contents(c, *src))))
			flatten(c, strings.ReplaceAll(alt, `\`, `\\`), src)
			to := address(c.Destination)
			c.Destination = []byte(to)
			if to != "" && !canvas.Linkable(to) {
				c.Destination = nil // so that Glamour draws no address and no link
				insertText(n, c, " "+to, src)
			}
			insertText(n, c, hostNote(to), src)
		case *ast.AutoLink:
			to := string(c.URL(*src))
			insertText(n, c, hostNote(to), src)
			if !canvas.Linkable(to) {
				seg := literal(escapeText(canvas.SanitizeLine(string(c.Label(*src)))), src)
				n.ReplaceChild(n, c, ast.NewTextSegment(seg))
			}
		case *ast.Emphasis, *extast.Strikethrough:
			sanitizeNodes(c, src)
		default:
			n.RemoveChild(n, c)
		}
		c = next
	}
}

// sanitizeLink is [sanitizeNodes] for a link whose text was sanitised. The whole address
// follows the text.
func sanitizeLink(n ast.Node, c *ast.Link, src *[]byte) {
	to := address(c.Destination)
	c.Destination = []byte(to)
	alone := string(contents(c, *src)) == to
	insertText(n, c, hostNote(to), src)
	switch linkable := canvas.Linkable(to); {
	case linkable && alone:
		n.ReplaceChild(n, c, ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(literal(to, src))))
	case !linkable:
		c.Destination = []byte("#") // makes Glamour draw only the text
		if !alone {
			insertText(n, c, " "+to, src)
		}
	}
}

// insertText inserts words behind the child c of n.
func insertText(n, c ast.Node, words string, src *[]byte) {
	if strings.TrimSpace(words) != "" {
		n.InsertAfter(n, c, ast.NewTextSegment(literal(escapeText(words), src)))
	}
}

// hostNote names the host of an address that hides it.
func hostNote(address string) string {
	if host := canvas.HiddenHost(address); host != "" {
		return " (leads to " + host + ")"
	}
	return ""
}

// flatten replaces the children of n by the text s.
func flatten(n ast.Node, s string, src *[]byte) {
	n.RemoveChildren(n)
	n.AppendChild(n, ast.NewRawTextSegment(literal(s, src)))
}

// literal appends s to src and returns its segment.
func literal(s string, src *[]byte) text.Segment {
	start := len(*src)
	*src = append(*src, s...)
	return text.NewSegment(start, len(*src))
}

// contents returns the source of all text below n without markup.
func contents(n ast.Node, src []byte) []byte {
	var out []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			out = append(out, t.Segment.Value(src)...)
			if t.SoftLineBreak() || t.HardLineBreak() {
				out = append(out, ' ')
			}
			continue
		}
		out = append(out, contents(c, src)...)
	}
	return out
}

// address returns the destination of a link, sanitised.
func address(dest []byte) string { return canvas.SanitizeLine(string(dest)) }

// escapeText escapes s so that Glamour draws exactly s: it resolves entities and then
// backslashes.
func escapeText(s string) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	return strings.ReplaceAll(s, "&", "&amp;")
}

// unescapeText returns the text that s stands for in a Markdown source: without backslash
// escapes and entities.
func unescapeText(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			out.WriteByte(s[i+1])
			i += 2
		case s[i] == '&':
			n := strings.IndexByte(s[i:], ';') + 1
			if n > 1 && n <= maxEntity {
				out.WriteString(html.UnescapeString(s[i : i+n]))
				i += n
				continue
			}
			fallthrough
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String()
}

// maxEntity is the length of the longest entity, including & and ;.
const maxEntity = 33
