package agents

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/ui/agents"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/palette"
)

// Commands returns the commands about agents. Those that need a name are also words behind
// /agent in the composer.
func (c *Controller) Commands() []control.Command {
	refusal, a := c.host.Refusal(), c.host.Agent()
	unless := func(possible bool, why string) string {
		if refusal != "" || possible {
			return refusal
		}
		return why
	}
	none := unless(a != nil, "no agent is open")
	reached := cmp.Or(none, control.Refusal(c.host)) // it can be called
	out := []control.Command{
		{Slash: "agent", Takes: "NAME", Name: "Go to an agent, or open a saved one", Also: []string{"switch agent"}, With: c.run, Offers: c.offers},
		{Slash: "open", Takes: "URL", Name: "Open an agent", Also: []string{"url", "endpoint", "connect", "mesh", "mqtt", "address"}, Why: refusal, With: c.OpenTyped},
		{Slash: "reconnect", Name: "Get the agent's card again", Also: []string{"restart", "retry", "refresh", "reload"}, Why: reached, Run: func() tea.Cmd { return c.Reopen(a.ID) }},
		{Name: "Close this agent", Note: "/agent close", Why: none, Run: func() tea.Cmd { return c.close(a.ID) }},
		{
			Name: "Reopen the agent that was closed last", Note: "/agent undo",
			Why: unless(len(c.closed) > 0, "no agent was closed"), Run: c.restore,
		},
		{Name: "Save this agent under a name", Note: "/agent save", Why: reached, Run: func() tea.Cmd { return c.askSave(agents.Save{Agent: a.ID}) }},
		{
			Name: "Rename a saved agent", Note: "/agent rename", Why: unless(len(c.changeable()) > 0, "no agent was saved here"),
			Run: c.askWhich("rename", c.changeable, func(e agents.Entry) tea.Cmd { return c.askRename(e.Name) }),
		},
		{
			Name: "Forget a saved or recent agent", Note: "/agent forget", Why: unless(len(c.forgettable()) > 0, "no agent is saved or recent"),
			Run: c.askWhich("forget", c.forgettable, c.forget),
		},
	}
	out = append(out, c.conversationCommands()...)
	for _, e := range c.list {
		group := "recent"
		if e.Saved {
			group = "saved"
		}
		out = append(out, control.Command{Group: group, Name: e.Name, Note: looks.Reference(e.Ref), Why: refusal, Run: func() tea.Cmd { return c.openEntry(e) }})
	}
	return out
}

// askWhich returns the action that asks in the finder for one of a list of agents.
func (c *Controller) askWhich(title string, list func() []agents.Entry, do func(agents.Entry) tea.Cmd) control.Action {
	return func() tea.Cmd {
		l := palette.List{Title: title, Hint: "which one", Else: func(string) (string, bool) { return "there is no such agent", false }}
		for _, e := range list() {
			l.Entries = append(l.Entries, palette.Entry{Group: title, Name: e.Name, Note: looks.Reference(e.Ref), Value: control.Action(func() tea.Cmd { return do(e) })})
		}
		c.host.Find(l)
		return nil
	}
}
