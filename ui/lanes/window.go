package lanes

import (
	"time"

	"parley/ui/axis"
)

// A window is the visible part of the time axis. Its cells begin at multiples of their length, so
// that they keep their content while the window moves.
type window struct {
	from   time.Duration
	cell   time.Duration // length of a cell, 0 before the first frame
	cells  int
	whole  bool // it shows the whole session, and grows with it
	follow bool // it ends with the session
}

// axis returns the window as an axis.
func (w *window) axis() axis.Axis {
	return axis.Axis{From: w.from, Span: w.cell * time.Duration(w.cells), Cells: w.cells}
}

// lengths are the leading digits of the lengths of a cell. Each is at most a third longer than the
// one before, so that the whole session takes at least three quarters of the window.
var lengths = [...]time.Duration{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}

// least is the shortest length of a cell.
const least = time.Microsecond

// cellOf returns the shortest length of a cell that is at least d.
func cellOf(d time.Duration) time.Duration {
	for unit := least / lengths[0]; ; unit *= 10 {
		for _, n := range lengths {
			if n*unit >= d {
				return n * unit
			}
		}
	}
}

// cellBelow returns the longest length of a cell that is at most d.
func cellBelow(d time.Duration) time.Duration {
	below := least
	for unit := least / lengths[0]; ; unit *= 10 {
		for _, n := range lengths {
			if n*unit > d {
				return below
			}
			below = n * unit
		}
	}
}

// floor returns the last multiple of a length that is not after at.
func floor(at, cell time.Duration) time.Duration {
	n := at / cell
	if at < 0 && n*cell != at {
		n--
	}
	return n * cell
}

// arrange moves the window with the session and the size of the pane.
func (p *Pane) arrange() {
	w, s := &p.window, &p.session
	w.cells = p.chartWidth()
	if w.cells == 0 {
		return
	}
	switch most := p.wholeCell(); {
	case w.whole || w.cell == 0 || w.cell > most:
		w.cell, w.from = most, floor(s.begin, most)
	case w.follow:
		last := w.cell * time.Duration(w.cells-1)
		w.from = max(floor(s.end, w.cell)-last, floor(s.begin, w.cell))
	}
	if w.follow && !w.whole {
		p.at = s.end
		p.settle()
	}
}

// wholeCell returns the shortest length of a cell with which the window shows the whole session, with room
// for the figures right of the last lane.
func (p *Pane) wholeCell() time.Duration {
	s, n := &p.session, time.Duration(p.window.cells-figuresWidth(p.window.cells))
	cell := cellOf((s.end-s.begin)/n + 1)
	for floor(s.begin, cell)+cell*n <= s.end {
		cell = cellOf(cell + 1)
	}
	return cell
}

// column returns the cell of the cursor.
func (p *Pane) column() int {
	a := p.window.axis()
	return a.Cell(p.at)
}

// figuresWidth returns how many of a number of cells are left to figures.
func figuresWidth(cells int) int {
	const least, most = 40, 28
	if cells < least {
		return 0
	}
	return min(cells/4, most)
}

// zoom makes the cells half as long, or twice as long if out is set. The cursor keeps its cell.
func (p *Pane) zoom(out bool) {
	w := &p.window
	if w.cells == 0 {
		return
	}
	p.reveal()
	column, was := p.column(), w.cell
	if out {
		w.cell = cellOf(2 * w.cell)
	} else {
		w.cell = cellBelow(w.cell / 2)
	}
	if out && w.cell >= p.wholeCell() {
		w.whole, w.follow = true, false
		p.arrange()
		return
	}
	if w.cell != was {
		w.whole = false
		w.from = max(floor(p.at-w.cell*time.Duration(column), w.cell), floor(p.session.begin, w.cell))
	}
	p.arrange()
}

// showWhole shows the whole session.
func (p *Pane) showWhole() {
	p.window.whole, p.window.follow = true, false
	p.arrange()
}

// zoomTo shows a span of time in the whole window.
func (p *Pane) zoomTo(from, to time.Duration) {
	w := &p.window
	w.whole, w.follow = false, false
	w.cell = cellOf((to - from) / time.Duration(max(w.cells-1, 1)))
	w.from = floor(from, w.cell)
	p.at = p.session.bound(min(max(p.at, from), to-1))
	p.arrange()
}

// toggleFollow starts or stops following the end of the session.
func (p *Pane) toggleFollow() {
	w := &p.window
	w.follow, w.whole = !w.follow, false
	p.record = 0
	p.arrange()
}

// step moves the cursor by cells, and the window where the cursor would leave it.
func (p *Pane) step(cells int) {
	w := &p.window
	w.follow = false
	p.reveal()
	p.moveTo(w.axis().Edge(p.column()) + w.cell/2 + w.cell*time.Duration(cells))
}

// pan moves the window and the cursor by halves of the window.
func (p *Pane) pan(halves int) {
	w := &p.window
	w.follow = false
	by := w.cell * time.Duration(halves*max(w.cells/2, 1))
	if !w.whole {
		last := max(floor(p.session.end, w.cell)-w.cell*time.Duration(w.cells-1), floor(p.session.begin, w.cell))
		w.from = min(max(w.from+by, floor(p.session.begin, w.cell)), last)
	}
	p.moveTo(p.at + by)
}

// moveTo puts the cursor on a time.
func (p *Pane) moveTo(at time.Duration) {
	p.at, p.record = p.session.bound(at), 0
	p.settle()
	p.reveal()
}

// settle selects that exchange of the lane that the cursor is on.
func (p *Pane) settle() {
	if l := p.lane(); l != nil {
		p.sel = l.at(p.at).s.Exchange
	}
}

// reveal moves the window as little as possible so that it contains the cursor.
func (p *Pane) reveal() {
	w := &p.window
	if w.cells == 0 || w.cell == 0 {
		return
	}
	if at := floor(p.at, w.cell); at < w.from {
		w.from = at
	} else if last := w.cell * time.Duration(w.cells-1); at > w.from+last {
		w.from = at - last
	}
}
