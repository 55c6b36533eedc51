package tasks

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
)

// AtEnd returns a clause that says what becomes of running tasks when the program ends, empty
// if nothing runs.
func (c *Controller) AtEnd() string {
	goOn, end := c.atWork()
	switch {
	case c.host.Refusal() != "":
		return ""
	case len(goOn) > 0 && len(end) > 0:
		return list(goOn, "continues", "continue") + "; " + list(end, "ends with Parley", "end with Parley")
	case len(goOn) > 0:
		return list(goOn, "continues", "continue")
	case len(end) > 0:
		return list(end, "ends with Parley", "end with Parley")
	case c.pending(func(a *model.Agent) bool { return !c.o.EndsWithParley(a.ID) }) > 0:
		return "the agents continue their work"
	}
	return ""
}

// A Left is a task that the end of the program leaves at its agent.
type Left struct {
	Says string // in a clause, sanitised: which task it is, and what it does
	ID   string
	// Ref is the reference of the agent, empty if a command line cannot have it: it contains a secret, or it
	// was standard input.
	Ref string
}

// Left returns the tasks that go on at their agents, or wait there for the user, when the program ends.
func (c *Controller) Left() (all []Left) {
	if c.host.Refusal() != "" {
		return nil
	}
	for _, t := range c.All() {
		a, does := t.Conversation.Agent, ""
		switch {
		case t.ID == "" || a.Tap != "" || c.o.EndsWithParley(a.ID): // as in atWork
		case t.Works():
			does = "is still " + canvas.SanitizeLine(t.StateWord())
		case t.Waits() && t.State == a2a.StateAuthRequired && !a.Closed:
			does = "waits for credentials"
		case t.Waits() && !a.Closed:
			does = "waits for your answer"
		case t.Asks() && t.Answered:
			does = "has been sent your answer"
		}
		if does == "" {
			continue
		}
		l := Left{Says: "Task " + looks.ShortID(t.ID) + " of " + canvas.SanitizeLine(a.Name()) + " " + does, ID: t.ID}
		if shown := looks.Reference(a.Ref); shown == a.Ref && shown != "-" {
			l.Ref = shown
		}
		all = append(all, l)
	}
	return all
}

// Busy reports whether a turn or a discovery is pending. In a recording nothing is, even if it
// stops in the middle of a turn.
func (c *Controller) Busy() bool {
	if c.host.Refusal() != "" {
		return false
	}
	for _, a := range c.host.State().Agents {
		if a.Phase == model.Discovering {
			return true
		}
	}
	return c.Pending() > 0
}

// Pending returns the number of pending turns.
func (c *Controller) Pending() int {
	return c.pending(func(*model.Agent) bool { return true })
}

// pending returns the number of pending turns of some agents.
func (c *Controller) pending(which func(*model.Agent) bool) int {
	n := 0
	for _, a := range c.host.State().Agents {
		if !which(a) || a.Tap != "" { // the work of other clients is not the user's
			continue
		}
		for _, conv := range a.Conversations {
			for _, t := range conv.Turns {
				if t.Pending {
					n++
				}
			}
		}
	}
	return n
}

// atWork returns the working tasks of all agents: those that continue when the program ends,
// and those that end with it because their agents run inside it.
func (c *Controller) atWork() (goOn, end []*model.Task) {
	for _, t := range c.All() {
		switch {
		case t.ID == "" || !t.Works(): // nobody can get a task without an id
		case t.Conversation.Agent.Tap != "": // other clients follow it
		case c.o.EndsWithParley(t.Conversation.Agent.ID):
			end = append(end, t)
		default:
			goOn = append(goOn, t)
		}
	}
	return goOn, end
}

// list names a few tasks and says what they do, with the verb for one and for many.
func list(tasks []*model.Task, does, do string) string {
	const most = 3
	var names []string
	for _, t := range tasks[:min(len(tasks), most)] {
		names = append(names, looks.ShortID(t.ID)+" of "+canvas.SanitizeLine(t.Conversation.Agent.Name()))
	}
	if more := len(tasks) - most; more > 0 {
		names = append(names, units.Count(more)+" more")
	}
	if len(tasks) > 1 {
		return "tasks " + strings.Join(names, ", ") + " " + do
	}
	return "task " + names[0] + " " + does
}
