package lanes

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/units"
	"parley/ui/axis"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// labelCells is the least distance between two labels of the scale.
const labelCells = 12

// clockSteps are the distances between labels from a second on.
var clockSteps = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// labelStep returns the shortest round distance of labels that is at least d.
func labelStep(d time.Duration) time.Duration {
	if d > clockSteps[len(clockSteps)-1] {
		return round(24*time.Hour, d)
	}
	if d <= time.Second/2 {
		return round(time.Microsecond, d)
	}
	for _, s := range clockSteps {
		if s >= d {
			return s
		}
	}
	return 24 * time.Hour
}

// round returns the first of unit times 1, 2, 5, 10, 20, 50 … that is at least d.
func round(unit, d time.Duration) time.Duration {
	for ; ; unit *= 10 {
		for _, n := range [...]time.Duration{1, 2, 5} {
			if n*unit >= d {
				return n * unit
			}
		}
	}
}

// timeText writes a time with the digits that distinguish it from one that is step later: "340 ms",
// "2.34 s", "1:05", "2:01:05", "3 d 02:01:05".
func timeText(at, step time.Duration) string {
	switch {
	case at < 0:
		return "-" + timeText(-at, step)
	case at < time.Second && step < time.Second:
		return strconv.FormatFloat(float64(at)/float64(time.Millisecond), 'f', max(decimals(step)-3, 0), 64) + " ms"
	}
	digits := decimals(step)
	unit := time.Second
	for range digits {
		unit /= 10
	}
	at = at.Truncate(unit)
	fraction := ""
	if digits > 0 {
		fraction = fmt.Sprintf(".%0*d", digits, at%time.Second/unit)
	}
	seconds := int64(at / time.Second)
	switch {
	case at < time.Minute:
		return strconv.FormatInt(seconds, 10) + fraction + " s"
	case at < time.Hour:
		return fmt.Sprintf("%d:%02d%s", seconds/60, seconds%60, fraction)
	case at < 24*time.Hour:
		return fmt.Sprintf("%d:%02d:%02d%s", seconds/3600, seconds/60%60, seconds%60, fraction)
	default:
		return fmt.Sprintf("%d d %02d:%02d:%02d%s", seconds/86400, seconds/3600%24, seconds/60%60, seconds%60, fraction)
	}
}

// decimals returns how many decimals of a second distinguish times that are step apart.
func decimals(step time.Duration) int {
	n := 0
	for unit := time.Second; unit > step && n < 6; unit /= 10 {
		n++
	}
	return n
}

// time writes a time with the precision of the window.
func (p *Pane) time(at time.Duration) string {
	text := timeText(at, max(p.window.cell, least))
	if at >= 0 {
		text = "+" + text
	}
	return text
}

// scale draws the times along the axis.
func (p *Pane) scale(a axis.Axis) string {
	r := axis.NewRow(a.Cells)
	step := labelStep(p.window.cell * labelCells)
	for at := floor(a.From+step-1, step); at < a.To(); at += step {
		cell, text := a.Cell(at), timeText(at, step)
		if cell+1+len(text) > a.Cells {
			break
		}
		r.Put(cell, p.St.G[styles.Vertical], p.St.Hairline)
		r.Text(cell+1, text, p.St.Faint)
	}
	return p.joinName(timeText(p.window.cell, p.window.cell)+" a cell", p.St.Faint, r.String())
}

// rail draws the span, the marks with the times between them, and the cursor.
func (p *Pane) rail(a axis.Axis) string {
	r, g := axis.NewRow(a.Cells), &p.St.G
	cursor := p.cursorCell(a)
	p.drawMarks(&r, a)
	if from, to, ok := p.span.cells(p, a); ok {
		r.Fill(from, to, g[styles.Horizontal], p.St.Accent)
		begin, end, _ := p.span.bounds(p)
		r.Put(from, g[styles.TeeLeft], p.St.Accent)
		r.Put(to-1, g[styles.TeeRight], p.St.Accent)
		p.drawLength(&r, from, to-1, cursor, units.Duration(end-begin), p.St.Accent)
	}
	r.Put(cursor, g[styles.Here], p.St.Title)
	for _, k := range p.marks.all {
		if a.Contains(k.at) {
			r.Put(a.Cell(k.at), g[styles.Marked], p.St.Accent)
		}
	}
	where := ""
	if len(p.rows) > 0 {
		where = p.time(p.at)
	}
	return p.joinName(where, p.St.Title, r.String())
}

// drawMarks draws the lines between neighbouring marks, with the time from one to the next.
func (p *Pane) drawMarks(r *axis.Row, a axis.Axis) {
	for i := 1; i < len(p.marks.all); i++ {
		from, to := p.marks.all[i-1].at, p.marks.all[i].at
		if to <= a.From || from >= a.To() {
			continue
		}
		begin, end := a.Cell(from), a.Cell(to)
		r.Fill(begin+1, end, p.St.G[styles.Horizontal], p.St.Hairline)
		p.drawLength(r, begin, end, p.cursorCell(a), units.Duration(to-from), p.St.Dim)
	}
}

// cursorCell returns the cell of the cursor, -1 if the axis does not show it.
func (p *Pane) cursorCell(a axis.Axis) int {
	if len(p.rows) == 0 || !a.Contains(p.at) {
		return -1
	}
	return a.Cell(p.at)
}

// drawLength writes a length of time in the middle between two cells, if there is room beside the
// cursor.
func (p *Pane) drawLength(r *axis.Row, from, to, cursor int, length string, paint styles.Paint) {
	text := " " + length + " "
	room := to - from - 1
	at := from + 1 + (room-len(text))/2
	if len(text) < room && (cursor < at || cursor >= at+len(text)) {
		r.Text(at, text, paint)
	}
}

// joinName puts cells to the right of words in the column of names.
func (p *Pane) joinName(words string, paint styles.Paint, cells string) string {
	w := p.nameWidth()
	if w == 0 {
		return cells
	}
	return paint.S(canvas.Fit(p.Ellipsize(" "+words, w), w)) + " " + cells
}

// markText names the marks with the times between them, empty unless there are two.
func (p *Pane) markText() string {
	const most = 6
	var words []string
	for i := 1; i < len(p.marks.all) && i <= most; i++ {
		a, b := p.marks.all[i-1], p.marks.all[i]
		words = append(words, fmt.Sprintf("#%d to #%d %s", a.id, b.id, units.Duration(b.at-a.at)))
	}
	if n := len(p.marks.all) - 1 - most; n > 0 {
		words = append(words, units.Count(n)+" more")
	}
	if len(words) == 0 {
		return ""
	}
	return p.St.G[styles.Marked] + " " + strings.Join(words, ", ")
}
