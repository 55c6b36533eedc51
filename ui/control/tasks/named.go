package tasks

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/tasks"
)

// ref returns the task with an id, its beginning or its short form, first of the agent on the
// screen; the newest of the conversation if id is empty. An id that this session does not know
// is taken as that of a task of the agent on the screen.
func (c *Controller) ref(id string) (ref tasks.Ref, why string) {
	if id = strings.TrimSpace(id); id == "" {
		if t := c.newest(); t != nil {
			return refTo(t), ""
		}
		return ref, "There is no task in this conversation: give the id of one."
	}
	if t := c.byID(id); t != nil {
		return refTo(t), ""
	}
	a := c.host.Agent()
	if a == nil {
		return ref, "No agent is open to get task " + id + "."
	}
	ref = tasks.Ref{Agent: a.ID, ID: id}
	if a.List != nil {
		for _, t := range a.List.Tasks {
			if t.ID == id || units.ID(t.ID) == id {
				ref.ID, ref.ContextID = t.ID, t.ContextID
			}
		}
	}
	return ref, ""
}

func refTo(t *model.Task) tasks.Ref {
	return tasks.Ref{Agent: t.Conversation.Agent.ID, ID: t.ID, ContextID: t.ContextID}
}

// newest returns the newest task of the conversation on the screen, nil if there is none.
func (c *Controller) newest() *model.Task {
	conv := c.host.Conversation()
	if conv == nil || len(conv.Tasks) == 0 {
		return nil
	}
	return conv.Tasks[len(conv.Tasks)-1]
}

// byID returns the task with an id, its beginning or its short form, nil if this session knows
// none. A full id wins, then a task of the agent on the screen.
func (c *Controller) byID(id string) *model.Task {
	agent := c.host.Place().Agent
	if t := c.host.State().Task(agent, id); t != nil {
		return t
	}
	var found *model.Task
	for _, t := range c.All() {
		switch {
		case t.ID == id:
			return t
		case units.ID(t.ID) != id && !strings.HasPrefix(t.ID, id):
		case found == nil || found.Conversation.Agent.ID != agent:
			found = t
		}
	}
	return found
}

// All returns the tasks of all agents in this session.
func (c *Controller) All() []*model.Task {
	var out []*model.Task
	for _, a := range c.host.State().Agents {
		for _, conv := range a.Conversations {
			out = append(out, conv.Tasks...)
		}
	}
	return out
}

// Entries returns a finder command for each task: by its id and by its title.
func (c *Controller) Entries() []control.Command {
	sep := " " + c.o.Separator() + " "
	var out []control.Command
	for _, t := range c.All() {
		out = append(out, control.Command{
			Group: "task", Name: strings.TrimSpace(units.ID(t.ID) + " " + t.Title()), Note: t.StateWord() + sep + t.Conversation.Agent.Name(),
			Also: []string{t.ID}, Hidden: true, Run: func() tea.Cmd { return c.goToTask(t) },
		})
	}
	return out
}

// goToTask shows the conversation of a task.
func (c *Controller) goToTask(t *model.Task) tea.Cmd {
	conv := t.Conversation
	c.host.GoTo(control.Place{Agent: conv.Agent.ID, Conversation: conv.ID})
	c.host.Focus(control.OnComposer)
	return nil
}

// offers completes the id of a task.
func (c *Controller) offers(arg string) []action.Offer {
	sep := " " + c.o.Separator() + " "
	var all []action.Offer
	for _, t := range c.All() {
		all = append(all, action.Offer{
			Text: units.ID(t.ID), Note: strings.Join([]string{t.StateWord(), t.Conversation.Agent.Name(), t.Conversation.Name()}, sep),
		})
	}
	return control.Matching(arg, all)
}
