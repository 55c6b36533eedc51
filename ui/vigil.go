package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
)

// lookAfter has the engine look whether a task goes on, or look no more.
func (m *Model) lookAfter(in chat.Look) tea.Cmd {
	switch t := m.state.Task(in.Agent, in.Task); {
	case m.readOnly():
		return m.say(m.refusal(), true)
	case t == nil:
		return nil
	case !in.On:
		m.opts.Engine.StopAuthPoll(in.Agent, in.Task)
		return m.say("looks no more whether task "+shortID(in.Task)+" goes on; p looks again", false)
	case unlookable(t) != "":
		return m.say(unlookable(t), true)
	}
	m.opts.Engine.StartAuthPoll(in.Agent, in.Task)
	return m.say("looks now and then whether task "+shortID(in.Task)+" goes on", false)
}

// unlookable says why nobody can look whether a task goes on, empty if somebody can.
func unlookable(t *model.Task) string {
	d, known := t.Conversation.Agent.Profile.Spoken()
	switch {
	case t.Forgotten:
		return "The agent no longer knows task " + shortID(t.ID) + "."
	case known && !d.Supports(a2a.OpGet):
		return "This agent cannot be asked for a task: only what it sends tells how it goes on."
	}
	return ""
}

// wentOn says what became of a task that waited for credentials.
func (m *Model) wentOn(s *log.Signal) tea.Cmd {
	if s.Sentence != "" {
		return m.say(s.Sentence, true)
	}
	t := m.state.Task(s.Agent, s.TaskID)
	if s.Class != log.AuthPollContinued || t == nil {
		return nil
	}
	return m.say(m.agentName(s.Agent)+" goes on with task "+shortID(t.ID)+": "+canvas.SanitizeLine(t.StateWord()), false)
}

// looking lists what can be done about tasks that wait elsewhere.
func (m *Model) looking() []control.Command {
	here, elsewhere := m.waitingLinks()
	link := control.Command{Key: m.keys.Link, Slash: "link", Name: "Open the link that a task waits with", Do: m.openLink}
	if len(here)+len(elsewhere) == 0 {
		link.Why = "nothing that waits names one"
	}
	look := control.Command{Slash: "look", Name: "Look whether a task that wants credentials goes on"}
	t := m.wanting()
	switch {
	case m.readOnly():
		look.Why = m.refusal()
	case t == nil:
		look.Why = "no task here waits for credentials"
	default:
		in := chat.Look{Agent: m.cur.Agent, Task: t.ID, On: t.AuthPoll == nil}
		if look.Why = unlookable(t); !in.On {
			look.Name = "Look no more whether task " + shortID(t.ID) + " goes on"
		}
		look.Do = func() tea.Cmd { return m.lookAfter(in) }
	}
	if look.Do == nil {
		look.Do = func() tea.Cmd { return nil }
	}
	return []control.Command{link, look, m.timing()}
}

// timing shows how long the newest task of the conversation was in which state.
func (m *Model) timing() control.Command {
	c := control.Command{Slash: "timeline", Name: "Show how long the task was in which state", Do: func() tea.Cmd { return nil }}
	conv := m.conversation()
	if conv == nil || len(conv.Tasks) == 0 {
		c.Why = "there is no task here"
		return c
	}
	t := conv.Tasks[len(conv.Tasks)-1]
	c.Do = func() tea.Cmd {
		m.panes.chat.Show(conv.Agent, conv)
		if m.panes.chat.Timeline(t) {
			m.setFocus(control.OnChat)
		}
		return nil
	}
	return c
}

// wanting is the newest task of the conversation on the screen that waits for credentials,
// nil if there is none.
func (m *Model) wanting() *model.Task {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	for _, t := range slices.Backward(conv.Tasks) {
		if t.State == a2a.StateAuthRequired && !t.Forgotten {
			return t
		}
	}
	return nil
}
