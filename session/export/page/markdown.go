package page

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"parley/a2a"
	"parley/a2a/hostname"
)

// The limits of Markdown. Larger text, and text that would be slow to parse, is shown as it is.
const (
	maxMarkdown = 1 << 20
	maxBlock    = 32 << 10 // bytes between two blank lines
	maxMarkers  = 32       // of quotes and lists at the beginning of a line
)

// isCheap reports whether Markdown takes time in proportion to its length.
func isCheap(source []byte) bool {
	if len(source) > maxMarkdown {
		return false
	}
	block := 0
	for line := range bytes.Lines(source) {
		if block += len(line); len(bytes.TrimSpace(line)) == 0 {
			block = 0
		}
		markers := 0
		for _, c := range line {
			if c == '>' || c == '-' || c == '*' || c == '+' {
				markers++
			} else if c != ' ' && c != '\t' && (c < '0' || c > '9') && c != '.' && c != ')' {
				break
			}
		}
		if block > maxBlock || markers > maxMarkers && !bytes.ContainsAny(line, "|") && len(bytes.Trim(line, "-*+ \t\r\n")) > 0 {
			return false
		}
	}
	return true
}

// markdown writes Markdown, block by block, each with the record that brought its beginning.
func (p *page) markdown(source []byte, s spot, at func(int) a2a.RecordID) {
	if !isCheap(source) {
		p.lines(source, s, at)
		return
	}
	m := goldmark.New(goldmark.WithExtensions(
		extension.Table,
		extension.Strikethrough, extension.Linkify,
	), goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(&nodes{page: p, spot: s, at: at}, 1))))
	doc := m.Parser().Parse(text.NewReader(source))
	p.tag(`<div class="prose">`)
	last := a2a.RecordID(0)
	var b bytes.Buffer
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		p.tag(`<div class="block">`)
		if id := at(start(n)); id != last && id != 0 {
			last = id
			p.gutter(s, id)
		}
		b.Reset()
		if err := m.Renderer().Render(&b, source, n); err != nil { // a buffer does not fail
			p.raw(b.Bytes())
		} else {
			escape(p.Writer, b.String(), false)
		}
		p.tag("</div>\n")
	}
	p.tag("</div>\n")
}

// start returns the offset of the beginning of a block in its source, -1 if it has none.
func start(n ast.Node) int {
	for ; n != nil; n = n.FirstChild() {
		if n.Type() == ast.TypeInline {
			if t, ok := n.(*ast.Text); ok {
				return t.Segment.Start
			}
			continue
		}
		if n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
	}
	return -1
}

// nodes renders what needs care: HTML, which is shown, and addresses.
type nodes struct {
	page *page
	spot spot
	at   func(int) a2a.RecordID
}

// RegisterFuncs tells goldmark which nodes these are.
func (n *nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, n.rawHTML)
	r.Register(ast.KindHTMLBlock, n.htmlBlock)
	r.Register(ast.KindLink, n.link)
	r.Register(ast.KindAutoLink, n.autoLink)
	r.Register(ast.KindImage, n.image)
	r.Register(ast.KindListItem, n.listItem)
	r.Register(ast.KindFencedCodeBlock, n.code)
	r.Register(ast.KindCodeBlock, n.code)
	r.Register(tables.KindTableCell, n.cell)
}

func shown(w util.BufWriter, s string) { _, _ = w.Write(util.EscapeHTML([]byte(s))) }

func (n *nodes) rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		segments := node.(*ast.RawHTML).Segments
		for i := range segments.Len() {
			at := segments.At(i)
			shown(w, string(at.Value(source)))
		}
	}
	return ast.WalkSkipChildren, nil
}

func (n *nodes) htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := node.(*ast.HTMLBlock)
	_, _ = w.WriteString("<pre>")
	for i := range block.Lines().Len() {
		at := block.Lines().At(i)
		shown(w, string(at.Value(source)))
	}
	if block.HasClosure() {
		shown(w, string(block.ClosureLine.Value(source)))
	}
	_, _ = w.WriteString("</pre>\n")
	return ast.WalkContinue, nil
}

