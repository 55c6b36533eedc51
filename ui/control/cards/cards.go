// Package cards is the controller of agent cards: it shows the card of an agent, and gets the
// extended card, which agents show to callers that they know.
package cards

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/card"
	"parley/ui/control"
	"parley/ui/styles"
)

// SheetName is the name of the sheet that shows a card.
const SheetName control.SheetName = "card"

// Actions are functions of other topics that the sheet offers.
type Actions struct {
	SendExample func(a2a.AgentID, a2a.Example) tea.Cmd
	Reopen      func(a2a.AgentID) tea.Cmd
	Extensions  func() tea.Cmd
}

// A Controller shows the card of the agent on the screen.
type Controller struct {
	host    control.Host
	open    key.Binding // opens the sheet
	actions Actions
	pane    *card.Pane
}

// New returns a controller whose sheet is opened by a key.
func New(host control.Host, st *styles.Styles, open key.Binding, actions Actions) *Controller {
	return &Controller{host: host, open: open, actions: actions, pane: card.New(st)}
}

// Open shows an agent and its card.
func (c *Controller) Open(id a2a.AgentID) tea.Cmd {
	a := c.host.State().Agent(id)
	if a == nil {
		return c.host.Say(control.NoAgent, true)
	}
	if id != c.host.Place().Agent {
		c.host.GoTo(c.host.LastPlace(a))
	}
	c.pane.SetAgent(a)
	c.host.Open(SheetName)
	return nil
}

// SetAgent gives the pane the agent on the screen, also while the sheet is closed: the help
// lists its keys, and another agent's card begins at its top.
func (c *Controller) SetAgent(a *model.Agent) { c.pane.SetAgent(a) }

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "card", Leave: []key.Binding{c.open}})
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in card.Intent) tea.Cmd {
	switch in := in.(type) {
	case card.SendExample:
		return c.actions.SendExample(in.Agent, in.Example)
	case card.Copy:
		return c.host.Copy(in.Text, "the card")
	case card.Retry:
		return c.actions.Reopen(in.Agent)
	case card.Extended:
		return c.AskExtended(in.Agent)
	case card.Public:
		return c.showPublic(in.Agent)
	case card.Extensions:
		return c.actions.Extensions()
	case card.Close:
		c.host.Close()
	}
	return nil
}

// Commands returns the command that switches between the cards of the agent on the screen.
func (c *Controller) Commands() []control.Command {
	a, why := c.host.Agent(), c.host.Refusal()
	if a == nil {
		why = "no agent is open"
	}
	extended := control.Command{Slash: "extended", Name: "Get the agent's extended card", Why: why}
	switch {
	case a == nil:
	case a.Extended.Stands:
		extended.Name, extended.Do = "Show the agent's public card again", func() tea.Cmd { return c.showPublic(a.ID) }
	default:
		extended.Do = func() tea.Cmd { return c.AskExtended(a.ID) }
	}
	return []control.Command{extended}
}
