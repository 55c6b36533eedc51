package jsonview

import "parley/ui/canvas"

// A frame keeps the lines that were drawn last, in their order: most of the next
// frame's are among them.
type frame struct {
	lines []drawn
	spare []drawn // room for the next ones
}

// drawn is the line at a place, fitted to the width.
type drawn struct {
	at   place
	line string
}

// redraw forgets what was drawn and where the window ends, because something changed
// besides the window.
func (v *View) redraw() {
	v.memo.frame = frame{}
	v.win.changed()
}

// visible returns the lines of the window, each fitted to the width, and where they
// stand. Only those that the last frame lacks are drawn.
func (v *View) visible() []drawn {
	f := &v.memo.frame
	old, lines := f.lines, f.spare[:0]
	for p, ok := v.win.top, true; ok && len(lines) < v.win.h; {
		for len(old) > 0 && old[0].at.before(p) {
			old = old[1:]
		}
		if len(old) > 0 && old[0].at == p { // and so do all that follow it
			lines = append(lines, old[:min(len(old), v.win.h-len(lines))]...)
			old = nil
		} else {
			lines = append(lines, drawn{p, canvas.Fit(v.draw(p), v.w)})
		}
		p, ok = v.next(lines[len(lines)-1].at)
	}
	f.lines, f.spare = lines, f.lines
	return lines
}
