package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// wheelLines is how far one step of the wheel scrolls.
const wheelLines = 3

// Mouse handles a mouse event at x, y of the pane: the wheel scrolls, a click puts the cursor
// there, follows the note about new content below, or sends a prompt.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	p.sync()
	p.dirty = true
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.list.ScrollBy(wheelLines * keys.Wheel(msg))
		if p.focused {
			p.keepCursorVisible()
		}
	case tea.MouseClickMsg:
		switch {
		case msg.Button != tea.MouseLeft:
		case y < 0 && p.Unseen() > 0: // on the frame, which says how much is new
			p.End()
		case x >= 0 && x < p.w && y >= 0 && y < p.h:
			p.endScrub(p.w)
			p.Lines() // where the click is
			return p.click(x, y)
		}
	}
	return nil
}

func (p *Pane) click(x, y int) Intent {
	if len(p.out.rows) == 0 {
		for i, c := range p.greeting.prompts {
			if c.has(x, y) {
				return p.chooseOffer(i)
			}
		}
		return nil
	}
	item, line, ok := p.list.ItemAt(y)
	if !ok || item >= len(p.out.rows) {
		return nil
	}
	if p.putCursor(item, line); p.line >= 0 {
		p.pickChunk(x, y, line-p.row.bodyStart)
	}
	r := p.out.rows[item]
	if in := p.clickReply(r, x-edgeWidth, line-r.bodyStart-len(r.bodyLines)); in != nil {
		return in
	}
	if id := p.Selected(); id != 0 {
		return RevealRecord{Record: id}
	}
	return nil
}

// Following reports whether the end is shown, also when it grows.
func (p *Pane) Following() bool { return p.list.Following() }

// End goes to the end and follows new content.
func (p *Pane) End() {
	p.list.End()
	p.dirty = true
	if p.focused && len(p.out.rows) > 0 {
		p.row = p.out.rows[len(p.out.rows)-1]
		p.line = p.lastLine(p.row)
	}
}
