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

// A Layout has the rectangle of every part of the screen. One without width is not shown.
// Frames include their border.
type Layout struct {
	Header, Tabs, Footer canvas.Rect
	Agents, Talk, Wire   canvas.Rect // frames
	Chat, Composer       canvas.Rect // inside Talk's frame
	AgentsBody, WireBody canvas.Rect // inside their frames
	Sheet                canvas.Rect // the frame of a sheet, over the panes
	// AgentsOver is set where the agents overlap the conversation.
	AgentsOver bool
}

// Arrange lays out a screen of w×h cells. split is how many cells the border between
// conversation and wire was moved to the right; composer is the height that the composer wants.
// No size is negative.
func Arrange(w, h int, at control.Focus, zoom bool, split, composer int) Layout {
	var l Layout
	body := canvas.Rect{W: w, H: h}
	if h >= 6 {
		l.Header = canvas.Rect{W: w, H: 1}
		l.Footer = canvas.Rect{Y: h - 1, W: w, H: 1}
		body = canvas.Rect{Y: 1, W: w, H: h - 2}
	}
	switch {
	case w < mediumWidth && h >= 10:
		l.Tabs = canvas.Rect{Y: 1, W: w, H: 1}
		body.Y++
		body.H--
	case h >= 34: // room for an empty line under the header
		body.Y++
		body.H--
	}
	l.columns(body, at, zoom, split)
	l.Sheet = l.sheet(body, w, h)
	l.AgentsBody = inside(l.Agents)
	l.WireBody = inside(l.Wire)
	talk := inside(l.Talk)
	composer = max(0, min(composer, talk.H-1, talk.H/2+1))
	l.Chat = canvas.Rect{X: talk.X, Y: talk.Y, W: talk.W, H: talk.H - composer}
	l.Composer = canvas.Rect{X: talk.X, Y: talk.Y + talk.H - composer, W: talk.W, H: composer}
	return l
}

// columns divides body among the panes that are shown.
func (l *Layout) columns(body canvas.Rect, at control.Focus, zoom bool, split int) {
	alone := zoom || body.W < mediumWidth
	switch {
	case alone && at == control.OnAgents:
		l.Agents = body
	case alone && at == control.OnWire:
		l.Wire = body
	case alone:
		l.Talk = body
	case body.W < wideWidth:
		l.pair(body, split)
		if at == control.OnAgents {
			l.AgentsOver = true
			l.Agents = canvas.Rect{X: body.X, Y: body.Y, W: 34, H: body.H}
		}
	default:
		l.Agents = canvas.Rect{X: body.X, Y: body.Y, W: min(30, max(24, body.W/6)), H: body.H}
		rest := canvas.Rect{X: l.Agents.W, Y: body.Y, W: body.W - l.Agents.W, H: body.H}
		l.pair(rest, split)
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

// pair divides body between conversation and wire; the conversation gets slightly more.
func (l *Layout) pair(body canvas.Rect, split int) {
	const least = 24
	talk := body.W*53/100 + split
	talk = max(least, min(talk, body.W-least))
	l.Talk = canvas.Rect{X: body.X, Y: body.Y, W: talk, H: body.H}
	l.Wire = canvas.Rect{X: body.X + talk, Y: body.Y, W: body.W - talk, H: body.H}
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
