// Package layout arranges the panes on a screen of some size.
package layout

import (
	"parley/ui/canvas"
	"parley/ui/control"
)

// Widths from which more panes fit side by side.
const (
	wideWidth   = 120 // agents, conversation and wire
	sheetWidth  = 100 // a sheet leaves the agents and the line of the header uncovered
	mediumWidth = 80  // conversation and wire; agents come as an overlay
)

// SecondWidth is the width from which a second conversation can take the place of the wire.
const SecondWidth = 160

// A Pair says whether a second conversation is wanted in the place of the wire, and at which side
// of it the one that the user acts on is.
type Pair uint8

// The pairs.
const (
	NoPair Pair = iota
	AtLeft
	AtRight
)

// A Layout has the rectangle of every part of the screen. One without width is not shown.
// Frames include their border.
type Layout struct {
	Header, Tabs, Footer canvas.Rect
	Agents, Talk, Wire   canvas.Rect // frames
	Second               canvas.Rect // frame of the second conversation
	Chat, Composer       canvas.Rect // inside Talk's frame
	SecondBody           canvas.Rect // inside its frame
	AgentsBody, WireBody canvas.Rect // inside their frames
	Sheet                canvas.Rect // the frame of a sheet, over the panes
	// AgentsOver is set where the agents overlap the conversation.
	AgentsOver bool
	// Bare is set where the conversation has margins instead of a frame.
	Bare bool
}

// Wish is what the user and the panes want of a layout.
type Wish struct {
	Focus    control.Focus
	Zoom     bool
	Split    int // cells by which the border in the middle was moved to the right
	Composer int // height of the composer
	Pair     Pair
	Stage    Stage
}

// Arrange lays out a screen of w×h cells. No size is negative.
func Arrange(w, h int, want Wish) Layout {
	var l Layout
	body := canvas.Rect{W: w, H: h}
	if h >= 6 {
		l.Header = canvas.Rect{W: w, H: 1}
		l.Footer = canvas.Rect{Y: h - 1, W: w, H: 1}
		body = canvas.Rect{Y: 1, W: w, H: h - 2}
	}
	switch {
	case w < mediumWidth && h >= 10 && want.Stage == NoStage:
		l.Tabs = canvas.Rect{Y: 1, W: w, H: 1}
		body.Y++
		body.H--
	case h >= 34, h >= airHeight && want.Stage != NoStage: // room for an empty line under the header
		body.Y++
		body.H--
	}
	if want.Stage != NoStage {
		l.present(body, want)
	} else {
		l.columns(body, want)
	}
	l.Sheet = l.sheet(body, w, h)
	l.AgentsBody = inside(l.Agents)
	l.WireBody = inside(l.Wire)
	l.SecondBody = inside(l.Second)
	talk := inside(l.Talk)
	if l.Bare {
		talk = l.page(body)
		if h >= 10 {
			l.Sheet = over(talk, body)
		}
	}
	composer := max(0, min(want.Composer, talk.H-1, talk.H/2+1))
	l.Chat = canvas.Rect{X: talk.X, Y: talk.Y, W: talk.W, H: talk.H - composer}
	l.Composer = canvas.Rect{X: talk.X, Y: talk.Y + talk.H - composer, W: talk.W, H: composer}
	return l
}

// columns divides body among the panes that are shown.
func (l *Layout) columns(body canvas.Rect, want Wish) {
	alone, at := want.Zoom || body.W < mediumWidth, want.Focus
	switch {
	case alone && at == control.OnAgents:
		l.Agents = body
	case alone && at == control.OnWire:
		l.Wire = body
	case alone:
		l.Talk = body
	case body.W < wideWidth:
		l.talkAndWire(body, want.Split)
		if at == control.OnAgents {
			l.AgentsOver = true
			l.Agents = canvas.Rect{X: body.X, Y: body.Y, W: 34, H: body.H}
		}
	default:
		l.Agents = canvas.Rect{X: body.X, Y: body.Y, W: min(30, max(24, body.W/6)), H: body.H}
		rest := canvas.Rect{X: l.Agents.W, Y: body.Y, W: body.W - l.Agents.W, H: body.H}
		if want.Pair != NoPair && body.W >= SecondWidth {
			l.pair(rest, want)
			return
		}
		l.talkAndWire(rest, want.Split)
	}
}

