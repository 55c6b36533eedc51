package jsonview

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A lineWriter joins painted pieces to a line. Adjacent pieces of one colour are sanitized
// together, because separately clean pieces can form an escape sequence.
type lineWriter struct {
	b    strings.Builder
	on   styles.Paint
	text strings.Builder
}

func (p *lineWriter) write(paint styles.Paint, s string) {
	if paint != p.on {
		p.flush()
		p.on = paint
	}
	p.text.WriteString(s)
}

func (p *lineWriter) flush() {
	p.b.WriteString(p.on.S(canvas.SanitizeLine(p.text.String())))
	p.text.Reset()
}

// finish returns the line.
func (p *lineWriter) finish() string {
	p.flush()
	return p.b.String()
}
