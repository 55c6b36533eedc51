package agents

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A row is one line of the pane: an agent, one of its conversations, the reason why it is
// unusable, an agent that is not open, a heading, or a blank line.
type row struct {
	agent   *model.Agent // nil for an agent that is not open, and for a blank line
	entry   Entry        // the zero value for an open agent, and for a blank line
	heading string
	conv    *model.Conversation
	problem bool
	last    bool // the agent's last conversation
}

func (r row) selectable() bool { return r.agent != nil && !r.problem || r.entry.Ref != "" }

func (r row) open(enter bool) Intent {
	if r.agent == nil {
		return Open{r.entry}
	}
	if r.conv == nil {
		return Select{Agent: r.agent.ID, Enter: enter}
	}
	return Select{Agent: r.agent.ID, Conversation: r.conv.ID, Enter: enter}
}

// A shape determines which rows an agent has.
type shape struct {
	agent         *model.Agent
	conversations int
	hint          bool
}

func (p *Pane) shape(a *model.Agent) shape {
	return shape{agent: a, conversations: len(a.Conversations), hint: p.hint(a) != ""}
}

// rebuild makes the rows again and keeps the selection on the same item.
func (p *Pane) rebuild() {
	old := p.selected()
	p.rows, p.shapes = p.rows[:0], p.shapes[:0]
	for i, a := range p.agents {
		p.shapes = append(p.shapes, p.shape(a))
		if i > 0 {
			p.rows = append(p.rows, row{})
		}
		p.rows = append(p.rows, row{agent: a})
		if p.hint(a) != "" {
			p.rows = append(p.rows, row{agent: a, problem: true})
		}
		for j, c := range a.Conversations {
			p.rows = append(p.rows, row{agent: a, conv: c, last: j == len(a.Conversations)-1})
		}
	}
	p.entryRows()
	p.names = nil
	p.cursor.Move(0, len(p.rows))
	for i, r := range p.rows {
		if r.selectable() && r.agent == old.agent && r.conv == old.conv && r.entry == old.entry {
			p.cursor.At = i
		}
	}
	p.reveal()
}

// A look is the appearance of a row: its pieces from left to right.
type look [7]piece

// A piece is text in one paint; lead is a constant prefix.
type piece struct {
	paint      styles.Paint
	lead, text string
}

// A line is a drawn row, with its inputs.
type line struct {
	look     look
	w        int
	st       *styles.Styles
	selected bool
	shown    bool // the conversation on the screen
	drawn    string
}

// line returns the line of row i, which is drawn again only if its look changed.
func (p *Pane) line(i int) string {
	for len(p.lines) <= i {
		p.lines = append(p.lines, line{w: -1})
	}
	l := &p.lines[i]
	conv := p.rows[i].conv
	now := line{look: p.look(p.rows[i]), w: p.w, st: p.st, selected: i == p.cursor.At && p.focused, shown: conv != nil && conv.ID == p.shown, drawn: l.drawn}
	if *l == now {
		return l.drawn
	}
	*l = now
	text := ""
	for _, s := range l.look {
		text += s.paint.S(s.lead + s.text)
	}
	l.drawn = canvas.Entry(p.st, text, p.w, l.selected)
	if l.shown && !l.selected {
		l.drawn = canvas.Hold(l.drawn, p.st)
	}
	return l.drawn
}

// look returns the present look of a row.
func (p *Pane) look(r row) look {
	switch {
	case r.agent == nil:
		return p.offline(r)
	case r.problem:
		return look{{lead: "  "}, {paint: p.st.Faint, text: p.cut(p.hint(r.agent), 2)}}
	case r.conv != nil:
		return p.conversation(r)
	default:
		return p.online(r.agent)
	}
}

func (p *Pane) cut(s string, used int) string {
	return canvas.Ellipsize(s, max(0, p.w-used), p.st.G[styles.Ellipsis])
}

// SetRecording sets that the session is a recording: no key reaches an agent.
func (p *Pane) SetRecording(on bool) { p.recording = on }

// hint says what to do about an agent with a problem, empty if nothing.
func (p *Pane) hint(a *model.Agent) string {
	switch {
	case p.recording:
		return ""
	case a.Phase == model.Unreachable:
		if a.Pulse.Every > 0 {
			return "every " + units.Duration(a.Pulse.Every) + " " + p.st.G[styles.Separator] + " r now"
		}
		return "watching " + p.st.G[styles.Separator] + " r retry"
	case a.Phase == model.Failed:
		return "r retry"
	case a.Phase == model.Ready && a.Late != "":
		return "no card lately"
	case a.Tap != "":
		return a.Pulse.Why
	case a.Phase == model.Ready && a.Pulse.Health == model.Unhealthy:
		return a.Pulse.Why + " " + p.st.G[styles.Separator] + " r get card"
	default:
		return ""
	}
}

