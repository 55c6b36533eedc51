// Package webhooks is the controller of push notifications: it lists, registers and deletes
// the webhooks of a task. It knows with which conversations' messages Parley registers a
// webhook.
package webhooks

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/push"
	"parley/ui/styles"
)

// SheetName is the name of the sheet that lists the webhooks of a task.
const SheetName control.SheetName = "webhooks"

// showWebhooks is the action that opens the sheet, and closes it again.
const showWebhooks action.ID = "show-webhooks"

// A Controller registers, lists and deletes the webhooks of the newest task on the screen.
type Controller struct {
	host control.Host
	pane *push.Pane
	// deliveries filters the wire by the deliveries about a task.
	deliveries func(taskID string) tea.Cmd
	// attached are the conversations whose messages register a webhook.
	attached map[control.Place]bool
}

// New returns a controller. deliveries lists on the wire what was
// delivered about a task.
func New(host control.Host, st *styles.Styles, deliveries func(taskID string) tea.Cmd) *Controller {
	return &Controller{host: host, pane: push.New(st), deliveries: deliveries, attached: map[control.Place]bool{}}
}

// Open shows the webhooks of the newest task of the conversation.
func (c *Controller) Open() tea.Cmd {
	if c.host.Agent() == nil {
		return c.host.Say(control.NoAgent(c.host), true)
	}
	c.host.Open(SheetName)
	return nil
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "webhooks", Leave: control.KeyOf(c.host, showWebhooks), Typing: p.Typing, Paste: p.Paste,
		Refresh: func() { p.SetAbout(c.about()) },
	})
}

// about returns what the sheet shows.
func (c *Controller) about() push.About {
	about := push.About{Agent: c.host.Agent(), Every: c.attached[c.host.Place()], Base: c.host.Engine().Webhooks(), Why: control.Refusal(c.host)}
	if conv := c.host.Conversation(); conv != nil && len(conv.Tasks) > 0 {
		about.Task = conv.Tasks[len(conv.Tasks)-1]
	}
	return about
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in push.Intent) tea.Cmd {
	e, agent := c.host.Engine(), c.host.Place().Agent
	switch in := in.(type) {
	case push.Close:
		c.host.Close()
	case push.Refused:
		return c.host.Say(in.Why, true)
	case push.Copy:
		return c.host.Copy(in.Text, "the URL of the webhook")
	case push.Show:
		c.host.Close()
		return c.deliveries(in.Task)
	case push.Every:
		return c.attach(in.On)
	case push.Listen:
		return c.listen(in.Task)
	case push.Set:
		e.PushSet(agent, in.Task, in.Config)
	case push.List:
		e.PushList(agent, in.Task, a2a.ListFilter{})
	case push.Get:
		e.PushGet(agent, in.Task, in.ID)
	case push.Delete:
		e.PushDelete(agent, in.Task, in.ID)
	}
	return nil
}

// listen registers a webhook of Parley for a task.
func (c *Controller) listen(taskID string) tea.Cmd {
	if _, err := c.host.Engine().PushListen(c.host.Place().Agent, taskID); err != nil {
		return c.host.Say("Webhooks cannot be received: "+err.Error()+".", true)
	}
	return nil
}

// attach registers a webhook with each message of the conversation, or no longer.
func (c *Controller) attach(on bool) tea.Cmd {
	at := c.host.Place()
	if !on {
		delete(c.attached, at)
		return c.host.Say("messages no longer register a webhook; the agent's webhooks stay until they are deleted", false)
	}
	c.attached[at] = true
	return c.host.Say("each message of this conversation registers a webhook of Parley", false)
}

// Attached reports whether a message written in one place and sent to another registers a
// webhook. The setting of a new conversation is moved to the one that the message begins.
func (c *Controller) Attached(from, to control.Place) bool {
	on := c.attached[from]
	if on && from != to && from.Conversation == 0 {
		delete(c.attached, from)
		c.attached[to] = true
	}
	return on
}

// Actions returns the actions about push notifications. The first one works everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	refused, none := control.Refused(c.host), control.NoneOpen(c.host)
	on := func() bool { return c.attached[c.host.Place()] }
	task := func() *model.Task {
		if cmp.Or(refused(), none()) != "" {
			return nil
		}
		return c.about().Task
	}
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				ID: showWebhooks, Keys: []string{"f4"}, Does: "show webhooks", Now: action.Unless(none),
				Slash: "push", Name: "Show the task's webhooks", Also: []string{"push", "notifications", "webhook"},
			},
			Run: c.Open,
		},
		{
			Row: action.Row{Named: action.Either("Register a webhook with each message", "Stop registering a webhook with messages", on), Now: action.Unless(refused, none)},
			Run: func() tea.Cmd { return c.attach(!on()) },
		},
		{
			Row: action.Row{Named: action.If("Register Parley's webhook for the task", func() bool { return task() != nil })},
			Run: func() tea.Cmd {
				if t := task(); t != nil {
					return c.listen(t.ID)
				}
				return nil
			},
		},
	}
}