// pair divides body between two conversations. The one that the user acts on stays where it is
// while the wire, which has the focus, covers the other.
func (l *Layout) pair(body canvas.Rect, want Wish) {
	left, right := halves(body, body.W/2+want.Split)
	other := &l.Second
	if want.Focus == control.OnWire {
		other = &l.Wire
	}
	if l.Talk, *other = left, right; want.Pair == AtRight {
		l.Talk, *other = right, left
	}
}

// sheet returns the frame of a sheet on a screen of w×h cells. It covers the panes beside the
// agents exactly, so that its border is where theirs was; a narrow screen it covers from edge to
// edge, a low one completely.
func (l *Layout) sheet(body canvas.Rect, w, h int) canvas.Rect {
	switch {
	case h < 10:
		return canvas.Rect{W: w, H: h}
	case w < sheetWidth:
		return canvas.Rect{Y: l.Header.H, W: w, H: h - l.Header.H - l.Footer.H}
	case l.Agents.W > 0 && l.Agents.W < body.W && !l.AgentsOver:
		return canvas.Rect{X: l.Agents.W, Y: body.Y, W: body.W - l.Agents.W, H: body.H}
	}
	return body
}

// talkAndWire divides body between conversation and wire; the conversation gets slightly more.
func (l *Layout) talkAndWire(body canvas.Rect, split int) {
	l.Talk, l.Wire = halves(body, body.W*53/100+split)
}

// halves divides body at a column.
func halves(body canvas.Rect, at int) (left, right canvas.Rect) {
	const least = 24
	at = max(least, min(at, body.W-least))
	left = canvas.Rect{X: body.X, Y: body.Y, W: at, H: body.H}
	return left, canvas.Rect{X: body.X + at, Y: body.Y, W: body.W - at, H: body.H}
}

// Edge returns the border between the panes in the middle, which can be moved: the cells of the
// right one's left edge, none if there is only one.
func (l *Layout) Edge() canvas.Rect {
	edge := canvas.Rect{}
	if l.Bare { // presenter mode divides the screen itself
		return edge
	}
	for _, r := range []canvas.Rect{l.Wire, l.Second, l.Talk} {
		if r.W > 0 && r.X > edge.X && l.Talk.W > 0 {
			edge = canvas.Rect{X: r.X, Y: r.Y, W: 1, H: r.H}
		}
	}
	if l.Wire.W == 0 && l.Second.W == 0 {
		return canvas.Rect{}
	}
	return edge
}

// Corner returns the frame of the pane at the bottom right, an empty one if no pane is shown.
func (l *Layout) Corner() (corner canvas.Rect) {
	for _, r := range [...]canvas.Rect{l.Agents, l.Talk, l.Wire, l.Second} {
		if bottom, lowest := r.Y+r.H, corner.Y+corner.H; r.W > 0 && (bottom > lowest || bottom == lowest && r.X+r.W > corner.X+corner.W) {
			corner = r
		}
	}
	return corner
}

// inside returns the content of a frame: without the border and, where there is room, without
// one empty column at each side.
func inside(frame canvas.Rect) canvas.Rect {
	if frame.W == 0 || frame.H == 0 {
		return canvas.Rect{}
	}
	air := 2
	if frame.W < 12 {
		air = 1
	}
	return canvas.Rect{
		X: frame.X + air, Y: frame.Y + 1,
		W: max(0, frame.W-2*air), H: max(0, frame.H-2),
	}
}
