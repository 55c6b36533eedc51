package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/chat"
)

// A Merger is an engine that can make the scattered artifacts of a task one.
type Merger interface {
	Merge(agent a2a.AgentID, taskID string)
}

// merge makes the scattered artifacts of a task one.
func (m *Model) merge(in chat.Merge) tea.Cmd {
	e, ok := m.opts.Engine.(Merger)
	if !ok {
		return m.say(recorded, true)
	}
	e.Merge(in.Agent, in.Task)
	return m.say("the artifacts are one now", false)
}
