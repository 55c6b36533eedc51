package agents

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/config"
	"parley/session/model"
	"parley/ui/agents"
	"parley/ui/chat"
	"parley/ui/looks"
)

// maxRecents is how many recent agents are offered.
const maxRecents = 5

// Refresh updates the lists of agents that can be opened, if anything changed.
func (c *Controller) Refresh() {
	open := c.host.State().Agents
	if !c.stale && slices.EqualFunc(c.names, open, func(name string, a *model.Agent) bool { return name == a.Given }) {
		return
	}
	c.stale, c.names = false, c.names[:0]
	for _, a := range open {
		c.names = append(c.names, a.Given)
	}
	c.list = c.savedEntries()
	c.list = append(c.list, c.recentEntries(c.list)...)
	if c.host.Refusal() != "" || c.options.Saved.Temporary {
		return // a recording and the demo offer no other agents
	}
	c.pane.SetEntries(c.list)
	starts := make([]chat.Offer, len(c.list))
	for i, e := range c.list {
		starts[i] = chat.Offer{Name: e.Name, Note: looks.Reference(e.Ref), Dialect: e.Dialect, Saved: e.Saved, Used: e.Used}
	}
	c.actions.Offer(starts)
}

// savedEntries returns the saved agents that are not open, each name once.
func (c *Controller) savedEntries() (out []agents.Entry) {
	for _, a := range slices.Concat(c.options.Saved.Written, c.content.Agents) {
		known := func(e agents.Entry) bool { return strings.EqualFold(e.Name, a.Name) }
		if c.openAs(a.Name) == nil && !slices.ContainsFunc(out, known) {
			out = append(out, agents.Entry{Name: a.Name, Ref: a.Ref, Saved: true})
		}
	}
	return out
}

// recentEntries returns the newest recent agents that are neither open nor saved. One that was
// opened by several writings of its address is one.
func (c *Controller) recentEntries(saved []agents.Entry) (out []agents.Entry) {
	for _, r := range c.content.Recents {
		open := func(a *model.Agent) bool { return config.Same(a.Ref, r.Ref) }
		known := func(e agents.Entry) bool { return config.Same(e.Ref, r.Ref) }
		if len(out) < maxRecents && !slices.ContainsFunc(c.host.State().Agents, open) && !slices.ContainsFunc(saved, known) && !slices.ContainsFunc(out, known) {
			out = append(out, agents.Entry{Name: r.Name, Ref: r.Ref, Dialect: r.Dialect, Used: r.Time})
		}
	}
	return out
}

// openAt returns the open agent that the user opened by the same address, nil if there is none. The
// scheme of a web address may be missing in one of both.
func (c *Controller) openAt(ref string) *model.Agent {
	bare := func(text string) string {
		return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "https://"), "http://"), "/")
	}
	for _, a := range c.host.State().Agents {
		oneScheme := strings.Contains(ref, "://") && strings.Contains(a.Ref, "://")
		same := strings.TrimSuffix(a.Ref, "/") == strings.TrimSuffix(ref, "/") || !oneScheme && bare(a.Ref) == bare(ref)
		if same && !a.Closed && a.Tap == "" {
			return a
		}
	}
	return nil
}

// openAs returns the open agent that has a given name, nil if there is none. For a saved mesh it is the
// first of its agents, which have their own names.
func (c *Controller) openAs(name string) *model.Agent {
	for _, a := range c.host.State().Agents {
		if a.Given != "" && strings.EqualFold(a.Given, name) {
			return a
		}
	}
	for _, a := range slices.Concat(c.options.Saved.Written, c.content.Agents) {
		if a2a.IsMesh(a.Ref) && strings.EqualFold(a.Name, name) {
			return c.openAt(a.Ref)
		}
	}
	return nil
}

// changeable returns the saved agents that can be renamed and forgotten here: those that are
// not in config.toml.
func (c *Controller) changeable() (out []agents.Entry) {
	for _, a := range c.content.Agents {
		if c.configPlace(a.Name) == "" {
			out = append(out, agents.Entry{Name: a.Name, Ref: a.Ref, Saved: true})
		}
	}
	return out
}

// forgettable returns all agents that can be forgotten.
func (c *Controller) forgettable() []agents.Entry {
	out := c.changeable()
	for _, r := range c.content.Recents {
		out = append(out, agents.Entry{Name: r.Name, Ref: r.Ref})
	}
	return out
}
