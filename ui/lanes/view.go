package lanes

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/axis"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

const (
	headRows = 3 // scale, rail and rule
	footRows = 5 // the selected lane and record, the span, the marks and a rule
	leastOf  = 4 // rows of lanes that the foot leaves
)

// parts returns the heights of the parts of the pane.
func (p *Pane) parts() sheet.Parts { return p.SplitFor(len(p.rows), headRows, footRows, leastOf) }

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
	p.showEntry(parts.List)
	p.twins = p.session.sameNames(p)
	rows := p.Rows(len(p.rows), parts.List, func(i int) string { return p.row(i, a) }, p.empty)
	p.At(p.selected+1, len(p.entries))
	head := []string{p.scale(a), p.rail(a)}
	return p.Stack(parts, head, rows, p.foot())
}

// empty says why there are no lanes.
func (p *Pane) empty() string {
	if p.session.taken > 0 {
		return "The filter of the wire hides every exchange."
	}
	return "Each exchange appears here as a lane, all on one time axis: " + keys.Name(p.Of(closeLanes)) + " goes back, where a message makes the first."
}

// row draws a row of the list.
func (p *Pane) row(i int, a axis.Axis) string {
	r := p.rows[i]
	switch {
	case r.lane == nil:
		return ""
	case r.lane.isLine():
		return p.foldRow(r.lane.fold)
	case r.second:
		row := p.laneRow(r.lane, p.lowName(r.lane), p.chart(r.lane, a)[1])
		if i == p.List.At+1 {
			row = canvas.Entry(p.St, row, p.W, true)
		}
		return row
	default:
		return p.laneRow(r.lane, p.topName(r.lane), p.chart(r.lane, a)[0])
	}
}

// laneRow draws a row of a lane: words beside the colour of its agent, and its cells.
func (p *Pane) laneRow(l *lane, words, cells string) string {
	w := p.nameWidth()
	if w == 0 {
		return cells
	}
	edge := p.St.G[styles.Bar]
	if l.fold != nil {
		edge = " "
	}
	return looks.Tag(p.St, l.owner.Agent).S(edge) + " " + p.Cell(words, w-2) + " " + cells
}

// topName names the agent of a lane; a lane of one row also says what was asked.
func (p *Pane) topName(l *lane) string {
	agent := p.words(p.agentName(l.owner))
	name := looks.Tag(p.St, l.owner.Agent).Bold().S(agent)
	if p.twins[l.owner.Agent] {
		name = looks.Tagged(p.St, l.owner.Agent, p.names.Tag(l.owner.Agent), name)
	}
	if !l.tall {
		name += " " + p.St.Dim.S(p.lowWords(l))
	}
	return name
}

// lowName says what was sent.
func (p *Pane) lowName(l *lane) string { return p.St.Dim.S(p.lowWords(l)) }

// lowWords returns the message that was sent, or the name of the request.
func (p *Pane) lowWords(l *lane) string {
	if l.words == "" {
		if ids := p.log.Exchange(l.parts[0].s.Exchange); len(ids) > 0 {
			l.words = strings.TrimSpace(canvas.SanitizeLine(strings.ToValidUTF8(log.Brought(p.log.At(ids[0]), maxName), "")))
		}
		if l.words == "" {
			l.words = p.partName(l.parts[0])
		}
	}
	return l.words
}

// sameNames returns the agents whose name another one has, too.
func (s *session) sameNames(p *Pane) map[a2a.AgentID]bool {
	var twins map[a2a.AgentID]bool
	first := make(map[string]a2a.AgentID, len(s.agents))
	for _, id := range s.agents {
		if id == 0 {
			continue
		}
		name := p.names.Agent(id)
		if other, known := first[name]; known {
			if twins == nil {
				twins = map[a2a.AgentID]bool{}
			}
			twins[id], twins[other] = true, true
		}
		first[name] = id
	}
	return twins
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

// partName returns the name of an exchange's request, safe to draw.
func (p *Pane) partName(x *part) string {
	if x.name == "" {
		what := "exchange"
		if ids := p.log.Exchange(x.s.Exchange); len(ids) > 0 {
			what = log.Describe(p.log.At(ids[0]))
		}
		x.name = what[:min(len(what), maxName)]
	}
	return p.words(x.name)
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
	x := p.part()
	if x == nil {
		return nil
	}
	o := x.lane.owner
	title := p.St.Bold.S(p.partName(x)) + p.St.Faint.S(p.Join("", "")) + p.St.Dim.S(p.Join(p.words(p.agentName(o)), p.words(p.conversationName(o))))
	out := []string{p.St.Faint.S("#"+strconv.FormatUint(uint64(x.s.Exchange), 10)+" ") + title, p.facts(x)}
	if it := p.log.At(p.current()); it != nil {
		r := &it.Record
		out = append(out, p.St.Accent.S("#"+strconv.FormatUint(uint64(r.ID), 10))+" "+p.St.Text.S(p.words(log.Describe(it)))+
			p.St.Faint.S(p.Join("", p.time(p.offset(x, r.ID)), p.zoned(r.Time).Format(clockFormat))))
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

// facts describes the course of an exchange.
func (p *Pane) facts(x *part) string {
	s := x.s
	words := []string{p.time(x.start), "took " + units.Duration(x.end(p.now)-x.start)}
	if s.Events > 0 {
		words = append(words, units.Plural(s.Events, "event"))
	}
	if s.Gaps.Known() {
		words = append(words, "gap max "+units.Duration(s.Gaps.Max))
	}
	if s.Prev != 0 {
		words = append(words, "continues #"+strconv.FormatUint(uint64(s.Prev), 10))
	}
	if x.retry {
		words = append(words, "sent again")
	}
	state := ""
	if s.State != a2a.StateUnknown {
		sign, paint := looks.State(p.St, s.State)
		state = paint.S(p.St.G[sign]+" "+p.words(s.StateWord())) + p.St.Faint.S(p.Join("", ""))
	}
	return state + p.St.Dim.S(p.Join(words...)+p.status(x))
}

// status says how an exchange ended, unless it ended well, behind a comma.
func (p *Pane) status(x *part) string {
	s := x.s
	switch quiet := s.Stall(p.now); {
	case quiet > 0:
		return ", " + looks.Silent(quiet)
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
