package wire

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	p.sync()
	p.arrange()
	defer p.arrange()
	if !p.Typing() {
		p.search.note, p.search.dir = "", 0 // another key cancels the wait for a match
	}
	return p.Table.Key(msg)
}

// half returns how many lines the record is scrolled at a time.
func (p *Pane) half() int { return max(p.detailHeight()/2, 1) }

func (p *Pane) toggleFollow() {
	if p.rows.follow {
		p.rows.pause()
		return
	}
	p.rows.resume()
}

// Back leaves the innermost of: the filter line, the search, the record, the stream, the
// filter. It reports whether there was one.
func (p *Pane) Back() bool {
	defer p.arrange()
	switch {
	case p.filter.open:
		p.closeFilter(false)
	case p.search.on():
		p.endSearch()
	case p.whole, p.reading:
		p.whole, p.reading = false, false
	case p.stream.on:
		p.stream.on = false
	case p.filter.set != nil:
		p.closeFilter(false)
	default:
		return false
	}
	return true
}

// wheelRows is how many rows one notch of the wheel scrolls.
const wheelRows = 3

// Mouse handles a mouse event at x, y of the pane. In the rows, a click selects, a click on the
// selected row unfolds it, and the wheel moves the selection. In the record, a click moves the
// cursor, a click on the cursor's line folds it, and the wheel scrolls.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	p.sync()
	defer p.arrange()
	if p.clickFilter(msg, x, y) {
		return nil
	}
	detailAt := p.h - p.detailHeight()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		n := wheelRows * keys.Wheel(msg)
		if y >= detailAt && p.stream.on {
			p.streamMouse(msg, x, y-detailAt)
		} else if y >= detailAt {
			p.detail.Scroll(n)
		} else if n != 0 {
			p.rows.move(n)
		}
	case tea.MouseClickMsg:
		switch {
		case msg.Button != tea.MouseLeft:
		case y >= detailAt && p.stream.on:
			p.streamMouse(msg, x, y-detailAt)
		case y >= detailAt:
			p.reading = p.rows.sel != 0
			return p.onRecordIntent(p.detail.Click(x, y-detailAt))
		default:
			p.reading = false
			if id := p.scrolledAway(); id != 0 && y < p.headHeight() {
				p.Select(id)
			} else if i, _, ok := p.rows.list.ItemAt(y - p.headHeight()); ok {
				p.clickRow(i)
			}
		}
	}
	return nil
}

// clickRow selects row i, or unfolds it if it is selected.
func (p *Pane) clickRow(i int) {
	id := p.rows.at(i)
	if _, folded := p.rows.foldedAt(id); id == p.rows.sel && (folded || p.rows.runAt(id) != nil) {
		p.rows.toggleRow(id)
		return
	}
	p.rows.choose(i)
}
