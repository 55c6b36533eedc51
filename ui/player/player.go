// Package player draws the line that shows where in a recording one is, and has the keys that move
// there.
//
//	▸ 0:12.3 / 0:45.1  #421 of 1,034  1×  ━━━━━━━━●──│───⚑──◆──
//
// The line knows nothing of the recording: it draws a [Status], and returns an [Intent] for each
// key. Its own keys work while it has the focus; a few others work wherever the focus is.
package player

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A Tick is what stands out in a part of the time line, in order of importance.
type Tick uint8

// The ticks.
const (
	NoTick Tick = iota
	TurnTick
	FindingTick
	MarkTick
)

// A Status is what the line shows.
type Status struct {
	Record, Len int // the position, and how many records are known
	Complete    bool
	Indexed     float64 // the part of the file that is known
	Checked     float64 // the part that the rules have checked, 1 for all of it
	At, Last    time.Duration
	Speed       float64
	Playing     bool
	// Reached is the last record on the screen; it differs from Record while the player seeks.
	Reached int
	Played  float64 // part of the time line
	// Ticks returns what stands out in w parts of the time line.
	Ticks func(w int) []Tick
	// Calm leaves out what an audience need not know: numbers of records, and findings.
	Calm bool
}

// seeks reports whether the screen is not where the player is.
func (s *Status) seeks() bool { return s.Reached < s.Record }

// A Pane is the line.
type Pane struct {
	st                    *styles.Styles
	*action.Table[Intent] // the keys that work outside text fields, wherever the focus is

	// LineKeys has the keys that work while the line has the focus.
	LineKeys *action.Table[Intent]

	status  Status
	w       int
	focused bool
	typing  bool
	in      field.Field
	bar     span // where the bar is drawn
}

// A span is a range of cells.
type span struct{ from, w int }

// New returns a line that shows nothing yet.
func New(st *styles.Styles) *Pane {
	p := &Pane{st: st, in: field.New(st, field.Options{Prompt: "go to ", Hint: hint, Limit: 40})}
	p.LineKeys = p.lineActions()
	p.Table = p.actions()
	return p
}

// hint says what can be typed, the most usual first.
const hint = "12:03, #421, @14:02, 50%, +30s, next finding"

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.in.SetStyles(st)
}

// SetWidth sets the width in cells.
func (p *Pane) SetWidth(w int) {
	p.w = max(w, 0)
	p.in.SetWidth(p.w - 1)
}

// Show sets what is shown, and reports whether that changes the keys of the footer.
func (p *Pane) Show(s Status) (changed bool) {
	changed = s.Playing != p.status.Playing || s.seeks() != p.status.seeks()
	p.status = s
	return changed
}

// Focus gives the line the keys, Blur takes them away.
func (p *Pane) Focus() { p.focused = true }

// Blur takes the keys away.
func (p *Pane) Blur() { p.focused = false }

// Typing reports whether the input is open, so that letters are text.
func (p *Pane) Typing() bool { return p.typing }

// Cursor returns the terminal's cursor relative to the line, nil unless the input is open.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing {
		return nil
	}
	return p.in.Cursor(1, 0, p.w, 1)
}

// Paste inserts a text into the open input.
func (p *Pane) Paste(text string) {
	if p.typing {
		p.in.Paste(text)
	}
}

// leastBar is the width below which no bar is drawn.
const leastBar = 12

// Line returns the line, exactly as wide as the pane.
func (p *Pane) Line() string {
	p.bar = span{}
	if p.typing {
		return canvas.Fit(" "+p.in.View(), p.w)
	}
	words := p.words(p.w)
	used := canvas.Width(words)
	w := p.w - used - 3
	if w < leastBar {
		return canvas.Fit(words, p.w)
	}
	p.bar = span{used + 2, w}
	return canvas.Fit(words+"  "+p.drawBar(w)+" ", p.w)
}

// words returns what stands in front of the bar: the most that leaves room for it, otherwise the
// most that fits.
func (p *Pane) words(w int) string {
	st, s := p.st, &p.status
	plain, sign, paint, lead := st.Dim, styles.Pause, st.Text, "  "
	if s.Playing {
		sign, paint = styles.Folded, st.OK
	}
	if p.focused {
		plain, lead = st.Bold, st.Accent.S(st.G[styles.Prompt])+" "
	}
	at, last, speed := clock(s.At, s.Last), clock(s.Last, s.Last), strconv.FormatFloat(s.Speed, 'f', -1, 64)+st.G[styles.Times]
	record := "#" + units.Count(s.Record)
	of := record + " of " + units.Count(s.Len)
	switch {
	case !s.Complete:
		of += ", " + percent(s.Indexed) + " read"
	case s.Checked < 1:
		of += ", " + percent(s.Checked) + " checked"
	}
	choices := []string{at + " / " + last + "  " + of + "  " + speed, at + "  " + of + "  " + speed, at + "  " + record, record}
	if s.seeks() {
		choices = []string{"going to " + record + ", at #" + units.Count(s.Reached) + "; " + keys.Name(p.Of(stopOnTheWay)) + " stops", "going to " + record}
	}
	if s.Calm {
		choices = []string{at + " / " + last + "  " + speed, at + "  " + speed, at}
	}
	const around = 5 // the lead, the sign, a space on both sides
	for _, room := range []int{w - leastBar - 3, w} {
		for i, c := range choices {
			if canvas.Width(c)+around <= room && (room == w || i < 2) {
				return lead + paint.S(st.G[sign]) + " " + plain.S(c)
			}
		}
	}
	return lead + paint.S(st.G[sign]) + " " + plain.S(choices[len(choices)-1])
}

func percent(part float64) string { return strconv.Itoa(int(part*100)) + " %" }

// clock writes a time of a recording that lasts long: 0:12.3, or 1:02:03 from an hour on.
func clock(d, long time.Duration) string {
	const day = 24 * time.Hour
	minutes, seconds := int(d/time.Minute), int(d/time.Second)%60
	two := func(n int) string {
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
		return strconv.Itoa(n)
	}
	switch {
	case long >= day:
		return strconv.Itoa(int(d/day)) + "d " + two(minutes/60%24) + ":" + two(minutes%60) + ":" + two(seconds)
	case long >= time.Hour:
		return strconv.Itoa(minutes/60) + ":" + two(minutes%60) + ":" + two(seconds)
	default:
		return strconv.Itoa(minutes) + ":" + two(seconds) + "." + strconv.Itoa(int(d%time.Second/(100*time.Millisecond)))
	}
}

// drawBar draws the time line, w cells wide.
func (p *Pane) drawBar(w int) string {
	st, s := p.st, &p.status
	here := min(int(s.Played*float64(w)), w-1)
	ticks := s.Ticks(w)
	played := st.Accent
	if !p.focused {
		played = st.Dim
	}
	out, run, paint := "", "", styles.Paint{}
	put := func(glyph string, with styles.Paint) {
		if with != paint {
			out, run, paint = out+paint.S(run), "", with
		}
		run += glyph
	}
	for i := range w {
		switch line, glyph := st.Hairline, st.G[styles.Horizontal]; {
		case i == here:
			put(st.G[styles.Online], st.Accent)
		case ticks[i] == MarkTick:
			put(st.G[styles.Marked], st.Number)
		case ticks[i] == FindingTick && !s.Calm:
			put(st.G[styles.Flag], st.Failed)
		default:
			if i < here {
				line, glyph = played, st.G[styles.Played]
			}
			if ticks[i] == TurnTick {
				glyph = st.G[styles.Vertical]
			}
			put(glyph, line)
		}
	}
	return out + paint.S(run)
}
