// Package history is the controller of the messages that the user wrote before: to each agent
// in this run, and to the same agent in earlier runs.
package history

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	store "parley/internal/history"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
)

// Options are what the controller needs besides the host.
type Options struct {
	// File saves messages for later runs; nil saves none.
	File *store.File
	// Problem is why File cannot be used, nil if it can. The user was told.
	Problem error
	Now     func() time.Time
	// Closed returns the agents that were closed in this run, the newest last.
	Closed func() []a2a.AgentID
}

// A Controller owns the histories of all agents.
type Controller struct {
	host     control.Host
	composer *composer.Composer
	options  Options

	written map[a2a.AgentID]*composer.History
	// earlier has the messages of earlier runs by agent; nil before they were read.
	earlier   map[string][]string
	recalled  map[a2a.AgentID]bool // the agents whose history has them
	inherited map[a2a.AgentID]bool // the agents whose history has what was written before they were closed
	unkept    bool                 // the failed save was reported
}

// New returns the controller of what was written.
func New(host control.Host, c *composer.Composer, o Options) *Controller {
	return &Controller{
		host: host, composer: c, options: o, written: map[a2a.AgentID]*composer.History{},
		recalled: map[a2a.AgentID]bool{}, inherited: map[a2a.AgentID]bool{},
	}
}

// Of returns the history of an agent.
func (c *Controller) Of(agent a2a.AgentID) *composer.History {
	h := c.written[agent]
	if h == nil {
		h = composer.NewHistory()
		c.written[agent] = h
	}
	return h
}

// Remember adds a sent message to the history of its agent.
func (c *Controller) Remember(agent a2a.AgentID, d composer.Draft) {
	c.Of(agent).Add(composer.Escape(d))
}

// Recall puts the messages of earlier runs before those of this one, once the agent's card is
// known.
func (c *Controller) Recall(a *model.Agent) {
	if a == nil || a.Card == nil || c.recalled[a.ID] {
		return
	}
	c.inherit(a)
	if c.earlier == nil || c.recalled[a.ID] {
		return
	}
	c.recalled[a.ID] = true
	if earlier := c.earlier[storedName(a)]; len(earlier) > 0 {
		c.Of(a.ID).PrependTexts(earlier)
	}
}

// inherit gives an agent that was closed and opened again its earlier history.
func (c *Controller) inherit(a *model.Agent) {
	for _, id := range slices.Backward(c.options.Closed()) {
		old := c.host.State().Agent(id)
		if old == nil || old == a || old.Card == nil || !old.Closed || storedName(old) != storedName(a) || c.inherited[a.ID] {
			continue
		}
		c.inherited[a.ID] = true
		c.Of(a.ID).Prepend(c.Of(old.ID))
		c.recalled[a.ID] = c.recalled[old.ID]
		return
	}
}

// storedName identifies an agent in later runs: by its name and its host. A loopback address is
// stored without its port, which changes.
func storedName(a *model.Agent) string { return store.AgentName(a.CardName(), a.Profile.Endpoint) }

// Actions returns the action that searches the history, which has a key in the text field.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	search := func(words string) tea.Cmd {
		c.host.Focus(control.OnComposer)
		c.composer.Search(words)
		return nil
	}
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: composer.SearchHistory, Slash: "history", Takes: "[TEXT]", Name: "Search message history", Also: []string{"earlier messages"},
			Now: action.Unless(c.host.Refusal),
		},
		Run: func() tea.Cmd { return search("") }, With: search,
	}}
}
