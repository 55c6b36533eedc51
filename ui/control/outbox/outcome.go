package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/keys"
)

// waitReason says why a message queued before a turn ended is not sent without asking, empty if it is.
func waitReason(t *model.Turn) string {
	if t == nil || taskForgotten(t) {
		return ""
	}
	o, _ := t.Outcome()
	return o.Holds()
}

// taskForgotten reports whether the agent no longer knows the newest task of a turn, so that
// there is nothing left to wait for. It is false after a cancel, after which the user decides.
func taskForgotten(t *model.Turn) bool {
	if t == nil {
		return false
	}
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task.Forgotten && b.Task.LastRequest.Op != a2a.OpCancel
		}
	}
	return false
}

// A question is what the agent is asked about a message that it may have taken.
type question struct {
	agent a2a.AgentID
	task  string      // empty if the agent is asked for its tasks
	about *model.Turn // of the message
}

// askFirst asks the agent about the newest turn of a conversation if the agent may work on its message
// without anybody knowing, once. The message that the user wants to send stays in the composer meanwhile.
func (c *Controller) askFirst(in composer.Send) (cmd tea.Cmd, asked bool) {
	conv := c.host.State().Conversation(in.Target.Conversation)
	if conv == nil || len(conv.Turns) == 0 || control.Refusal(c.host) != "" {
		return nil, false
	}
	t := conv.Turns[len(conv.Turns)-1]
	if o, over := t.Outcome(); !over || !o.Doubtful() || t.Message == nil || c.asked[t.ID] {
		return nil, false
	}
	c.asked[t.ID] = true
	c.composer.Restore(in.Draft)
	const doubt = "The agent may have taken the message before. "
	agent := conv.Agent
	d, known := agent.Profile.Spoken()
	switch task := newestTask(t); {
	case task != nil:
		turn := c.host.Engine().Get(agent.ID, task.ID, conv.ID, nil)
		return c.ask(turn, question{agent.ID, task.ID, t}, doubt+"Parley asks for task "+units.ID(canvas.SanitizeLine(task.ID))+" first"), true
	case known && d.Supports(a2a.OpList):
		turn := c.host.Engine().List(agent.ID, a2a.ListFilter{ContextID: conv.ContextID, PageSize: 10}, nil)
		return c.ask(turn, question{agent: agent.ID, about: t}, doubt+"Parley asks for the agent's tasks first"), true
	}
	return c.host.Say(doubt+"A2A "+agent.Profile.Dialect.Number()+" cannot ask the agent about it: "+c.sendsAnyway(), false), true
}

// ask notes a question and says it until its answer comes.
func (c *Controller) ask(turn a2a.TurnID, q question, says string) tea.Cmd {
	c.questions[turn] = q
	return c.host.SayUntil(says, false, func() bool {
		_, waits := c.questions[turn]
		return !waits
	})
}

// sendsAnyway says which key sends the message in the composer.
func (c *Controller) sendsAnyway() string {
	return keys.Name(c.composer.Of(composer.SendMessage)) + " sends this one"
}

// onAnswer says what the agent answered about a message that it may have taken.
func (c *Controller) onAnswer(s *log.Signal) tea.Cmd {
	q, ok := c.questions[s.Turn]
	if !ok {
		return nil
	}
	delete(c.questions, s.Turn)
	known := c.host.State().Task(q.agent, q.task)
	if o, _ := q.about.Outcome(); known != nil && q.about.Target.TaskID == q.task && !o.Doubtful() && !o.Returns() && s.Sentence == "" {
		return c.host.Say("Task "+units.ID(canvas.SanitizeLine(q.task))+" took the answer and is "+canvas.SanitizeLine(known.StateWord())+
			": the message before need not be sent again", false)
	}
	return c.host.Say(c.found(q, s)+"; "+c.sendsAnyway(), false)
}

func (c *Controller) found(q question, s *log.Signal) string {
	if task := c.host.State().Task(q.agent, q.task); task != nil && s.Sentence == "" {
		return "Task " + units.ID(canvas.SanitizeLine(task.ID)) + " of the message before is " + canvas.SanitizeLine(task.StateWord())
	}
	agent := c.host.State().Agent(q.agent)
	if agent == nil || q.task != "" || s.Sentence != "" || agent.List == nil || agent.List.Problem != nil {
		return "It stays unknown whether the agent has the message before"
	}
	listed := agent.List.Tasks
	if len(listed) == 0 {
		return "The agent lists no task: it has not taken the message before, or does not list the task yet"
	}
	return "The agent lists " + units.Plural(len(listed), "task") + ", the first is " + canvas.SanitizeLine(listed[0].StateWord()) + " (/task shows them)"
}