// shortNote is the width of a note for which a name is cut, such as "late" or a version.
const shortNote = 4

// online is an agent's name and whether it is reachable.
func (p *Pane) online(a *model.Agent) look {
	g, st := &p.st.G, p.st
	sign, ink := looks.Agent(st, a.Phase, a.Pulse.Health, a.Late != "")
	mark, note := piece{paint: ink, text: g[sign]}, a.Profile.Dialect.Number()
	switch a.Phase {
	case model.Discovering:
		mark.text, note = p.spin, ""
	case model.Unreachable:
		note = "unreachable"
	case model.Failed:
		note = "no agent"
	case model.Ready:
		if a.Late != "" {
			note = "late"
		}
	}
	if a.Incomplete > 0 { // of a card that is large, or without end
		note = units.Bytes(a.Incomplete)
	}
	paint := st.Text
	if a.ID == p.agent {
		paint = st.Bold
	}
	gap, tag := "  ", p.tag(a) // gap stands before the note
	name, signs := canvas.SanitizeLine(a.Name()), canvas.Width(tag.lead+tag.text)
	if a.Phase == model.Unreachable && 2+canvas.Width(name)+signs+len(gap)+len(note) > p.w {
		note = "away"
	}
	room := signs + canvas.Width(note)
	if note != "" {
		room += len(gap)
	}
	if note != "" && 2+canvas.Width(name)+room == p.w+1 { // a cell less is enough for the whole name
		gap, room = " ", room-1
	}
	if (a.Phase != model.Ready || canvas.Width(note) > shortNote) && 2+canvas.Width(name)+room > p.w {
		note, room = "", signs // the mark, or the header, says it too
	}
	if a.Card == nil && 2+canvas.Width(name)+room > p.w {
		name = strings.TrimPrefix(name, "http://") // the port tells two agents of one machine apart
	}
	out := look{mark, {lead: " "}, {paint: paint, text: p.cut(name, 2+room)}}
	out[3] = tag
	if note != "" {
		out[4] = piece{paint: st.Faint, lead: gap, text: note}
	}
	return out
}

// tag is the tag of an agent, by which other panes name it.
func (p *Pane) tag(a *model.Agent) piece {
	if !p.several || a.Tag == "" || a.Tag == a.Name() {
		return piece{}
	}
	return piece{paint: looks.Tag(p.st, a.ID), lead: " ", text: canvas.SanitizeLine(a.Tag)}
}

// conversation is a branch below its agent.
func (p *Pane) conversation(r row) look {
	g, st := &p.st.G, p.st
	branch := g[styles.Branch]
	if r.last {
		branch = g[styles.LastBranch]
	}
	rail, paint, count := st.Hairline, st.Dim, piece{}
	switch r.conv.ID {
	case p.shown:
		rail, paint = st.Faint, st.Text // a hairline is invisible on the selection
	case p.beside:
		paint = st.Text
	}
	if n := len(p.unread[r.conv.ID]); n > 0 {
		paint, count = st.Text, piece{paint: st.Count, text: strconv.Itoa(n) + " new", lead: " "}
		if w := p.w - 6 - len(count.lead) - len(count.text); canvas.Width(p.nameOf(r, p.w)) > w {
			count.text = "+" + strconv.Itoa(n) // the name has the room
		}
	}
	return look{
		{lead: "  "}, {paint: rail, text: branch}, {lead: " "},
		{paint: paint, text: p.nameOf(r, max(0, p.w-6-len(count.lead)-len(count.text)))}, count, p.state(r.conv),
	}
}

// state is the glyph of a conversation's state: waiting for the user first, then working, then
// the state of its newest task.
func (p *Pane) state(c *model.Conversation) piece {
	g, st := &p.st.G, p.st
	mark := func(t *model.Task) piece {
		sign, paint, _ := looks.TaskOf(st, c.Agent.Away(), &t.Lifecycle)
		return piece{paint: paint, lead: " ", text: g[sign]}
	}
	for _, t := range c.Tasks {
		if t.Asks() {
			return mark(t)
		}
	}
	for _, t := range c.Turns {
		if t.Pending && !c.Agent.Away() {
			return piece{paint: st.Agent, lead: " ", text: p.spin}
		}
	}
	if len(c.Tasks) == 0 {
		return piece{}
	}
	newest := c.Tasks[len(c.Tasks)-1]
	if s := newest.State; !newest.Forgotten && !c.Agent.Away() && (s == a2a.StateSubmitted || s == a2a.StateWorking) {
		return piece{paint: st.Dim, lead: " ", text: g[styles.Idle]} // no stream or poll follows it
	}
	return mark(newest)
}
