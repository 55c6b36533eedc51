// Package agents is the controller of the agents that are open, saved or recent: it opens,
// closes and brings back agents, keeps a file of those that were saved or opened last, and
// carries out what the pane of agents asks for.
package agents

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/ui/agents"
	"parley/ui/chat"
	"parley/ui/control"
)

// Saved says which agents are remembered between runs. The zero value remembers none.
type Saved struct {
	// File holds those that are saved on the screen and those that were opened last.
	File *roster.File
	// Problem is why File is not used as it is, nil if it is; the warnings at the start say so.
	Problem error
	// Written are those that the user wrote into config.toml, which nobody else changes.
	Written []config.Agent
	// NoRecents has agents that are only opened not remembered.
	NoRecents bool
	// Temporary says that the agents which are opened at the start end with the program.
	Temporary bool
	// Public are names of query parameters whose values the user declared to be no secrets.
	Public []string
}

// Options are what the controller needs from its surroundings.
type Options struct {
	Saved Saved
	Demo  func() ([]string, error) // starts the demo's agents and returns their addresses; nil if there are none
	Now   func() time.Time
	Home  string // the user's home directory, empty if it is not known
}

// Actions are what the controller leads to and other topics carry out.
type Actions struct {
	ShowCard func(a2a.AgentID) tea.Cmd
	Begin    func(a2a.AgentID) tea.Cmd // begins a conversation
	Find     func()                    // opens the finder
	Offer    func([]chat.Start)        // shows what can be opened where no agent is open
	Reoffer  func()                    // completes anew what is being written
}

// A Controller opens, saves and closes agents.
type Controller struct {
	host    control.Host
	options Options
	actions Actions
	pane    *agents.Pane

	content roster.Content
	list    []agents.Entry // those that can be opened
	stale   bool           // the list is to be made anew
	names   []string       // that the open agents were given when the list was made
	closed  []closed       // the newest last

	// remember are open agents that become recent when their card is there, and save those
	// that are saved then under its name; temporary ones end with the program.
	remember, save, temporary map[a2a.AgentID]bool
}

// New returns a controller of the agents that a pane shows.
func New(host control.Host, pane *agents.Pane, o Options, actions Actions) *Controller {
	return &Controller{
		host: host, options: o, actions: actions, pane: pane, stale: true,
		remember: map[a2a.AgentID]bool{}, save: map[a2a.AgentID]bool{}, temporary: map[a2a.AgentID]bool{},
	}
}

// OnIntent carries out what the pane of agents asks for.
func (c *Controller) OnIntent(in agents.Intent) tea.Cmd {
	switch in := in.(type) {
	case agents.Select:
		c.choose(in)
	case agents.OpenCard:
		return c.actions.ShowCard(in.Agent)
	case agents.Retry:
		return c.Reopen(in.Agent)
	case agents.Begin:
		return c.actions.Begin(in.Agent)
	case agents.Add:
		c.actions.Find()
	case agents.Open:
		return c.openEntry(in.Entry)
	case agents.Save:
		return c.askSave(in)
	case agents.Rename:
		return c.askRename(in.Name)
	case agents.Forget:
		return c.forget(in.Entry)
	case agents.Close:
		return c.close(in.Agent)
	case agents.Undo:
		return c.restore()
	}
	return nil
}

// choose shows the conversation that was selected, the agent's newest if none is named.
func (c *Controller) choose(in agents.Select) {
	p := control.Place{Agent: in.Agent, Conversation: in.Conversation}
	if a := c.host.State().Agent(in.Agent); p.Conversation == 0 && a != nil {
		p = control.Newest(a)
	}
	c.host.GoTo(p)
	if in.Enter {
		c.host.Focus(control.OnChat) // where there is no composer
		c.host.Focus(control.OnComposer)
	}
}

// Update takes the messages of this package, and reports whether msg is one.
func (c *Controller) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case fileMsg:
		return c.onFile(msg), true
	case demoMsg:
		return c.onDemo(msg), true
	}
	return nil, false
}
