package lanes

import (
	"slices"

	"parley/a2a"
)

// A row is a row of the list.
type row struct {
	lane   *lane // nil for the blank row between two lanes
	second bool
}

// listing is what the rows follow from.
type listing struct {
	streams  int
	unfolded int
	filtered bool
	hits     uint64
	silent   int // versions of the order of silent lanes
	airy     int // the rows that are enough for blank ones
}

// list lists the lanes that pass the filter if anything has changed. The selected lane stays
// selected.
func (p *Pane) list() {
	now := listing{streams: p.session.taken, unfolded: p.session.unfolded, filtered: p.wire.Filtered(), silent: p.silent.version, airy: p.Split(headRows, footRows, leastOf).List}
	if now.filtered {
		now.hits = p.wire.HitsVersion()
	}
	if p.index != nil && p.listed == now {
		return
	}
	p.work.rows++
	p.listed, p.index, p.shown = now, map[a2a.ExchangeID]int{}, 0
	if p.listRows(true); len(p.rows) > now.airy {
		p.listRows(false)
	}
	line := -1
	for i, e := range p.entries {
		l := p.rows[e].lane
		for _, x := range l.parts {
			p.index[x.s.Exchange] = i // an unfolded lane is below its line
		}
		if !l.isLine() || !l.fold.open {
			p.shown += len(l.parts)
		}
		if l.isLine() && l.fold == p.line {
			line = i
		}
	}
	switch i, ok := p.index[p.sel]; {
	case ok && line >= 0:
		p.put(line)
	case ok:
		p.put(i)
	case len(p.entries) > 0:
		p.choose(p.selected)
	default:
		p.sel, p.line = 0, nil
	}
}

// put puts the cursor of the list on an entry.
func (p *Pane) put(i int) {
	p.selected, p.List.At, p.line = i, p.entries[i], nil
	if l := p.rows[p.List.At].lane; l.isLine() {
		p.line = l.fold
	}
}

// listRows lists the rows, with blank ones between lanes of two rows if airy is set.
func (p *Pane) listRows(airy bool) {
	p.rows, p.entries = p.rows[:0], p.entries[:0]
	add := func(l *lane) {
		if n := len(p.rows); airy && n > 0 && apart(p.rows[n-1].lane, l) {
			p.rows = append(p.rows, row{})
		}
		p.entries = append(p.entries, len(p.rows))
		if p.rows = append(p.rows, row{lane: l}); l.tall {
			p.rows = append(p.rows, row{lane: l, second: true})
		}
	}
	for _, l := range p.silent.lanes {
		if p.passes(l) {
			add(l)
		}
	}
	for _, g := range p.session.groups {
		for _, l := range g.lanes {
			if p.passes(l) && !slices.Contains(p.silent.lanes, l) {
				add(l)
			}
		}
	}
	for _, f := range p.session.folds {
		f.line.parts = f.line.parts[:0]
		for _, l := range f.lanes {
			if !p.passes(l) {
				continue
			}
			if len(f.line.parts) == 0 {
				add(f.line)
			}
			if f.line.parts = append(f.line.parts, l.parts...); f.open {
				add(l)
			}
		}
	}
}

// apart reports whether a blank row between two lanes helps to tell them apart.
func apart(l, next *lane) bool { return l.tall || next.tall || next.isLine() && l.fold == nil }

// passes reports whether a record of a lane passes the filter.
func (p *Pane) passes(l *lane) bool {
	return !p.listed.filtered || slices.ContainsFunc(l.parts, func(x *part) bool {
		return p.wire.CountHits(x.s.Exchange, 0, len(p.log.Exchange(x.s.Exchange))) > 0
	})
}

// lane returns the selected lane, nil if there is none.
func (p *Pane) lane() *lane {
	if p.List.At < len(p.rows) {
		return p.rows[p.List.At].lane
	}
	return nil
}

// part returns the selected exchange, nil if there is none.
func (p *Pane) part() *part {
	if p.lane() == nil {
		return nil
	}
	return p.session.byID[p.sel]
}

// choose selects the nearest entry to the one with an index.
func (p *Pane) choose(i int) {
	if len(p.entries) == 0 {
		return
	}
	p.put(min(max(i, 0), len(p.entries)-1))
	p.sel, p.record = p.lane().at(p.at).s.Exchange, 0
}

// move selects the entry that is by entries further down.
func (p *Pane) move(by int) { p.choose(min(max(p.selected+by, 0), len(p.entries)-1)) }

// showEntry moves the window so that all rows of the selected entry are visible.
func (p *Pane) showEntry(h int) {
	n := len(p.rows)
	p.List.Reveal(n, h)
	if l := p.lane(); l != nil && l.tall && p.List.At == p.List.Top+h-1 && h > 1 {
		p.List.Scroll(1, n, h)
	}
}
