package cli

import (
	"bytes"
	"strings"
)

// A page is text output under construction: fields, one "Label: value" per line,
// and blocks, whose label stands alone on its line. A block's lines are indented,
// so that an empty line always ends it and nothing that an agent wrote can pass
// for a field (A2A CLI specification 0.2 §11.2).
type page struct {
	b       bytes.Buffer
	verbose bool // show everything
}

// field writes a field unless the value is empty; what does not fit one line
// becomes a block.
func (p *page) field(label, value string) {
	value = strings.Trim(clean(value), "\n")
	switch {
	case strings.TrimSpace(value) == "":
	case strings.Contains(value, "\n"):
		p.block(label, value)
	default:
		p.b.WriteString(label + ": " + strings.TrimSpace(value) + "\n")
	}
}

// list writes a field with several values.
func (p *page) list(label string, values []string) { p.field(label, strings.Join(values, ", ")) }

// block writes content under its label.
func (p *page) block(label, content string) {
	p.b.WriteString(label + ":\n")
	for l := range strings.Lines(clean(content)) {
		p.b.WriteString("  " + strings.TrimSuffix(l, "\n") + "\n")
	}
	p.b.WriteString("\n")
}

// json writes a JSON value as a block, and as text what should have been one.
func (p *page) json(label string, raw []byte) {
	pretty, err := indented(raw)
	if err != nil {
		pretty = raw
	}
	p.block(label, string(pretty))
}
