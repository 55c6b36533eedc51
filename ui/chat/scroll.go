package chat

import "parley/ui/canvas"

// Scrolls returns what part of the conversation is in the window. How many lines it has in all is
// not known, so there is no position.
func (p *Pane) Scrolls() canvas.Scrolls {
	if len(p.out.rows) == 0 {
		return canvas.Scrolls{}
	}
	top, shown, all := p.list.Span(func(i int) int { return p.out.rows[i].weight() })
	return canvas.ScrollOf(canvas.Scroll{H: p.h, Top: top, Shown: shown, All: all})
}

// weight says about how many lines a row has, at no cost.
func (r *row) weight() int {
	const around, line = 2, 40 // lines around a text, and the bytes of a line in it
	switch b := r.body.(type) {
	case *artifact:
		return around + len(b.art.Text)/line
	case *message:
		n := 0
		for i := range b.entry().Message.Parts {
			n += len(b.entry().Message.Parts[i].Text)
		}
		return around + n/line
	}
	return around
}
