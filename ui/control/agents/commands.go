package agents

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/agents"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/palette"
)

// Actions returns the actions that the finder names. Those that need a name are also words behind
// /agent in the text field.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	refusal, none := c.host.Refusal, control.NoneOpen(c.host)
	reached := action.Unless(refusal, none, control.Refused(c.host)) // it can be called
	some := func(n func() int, why string) func() action.State {
		return action.Unless(refusal, action.If(why, func() bool { return n() == 0 }))
	}
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Slash: "agent", Takes: "NAME", Name: "Go to an agent, or open a saved one", Also: []string{"switch agent"}}, With: c.run, Offers: c.offers},
		{
			Row:  action.Row{Slash: "open", Takes: "URL", Name: "Open an agent", Also: []string{"url", "endpoint", "connect", "mesh", "mqtt", "address"}, Now: action.Unless(refusal)},
			With: c.OpenTyped,
		},
		{
			Row: action.Row{Slash: "reconnect", Name: "Get the agent's card again", Also: []string{"restart", "retry", "refresh", "reload"}, Now: reached},
			Run: func() tea.Cmd { return c.Reopen(c.host.Place().Agent) },
		},
		{Row: action.Row{Name: "Close this agent", Note: "/agent close", Now: action.Unless(refusal, none)}, Run: func() tea.Cmd { return c.close(c.host.Place().Agent) }},
		{
			Row: action.Row{Name: "Reopen the agent that was closed last", Note: "/agent undo", Now: some(func() int { return len(c.closed) }, "no agent was closed")},
			Run: c.restore,
		},
		{
			Row: action.Row{Name: "Save this agent under a name", Note: "/agent save", Now: reached},
			Run: func() tea.Cmd { return c.askSave(agents.Save{Agent: c.host.Place().Agent}) },
		},
		{
			Row: action.Row{Name: "Rename a saved agent", Note: "/agent rename", Now: some(func() int { return len(c.changeable()) }, "no agent was saved here")},
			Run: c.askWhich("rename", c.changeable, func(e agents.Entry) tea.Cmd { return c.askRename(e.Name) }),
		},
		{
			Row: action.Row{Name: "Forget a saved or recent agent", Note: "/agent forget", Now: some(func() int { return len(c.forgettable()) }, "no agent is saved or recent")},
			Run: c.askWhich("forget", c.forgettable, c.forget),
		},
		c.renameAction(),
	}
}

// Entries returns a finder command for each saved and recent agent: it opens the agent.
func (c *Controller) Entries() (out []control.Command) {
	for _, e := range c.list {
		group := "recent"
		if e.Saved {
			group = "saved"
		}
		out = append(out, control.Command{Group: group, Name: e.Name, Note: looks.Reference(e.Ref), Why: c.host.Refusal(), Run: func() tea.Cmd { return c.openEntry(e) }})
	}
	return out
}

// askWhich returns the action that asks in the finder for one of a list of agents.
func (c *Controller) askWhich(title string, list func() []agents.Entry, do func(agents.Entry) tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		l := palette.List{Title: title, Hint: "which one", Else: func(string) (string, bool) { return "there is no such agent", false }}
		for _, e := range list() {
			l.Entries = append(l.Entries, palette.Entry{Group: title, Name: e.Name, Note: looks.Reference(e.Ref), Value: control.Action(func() tea.Cmd { return do(e) })})
		}
		c.host.Find(l)
		return nil
	}
}
