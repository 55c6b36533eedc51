package form

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/list"
)

// Mouse handles a mouse event at row y: a click selects a row, a click on the selected row
// toggles or sends, the wheel moves by rows.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	parts, _ := p.parts()
	if y -= parts.Head; p.asJSON || y >= parts.List {
		return nil
	}
	at := p.List
	switch at.Mouse(msg, y, len(p.rows)+1, parts.List) {
	case list.HitWheel, list.HitRow:
		p.moveTo(at.At)
	case list.HitSelected:
		switch f := p.current(); {
		case f == nil:
			return p.send()
		case !isTyped(f):
			return p.change(1)
		}
	}
	return nil
}
