package agents

import (
	"parley/a2a"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A row is one line of the pane: an agent, one of its conversations, the reason
// why it cannot be used, or the air between agents.
type row struct {
	agent   *session.Agent // nil for air
	conv    *session.Conversation
	problem bool
	last    bool // the agent's last conversation
}

func (r row) selectable() bool { return r.agent != nil && !r.problem }

func (r row) open(enter bool) Intent {
	if r.conv == nil {
		return Select{Agent: r.agent.ID, Enter: enter}
	}
	return Select{Agent: r.agent.ID, Conversation: r.conv.ID, Enter: enter}
}

// rebuild makes the rows again and keeps the selection on the same thing.
func (p *Pane) rebuild() {
	old := p.selected()
	p.rows = p.rows[:0]
	for i, a := range p.agents {
		if i > 0 {
			p.rows = append(p.rows, row{})
		}
		p.rows = append(p.rows, row{agent: a})
		if a.Phase == session.Unreachable || a.Phase == session.Failed {
			p.rows = append(p.rows, row{agent: a, problem: true})
		}
		for j, c := range a.Conversations {
			p.rows = append(p.rows, row{agent: a, conv: c, last: j == len(a.Conversations)-1})
		}
	}
	p.at = min(p.at, max(0, len(p.rows)-1))
	for i, r := range p.rows {
		if r.selectable() && r.agent == old.agent && r.conv == old.conv {
			p.at = i
		}
	}
	p.reveal()
}

func (p *Pane) draw(r row) string {
	switch {
	case r.agent == nil:
		return ""
	case r.problem:
		return "  " + p.st.Faint.S(p.cut(p.hint(r.agent), 2))
	case r.conv != nil:
		return p.drawConversation(r)
	default:
		return p.drawAgent(r.agent)
	}
}

func (p *Pane) cut(s string, used int) string {
	return canvas.Ellipsize(s, max(0, p.w-used), p.st.G[styles.Ellipsis])
}

// hint is what to do about an agent that cannot be used.
func (p *Pane) hint(a *session.Agent) string {
	if a.Phase == session.Unreachable {
		return "watching " + p.st.G[styles.Separator] + " r retry"
	}
	return "r retry"
}

func (p *Pane) drawAgent(a *session.Agent) string {
	g, st := &p.st.G, p.st
	mark, note := st.OK.S(g[styles.Online]), a.Profile.Dialect.Number()
	switch a.Phase {
	case session.Discovering:
		mark, note = st.Agent.S(p.spin), ""
	case session.Unreachable:
		mark, note = st.Failed.S(g[styles.Failed]), "unreachable"
	case session.Failed:
		mark, note = st.Failed.S(g[styles.Failed]), "no agent"
	}
	paint := st.Text
	if a.ID == p.agent {
		paint = st.Bold
	}
	name := canvas.SanitizeLine(a.Name())
	if note != "" {
		note = "  " + note
	}
	if a.Phase != session.Ready && 2+canvas.Width(name+note) > p.w {
		note = "" // the mark says it too
	}
	return mark + " " + paint.S(p.cut(name, 2+canvas.Width(note))) + st.Faint.S(note)
}

func (p *Pane) drawConversation(r row) string {
	g, st := &p.st.G, p.st
	branch := g[styles.Branch]
	if r.last {
		branch = g[styles.LastBranch]
	}
	paint := st.Dim
	switch {
	case r.conv.ID == p.shown:
		paint = st.Text
	case p.unread[r.conv.ID]:
		paint = st.Bold
	}
	title := canvas.SanitizeLine(r.conv.Title)
	if title == "" {
		title = "new conversation"
	}
	return "  " + st.Hairline.S(branch) + " " + paint.S(p.cut(title, 6)) + " " + p.state(r.conv)
}

// state is the glyph of what the conversation is doing: waiting for the person
// before anything else, then at work, then how its newest task stands.
func (p *Pane) state(c *session.Conversation) string {
	g, st := &p.st.G, p.st
	for _, t := range c.Tasks {
		if t.State.Interrupted() && !t.Forgotten {
			return st.Waiting.S(g[styles.Waiting])
		}
	}
	for _, t := range c.Turns {
		if t.Pending {
			return st.Agent.S(p.spin)
		}
	}
	if len(c.Tasks) == 0 {
		return ""
	}
	switch c.Tasks[len(c.Tasks)-1].State {
	case a2a.StateCompleted:
		return st.OK.S(g[styles.Done])
	case a2a.StateFailed, a2a.StateRejected:
		return st.Failed.S(g[styles.Failed])
	case a2a.StateCanceled:
		return st.Dim.S(g[styles.Canceled])
	case a2a.StateUnknown, a2a.StateOther:
		return st.Dim.S(g[styles.Unknown])
	default:
		return st.Dim.S(g[styles.Idle])
	}
}
