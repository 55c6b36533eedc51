package files

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/chat"
	"parley/ui/control"
)

// Merge merges the scattered artifacts of a task.
func (c *Controller) Merge(in chat.MergeArtifacts) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	c.host.Engine().MergeArtifacts(in.Agent, in.Task)
	return c.host.Say("the artifacts are merged", false)
}

// Merges returns a finder command for each task of the conversation whose artifacts are scattered. The
// conversation has a key for it.
func (c *Controller) Merges() []control.Command {
	conv := c.host.Conversation()
	if conv == nil {
		return nil
	}
	var out []control.Command
	for _, t := range conv.Tasks {
		if t.Scattered == 0 {
			continue
		}
		in := chat.MergeArtifacts{Agent: conv.Agent.ID, Task: t.ID}
		out = append(out, control.Command{
			Name: "Merge the " + units.Count(t.Scattered) + " artifacts of task " + units.ID(t.ID), Keys: c.panes.Chat.Of(chat.MergeScattered), Why: control.Refusal(c.host),
			Run: func() tea.Cmd { return c.Merge(in) },
		})
	}
	return out
}
