// Package tasks is the controller of the tasks of agents: it lists them, asks agents about
// them, cancels them, and polls those that wait for credentials.
package tasks

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/styles"
	"parley/ui/tasks"
)

// SheetName is the name of the sheet that lists the tasks.
const SheetName control.SheetName = "tasks"

// Options are what the controller needs besides the host.
type Options struct {
	Now func() time.Time
	// Separator returns the glyph between the words about a task in a list.
	Separator func() string
	// GoTo shows a task and makes it the target of the next message.
	GoTo func(t *model.Task) tea.Cmd
	// Timeline shows in the conversation how long a task was in each state, and reports whether
	// it can.
	Timeline func(t *model.Task) bool
	// Underway reports whether a conversation has a pending turn, and whether it has a task
	// that can be canceled.
	Underway func(conv *model.Conversation) (turn, task bool)
	// EndsWithParley reports whether an agent runs inside this process.
	EndsWithParley func(agent a2a.AgentID) bool
}

// A Controller lists tasks and asks agents about them.
type Controller struct {
	host control.Host
	o    Options
	pane *tasks.Pane
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, pane: tasks.New(st), o: o}
}

// Open lists the tasks of the agent on the screen. After a message that the agent may have taken, it asks the
// agent for them: a list of before does not say.
func (c *Controller) Open() tea.Cmd {
	if len(c.host.State().Agents) == 0 {
		return c.host.Say(control.NoAgent(c.host), true)
	}
	if conv := c.host.Conversation(); conv != nil && listIsOlder(conv) && control.Refusal(c.host) == "" {
		c.host.Engine().List(conv.Agent.ID, a2a.ListFilter{ContextID: conv.ContextID}, nil)
	}
	c.pane.Open(c.about())
	c.host.Open(SheetName)
	return nil
}

// listIsOlder reports whether the agent may have taken the newest message of a conversation, has a list of its
// tasks, and was not asked for it since.
func listIsOlder(conv *model.Conversation) bool {
	d, known := conv.Agent.Profile.Spoken()
	if len(conv.Turns) == 0 || !known || !d.Supports(a2a.OpList) {
		return false
	}
	t := conv.Turns[len(conv.Turns)-1]
	o, over := t.Outcome()
	if !over || !o.Doubtful() || t.Message == nil || len(o.Attempts) == 0 {
		return false
	}
	l := conv.Agent.List
	return l == nil || !l.Pending && (l.Problem != nil || !l.Time.After(o.Attempts[len(o.Attempts)-1].Ended))
}

// Sheet describes the sheet. A paste while nothing is typed is the id of a task.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.OnIntent, control.Sheet{
		Name: SheetName, Help: "tasks", Leave: control.KeyOf(c.host, action.ListTasks), Next: p.Next,
		Typing: p.Typing, Paste: p.Paste, PasteAlways: true, Refresh: func() { p.Update(c.about()) },
	})
}

// about returns what the list of tasks shows.
func (c *Controller) about() tasks.About {
	s := c.host.State()
	return tasks.About{Agent: c.host.Agent(), Agents: s.Agents, Now: c.o.Now(), Streamed: s.Streamed, Why: c.host.Refusal()}
}

// OnIntent carries out the intents of the list of tasks.
func (c *Controller) OnIntent(in tasks.Intent) tea.Cmd {
	switch in := in.(type) {
	case tasks.Close:
		c.host.Close()
	case tasks.Refused:
		return c.host.Say(in.Why, true)
	case tasks.Say:
		return c.host.Say(in.Text, false)
	case tasks.Copy:
		return c.host.Copy(in.Text, in.What)
	case tasks.AuthPoll:
		return c.CheckAuth(in.Ref.Agent, in.Ref.ID, in.On)
	case tasks.Stop:
		return c.StopPoll(in.Turn)
	case tasks.Open:
		if t := c.host.State().Task(in.Ref.Agent, in.Ref.ID); t != nil {
			return c.o.GoTo(t)
		}
		return c.get(in.Ref, nil)
	default:
		return c.request(in)
	}
	return nil
}
