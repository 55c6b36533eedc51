package layout

import "parley/ui/canvas"

const (
	// BoxWidth is the width of the frame of a box that does not say how wide it wants to be.
	BoxWidth = 76
	// BoxMargin is the least number of columns at each side of a box. Without them it is as wide as
	// the page.
	BoxMargin = 4
)

// Middle returns a frame of w×h cells in the middle of a page, above the text field, or the page where
// it is no larger. So what was said last stays in view beside what is asked: below the frame in a long
// conversation, above it in a short one.
func (l *Layout) Middle(w, h int) canvas.Rect {
	frame := l.Sheet
	if margin := (frame.W - w) / 2; margin >= BoxMargin {
		frame.X, frame.W = frame.X+margin, w
	}
	if h < frame.H {
		frame.Y, frame.H = frame.Y+max(0, l.room()-h)/2, h
	}
	return frame
}

// room returns how many rows of a page are above the text field.
func (l *Layout) room() int {
	if text := l.Composer; text.H > 0 && text.Y > l.Sheet.Y {
		return min(l.Sheet.H, text.Y-l.Sheet.Y)
	}
	return l.Sheet.H
}

// A Box is where a sheet stands that is as high as what it says, from its first frame until it is
// closed or the page changes. It grows and never shrinks, and its top stays where it is.
type Box struct {
	page canvas.Rect // for which it was measured
	y, h int         // of its frame
	full bool        // it had no room, and takes the whole page
}

// Full reports whether the box takes the page: it had no room, or the page covers a low screen.
func (b *Box) Full(l *Layout) bool { return l.Sheet.Y == 0 || b.full && b.page == l.Sheet }

// Frame returns the frame of the box, w columns wide; before it was measured, it is as high as the page.
func (b *Box) Frame(l *Layout, w int) canvas.Rect {
	if b.Full(l) {
		return l.Sheet
	}
	frame := l.Middle(w, l.Sheet.H)
	if b.page == l.Sheet {
		frame.Y, frame.H = b.y, b.h
	}
	return frame
}

// Fit makes the frame at least h rows high. Where the box has no room for them, it takes the page.
func (b *Box) Fit(l *Layout, h int) {
	if b.page != l.Sheet {
		*b = Box{page: l.Sheet, y: l.Middle(0, h).Y}
	}
	if h > b.h {
		b.h, b.full = h, b.y+h > l.Sheet.Y+l.room()
	}
}
