package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
	"parley/ui/push"
	"parley/ui/wire"
)

// openPush shows the webhooks of the newest task of the conversation.
func (m *Model) openPush() tea.Cmd {
	if m.agent() == nil {
		return m.say("No agent is open: ctrl+p and paste the URL of one.", true)
	}
	m.show(overPush)
	return nil
}

const overPush control.SheetName = "webhooks"

// pushSheet lies over the panes while webhooks are looked after.
func (m *Model) pushSheet() control.Sheet {
	p := m.panes.push
	s := control.Sheet{
		Pane: p, Help: "webhooks", Keys: p.FullHelp, Height: p.Height(), Leave: m.leaving(p.Typing(), m.keys.Push),
		Key:     func(msg tea.KeyPressMsg) tea.Cmd { return m.notified(p.Key(msg)) },
		Mouse:   func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.notified(p.Mouse(msg, x, y)) },
		Refresh: func() { p.SetAbout(m.pushAbout()) },
	}
	if p.Typing() {
		s.Paste = p.Paste
	}
	return s
}

// pushAbout is what the sheet of webhooks shows.
func (m *Model) pushAbout() push.About {
	about := push.About{Agent: m.agent(), Every: m.writing.hooked[m.cur], Base: m.opts.Engine.Webhooks(), Why: m.refusal()}
	if conv := m.conversation(); conv != nil && len(conv.Tasks) > 0 {
		about.Task = conv.Tasks[len(conv.Tasks)-1]
	}
	return about
}

// notified carries out what the sheet of webhooks asks for.
func (m *Model) notified(in push.Intent) tea.Cmd {
	e, agent := m.opts.Engine, m.cur.Agent
	switch in := in.(type) {
	case push.Close:
		m.closeOverlay()
	case push.Refused:
		return m.say(in.Why, true)
	case push.Copy:
		return m.copy(in.Text)
	case push.Show:
		m.closeOverlay()
		return m.filterWire("kind:delivery " + wire.Term("task", in.Task))
	case push.Every:
		return m.hook(in.On)
	case push.Listen:
		if _, err := e.PushListen(agent, in.Task); err != nil {
			return m.say("Nothing can be received: "+err.Error()+".", true)
		}
	case push.Set:
		e.PushSet(agent, in.Task, in.Config)
	case push.List:
		e.PushList(agent, in.Task, a2a.ListFilter{})
	case push.Get:
		e.PushGet(agent, in.Task, in.ID)
	case push.Delete:
		e.PushDelete(agent, in.Task, in.ID)
	}
	return nil
}

// hook sends a webhook along with each message of the conversation, or no longer.
func (m *Model) hook(on bool) tea.Cmd {
	if !on {
		delete(m.writing.hooked, m.cur)
		return m.say("messages bring no webhook along any more; those that the agent has stay until they are deleted", false)
	}
	m.writing.hooked[m.cur] = true
	return m.say("each message of this conversation brings a webhook of Parley's along", false)
}

// hooks takes over to a conversation that a message begins, and says whether the message
// brings a webhook along.
func (w *writing) hooks(from, to control.Place) bool {
	on := w.hooked[from]
	if on && from != to && from.Conversation == 0 {
		delete(w.hooked, from)
		w.hooked[to] = true
	}
	return on
}

// notifying lists what can be done about push notifications.
func (m *Model) notifying() []control.Command {
	none := ""
	if m.agent() == nil {
		none = "no agent is open"
	}
	every, why := "Send a webhook along with each message", cmp.Or(m.refusal(), none)
	if m.writing.hooked[m.cur] {
		every = "Send no webhook along with messages any more"
	}
	out := []control.Command{
		{Key: m.keys.Push, Slash: "push", Name: "Show the task's webhooks (push notifications)", Why: none, Do: m.openPush},
		{Name: every, Why: why, Do: func() tea.Cmd { return m.hook(!m.writing.hooked[m.cur]) }},
	}
	about := m.pushAbout()
	if about.Task == nil || why != "" {
		return out
	}
	return append(out, control.Command{Name: "Have the agent tell Parley of the task (push notifications)", Do: func() tea.Cmd {
		return m.notified(push.Listen{Task: about.Task.ID})
	}})
}
