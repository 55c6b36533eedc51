package jsonview

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// An inkPen puts a line together from painted pieces. Neighbours of one paint
// become one piece, which is sanitised as a whole: pieces that are clean by
// themselves may still join each other.
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
