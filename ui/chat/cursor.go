package chat

import (
	"parley/a2a"
	"parley/session/model"
)

// byLine reports whether the cursor moves by lines in the row: in a text whose lines come from
// different records, in a tree, and in a table.
func (r *row) byLine() bool {
	if len(r.insets) > 0 {
		return true
	}
	a, ok := r.body.(*artifact)
	return ok && !a.bare()
}

// lastLine returns the line of a row that the cursor enters from below.
func (p *Pane) lastLine(r *row) int {
	r.Lines(p.w)
	if !r.byLine() {
		return -1
	}
	return len(r.bodyLines) - 1
}

// topLine returns the first line at which the cursor can be: the head, unless there is none.
func (r *row) topLine() int {
	if r.byLine() && r.bodyStart == r.start {
		return 0
	}
	return -1
}

// move moves the cursor by one line or entry. An entry higher than the window is
// first scrolled through.
func (p *Pane) move(delta int) Intent {
	p.sync()
	p.chunk = chunkPosition{}
	if len(p.out.rows) == 0 {
		return nil
	}
	if p.row == nil || !p.isListed(p.row) {
		p.row = p.out.rows[len(p.out.rows)-1]
		p.line = p.lastLine(p.row)
		return p.showCursor()
	}
	p.row.Lines(p.w)
	if p.scrollThrough(delta) {
		return nil
	}
	p.line = max(p.line, p.row.topLine())
	if line := p.line + delta; p.row.byLine() && line >= p.row.topLine() && line < len(p.row.bodyLines) {
		p.line = line
		return p.showCursor()
	}
	next := p.row.index + delta
	if next < 0 || next >= len(p.out.rows) {
		p.list.ScrollBy(delta) // down at the end begins to follow
		return nil
	}
	p.row = p.out.rows[next]
	p.line = -1
	if delta < 0 {
		p.line = p.lastLine(p.row)
	}
	return p.showCursor()
}

// scrollThrough scrolls by a line if more of the cursor's entry lies that way,
// outside the window.
func (p *Pane) scrollThrough(delta int) bool {
	if p.row.byLine() || len(p.row.out) <= p.h {
		return false
	}
	end := 0
	if delta > 0 {
		end = len(p.row.out) - 1
	}
	if _, visible := p.windowRow(p.row.index, end); visible {
		return false
	}
	if _, visible := p.windowRow(p.row.index, len(p.row.out)-1-end); !visible && !p.rowFillsWindow() {
		return false
	}
	p.list.ScrollBy(delta)
	return true
}

// rowFillsWindow reports whether the whole window shows the cursor's entry.
func (p *Pane) rowFillsWindow() bool {
	top, _, ok := p.list.ItemAt(0)
	return ok && top == p.row.index
}

// windowRow returns the row of the window that shows a line of an item.
func (p *Pane) windowRow(item, line int) (y int, visible bool) {
	for y := range p.h {
		if i, l, ok := p.list.ItemAt(y); ok && i == item && l == line {
			return y, true
		}
	}
	return 0, false
}

// body returns the body under the cursor, nil if there is none.
func (p *Pane) body() body {
	if p.row == nil || !p.isListed(p.row) {
		return nil
	}
	return p.row.body
}

// isListed reports whether a row is among those shown.
func (p *Pane) isListed(r *row) bool {
	return r.index < len(p.out.rows) && p.out.rows[r.index] == r
}

// showCursor brings the cursor into the window and reports what is under it.
func (p *Pane) showCursor() Intent {
	p.dirty = true
	p.scrollToCursor()
	if id := p.Selected(); id != 0 {
		return RevealRecord{Record: id}
	}
	return nil
}

// scrollToCursor scrolls as little as possible so that the cursor is in the window.
func (p *Pane) scrollToCursor() {
	p.row.Lines(p.w)
	from, to := p.row.start, len(p.row.out)-1
	if p.row.byLine() {
		to = max(p.row.bodyStart+max(p.line, p.row.topLine()), from)
		if p.line >= 0 {
			from = to
		}
	}
	if from <= p.row.start {
		from = 0 // with the gap above
	}
	p.list.Lines() // updates all positions
	_, top := p.windowRow(p.row.index, from)
	_, bottom := p.windowRow(p.row.index, to)
	switch {
	case top && bottom:
	case !top && !bottom && p.rowFillsWindow() && !p.row.byLine():
	case !bottom && to-from < p.h && p.cursorBelowTop():
		p.list.ScrollTo(p.row.index, to)
		y, _ := p.windowRow(p.row.index, to)
		p.list.ScrollBy(y + 1 - p.h)
	case !top:
		p.list.ScrollTo(p.row.index, from)
	}
}

// cursorBelowTop reports whether the cursor's row begins after the top of the window.
func (p *Pane) cursorBelowTop() bool {
	top, line, ok := p.list.ItemAt(0)
	at := p.row.bodyStart + p.line
	return ok && (p.row.index > top || p.row.index == top && at >= line)
}

// SelectRecord puts the cursor at what a record built and scrolls there if it is not in the
// window. It reports whether the conversation contains such a thing.
func (p *Pane) SelectRecord(a model.Anchor) bool {
	p.sync()
	p.cursorShown, p.dirty = false, true
	p.endScrub(p.w)
	if p.out.conv == nil || a.Conversation != p.out.conv.ID {
		return false
	}
	r := p.out.find(a)
	if r == nil {
		return false
	}
	p.row, p.line, p.cursorShown = r, -1, true
	p.chunk = chunkPosition{}
	if art, ok := r.body.(*artifact); ok && !art.bare() && len(art.art.Text) > 0 {
		r.Lines(p.w)
		p.line = art.content.lineAt(r.bodyLines, a)
		if a.Record != 0 && art.art.RecordAt(a.Offset) == a.Record {
			p.chunk = chunkPosition{r, p.line, a.Offset}
		}
	}
	p.dirty = true
	p.scrollToCursor()
	return true
}

// TextAtCursor returns the text under the cursor, as it is copied; empty without a cursor or text.
func (p *Pane) TextAtCursor() string {
	if b := p.body(); b != nil {
		return b.copyText()
	}
	return ""
}

// Selected returns the record that built what is under the cursor, 0 without a cursor or
// record.
func (p *Pane) Selected() a2a.RecordID {
	if p.row == nil {
		return 0
	}
	if p.scrub != nil && p.scrub.row == p.row {
		return p.scrub.record()
	}
	if id := p.chunkRecord(); id != 0 {
		return id
	}
	if a, ok := p.row.body.(*artifact); ok && p.line >= 0 && !a.bare() {
		if id := a.content.recordAt(p.row.bodyLines, p.line); id != 0 {
			return id
		}
	}
	return p.row.body.record()
}
