package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/chat"
	"parley/ui/control"
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
func (m *Model) merging() []control.Command {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	var out []control.Command
	for _, t := range conv.Tasks {
		if t.Scattered == 0 {
			continue
		}
		in := chat.Merge{Agent: conv.Agent.ID, Task: t.ID}
		out = append(out, control.Command{
			Name: "Merge the " + units.Count(t.Scattered) + " artifacts of task " + units.ID(t.ID), Note: "m", Why: m.refusal(),
			Do: func() tea.Cmd { return m.merge(in) },
		})
	}
	return out
}
