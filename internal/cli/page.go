package cli

import (
	"bytes"
	"strings"
)

// A page is text output under construction: fields, one "Label: value" per line, and blocks,
// whose label is alone on its line. A block's lines are indented, so that an empty line always
// ends it and an agent's text cannot pass for a field (A2A CLI specification 0.2 §11.2).
type page struct {
	b       bytes.Buffer
	to      func([]byte) // takes parts of a long page, nil if b keeps it
	verbose bool         // show everything
}

// longPage is how much of a page is kept before it is passed on.
const longPage = 64 << 10

// add writes strings.
func (p *page) add(all ...string) {
	for _, s := range all {
		for p.to != nil && p.b.Len()+len(s) > longPage {
			n := max(0, longPage-p.b.Len())
			p.b.WriteString(s[:n])
			s = s[n:]
			p.flush()
		}
		p.b.WriteString(s)
	}
}

// flush passes on what there is.
func (p *page) flush() {
	p.to(p.b.Bytes())
	p.b.Reset()
}

// field writes a field unless the value is empty; a value of several lines becomes a block.
func (p *page) field(label, value string) {
	value = strings.Trim(clean(value), "\n")
	switch {
	case strings.TrimSpace(value) == "":
	case strings.Contains(value, "\n"):
		p.block(label, value)
	default:
		p.add(label, ": ", strings.TrimSpace(value), "\n")
	}
}

// list writes a field with several values.
func (p *page) list(label string, values []string) { p.field(label, strings.Join(values, ", ")) }

// block writes content under its label.
func (p *page) block(label, content string) {
	p.add(label, ":\n")
	p.endBlock(p.lines(content, true))
}

// lines writes a piece of the content of a block. start says whether it begins a line; lines
// reports whether the next piece does.
func (p *page) lines(content string, start bool) bool {
	for len(content) > 0 { // a giant is not copied to be cleaned
		n := len(content)
		if n > longPage {
			n = longPage
			if end := strings.IndexByte(content[n:], '\n'); end >= 0 {
				n += end + 1
			} else {
				n = len(content)
			}
		}
		for l := range strings.Lines(clean(content[:n])) {
			if start {
				p.add("  ")
			}
			p.add(l)
			start = strings.HasSuffix(l, "\n")
		}
		content = content[n:]
	}
	return start
}

// endBlock ends a block; start says whether its last line is complete.
func (p *page) endBlock(start bool) {
	if !start {
		p.add("\n")
	}
	p.add("\n")
}

// json writes a JSON value as a block, or as text if it is invalid.
func (p *page) json(label string, raw []byte) {
	pretty, err := indent(raw)
	if err != nil {
		pretty = raw
	}
	p.block(label, string(pretty))
}
