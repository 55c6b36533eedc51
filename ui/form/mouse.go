package form

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/list"
)

// Mouse deals with a mouse event at x, y of the pane: a click goes to a row, a second one
// on it chooses, opens or sends, the wheel goes from row to row.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.wild || y >= p.listHeight() {
		return nil
	}
	at := p.cursor
	switch at.Mouse(msg, y, len(p.rows)+1, p.listHeight()) {
	case list.Turned, list.Selected:
		p.to(at.At)
	case list.Again:
		if f := p.here(); f == nil || !typed(f) {
			code := tea.KeySpace
			if f == nil {
				code = tea.KeyEnter
			}
			return p.fieldKey(tea.KeyPressMsg{Code: code})
		}
	}
	return nil
}
