package form

import tea "charm.land/bubbletea/v2"

// Mouse deals with a mouse event at x, y of the pane: a click goes to a row, a second one
// on it chooses, opens or sends, the wheel goes from row to row.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.wild || y >= p.listHeight() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			p.to(p.at - 1)
		case tea.MouseWheelDown:
			p.to(p.at + 1)
		}
	case tea.MouseClickMsg:
		i := p.top + y
		if msg.Button != tea.MouseLeft || i < 0 || i > len(p.rows) {
			return nil
		}
		if i != p.at {
			p.to(i)
			return nil
		}
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
