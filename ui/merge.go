package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/chat"
)

// merge makes the scattered artifacts of a task one.
func (m *Model) merge(in chat.Merge) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	m.opts.Engine.MergeArtifacts(in.Agent, in.Task)
	return m.say("the artifacts are one now", false)
}

// merging lists the tasks of the conversation on the screen whose artifacts look as
// if they were one: the finder's twin of the key in the conversation.
func (m *Model) merging() []command {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	var out []command
	for _, t := range conv.Tasks {
		if t.Scattered == 0 {
			continue
		}
		in := chat.Merge{Agent: conv.Agent.ID, Task: t.ID}
		out = append(out, command{
			name: "Merge the " + units.Count(t.Scattered) + " artifacts of task " + units.ID(t.ID), note: "m", why: m.refusal(),
			do: func() tea.Cmd { return m.merge(in) },
		})
	}
	return out
}
