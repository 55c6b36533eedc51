package lanes

import (
	"time"
	"unicode/utf8"

	"parley/a2a"
	"parley/ui/axis"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A pen says how far a lane is drawn.
type pen struct {
	end  int  // the last cell that is taken, -1 for none
	said bool // the words of the last segment stand in it
}

// drawBars draws the bars of a lane with the words in and behind them. It returns their last cell, -1 if the
// lane is not in the window.
func (p *Pane) drawBars(l *lane, v *look) int {
	a, at := v.axis, pen{end: -1}
	parts := l.in(a)
	for i, x := range parts {
		if x.start < a.To() && x.end(p.now) >= a.From {
			p.drawBar(x, v, &at)
		}
		if i+1 < len(parts) {
			p.drawGap(x, parts[i+1], v, &at)
		}
	}
	if at.end < 0 {
		p.pointTo(parts[0].start, a)
	} else if last := l.last(); last.end(p.now) < a.To() {
		p.drawBehind(last, v, &at)
	}
	return at.end
}

// pointTo draws a sign at the edge beyond which an exchange lies.
func (p *Pane) pointTo(begin time.Duration, a axis.Axis) {
	at := a.Cells - 1
	if begin < a.From {
		at = 0
	}
	p.top.Put(at, p.St.G[styles.Ellipsis], p.St.Faint)
}

// drawBar draws an exchange: the sign of the request and its segments.
func (p *Pane) drawBar(x *part, v *look, at *pen) {
	a := v.axis
	next := at.end + 1
	if a.Contains(x.start) {
		sign, paint := p.startSign(x)
		next = min(max(next, a.Cell(x.start)), a.Cells-1)
		p.top.Put(next, p.St.G[sign], paint)
		next = min(next+1, a.Cells-1)
	}
	for _, g := range x.segments(p.now) {
		if g.from >= a.To() || g.to < a.From {
			continue
		}
		to := min(max(a.Cell(g.to)+1, next+1), a.Cells)
		at.said = p.drawSegment(x, &g, next, to, v)
		next, at.end = min(to, a.Cells-1), to-1
	}
}

// drawSegment draws a segment in the cells from one to before another. It reports whether what is said about
// its end fits into it.
func (p *Pane) drawSegment(x *part, g *segment, from, to int, v *look) (said bool) {
	area, fill := looks.TagArea(p.St, x.lane.owner.Agent), styles.Solid
	switch g.kind {
	case stalled:
		area, fill = p.St.WaitingArea, styles.Silence
	case broken:
		area = p.brokenLook(x)
	}
	paint, text := area.Fill, p.St.TextIn(area, v.cursor >= 0)
	if fill == styles.Silence {
		paint = text
	}
	p.top.Fill(from, to, p.St.G[fill], paint)
	words, _ := p.endWords(x, g, v)
	n, room := utf8.RuneCountInString(words), to-from-2
	if x.s.Open() && v.axis.Contains(g.to) && g.to == x.end(p.now) {
		p.top.Put(to-1, p.St.G[styles.Block], p.St.Text)
		to, room = to-1, room-1
		if to+2+n <= v.axis.Cells { // there they do not move the other words
			n = 0
		}
	}
	if n > 0 && n <= room {
		p.pad(to-n-2, words, text)
		said, room = true, room-n-2
	} else if g.kind == broken {
		p.top.Put(from, p.St.G[brokenSign(x)], text)
	}
	if n := utf8.RuneCountInString(g.first); n > 0 && n <= room && v.axis.Contains(x.start) {
		p.pad(from, g.first, text)
	}
	return said
}

// pad writes words with a blank at either side.
func (p *Pane) pad(cell int, words string, paint styles.Paint) {
	p.top.Text(cell, " "+words+" ", paint)
}

// brokenLook returns the colour of what ended badly: only what the user cut is no failure.
func (p *Pane) brokenLook(x *part) styles.Area {
	if x.s.End.Class == a2a.ClassSevered {
		return p.St.DimArea
	}
	return p.St.FailedArea
}

// drawGap draws the time between an exchange and the one that continues it, in which events may be missing.
func (p *Pane) drawGap(x, next *part, v *look, at *pen) {
	a, g := v.axis, x.gap(next, p.now)
	if g.from >= a.To() || g.to < a.From {
		return
	}
	from, to := at.end+1, a.Cell(g.to)
	if !a.Contains(g.to) {
		to = a.Cells
	}
	p.top.Fill(from, to, p.St.G[styles.Dotted], p.St.Faint)
	at.end = max(at.end, to-1)
	if !at.said {
		words, paint := p.beside(x, v)
		if n := utf8.RuneCountInString(words); n > 0 && to-from >= n+utf8.RuneCountInString(g.label)+6 {
			p.pad(from, words, paint)
			from += n + 2
		}
	}
	for _, label := range []string{g.label, g.short} {
		if n := utf8.RuneCountInString(label) + 2; to-from >= n+2 {
			p.pad(from+(to-from-n)/2, label, p.St.Dim)
			break
		}
	}
}

// drawBehind draws what did not fit into the last bar of a lane, and what the check of the answer found.
func (p *Pane) drawBehind(x *part, v *look, bar *pen) {
	words, paint := p.beside(x, v)
	at := bar.end + 2
	if !bar.said && words != "" {
		if n := utf8.RuneCountInString(words); at+n <= v.axis.Cells {
			p.top.Text(at, words, paint)
			at += n + 2
		} else if !x.s.Open() && badEnd(x.s) == "" { // the others have their signs in the bar
			sign, _ := looks.EndOf(p.St, p.log, x.s)
			p.top.Put(min(bar.end+1, v.axis.Cells-1), p.St.G[sign], paint)
		}
	}
	if words, paint := p.checkWords(x); at+utf8.RuneCountInString(words) <= v.axis.Cells {
		p.top.Text(at, words, paint)
	}
}

// startSign returns the sign and the paint of the beginning of an exchange.
func (p *Pane) startSign(x *part) (styles.Glyph, styles.Paint) {
	switch c := x.s.Call; {
	case c != nil && c.Op == a2a.OpDelivery:
		return styles.Receive, p.St.Agent
	case x.s.Prev != 0 || x.retry:
		return styles.Retry, p.St.User
	default:
		return styles.Send, p.St.User
	}
}
