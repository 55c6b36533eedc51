package agents

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/axis"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// About is what the pane shows of the session.
type About struct {
	State *model.State // nil for nothing
	Now   time.Time    // zero in a recording that is not played
	File  File
	Size  int64 // bytes of the file, if it is being written
}

// File says whether the session has a file.
type File uint8

// The files.
const (
	Opened   File = iota // the session is a recording
	Recorded             // the file is being written
	Unrecorded
)

// log returns the log of the session, nil if there is none.
func (a *About) log() *log.Log {
	if a.State == nil {
		return nil
	}
	return a.State.Log
}

// SetAbout sets what the pane shows of the session. It comes before [Pane.SetAgents].
func (p *Pane) SetAbout(about About) { p.about = about }

const (
	leastSpare = 3 // blank rows between the agents and the facts
	factCount  = 5 // a rule, a heading and three facts
	laneHead   = 2 // a blank row and a heading
)

// facts are the rows of the facts, with all that they follow from besides the list of agents.
type facts struct {
	st       *styles.Styles
	about    About // without what changes with each frame
	records  int
	findings uint64
	tally    model.Tally
	waiting  int
	axis     axis.Axis
	rows     []string
}

// same reports whether two facts look alike.
func (f *facts) same(other *facts) bool {
	return f.rows != nil && f.st == other.st && f.about == other.about && f.records == other.records &&
		f.findings == other.findings && f.tally == other.tally && f.waiting == other.waiting && f.axis == other.axis
}

// factRows returns the rows at the bottom of the pane, nil if there is no room below the agents: figures of the
// session, and what its agents did lately.
func (p *Pane) factRows() []string {
	s := p.about.State
	if s == nil || len(p.agents) == 0 || p.spare < leastSpare+factCount {
		return nil
	}
	now := facts{st: p.st, about: p.about, records: s.Log.Len(), findings: s.Log.Findings().Version(), tally: s.Tally, waiting: len(s.Waiting()), axis: p.lanesAxis()}
	now.about.Now = time.Time{}
	if !p.facts.same(&now) {
		now.rows = p.drawFacts(now.axis)
		p.facts = now
	}
	return p.facts.rows
}

// drawFacts draws the facts, and the lanes where they have room.
func (p *Pane) drawFacts(x axis.Axis) []string {
	st, l := p.st, p.about.State.Log
	out := []string{canvas.Rule(st, p.w), st.Faint.S(p.heading()), p.recorded(l), p.fact("findings", p.findings(l.Findings())...), p.fact("tasks", p.tasks()...)}
	if n := min(len(p.agents), mostLanes); p.spare >= leastSpare+factCount+laneHead+n {
		if rows := p.lately(n, x); rows != nil {
			out = append(append(out, "", st.Faint.S("lanes, newest 30 s")), rows...)
		}
	}
	for i := range out {
		out[i] = canvas.Fit(out[i], p.w)
	}
	return out
}

// heading says whose facts follow, and that nothing is kept.
func (p *Pane) heading() string {
	if p.about.File == Unrecorded {
		return "session not recorded"
	}
	return "session"
}

// recorded says how much the session has, and how large its file is.
func (p *Pane) recorded(l *log.Log) string {
	records := units.Count(l.Len())
	if p.about.File != Recorded {
		return p.fact("records", count{text: records})
	}
	size := count{text: units.Bytes(p.about.Size)}
	whole := count{text: records + " " + p.st.G[styles.Separator] + " " + size.text}
	if labelCells+canvas.Width(whole.text) > p.w {
		whole = size
	}
	return p.fact("recorded", whole)
}

// A count is a figure in a fact.
type count struct {
	paint styles.Paint
	sign  string
	text  string
}

// findings counts the findings of the session by severity.
func (p *Pane) findings(f *log.Findings) (out []count) {
	sign := p.st.G[styles.Flag]
	for _, of := range []struct {
		s     a2a.Severity
		sign  string
		paint styles.Paint
	}{{a2a.Error, "E", p.st.Failed}, {a2a.Warning, "W", p.st.Waiting}, {a2a.Info, "i", p.st.Dim}} {
		if n := f.Count(of.s); n > 0 {
			out = append(out, count{of.paint, sign, units.Count(n) + " " + of.sign})
			sign = ""
		}
	}
	return out
}

// tasks counts the tasks of the session by how they stand.
func (p *Pane) tasks() (out []count) {
	st, t := p.st, &p.about.State.Tally
	for _, of := range []struct {
		n     int
		sign  string
		paint styles.Paint
	}{
		{t.Works, st.G[styles.Online], st.Agent}, {len(p.about.State.Waiting()), st.G[styles.Waiting], st.Waiting},
		{t.Failed, st.G[styles.Failed], st.Failed}, {t.Done, st.G[styles.Done], st.OK}, {t.Other, st.G[styles.Canceled], st.Dim},
	} {
		if of.n > 0 {
			out = append(out, count{of.paint, of.sign, units.Count(of.n)})
		}
	}
	return out
}

// labelCells is the width of the column of labels.
const labelCells = 9

// fact is a row of a label and its figures, which stand closer where there is little room. The last ones are
// left out where there is none.
func (p *Pane) fact(label string, of ...count) string {
	if len(of) == 0 {
		of = []count{{paint: p.st.Dim, text: "none"}}
	}
	room := p.w - labelCells
	for _, gap := range []struct{ between, within string }{{"  ", " "}, {" ", " "}, {" ", ""}} {
		for i := range of {
			if words := join(of, gap.between, gap.within); canvas.Width(words) <= room {
				return p.st.Faint.S(canvas.Fit(label, labelCells)) + words
			}
			if gap.within != "" {
				break
			}
			of = of[:len(of)-min(i, 1)]
		}
	}
	return p.st.Faint.S(canvas.Fit(label, labelCells)) + join(of[:1], "", "")
}

// join joins figures, with blanks between them, and between the sign and the number of each.
func join(of []count, between, within string) string {
	var words []string
	for _, c := range of {
		text := c.text
		if within == "" {
			text = strings.ReplaceAll(text, " ", "")
		}
		if c.sign != "" {
			text = c.sign + within + text
		}
		words = append(words, c.paint.S(text))
	}
	return strings.Join(words, between)
}
