package card

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

func (p *Pane) scroll(n int) { p.top = max(0, min(p.top+n, len(p.lines)-p.h)) }

// stepExample moves to the example that is n further, around the ends.
func (p *Pane) stepExample(n int) {
	at := p.at + n
	switch {
	case p.at < 0 && n < 0, at < 0:
		at = p.examples - 1
	case at >= p.examples && p.at >= p.examples && n < 0:
		at = p.examples - 1
	case at >= p.examples:
		at = 0
	}
	p.at = at
	if row := p.entries[at].from; row < p.top || row >= p.top+p.h {
		p.top = max(0, min(row-p.h/2, len(p.lines)-p.h))
	}
}

// step moves to the next entry in a direction if the window has it, and scrolls by a row otherwise.
func (p *Pane) step(by int) {
	next := p.at + by
	if p.at < 0 || p.entries[p.at].to <= p.top || p.entries[p.at].from >= p.top+p.h {
		next = p.outermost(by)
	}
	if next < 0 || next >= len(p.entries) || !p.shows(next, by) {
		p.scroll(by)
		return
	}
	p.at = next
	p.reveal()
}

// outermost returns the entry in the window that is the first in a direction.
func (p *Pane) outermost(by int) int {
	if by > 0 {
		for i := range p.entries {
			if p.entries[i].from >= p.top {
				return i
			}
		}
		return len(p.entries)
	}
	for i := len(p.entries) - 1; i >= 0; i-- {
		if p.entries[i].to <= p.top+p.h {
			return i
		}
	}
	return -1
}

// shows reports whether the row at which one comes to an entry in a direction is in the window.
func (p *Pane) shows(i, by int) bool {
	row := p.entries[i].from
	if by < 0 {
		row = p.entries[i].to - 1
	}
	return row >= p.top && row < p.top+p.h
}

// reveal moves the window as little as possible so that it has the chosen entry, of one that is
// higher than the window the beginning.
func (p *Pane) reveal() {
	e := &p.entries[p.at]
	if e.to > p.top+p.h {
		p.top = e.to - p.h
	}
	p.top = min(p.top, e.from)
	p.scroll(0)
}

// evidence returns the first entry of the evidence, or that of the addresses tried if there is no
// evidence; -1 if there is neither.
func (p *Pane) evidence() int {
	if p.examples < len(p.entries) {
		return p.examples
	}
	return -1
}

// hasEvidence reports whether the pane can show evidence, also in place of what it shows now.
func (p *Pane) hasEvidence() bool {
	return p.agent != nil && len(p.agent.Profile.Evidence)+len(p.agent.Attempts) > 0
}

// ShowEvidence chooses the first evidence for how the agent speaks.
func (p *Pane) ShowEvidence() {
	p.raw, p.diff = false, false
	p.build()
	if i := p.evidence(); i >= 0 {
		p.at, p.aims = i, true
	}
}

// enter carries out what an entry offers.
func (p *Pane) enter(i int) Intent {
	if i < 0 || i >= len(p.entries) {
		return nil
	}
	switch e := &p.entries[i]; {
	case e.example != nil:
		return UseExample{Agent: p.agent.ID, Example: *e.example}
	default:
		return Show{Record: e.record, Why: e.why}
	}
}

// Mouse handles a click or a turn of the wheel at column x, row y. A click
// chooses an entry, a second one does what enter does.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.scroll(3 * keys.Wheel(msg))
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		p.build()
		for i := range p.entries {
			switch e := &p.entries[i]; {
			case p.top+y < e.from || p.top+y >= e.to || e.right != (p.half > 0 && x >= p.half+gutter/2):
			case i == p.at:
				return p.enter(i)
			default:
				p.at = i
			}
		}
	}
	return nil
}
