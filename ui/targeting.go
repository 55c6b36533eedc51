package ui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/menu"
)

// maxTargets is how many places for a message are listed, a digit for each.
const maxTargets = 9

// chooseTarget lists where the message may go, and why not elsewhere.
func (m *Model) chooseTarget() tea.Cmd {
	var items []menu.Item
	for i, c := range slices.Concat(m.choices, m.forbidden(), m.elsewhere()) {
		if i == maxTargets {
			break
		}
		note := canvas.SanitizeLine(c.Note)
		if i == m.panes.composer.Selected() {
			note = "stands now"
		}
		items = append(items, menu.Item{Key: strconv.Itoa(i + 1), Name: canvas.SanitizeLine(c.Label), Note: note, Why: c.Why, Value: c})
	}
	m.openMenu("where it goes", m.agentName(m.cur.Agent), items)
	return nil
}

// forbidden are what the dialect does not allow in the conversation.
func (m *Model) forbidden() []composer.TargetChoice {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	base := session.Target{Agent: conv.Agent.ID, Conversation: conv.ID}
	return slices.DeleteFunc(ended(base, conv), func(c composer.TargetChoice) bool { return c.Why == "" })
}

// elsewhere are the tasks of the agent that wait or work in other conversations: a message
// goes to a task in its own context only.
func (m *Model) elsewhere() []composer.TargetChoice {
	a := m.agent()
	if a == nil {
		return nil
	}
	var out []composer.TargetChoice
	for _, conv := range slices.Backward(a.Conversations) {
		for _, t := range slices.Backward(conv.Tasks) {
			if conv.ID == m.cur.Conversation || t.Over() || len(out) == maxTargets {
				continue
			}
			out = append(out, composer.TargetChoice{
				Label: "reply to task " + shortID(t.ID),
				Why:   "It belongs to another context: /task " + shortID(t.ID) + " goes there.",
			})
		}
	}
	return out
}

// target aims at a choice, if that still stands.
func (m *Model) target(to composer.TargetChoice) tea.Cmd {
	i := slices.IndexFunc(m.choices, func(c composer.TargetChoice) bool { return sameTarget(c, to) })
	if i < 0 || m.choices[i].Why != "" {
		return m.say("\""+to.Label+"\" is over meanwhile; the line above the text says where enter sends it", true)
	}
	m.panes.composer.SetTargets(m.choices, i)
	m.aimed = true
	m.focusComposer()
	m.touch()
	return nil
}

// fork begins a conversation that refers to a task.
func (m *Model) fork(agent *session.Agent, task *session.Task) tea.Cmd {
	at := control.Place{Agent: agent.ID}
	m.newConversation(agent.ID)
	d, known := agent.Profile.Spoken()
	switch {
	case task == nil:
		return m.say("A new conversation: the turn made no task that it could refer to, and A2A has no other way to take its words along", false)
	case !known:
		return m.say("A new conversation, which refers to nothing: it is not known how this agent is spoken to", true)
	case !d.References():
		return m.say(unreferable(d), true)
	}
	m.attention.origin[at] = task
	m.choices, m.aimed = nil, false
	return m.say("the first message will refer to task "+shortID(task.ID)+"; A2A takes along no more than that, the agent decides what it makes of it", false)
}
