package chat

// page scrolls by n lines and takes the cursor along.
func (p *Pane) page(n int) Intent {
	p.list.ScrollBy(n)
	if p.keepCursorVisible() {
		return p.showCursor()
	}
	return nil
}

// toTop moves to the first entry.
func (p *Pane) toTop() Intent {
	p.list.Top()
	if len(p.out.rows) == 0 {
		return nil
	}
	p.row, p.line, p.chunk = p.out.rows[0], -1, chunkPosition{}
	return p.showCursor()
}

// toTurn moves to the beginning of the turn under the cursor, or of the next one in a direction.
func (p *Pane) toTurn(dir int) Intent {
	p.sync()
	var to *row
	for _, t := range p.out.turns {
		if len(t.visible) == 0 {
			continue
		}
		first := t.visible[0]
		switch {
		case p.row == nil || !p.isListed(p.row):
			to = first // the last turn
		case dir > 0 && first.index > p.row.index:
			return p.toRow(first)
		case dir < 0 && (first.index < p.row.index || first == p.row && p.line > p.row.topLine()):
			to = first
		}
	}
	if to == nil {
		return nil
	}
	return p.toRow(to)
}

// toRow moves the cursor to the beginning of a row, with as much of it in the window as fits.
func (p *Pane) toRow(r *row) Intent {
	p.row, p.line, p.chunk = r, -1, chunkPosition{}
	p.list.ScrollTo(r.index, 0)
	return p.showCursor()
}

// keepCursorVisible moves the cursor to the nearest line in the window if it is outside, and
// reports whether it did.
func (p *Pane) keepCursorVisible() bool {
	if p.row == nil || !p.isListed(p.row) {
		return false
	}
	p.list.Lines() // updates all positions
	for y := range p.h {
		if item, line, ok := p.list.ItemAt(y); ok && p.underCursor(item, line) {
			return false
		}
	}
	from, step := p.h-1, -1
	if !p.cursorBelowTop() {
		from, step = 0, 1
	}
	for y := from; y >= 0 && y < p.h; y += step {
		if item, line, ok := p.list.ItemAt(y); ok && item < len(p.out.rows) && line >= p.out.rows[item].start {
			p.putCursor(item, line)
			p.dirty = true
			return true
		}
	}
	return false
}

// putCursor puts the cursor on a line of an item.
func (p *Pane) putCursor(item, line int) {
	p.row, p.line, p.chunk = p.out.rows[item], -1, chunkPosition{}
	if p.row.byLine() && line >= p.row.bodyStart {
		p.line = min(line-p.row.bodyStart, len(p.row.bodyLines)-1)
	}
}
