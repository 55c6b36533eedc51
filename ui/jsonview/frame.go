package jsonview

import "parley/ui/canvas"

// A frame caches the lines of the last frame in order, because most are drawn again.
type frame struct {
	lines []drawnLine
	spare []drawnLine // memory for the next lines
}

// drawnLine is a drawn line with its place, fitted to the width.
type drawnLine struct {
	at   place
	line string
}

// redraw drops the cached lines and the cached end of the window after a change of the
// document.
func (v *View) redraw() {
	v.memo.frame = frame{}
	v.win.invalidate()
}

// visible returns the lines of the window with their places. It draws only lines that the last
// frame lacks.
func (v *View) visible() []drawnLine {
	f := &v.memo.frame
	old, lines := f.lines, f.spare[:0]
	for p, ok := v.win.top, true; ok && len(lines) < v.win.h; {
		for len(old) > 0 && old[0].at.before(p) {
			old = old[1:]
		}
		if len(old) > 0 && old[0].at == p { // so are all that follow
			lines = append(lines, old[:min(len(old), v.win.h-len(lines))]...)
			old = nil
		} else {
			lines = append(lines, drawnLine{p, canvas.Fit(v.draw(p), v.w)})
		}
		p, ok = v.next(lines[len(lines)-1].at)
	}
	f.lines, f.spare = lines, f.lines
	return lines
}
