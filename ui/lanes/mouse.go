package lanes

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// wheelCells is how many cells one notch of the wheel moves the cursor.
const wheelCells = 4

// drag is the state of the mouse.
type drag struct {
	held  bool // the button was pressed in a cell and is held
	spans bool // it selects a span
}

// Mouse handles the mouse at x, y of the pane. A click puts the cursor on a time, in a lane also on that
// lane; a second click shows the record, or unfolds a line. A drag selects a span. The wheel moves from lane
// to lane, or through time if it turns sideways.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	p.update()
	cell := x
	if w := p.nameWidth(); w > 0 {
		cell -= w + 1
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.turn(msg)
	case tea.MouseClickMsg:
		p.drag = drag{}
		if msg.Button == tea.MouseLeft {
			return p.click(cell, y)
		}
	case tea.MouseMotionMsg:
		p.dragTo(cell)
	case tea.MouseReleaseMsg:
		if p.drag.spans && p.span.open {
			p.toggleSpan()
		}
		p.drag = drag{}
	}
	return nil
}

// turn handles the wheel.
func (p *Pane) turn(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelLeft:
		p.step(-wheelCells)
	case tea.MouseWheelRight:
		p.step(wheelCells)
	default:
		p.move(keys.Wheel(msg))
	}
}

// click handles a click on a cell, in row y.
func (p *Pane) click(cell, y int) Intent {
	parts := p.parts()
	same := p.window.cells > 0 && cell == p.column()
	if y >= parts.Head+parts.List {
		return nil
	}
	if y >= parts.Head {
		switch p.hit(y - parts.Head) {
		case list.HitNone:
			return nil
		case list.HitSelected:
			if p.line != nil && cell < 0 {
				p.toggleFold()
				return nil
			}
			if same || cell < 0 {
				return p.show()
			}
		}
	}
	if cell >= 0 && cell < p.window.cells {
		p.goToCell(cell)
		p.drag.held = true
	}
	return nil
}

// dragTo selects the span from the cell where the button was pressed to another.
func (p *Pane) dragTo(cell int) {
	if cell = min(max(cell, 0), p.window.cells-1); !p.drag.held || cell < 0 || cell == p.column() {
		return
	}
	if !p.drag.spans {
		p.drag.spans, p.span = true, span{}
		p.toggleSpan()
	}
	p.goToCell(cell)
}

// goToCell puts the cursor on a cell of the window.
func (p *Pane) goToCell(cell int) {
	p.window.follow = false
	p.moveTo(p.window.axis().Edge(cell) + p.window.cell/2)
}

// hit selects the lane in row y of the list.
func (p *Pane) hit(y int) list.Hit {
	i := p.List.Top + y
	if i < 0 || i >= len(p.rows) || p.rows[i].lane == nil {
		return list.HitNone
	}
	if p.rows[i].second {
		i--
	}
	if i == p.List.At {
		return list.HitSelected
	}
	e, _ := slices.BinarySearch(p.entries, i)
	p.choose(e)
	return list.HitRow
}
