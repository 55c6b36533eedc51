package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/chat"
)

// A Merger is an engine that can make the scattered artifacts of a task one.
type Merger interface {
	MergeArtifacts(agent a2a.AgentID, taskID string)
}

// merge makes the scattered artifacts of a task one.
func (m *Model) merge(in chat.Merge) tea.Cmd {
	e, ok := m.opts.Engine.(Merger)
	if !ok {
		return m.say(recorded, true)
	}
	e.MergeArtifacts(in.Agent, in.Task)
	return m.say("the artifacts are one now", false)
}

// merging lists the tasks of the conversation on the screen whose artifacts look as
// if they were one: the finder's twin of the key in the conversation.
func (m *Model) merging() []command {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	why := ""
	if _, ok := m.opts.Engine.(Merger); !ok {
		why = "this is a recording"
	}
	var out []command
	for _, t := range conv.Tasks {
		if t.Scattered == 0 {
			continue
		}
		in := chat.Merge{Agent: conv.Agent.ID, Task: t.ID}
		out = append(out, command{
			name: "Merge the " + units.Count(t.Scattered) + " artifacts of task " + units.ID(t.ID), note: "m", why: why,
			do: func() tea.Cmd { return m.merge(in) },
		})
	}
	return out
}
