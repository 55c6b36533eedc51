package jsonview

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// An inkPen joins painted pieces to a line. Adjacent pieces of one colour are sanitized
// together, because separately clean pieces can form an escape sequence.
type inkPen struct {
	b    strings.Builder
	on   styles.Paint
	text strings.Builder
}

func (p *inkPen) write(paint styles.Paint, s string) {
	if paint != p.on {
		p.flush()
		p.on = paint
	}
	p.text.WriteString(s)
}

func (p *inkPen) flush() {
	p.b.WriteString(p.on.S(canvas.SanitizeLine(p.text.String())))
	p.text.Reset()
}

// done returns the line.
func (p *inkPen) done() string {
	p.flush()
	return p.b.String()
}
