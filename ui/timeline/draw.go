package timeline

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A layout is the heights of the parts below the rule.
type layout struct{ lanes, figures, open, rows int }

// top returns the row of the first entry.
func (l layout) top() int { return 1 + l.lanes + l.figures }

// layout divides the height among the parts. Entries take precedence.
func (v *View) layout() layout {
	const lanes, least = 3, 3 // rows of entries
	var l layout
	left := max(v.h-1, 0)
	if !v.Streams() {
		return layout{rows: left}
	}
	if v.chain.last().Open() && left > 1 {
		l.open = 1
	}
	left -= l.open
	if left >= lanes+least {
		l.lanes = lanes
		l.figures = min(len(v.figures()), left-lanes-least)
	}
	l.rows = left - l.lanes - l.figures
	return l
}

// Lines draws the view in exactly its height of rows of exactly its width; focused is set if
// the view has the keys.
func (v *View) Lines(focused bool) []string {
	v.load()
	now := frame{st: v.st, records: v.log.Len(), sel: v.sel, at: v.at, top: v.top, w: v.w, h: v.h, now: v.now, focused: focused}
	if v.Streams() {
		last := v.chain.last()
		now.stalled, now.exchange = last.Stall(v.now) > 0, last.Exchange
		if !last.Open() {
			now.now = time.Time{}
		}
	}
	if v.lines == nil || now != v.drawn {
		v.reveal()
		v.lines, v.drawn = v.draw(focused), now
		v.drawn.top = v.top
	}
	return v.lines
}

// Window returns the part of the entries that is in the window.
func (v *View) Window() canvas.Scroll {
	if !v.Streams() || v.h <= 0 {
		return canvas.Scroll{}
	}
	l := v.layout()
	return canvas.Scroll{Y: l.top(), H: l.rows, Top: v.top, Shown: min(l.rows, v.entries()), All: v.entries()}
}

func (v *View) draw(focused bool) []string {
	if v.h <= 0 {
		return []string{}
	}
	out := append(make([]string, 0, v.h), canvas.Fit(v.rule(focused), v.w))
	if !v.Streams() {
		out = append(out, canvas.Fit(v.st.Faint.S("this record belongs to no exchange"), v.w))[:min(2, v.h)]
		return append(out, canvas.Blank(v.w, v.h-len(out))...)
	}
	l := v.layout()
	if l.lanes > 0 {
		a := v.axis()
		out = append(out, v.sparkline(a), v.states(a), v.scale(a))
	}
	for _, words := range v.figures()[:l.figures] {
		out = append(out, canvas.Fit(v.st.Dim.S(words), v.w))
	}
	for i := v.top; i < min(v.top+l.rows, v.entries()); i++ {
		out = append(out, canvas.Entry(v.st, v.entry(i), v.w, i == v.at))
	}
	if !focused {
		out = canvas.HoldRows(out, v.st)
	}
	if l.open > 0 {
		out = append(out, canvas.Fit(v.live(), v.w))
	}
	return append(out, canvas.Blank(v.w, v.h-len(out))...)
}

// rule draws the top line: the stream and its status.
func (v *View) rule(focused bool) string {
	line, name := v.st.Hairline, v.st.Bold
	if focused {
		line, name = v.st.Focus, v.st.Title
	}
	dash := v.st.G[styles.Horizontal]
	if !v.Streams() {
		return line.S(strings.Repeat(dash, v.w))
	}
	first, last := v.chain.streams[0], v.chain.last()
	what := "exchange "
	if first.Streamed() {
		what = "stream "
	}
	what += strconv.FormatUint(uint64(first.Exchange), 10)
	if n := len(v.chain.streams); n > 1 {
		what += "–" + strconv.FormatUint(uint64(last.Exchange), 10)
	}
	sign, paint := looks.State(v.st, last.State)
	sep := " " + v.st.G[styles.Separator] + " "
	s := line.S(dash+dash) + " " + name.S(v.plain(what)) + "  "
	if last.State != a2a.StateUnknown || last.Word != "" {
		s += paint.S(v.st.G[sign]+" "+canvas.SanitizeLine(last.StateWord())) + v.st.Faint.S(sep)
	}
	s += v.st.Dim.S(v.status(last) + sep + units.Duration(v.chain.span(v.now)))
	s = canvas.Ellipsize(s, v.w, v.st.G[styles.Ellipsis])
	if rest := v.w - canvas.Width(s) - 1; rest > 0 {
		s += " " + line.S(strings.Repeat(dash, rest))
	}
	return s
}

// status describes the status of a stream in a word or two.
func (v *View) status(s *log.Stream) string {
	switch {
	case s.Stall(v.now) > 0:
		return "stalled"
	case s.Open():
		return "open"
	case s.End.Class == a2a.ClassSevered:
		return "cut by you"
	case s.End.Reason == a2a.Cut:
		return "cut off"
	case s.End.Reason == a2a.Cancelled:
		return "closed"
	case s.End.Reason == a2a.TimedOut:
		return "timed out"
	case s.End.Reason == a2a.Refused:
		return "refused"
	default:
		return "ended"
	}
}

// plain replaces characters that the table of glyphs has no sign for.
func (v *View) plain(s string) string {
	if v.st.G[styles.Separator] != "·" {
		s = strings.NewReplacer("–", "-", "·", v.st.G[styles.Separator]).Replace(s)
	}
	return s
}

// live draws the current activity of an open stream.
func (v *View) live() string {
	s := v.chain.last()
	silent := s.Silence(v.now).Truncate(time.Second)
	lead := v.prefix("", styles.Silence)
	switch stall := looks.Stall(v.st, s, v.now); {
	case stall != "" && s.Streamed():
		return lead + stall
	case silent >= minWait && s.Head < 0 && s.Events == 0:
		return lead + v.st.Text.S(v.st.G[styles.Pause]+" no answer for "+units.Duration(silent))
	case silent >= minWait:
		return lead + v.st.Text.S(v.st.G[styles.Pause]+" no event for "+units.Duration(silent))
	default:
		return v.prefix("", styles.Vertical) + v.st.Agent.S(v.st.G[styles.Block]) + v.st.Faint.S(" open")
	}
}

// timeCells is the width of the column of times.
const timeCells = 8

// prefix draws the beginning of an entry: its time and its piece of the line.
func (v *View) prefix(when string, track styles.Glyph) string {
	paint := v.st.Hairline
	switch track {
	case styles.Silence:
		paint = v.st.Dim
	case styles.Broken:
		paint = v.st.Failed
	}
	return v.st.Faint.S(canvas.FitRight(when, timeCells)) + " " + paint.S(v.st.G[track]) + " "
}