// target returns an address that a link may have, with the host that it leads to; empty for all
// others.
func target(address string) (href, host string) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", ""
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host == "" || u.User != nil {
			return "", ""
		}
		return u.String(), hostname.Key(u.Hostname())
	case "mailto":
		return u.String(), u.Opaque
	}
	return "", ""
}

// open writes the beginning of a link, and says how it ends.
func openLink(w util.BufWriter, address string) string {
	href, host := target(address)
	if href == "" {
		_, _ = w.WriteString(`<span class="nolink">`)
		return ` <code>` + string(util.EscapeHTML([]byte(address))) + `</code></span>`
	}
	_, _ = w.WriteString(`<a class="out" rel="noreferrer noopener nofollow" href="` + string(util.EscapeHTML([]byte(href))) + `" title="leads to ` + string(util.EscapeHTML([]byte(host))) + `">`)
	return "</a>"
}

func (n *nodes) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	address := string(node.(*ast.Link).Destination)
	if entering {
		openLink(w, address)
		return ast.WalkContinue, nil
	}
	if href, _ := target(address); href != "" {
		_, _ = w.WriteString("</a>")
	} else {
		_, _ = w.WriteString(` <code>` + string(util.EscapeHTML([]byte(address))) + `</code></span>`)
	}
	return ast.WalkContinue, nil
}

func (n *nodes) autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := node.(*ast.AutoLink)
	address := string(link.URL(source))
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	if href, _ := target(address); href == "" {
		shown(w, string(link.Label(source)))
		return ast.WalkContinue, nil
	}
	end := openLink(w, address)
	shown(w, string(link.Label(source)))
	_, _ = w.WriteString(end)
	return ast.WalkContinue, nil
}

// image writes a link: a page loads nothing.
func (n *nodes) image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	image := node.(*ast.Image)
	end := openLink(w, string(image.Destination))
	shown(w, "picture: ")
	for c := image.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			shown(w, string(t.Segment.Value(source)))
		}
	}
	_, _ = w.WriteString(end)
	return ast.WalkSkipChildren, nil
}

// listItem writes an item with a link to its record.
func (n *nodes) listItem(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</li>\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<li>")
	if node.PreviousSibling() == nil {
		return ast.WalkContinue, nil
	}
	if id := n.at(start(node)); id != n.at(start(node.PreviousSibling())) {
		n.gutter(w, id)
	}
	return ast.WalkContinue, nil
}

// gutter writes the link to a record inside of a block.
func (n *nodes) gutter(w util.BufWriter, id a2a.RecordID) {
	var b bytes.Buffer
	inside := *n.page
	inside.out = newOut(&b)
	inside.gutter(n.spot, id)
	_ = inside.Flush() // a buffer does not fail
	_, _ = w.Write(b.Bytes())
}

// code writes code, each line with a link to its record.
func (n *nodes) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<pre><code>")
	lines, last := node.Lines(), a2a.RecordID(0)
	for i := range lines.Len() {
		at := lines.At(i)
		if id := n.at(at.Start); id != last {
			if last != 0 { // the block itself has the link of the first one
				n.gutter(w, id)
			}
			last = id
		}
		shown(w, string(at.Value(source)))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}

// cell writes a cell of a table. The first one of a row has the link to its record.
func (n *nodes) cell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	if node.Parent().Kind() == tables.KindTableHeader {
		tag = "th"
	}
	if !entering {
		_, _ = w.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<" + tag)
	if align := node.(*tables.TableCell).Alignment; align != tables.AlignNone {
		_, _ = w.WriteString(` align="` + align.String() + `"`)
	}
	_, _ = w.WriteString(">")
	if row := node.Parent(); node.PreviousSibling() == nil && row.PreviousSibling() != nil {
		if id := n.at(start(row)); id != 0 && id != n.at(start(row.PreviousSibling())) {
			n.gutter(w, id)
		}
	}
	return ast.WalkContinue, nil
}
