package wire

import "parley/ui/canvas"

// Scrolls returns what parts of the rows and, below them, of the record or the stream the pane drew
// last.
func (p *Pane) Scrolls() canvas.Scrolls {
	top, shown, all := p.rows.list.Span(nil)
	rows := canvas.Scroll{Y: p.headHeight(), H: p.listHeight(), Top: top, Shown: shown, All: all}
	if i, ok := p.rows.index(p.rows.sel); ok {
		rows.At, rows.Of = i+1, p.rows.Len()
	}
	below := p.detail.Window()
	if p.stream.on {
		below = p.stream.view.Window()
	}
	below.Y += p.h - p.detailHeight()
	return canvas.Scrolls{rows, below}
}
