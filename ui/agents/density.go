package agents

import "parley/session/model"

// A density says which rows the agents have in the height of the pane. It follows from how many agents there
// are and what they have, not from what they are doing, so that no row moves when a stream begins.
type density struct {
	apart  bool // a blank row is between two agents
	shaped bool // an agent has a row for its newest stream, once it has one
	single bool // an agent has one row, except that of the conversation on the screen
}

// density returns the density that the agents need: blank rows and those of streams give way first.
func (p *Pane) density() density {
	n, rows := len(p.agents), 0
	for _, a := range p.agents {
		rows += p.rowsOf(a)
	}
	gaps := max(n-1, 0)
	return density{apart: rows+gaps <= p.h, shaped: rows+gaps+n <= p.h, single: 2*n > p.h}
}

// rowsOf returns how many rows an agent has without that of its newest stream.
func (p *Pane) rowsOf(a *model.Agent) int {
	n := 1 + len(a.Conversations)
	if p.hint(a) != "" {
		n++
	}
	return n
}

// rebuild makes the rows again and keeps the selection on the same item.
func (p *Pane) rebuild() {
	old := p.selected()
	p.rows, p.shapes = p.rows[:0], p.shapes[:0]
	d, later := p.density(), 0
	for i, a := range p.agents {
		s := p.shape(a)
		p.shapes = append(p.shapes, s)
		if i > 0 && d.apart {
			p.rows = append(p.rows, row{})
		}
		p.rows = append(p.rows, row{agent: a, only: d.single && a.ID != p.agent})
		if d.single && a.ID != p.agent {
			continue
		}
		if s.hint {
			p.rows = append(p.rows, row{agent: a, problem: true})
		}
		for _, c := range a.Conversations {
			p.rows = append(p.rows, row{agent: a, conv: c})
		}
		switch {
		case d.shaped && s.streamed:
			p.rows = append(p.rows, row{agent: a, stream: true})
		case d.shaped:
			later++
		}
	}
	p.entryRows()
	if p.spare = p.h - len(p.rows) - later; !d.shaped {
		p.spare = 0
	}
	p.names, p.facts = nil, facts{}
	p.cursor.Move(0, len(p.rows))
	for i, r := range p.rows {
		if r.selectable() && r.agent == old.agent && r.conv == old.conv && r.entry == old.entry {
			p.cursor.At = i
		}
	}
	p.reveal()
}

// block returns the first and the last of the rows of an agent around row i, of at most as many as the pane is
// high.
func (p *Pane) block(i int) (first, last int) {
	first, last = i, i
	if i >= len(p.rows) || p.rows[i].agent == nil {
		return first, last
	}
	same := func(j int) bool {
		return j >= 0 && j < len(p.rows) && p.rows[j].agent == p.rows[i].agent && max(j-i, i-j) <= p.h
	}
	for same(first - 1) {
		first--
	}
	for same(last + 1) {
		last++
	}
	return first, last
}

// reveal scrolls so that the selection is visible, with all rows of its agent if these have room.
func (p *Pane) reveal() {
	p.cursor.Reveal(len(p.rows), p.h)
	if first, last := p.block(p.cursor.At); last-first < p.h {
		p.cursor.Top = max(min(p.cursor.Top, first), last-p.h+1)
	}
}
