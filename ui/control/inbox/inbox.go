// Package inbox is the controller of the tasks that wait for the user: it lists them, goes to
// one, and rings the terminal's bell when one begins to wait.
package inbox

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/inbox"
	"parley/ui/styles"
)

// GoToWaiting is the action that goes to a task that waits for the user.
const GoToWaiting action.ID = "go-to-waiting-task"

// SheetName is the name of the sheet that lists what waits for the user.
const SheetName control.SheetName = "inbox"

// Options are what the controller needs besides the host.
type Options struct {
	Now    func() time.Time
	Silent bool // no bell rings
	// Quiet reports whether no bell rings at the moment.
	Quiet func() bool
	// Aim makes a task the target of the next message, unless one is being written.
	Aim func(t *model.Task)
	// OpenLink asks before it opens a link.
	OpenLink func(url string) tea.Cmd
}

// A Controller lists the tasks that wait for the user.
type Controller struct {
	host control.Host
	o    Options
	pane *inbox.Pane
	// began are the tasks that began to wait in the batch being applied.
	began  []*model.Task
	failed control.Place // the conversation of the newest failure that was reported from elsewhere
	said   string        // the notice of that failure
	listed uint64        // the newest waiting task that the pane has, as [model.State.WaitingSince] counts
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, pane: inbox.New(st), o: o}
}

// Open lists the waiting tasks, with the first that is not on the screen selected.
func (c *Controller) Open() tea.Cmd {
	waiting := c.host.State().Waiting()
	var on *model.Task
	if i := slices.IndexFunc(waiting, c.elsewhere); i >= 0 {
		on = waiting[i]
	}
	_, c.listed = c.host.State().WaitingSince(c.listed)
	c.pane.Open(waiting, on)
	c.host.Open(SheetName)
	return nil
}

// Next goes to the task that waits for the user, or lists them if there are several. The newest
// failure comes first while the notice that names it is on the screen.
func (c *Controller) Next() tea.Cmd {
	waiting := c.host.State().Waiting()
	switch {
	case c.failed != (control.Place{}) && c.failed != c.host.Place() && (!c.Elsewhere() || c.host.Notice() == c.said):
		return c.goToFailure()
	case len(waiting) == 0:
		return c.host.Say("Nothing waits for you; a task that asks for input or credentials will.", false)
	case len(waiting) > 1:
		return c.Open()
	case !c.Elsewhere():
		c.host.Focus(control.OnComposer)
		return c.host.Say("Only the task on the screen waits for you.", false)
	}
	return c.GoTo(waiting[0])
}

// GoTo shows a task and makes it the target.
func (c *Controller) GoTo(t *model.Task) tea.Cmd {
	c.host.Close()
	conv := t.Conversation
	c.host.GoTo(control.Place{Agent: conv.Agent.ID, Conversation: conv.ID})
	c.host.Focus(control.OnComposer)
	c.o.Aim(t)
	return nil
}

// Elsewhere reports whether a task waits for the user in a conversation that is not on the
// screen.
func (c *Controller) Elsewhere() bool {
	return slices.ContainsFunc(c.host.State().Waiting(), c.elsewhere)
}

func (c *Controller) elsewhere(t *model.Task) bool {
	return t.Conversation.ID != c.host.Place().Conversation
}

// Sheet describes the sheet. The key that opened it selects the next task.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	s := control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "waiting for you", Next: p.Next, Typing: p.Typing, Paste: p.Paste,
		Refresh: func() {
			fresh, last := c.host.State().WaitingSince(c.listed)
			c.listed = last
			p.Update(fresh, len(c.host.State().Waiting()), c.o.Now())
		},
	})
	s.Key = func(msg tea.KeyPressMsg) tea.Cmd {
		if key.Matches(msg, c.host.Key(GoToWaiting)) {
			p.Step(1)
			return nil
		}
		return c.onIntent(p.Key(msg))
	}
	return s
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in inbox.Intent) tea.Cmd {
	switch in := in.(type) {
	case inbox.Go:
		return c.GoTo(in.Task)
	case inbox.Open:
		return c.o.OpenLink(in.URL)
	case inbox.Copy:
		return c.host.Copy(in.Text, in.What)
	case inbox.Refused:
		return c.host.Say(in.Why, true)
	case inbox.Close:
		c.host.Close()
	}
	return nil
}

// Actions returns the actions on waiting tasks. The first one works everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	none := action.If("nothing waits for you", func() bool { return len(c.host.State().Waiting()) == 0 })
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{ID: GoToWaiting, Keys: []string{"ctrl+g"}, Does: "go to waiting task", Name: "Go to a task that waits for you", Now: func() action.State {
				return action.State{Idle: none() != "" && c.failed == (control.Place{})}
			}},
			Run: c.Next,
		},
		{Row: action.Row{Slash: "waiting", Name: "List the tasks that wait for you, of every agent", Now: action.Unless(none)}, Run: c.Open},
		{
			Row: action.Row{
				Slash: "bell", Now: action.Unless(c.host.Refusal),
				Named: action.Either("Stop ringing the bell when a task begins to wait", "Ring the bell when a task begins to wait", func() bool { return c.o.Silent }),
			},
			Run: func() tea.Cmd { return c.setBell(c.o.Silent) },
		},
	}
}
