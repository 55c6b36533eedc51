package lanes

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

const (
	headRows = 3 // scale, rail and rule
	footRows = 5 // the selected lane and record, the span, the marks and a rule
	leastOf  = 3 // rows of lanes that the foot leaves
)

// parts returns the heights of the parts of the pane.
func (p *Pane) parts() sheet.Parts { return p.Split(headRows, footRows, leastOf) }

// nameWidth returns the width of the column of names.
func (p *Pane) nameWidth() int {
	switch {
	case p.W < 24:
		return 0
	case p.W < 72:
		return p.W / 4
	default:
		return min(p.W/4, 40)
	}
}

// chartWidth returns the width of the lanes' cells.
func (p *Pane) chartWidth() int {
	if w := p.nameWidth(); w > 0 {
		return max(p.W-w-1, 0)
	}
	return p.W
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the pane.
func (p *Pane) Lines() []string {
	p.update()
	parts, a := p.parts(), p.window.axis()
	p.showHead(parts.List)
	top := p.List.Top
	rows := p.Rows(len(p.rows), parts.List, func(i int) string {
		r := p.rows[i]
		if r.lane == nil || i == top && p.coversTop(parts.List) {
			return p.headRow(r.group)
		}
		return p.laneRow(r.lane, p.chart(r.lane, a))
	}, p.empty)
	head := []string{p.scale(a), p.rail(a)}
	return p.Stack(parts, head, rows, p.foot())
}

// showHead moves the window so that the selected lane is visible below the head of its group.
func (p *Pane) showHead(h int) {
	p.List.Reveal(len(p.rows), h)
	if at := p.List.At; h > 1 && at > 0 && at == p.List.Top && at < len(p.rows) {
		p.List.Top--
	}
}

// coversTop reports whether the head of a group, which has scrolled away, covers the first row of
// the window.
func (p *Pane) coversTop(h int) bool {
	top := p.List.Top
	return h > 1 && top < len(p.rows) && top != p.List.At && p.rows[top].lane != nil
}

// empty says why there are no lanes.
func (p *Pane) empty() string {
	if p.session.taken > 0 {
		return "The filter of the wire hides every exchange."
	}
	return "Each exchange appears here as a lane, all on one time axis: " + keys.Name(p.Of(closeLanes)) + " goes back, where a message makes the first."
}

// headRow draws the head of a group.
func (p *Pane) headRow(g *group) string {
	agent, conversation := p.words(p.agentName(g.owner)), p.words(p.conversationName(g.owner))
	name := looks.Tag(p.St, g.owner.Agent).Bold().S(p.Ellipsize(agent, p.W/2))
	if g.owner.Agent != 0 {
		name = looks.Tagged(p.St, g.owner.Agent, p.names.Tag(g.owner.Agent), name)
	}
	return p.Cut(name + p.St.Faint.S(p.Join("", "")) + p.St.Dim.S(conversation))
}

// laneRow draws a lane: its number, the name of its request, and its cells.
func (p *Pane) laneRow(l *lane, cells string) string {
	w := p.nameWidth()
	if w == 0 {
		return cells
	}
	digits := min(len(strconv.Itoa(p.log.Len())), w/2)
	number := canvas.FitRight(strconv.FormatUint(uint64(l.s.Exchange), 10), digits)
	name := p.Cell(p.laneName(l), max(w-digits-2, 0))
	return " " + p.St.Faint.S(number) + " " + p.St.Text.S(name) + " " + cells
}

// maxName is how many bytes of a name are read.
const maxName = 256

// words makes a name safe to draw.
func (p *Pane) words(name string) string {
	name = canvas.SanitizeLine(strings.ToValidUTF8(name[:min(len(name), maxName)], ""))
	if sep := p.St.G[styles.Separator]; sep != "·" {
		name = strings.ReplaceAll(name, " · ", " "+sep+" ")
	}
	return name
}

// laneName returns the name of a lane's request, safe to draw.
func (p *Pane) laneName(l *lane) string {
	if l.name == "" {
		what := "exchange"
		if ids := p.log.Exchange(l.s.Exchange); len(ids) > 0 {
			what = log.Describe(p.log.At(ids[0]))
		}
		l.name = what[:min(len(what), maxName)]
	}
	return p.words(l.name)
}

// agentName returns the name of an owner's agent.
func (p *Pane) agentName(o log.Owner) string {
	if o.Agent == 0 {
		return "no agent"
	}
	return p.names.Agent(o.Agent)
}

// conversationName returns the name of an owner's conversation.
func (p *Pane) conversationName(o log.Owner) string {
	if o.Conversation == 0 {
		return "no conversation"
	}
	return p.names.Conversation(o.Conversation)
}

// ownerName returns the names of both, safe to draw.
func (p *Pane) ownerName(o log.Owner) string {
	return p.words(p.agentName(o)) + ", " + p.words(p.conversationName(o))
}

// foot describes the selected lane, the record under the cursor, the span and the marks.
func (p *Pane) foot() []string {
	l := p.lane()
	if l == nil {
		return nil
	}
	title := p.St.Bold.S(p.laneName(l)) + p.St.Faint.S(p.Join("", "")) + p.St.Dim.S(p.Join(p.words(p.agentName(l.owner)), p.words(p.conversationName(l.owner))))
	out := []string{p.St.Faint.S("#"+strconv.FormatUint(uint64(l.s.Exchange), 10)+" ") + title, p.facts(l)}
	if it := p.log.At(p.current()); it != nil {
		r := &it.Record
		out = append(out, p.St.Accent.S("#"+strconv.FormatUint(uint64(r.ID), 10))+" "+p.St.Text.S(p.words(log.Describe(it)))+
			p.St.Faint.S(p.Join("", p.time(p.offset(l, r.ID)), p.zoned(r.Time).Format(clockFormat))))
	}
	var last []string
	if from, to, ok := p.span.bounds(p); ok {
		last = append(last, "span "+p.time(from)+" to "+p.time(to)+": "+units.Duration(to-from)+", "+units.Plural(p.recordsIn(from, to), "record"))
	}
	if m := p.markText(); m != "" {
		last = append(last, m)
	}
	out = append(out, p.St.Accent.S(p.Join(last...)))
	for i := range out {
		out[i] = p.Cut(out[i])
	}
	return out
}

// zoned returns a time in the zone of the user.
func (p *Pane) zoned(t time.Time) time.Time {
	if p.zone == nil {
		return t
	}
	return t.In(p.zone)
}

// facts describes the course of a lane.
func (p *Pane) facts(l *lane) string {
	s := l.s
	words := []string{p.time(l.start), "took " + units.Duration(l.end(p.now)-l.start)}
	if s.Events > 0 {
		words = append(words, units.Plural(s.Events, "event"))
	}
	if s.Gaps.Count > 0 {
		words = append(words, "gap max "+units.Duration(s.Gaps.Max))
	}
	if s.Prev != 0 {
		words = append(words, "continues #"+strconv.FormatUint(uint64(s.Prev), 10))
	}
	if l.retry {
		words = append(words, "sent again")
	}
	state := ""
	if s.State != a2a.StateUnknown {
		sign, paint := looks.State(p.St, s.State)
		word := s.State.String()
		if s.State == a2a.StateOther {
			word = p.words(s.Word)
		}
		state = paint.S(p.St.G[sign]+" "+word) + p.St.Faint.S(p.Join("", ""))
	}
	return state + p.St.Dim.S(p.Join(words...)+p.status(l))
}

// status says how a lane ended, unless it ended well, behind a comma.
func (p *Pane) status(l *lane) string {
	switch s := l.s; {
	case s.Open() && s.Stalled != nil:
		return ", " + s.Stalled.StallWords(p.now)
	case s.Open():
		return ", open"
	case s.End.Reason == a2a.Cut:
		return ", " + s.Break()
	case s.End.Reason == a2a.Cancelled:
		return ", closed by Parley"
	case s.End.Reason == a2a.TimedOut:
		return ", timed out"
	case s.End.Reason == a2a.Refused:
		return ", refused"
	default:
		return ""
	}
}
