package chat

import (
	"parley/a2a"
	"parley/internal/units"
)

// SetCalm sets whether an audience reads along: turns stand further apart, and ids, numbers of
// records, sizes and other facts for those who debug are left out.
func (p *Pane) SetCalm(on bool) {
	if p.renderer.calm == on {
		return
	}
	p.renderer.calm, p.greeting, p.dirty = on, greeting{}, true
	for _, v := range p.shared.views {
		v.out.eachRow(func(r *row) {
			r.w = -1
			v.out.redraw(r)
		})
	}
}

// blanks returns how many blank lines are above a row.
func (r *row) blanks() int {
	_, begins := r.body.(*userMessage)
	switch {
	case r.gap == tight:
		return 0
	case r.gap == apart && r.renderer.calm && begins:
		return 2
	default:
		return 1
	}
}

// size describes a size, empty where nobody wants to know it.
func (k *renderer) size(bytes int64) string {
	if k.calm {
		return ""
	}
	return units.Bytes(bytes)
}

// number returns the number of a record, 0 where nobody wants to know it.
func (k *renderer) number(id a2a.RecordID) a2a.RecordID {
	if k.calm {
		return 0
	}
	return id
}

// UnderCursor reports whether a line of the window belongs to what the cursor is on. Without a
// cursor all lines do.
func (p *Pane) UnderCursor(y int) bool {
	if p.row == nil || !p.isListed(p.row) {
		return true
	}
	item, line, ok := p.list.ItemAt(y)
	return ok && item == p.row.index && line >= p.row.start
}

// A Position is where a reader is in a conversation.
type Position struct {
	view      *view
	top       *row // at the top of the window
	item      int  // its index, and the line of it
	skip      int
	following bool
	row       *row
	line      int
	chunk     chunkPosition
	shown     bool
}

// Position returns where the reader is.
func (p *Pane) Position() Position {
	p.sync()
	at := Position{view: p.view, following: p.list.Following(), row: p.row, line: p.line, chunk: p.chunk, shown: p.cursorShown}
	if at.item, at.skip = p.list.Anchor(); at.item < len(p.out.rows) {
		at.top = p.out.rows[at.item]
	}
	return at
}

// Return goes back to a position, in the size that the pane had there. Another conversation that is
// shown meanwhile stays.
func (p *Pane) Return(at Position) {
	v := at.view
	if v == nil || p.shared.views[v.out.conv] != v {
		return // of another session
	}
	v.out.sync()
	v.list.SetSize(p.w, p.h)
	v.list.SetFollow(at.following)
	if !at.following && at.top != nil && at.top.index < len(v.out.rows) && v.out.rows[at.top.index] == at.top {
		v.list.ScrollTo(at.top.index, at.skip)
	}
	v.row, v.line, v.chunk, v.cursorShown = at.row, at.line, at.chunk, at.shown
	p.dirty = true
}
