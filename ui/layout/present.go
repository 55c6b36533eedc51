package layout

import (
	"parley/ui/canvas"
	"parley/ui/control"
)

// A Stage says what presenter mode shows.
type Stage uint8

// The stages.
const (
	NoStage   Stage = iota // presenter mode is off
	TalkAlone              // the conversation
	TalkWire               // the conversation and the wire
)

const (
	// measure is the widest conversation in presenter mode: longer lines are hard to read.
	measure = 88
	// besideWidth is the width from which the wire stands beside the conversation; on narrower
	// screens it stands below if the panes have belowHeight rows, else in place of the conversation.
	besideWidth, belowHeight = 130, 20
	leastBeside, mostBeside  = 56, 76 // cells of the wire beside the conversation
	airHeight                = 20     // height of the screen from which there is a blank row below the header
	footHeight               = 26     // height of the panes from which there is one above the footer
)

// present lays out body for presenter mode: the conversation in the middle, without a frame, and
// the wire beside it or below it, or where it has the focus and there is no room, alone.
func (l *Layout) present(body canvas.Rect, want Wish) {
	at, wire := want.Focus, want.Stage == TalkWire
	switch room := body.W >= besideWidth || body.H >= belowHeight; {
	case at == control.OnWire && (want.Zoom || !room):
		l.Wire = body
	case !wire && at != control.OnWire, want.Zoom, !room:
		l.Talk = body
	case body.W >= besideWidth:
		w := min(max(body.W*2/5, leastBeside), mostBeside)
		l.Talk = canvas.Rect{X: body.X, Y: body.Y, W: body.W - w, H: body.H}
		l.Wire = canvas.Rect{X: body.X + body.W - w, Y: body.Y, W: w, H: body.H}
	default:
		h := body.H * 9 / 20
		l.Talk = canvas.Rect{X: body.X, Y: body.Y, W: body.W, H: body.H - h}
		l.Wire = over(pageOf(l.Talk), canvas.Rect{X: body.X, Y: body.Y + body.H - h, W: body.W, H: h})
	}
	if at == control.OnAgents {
		l.AgentsOver = true
		l.Agents = canvas.Rect{X: body.X, Y: body.Y, W: min(34, body.W), H: body.H}
	}
	l.Bare = l.Talk.W > 0
}

// over returns a frame in body whose text stands in the columns of a page: of a sheet over it, or of
// the wire below it.
func over(page, body canvas.Rect) canvas.Rect {
	const frame = 2 // with the padding
	x := max(0, page.X-frame)
	return canvas.Rect{X: x, Y: body.Y, W: min(page.W+2*frame, body.W-x), H: body.H}
}

// page returns the part of a conversation without a frame that has text: in the middle, with
// margins, and with a blank row below it where there is room.
func (l *Layout) page(body canvas.Rect) canvas.Rect {
	p := pageOf(l.Talk)
	if p.H > 0 && (body.H >= footHeight || l.Wire.Y > l.Talk.Y) {
		p.H--
	}
	return p
}

// pageOf returns the columns of a conversation that have text.
func pageOf(talk canvas.Rect) canvas.Rect {
	if talk.W == 0 || talk.H == 0 {
		return canvas.Rect{}
	}
	margin := 1
	switch {
	case talk.W >= 96:
		margin = 4
	case talk.W >= 60:
		margin = 3
	case talk.W < 12:
		margin = 0
	}
	w := min(measure, talk.W-2*margin)
	return canvas.Rect{X: talk.X + (talk.W-w)/2, Y: talk.Y, W: w, H: talk.H}
}
