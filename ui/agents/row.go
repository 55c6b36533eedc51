package agents

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A row is one line of the pane: an agent, one of its conversations, its newest stream, the reason why it
// is unusable, an agent that is not open, a heading, or a blank line.
type row struct {
	agent   *model.Agent // nil for an agent that is not open, and for a blank line
	entry   Entry        // the zero value for an open agent, and for a blank line
	heading string
	conv    *model.Conversation
	problem bool
	stream  bool // the agent's newest stream
	only    bool // the agent has no other row
}

func (r row) selectable() bool {
	return r.agent != nil && !r.problem && !r.stream || r.entry.Ref != ""
}

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
	streamed      bool
}

func (p *Pane) shape(a *model.Agent) shape {
	return shape{agent: a, conversations: len(a.Conversations), hint: p.hint(a) != "", streamed: p.traffic.shaped(a.ID) != nil}
}

// A look is the appearance of a row: its pieces from left to right.
type look [9]piece

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
		if text += s.lead; s.text != "" {
			text += s.paint.S(s.text)
		}
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
		return look{p.bar(r.agent.ID), {paint: p.st.Faint, text: p.cut(p.hint(r.agent), barCells)}}
	case r.stream:
		return p.streamed(r.agent.ID)
	case r.conv != nil:
		return p.conversation(r)
	case r.only && p.tellsState(r.agent):
		return p.single(r.agent)
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

// online is an agent's name, its dialect, and what keeps it from being used.
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
	if sign == styles.Online { // as it should be
		mark = piece{}
	}
	gap, tag := "  ", p.tag(a) // gap stands before the note and its mark
	name, left := canvas.SanitizeLine(a.Name()), barCells+tag.width()
	right := func() int {
		if mark.text == "" || note == "" {
			return mark.width() + canvas.Width(note)
		}
		return mark.width() + 1 + canvas.Width(note)
	}
	tight := func() bool { return left+canvas.Width(name)+len(gap)+right() > p.w }
	if a.Phase == model.Unreachable && tight() {
		note = "away"
	}
	if left+canvas.Width(name)+len(gap)+right() == p.w+1 { // a cell less is enough for the whole name
		gap = " "
	}
	if (a.Phase != model.Ready || canvas.Width(note) > shortNote) && tight() {
		note = "" // the mark, or the header, says it too
	}
	if a.Card == nil && tight() {
		name = strings.TrimPrefix(name, "http://") // the port tells two agents of one machine apart
	}
	room := left
	if right() > 0 {
		room += len(gap) + right()
	}
	if mark.text != "" && note != "" {
		note = " " + note
	}
	return p.across([]piece{p.bar(a.ID), {paint: p.nameInk(a), text: p.cut(name, room)}, tag}, mark, piece{paint: st.Faint, text: note})
}

// nameInk returns the paint of an agent's name.
func (p *Pane) nameInk(a *model.Agent) styles.Paint {
	if a.ID == p.agent {
		return p.st.Bold
	}
	return p.st.Text
}

// tag is the tag of an agent, by which other panes name it.
func (p *Pane) tag(a *model.Agent) piece {
	if !p.several || a.Tag == "" || a.Tag == a.Name() {
		return piece{}
	}
	return piece{paint: p.colour(a.ID), lead: " ", text: canvas.SanitizeLine(a.Tag)}
}

// colour returns the colour of an agent.
func (p *Pane) colour(agent a2a.AgentID) styles.Paint { return looks.Tag(p.st, agent) }

// barCells is the width of the bar at the left of an agent's rows.
const barCells = 1

// bar is the edge of all rows of an agent.
func (p *Pane) bar(agent a2a.AgentID) piece {
	return piece{paint: p.colour(agent), text: p.st.G[styles.Bar]}
}

// width returns how many cells a piece takes.
func (s *piece) width() int { return canvas.Width(s.lead) + canvas.Width(s.text) }

// across returns the look of a row with pieces at its left and at its right edge.
func (p *Pane) across(left []piece, right ...piece) (out look) {
	room := p.w
	for i := range right {
		room -= right[i].width()
	}
	n := copy(out[:], left)
	for i := range left {
		room -= left[i].width()
	}
	out[n].lead = strings.Repeat(" ", max(room, 0))
	copy(out[n+1:], right)
	return out
}
