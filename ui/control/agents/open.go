package agents

import (
	"cmp"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/session/model"
	"parley/ui/agents"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
)

// OpenAtStart opens the agents named on the command line, and shows the first.
func (c *Controller) OpenAtStart(refs []string) {
	for i, ref := range refs {
		id := c.host.Engine().Open(ref)
		c.OnOpen(id, c.options.Saved.Temporary)
		if i == 0 { // not the one that answers first
			c.host.GoTo(control.Place{Agent: id})
		}
	}
}

// OnOpen notes that the user opened an agent, which is temporary or to be remembered.
func (c *Controller) OnOpen(id a2a.AgentID, temporary bool) {
	c.remember[id], c.temporary[id] = !temporary, temporary
}

// Temporary reports whether an agent ends with the program.
func (c *Controller) Temporary(id a2a.AgentID) bool { return c.temporary[id] }

// open opens another agent and shows it.
func (c *Controller) open(ref string) tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	if a := c.openAs(ref); a != nil {
		return c.visit(c.host.LastPlace(a))
	}
	id := c.host.Engine().Open(ref)
	c.OnOpen(id, false)
	c.visit(control.Place{Agent: id})
	return c.host.SayUntil("looking for "+looks.Reference(ref), false, control.Discovered(c.host.State(), id))
}

// Show shows the open agent of a reference, or opens one that is not remembered for later runs.
func (c *Controller) Show(ref string) a2a.AgentID {
	for _, a := range c.host.State().Agents {
		if a.Ref == ref && !a.Closed {
			c.visit(c.host.LastPlace(a))
			return a.ID
		}
	}
	id := c.host.Engine().Open(ref)
	c.OnOpen(id, true)
	c.visit(control.Place{Agent: id})
	return id
}

// visit shows a place and focuses its composer.
func (c *Controller) visit(p control.Place) tea.Cmd {
	c.host.GoTo(p)
	c.host.Focus(control.OnComposer)
	return nil
}

// OpenStart opens the agent that is offered at an index while none is open.
func (c *Controller) OpenStart(i int) tea.Cmd {
	if i >= len(c.list) {
		return nil
	}
	return c.openEntry(c.list[i])
}

// openEntry opens a saved or recent agent, or shows it if it is open.
func (c *Controller) openEntry(e agents.Entry) tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	ref := e.Ref
	if e.Saved {
		if a := c.openAs(e.Name); a != nil {
			return c.visit(c.host.LastPlace(a))
		}
		ref = e.Name
	} else if a := c.openAt(ref); a != nil {
		return c.visit(c.host.LastPlace(a))
	}
	return c.open(ref)
}

// OpenTyped opens the agent that a typed text names: a saved or recent one by its name, or an
// address.
func (c *Controller) OpenTyped(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	for _, e := range c.list {
		if strings.EqualFold(e.Name, text) {
			return c.openEntry(e)
		}
	}
	if c.host.Refusal() == "" && c.openAs(text) == nil && !isReference(text) {
		return c.host.Say(canvas.SanitizeLine(text)+" is not an address: to open an agent, enter host:port, a URL or its card's file.", true)
	}
	if a := c.openAt(text); a != nil && c.openAs(text) == nil {
		return c.visit(c.host.LastPlace(a))
	}
	return c.open(text)
}

// Typed returns the command that opens a text typed into the finder as an agent, if the text
// looks like an address. It is sure unless the text could be a name with a dot as well.
func (c *Controller) Typed(text string) (open control.Command, sure, ok bool) {
	if !isReference(text) {
		return control.Command{}, false, false
	}
	sure = strings.ContainsAny(text, ":/") || strings.EqualFold(text, "localhost")
	name := "Open " + canvas.SanitizeLine(looks.Reference(text)) + " as an agent"
	if a := c.openAt(strings.TrimSpace(text)); a != nil {
		name = "Go to " + canvas.SanitizeLine(c.host.AgentName(a.ID)) + ", which is open at " + canvas.SanitizeLine(looks.Reference(text))
	}
	return control.Command{
		Group: "open", Name: name, Why: c.host.Refusal(),
		Run: func() tea.Cmd { return c.OpenTyped(text) },
	}, sure, true
}

// IsAddress reports whether a typed text can be the address of an agent.
func IsAddress(text string) bool { return isReference(text) }

// isReference reports whether a typed text can be the address of an agent: a URL, a host with a
// port or a dot, localhost or a file that exists.
func isReference(text string) bool {
	if catalog, entry := a2a.SplitReference(text); entry != "" {
		return isReference(catalog)
	}
	if !a2a.LooksLikeAddress(text) || text == "-" || strings.ContainsAny(text, " \t") && !isFile(text) {
		return false
	}
	asFile := strings.HasPrefix(text, "/") || strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".json") && !strings.Contains(text, "://")
	return !asFile || isFile(text)
}

// isFile reports whether a file has this path.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// goTo shows the open agent with a name or reference, or opens a saved or recent one. A name may
// be typed in part.
func (c *Controller) goTo(name string) tea.Cmd {
	var found []*model.Agent
	for _, a := range c.host.State().Agents {
		if a.Name() == name || a.Ref == name {
			found = append([]*model.Agent{a}, found...)
		} else if strings.HasPrefix(strings.ToLower(a.Name()), strings.ToLower(name)) {
			found = append(found, a)
		}
	}
	exact := len(found) > 0 && (strings.EqualFold(found[0].Name(), name) || found[0].Ref == name)
	begins := -1
	for i, e := range c.list {
		if begins < 0 && strings.HasPrefix(strings.ToLower(e.Name), strings.ToLower(name)) {
			begins = i
		}
		if !exact && (strings.EqualFold(e.Name, name) || config.Same(e.Ref, name)) {
			return c.openEntry(e)
		}
	}
	switch {
	case len(found) > 0:
		return c.visit(c.host.LastPlace(found[0]))
	case begins >= 0:
		return c.openEntry(c.list[begins])
	case strings.Contains(name, "://"):
		return c.open(name)
	}
	if a := cmp.Or(c.openAs(name), c.containing(name)); a != nil {
		return c.visit(c.host.LastPlace(a))
	}
	return c.host.Say("No agent has the name "+name+": /open URL opens another.", true)
}

// containing returns the only open agent whose name contains a text, nil if there is none or
// there are several.
func (c *Controller) containing(text string) *model.Agent {
	var found []*model.Agent
	for _, a := range c.host.State().Agents {
		if strings.Contains(strings.ToLower(a.Name()), strings.ToLower(text)) {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// Reopen gets an agent's card again.
func (c *Controller) Reopen(id a2a.AgentID) tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	if c.host.State().Agent(id) == nil {
		return nil
	}
	c.host.Engine().Reopen(id)
	return c.host.SayUntil("getting the card of "+c.host.AgentName(id), false, control.Discovered(c.host.State(), id))
}
