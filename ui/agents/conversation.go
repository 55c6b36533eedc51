package agents

import (
	"strconv"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// conversation is a row below its agent: the title, how many turns have something new, and the state.
func (p *Pane) conversation(r row) look {
	paint := p.st.Dim
	if r.conv.ID == p.shown || r.conv.ID == p.beside || len(p.unread[r.conv.ID]) > 0 {
		paint = p.st.Text
	}
	return p.titled(r.agent.ID, paint, piece{}, r.conv, func(room int) string { return p.nameOf(r, room) })
}

// single is an agent in one row: its name, and how that of its newest conversations stands which matters most.
func (p *Pane) single(a *model.Agent) look {
	name := canvas.SanitizeLine(a.Name())
	return p.titled(a.ID, p.nameInk(a), p.tag(a), foremost(a), func(room int) string {
		return canvas.Ellipsize(name, room, p.st.G[styles.Ellipsis])
	})
}

// tellsState reports whether the only row of an agent tells how its conversation stands. A question matters
// more than what is wrong with the agent, and that matters more than the rest.
func (p *Pane) tellsState(a *model.Agent) bool {
	if len(a.Conversations) == 0 {
		return false
	}
	sign, _ := looks.Agent(p.st, a.Phase, a.Pulse.Health, a.Late != "")
	c := foremost(a)
	return sign == styles.Online || sign == styles.Idle || len(c.Tasks) > 0 && c.Tasks[len(c.Tasks)-1].Waits()
}

// foremost returns the newest conversation of an agent, or among the newest few the one that waits for the
// user.
func foremost(a *model.Agent) *model.Conversation {
	const few = 8
	n := len(a.Conversations)
	for i := n - 1; i >= max(0, n-few); i-- {
		if c := a.Conversations[i]; len(c.Tasks) > 0 && c.Tasks[len(c.Tasks)-1].Waits() {
			return c
		}
	}
	return a.Conversations[n-1]
}

// leastTitle is how many cells of a title stay although the time that an answer took stands beside it. That of
// one that was cut says little of the agent.
const leastTitle = 8

// titled is a row of a title, shortened to the room that is left, with a tag behind it, and of how many turns
// of a conversation have something new, its state, and how long its newest answer took.
func (p *Pane) titled(agent a2a.AgentID, paint styles.Paint, tag piece, c *model.Conversation, title func(room int) string) look {
	last, state, room := piece{}, p.state(c), p.w-barCells-tag.width()
	for i := range state {
		room -= state[i].width()
	}
	full := canvas.Width(title(p.w))
	count := piece{}
	if n := len(p.unread[c.ID]); n > 0 {
		count = piece{paint: p.st.Count, lead: " ", text: strconv.Itoa(n) + " new"}
		if full > room-count.width() {
			count.text = "+" + strconv.Itoa(n) // the title has the room
		}
	} else if t := took(c); state[0].text == "" && room-t.width() >= min(full, leastTitle) {
		last = t
		last.paint = state[2].paint
	}
	room = max(room-count.width()-last.width(), 0)
	return p.across([]piece{p.bar(agent), {paint: paint, text: title(room)}, tag}, count, state[0], state[1], state[2], last)
}

// took is how long the newest answer of a conversation took, if that is over.
func took(c *model.Conversation) piece {
	if len(c.Turns) == 0 || len(c.Tasks) == 0 {
		return piece{}
	}
	turn, t := c.Turns[len(c.Turns)-1], c.Tasks[len(c.Tasks)-1]
	if turn.Pending || !t.State.Terminal() || t.Forgotten || turn.Time.IsZero() || !t.Since().After(turn.Time) {
		return piece{}
	}
	const precise = 10 * time.Second
	d := t.Since().Sub(turn.Time)
	if d >= precise {
		return piece{lead: " ", text: units.Seconds(d)}
	}
	return piece{lead: " ", text: units.Duration(d)}
}

// state is how a conversation stands: whether its newest stream was cut and continued, and the sign of the
// state: waiting for the user first, then working, then the state of its newest task.
func (p *Pane) state(c *model.Conversation) (out [3]piece) {
	g, st := &p.st.G, p.st
	cut, again := p.broke(c)
	if cut != nil {
		_, paint := looks.Ending(st, cut, p.about.Now)
		out[0] = piece{paint: paint, lead: " ", text: g[styles.Cut]}
	}
	if again {
		out[1] = piece{paint: st.Dim, lead: " ", text: g[styles.Retry]}
	}
	mark := func(t *model.Task) piece {
		sign, paint, _ := looks.TaskOf(st, c.Agent.Away(), &t.Lifecycle)
		s := piece{paint: paint, lead: " ", text: g[sign]}
		if tapped := c.Agent != nil && c.Agent.Tap != ""; t.Waits() && !tapped {
			if s.text += " asks"; t.State == a2a.StateAuthRequired {
				s.text = g[sign] + " sign-in"
			}
		}
		return s
	}
	for _, t := range c.Tasks {
		if t.Waits() {
			out[2] = mark(t)
			return out
		}
	}
	for _, t := range c.Turns {
		if t.Pending && !c.Agent.Away() {
			out[2] = piece{paint: st.Agent, lead: " ", text: p.spin}
			if looks.Quiet(p.traffic.stream(c), p.about.Now) > 0 {
				out[2].text = g[styles.Pause]
			}
			return out
		}
	}
	if len(c.Tasks) == 0 {
		return out
	}
	newest := c.Tasks[len(c.Tasks)-1]
	out[2] = mark(newest)
	if s := newest.State; !newest.Forgotten && !c.Agent.Away() && (s == a2a.StateSubmitted || s == a2a.StateWorking) {
		out[2] = piece{paint: st.Dim, lead: " ", text: g[styles.Idle]} // no stream or poll follows it
	}
	return out
}

// broke returns the stream that broke last in a conversation, nil if the newest one did not and continues none that
// did, and whether the newest one continues another.
func (p *Pane) broke(c *model.Conversation) (cut *log.Stream, again bool) {
	s := p.traffic.stream(c)
	if s == nil {
		return nil, false
	}
	if again = s.Prev != 0; again && s.Break() == "" {
		s = p.traffic.log.Stream(s.Prev)
	}
	if s == nil || s.Break() == "" || s.End.Class == problem.ClassStopped {
		return nil, again
	}
	return s, again
}
