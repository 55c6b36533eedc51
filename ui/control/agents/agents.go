// Package agents is the controller of the agents that are open, saved or recent. It opens,
// closes and restores agents, reads and writes the file of saved and recent ones, and carries
// out the intents of the pane of agents.
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
	// File has the agents that were saved on the screen and those that were opened last.
	File *roster.File
	// Problem is why File cannot be used as it is, nil if it can. The warnings at the start
	// report it.
	Problem error
	// Written are the agents in config.toml. Only the user changes that file.
	Written []config.Agent
	// NoRecents keeps agents that are only opened out of File.
	NoRecents bool
	// Temporary says that the agents opened at the start end with the program.
	Temporary bool
	// Public names the query parameters whose values the user declared public.
	Public []string
}

// Options are what the controller needs from its surroundings.
type Options struct {
	Saved Saved
	Demo  func() ([]string, error) // starts the demo agents and returns their addresses; nil if there are none
	Tour  func() tea.Cmd           // plays the tour; nil if there is none
	Now   func() time.Time
	Home  string // the user's home directory, empty if unknown
}

// Actions are functions of other topics that the controller calls.
type Actions struct {
	ShowCard func(a2a.AgentID) tea.Cmd
	Begin    func(a2a.AgentID) tea.Cmd // begins a conversation
	Find     func() tea.Cmd            // opens the finder
	Beside   func(control.Place) tea.Cmd
	Offer    func([]chat.Offer) // shows the agents that can be opened while none is open
	Reoffer  func()             // completes the text in the composer again
}

// A Controller opens, saves and closes agents.
type Controller struct {
	host    control.Host
	options Options
	actions Actions
	pane    *agents.Pane

	content roster.Content
	list    []agents.Entry // those that can be opened
	stale   bool           // the list has to be rebuilt
	names   []string       // the names given to the open agents when the list was built
	closed  []closed       // the newest last

	// remember has the open agents that become recent once their card is there, save those that
	// are then saved under its name, and temporary those that end with the program.
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
	case agents.Beside:
		return c.actions.Beside(c.place(in.Agent, in.Conversation))
	case agents.Add:
		return c.actions.Find()
	case agents.Open:
		return c.openEntry(in.Entry)
	case agents.Save:
		return c.askSave(in)
	case agents.Rename:
		return c.askRename(in.Name)
	case agents.RenameConversation:
		return c.askConversationName(in.Conversation)
	case agents.Forget:
		return c.forget(in.Entry)
	case agents.Close:
		return c.close(in.Agent)
	case agents.Undo:
		return c.restore()
	}
	return nil
}

// place returns a conversation, or the one shown last of the agent if it is 0.
func (c *Controller) place(agent a2a.AgentID, conversation a2a.ConversationID) control.Place {
	if a := c.host.State().Agent(agent); conversation == 0 && a != nil {
		return c.host.LastPlace(a)
	}
	return control.Place{Agent: agent, Conversation: conversation}
}

// choose shows the selected conversation, or the one shown last if none is selected.
func (c *Controller) choose(in agents.Select) {
	c.host.GoTo(c.place(in.Agent, in.Conversation))
	if in.Enter {
		c.host.Focus(control.OnChat) // where there is no composer, as in a recording
		c.host.Focus(control.OnComposer)
	}
}
