package agents

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/internal/units"
	"parley/ui/agents"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/palette"
)

// saveAgent saves an open agent under a name, with its pins.
func (c *Controller) saveAgent(id a2a.AgentID, name string) tea.Cmd {
	a := c.host.State().Agent(id)
	if a == nil {
		return nil
	}
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	name = strings.TrimSpace(name)
	saved := config.Agent{Name: name, Ref: a.Address(), Extension: a.Extensions.Chosen}
	why := c.unsavable(a.Ref, name)
	if c.temporary[id] {
		why = "it ends with Parley and cannot be opened later"
	}
	if why == "" {
		why = withPins(&saved, c.host.Engine().Pins(id), c.options.Saved.Public)
	}
	if why != "" {
		return c.host.Say(a.Name()+" is not saved: "+why+".", true)
	}
	change := func(content *roster.Content) error {
		saved.Ref = absoluteRef(saved.Ref)
		return roster.Save(saved)(content)
	}
	return c.change(change, "saved as "+name+": /agent "+name+" opens it in any run, /agent forget "+name+" removes it", name, id)
}

// withPins adds pins to an agent that is to be saved. It leaves out headers, which may be
// secret. It returns a clause that says why the agent cannot be saved, empty if it can.
func withPins(saved *config.Agent, p a2a.Pins, public []string) string {
	for _, name := range a2a.Dialects() {
		if d, b, _ := a2a.ParseDialect(string(name)); d == p.Dialect && b == p.Binding && d != a2a.Unknown {
			saved.Dialect = string(name)
		}
	}
	if saved.Dialect == "" && p.Dialect != a2a.Unknown {
		saved.Dialect = string(p.Dialect)
	}
	if p.Binding != "" && !strings.HasSuffix(saved.Dialect, "-rest") {
		saved.Transport = []string{string(p.Binding)}
	}
	saved.Endpoint, saved.Tenant = p.Endpoint, p.Tenant
	if a2a.MaskReference(p.Endpoint, public...) != p.Endpoint {
		return "its endpoint contains a secret, which Parley writes to no file"
	}
	return ""
}

// saveRef saves an agent that is not open, or the open agents ids by their reference.
func (c *Controller) saveRef(ref, name string, ids ...a2a.AgentID) tea.Cmd {
	name = strings.TrimSpace(name)
	if why := c.unsavable(ref, name); why != "" {
		return c.host.Say("Nothing was saved: "+why+".", true)
	}
	change := func(content *roster.Content) error {
		return roster.Save(config.Agent{Name: name, Ref: absoluteRef(ref)})(content)
	}
	return c.change(change, "saved as "+name+": /agent "+name+" opens it in any run", name, ids...)
}

// unsavable returns a clause that says why an address cannot be saved under a name, empty if it
// can.
func (c *Controller) unsavable(ref, name string) string {
	switch {
	case config.CheckName(name) != "":
		return config.CheckName(name)
	case c.configPlace(name) != "":
		return "an agent of that name is in " + c.configPlace(name) + ", your own file: change it there"
	default:
		return c.secret(ref)
	}
}

// configPlace returns the place in config.toml where an agent has that name, empty if none has.
func (c *Controller) configPlace(name string) string {
	for _, a := range c.options.Saved.Written {
		if strings.EqualFold(a.Name, name) {
			return units.Path(a.Place, c.options.Home)
		}
	}
	return ""
}

// add opens an agent and saves it: under the name behind the address, or under that of its card
// once it is there.
func (c *Controller) add(arg string) tea.Cmd {
	ref, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	why := c.secret(ref)
	if name != "" {
		why = c.unsavable(ref, name)
	}
	if why == "" && !isReference(ref) {
		why = canvas.SanitizeLine(ref) + " is not an address"
	}
	if why != "" {
		return c.host.Say("Nothing was saved: "+why+".", true)
	}
	cmd := c.open(ref)
	if c.host.Refusal() != "" {
		return cmd
	}
	id := c.host.Place().Agent
	if name == "" {
		c.save[id] = true
		return cmd
	}
	return tea.Batch(cmd, c.saveRef(ref, name, id))
}

// rename gives a saved agent another name.
func (c *Controller) rename(from, to string) tea.Cmd {
	to = strings.TrimSpace(to)
	why := config.CheckName(to)
	for _, name := range []string{from, to} {
		if at := c.configPlace(name); at != "" {
			why = name + " is in " + at + ", your own file: change it there"
		}
	}
	if why != "" {
		return c.host.Say("Nothing was renamed: "+why+".", true)
	}
	return c.change(roster.Rename(from, to), from+" is now named "+to, to, c.idsOf(from)...)
}

// forget removes an agent from the file.
func (c *Controller) forget(e agents.Entry) tea.Cmd {
	if !e.Saved {
		return c.change(roster.ForgetRecent(e.Ref), "forgot "+e.Name, "")
	}
	if at := c.configPlace(e.Name); at != "" {
		return c.host.Say(e.Name+" is in "+at+", your own file: remove it there.", true)
	}
	return c.change(roster.Forget(e.Name, c.options.Now()), "forgot "+e.Name+"; it is now a recent agent", "", c.idsOf(e.Name)...)
}

// idsOf returns the open agent with a given name, if there is one.
func (c *Controller) idsOf(name string) []a2a.AgentID {
	if a := c.openAs(name); a != nil {
		return []a2a.AgentID{a.ID}
	}
	return nil
}

// askSave asks for the name under which to save an agent.
func (c *Controller) askSave(in agents.Save) tea.Cmd {
	if in.Agent != 0 {
		a := c.host.State().Agent(in.Agent)
		if a == nil {
			return nil
		}
		return c.askName("save "+a.Name(), a.Name(), func(name string) tea.Cmd { return c.saveAgent(in.Agent, name) })
	}
	return c.askName("save "+in.Entry.Name, in.Entry.Name, func(name string) tea.Cmd { return c.saveRef(in.Entry.Ref, name) })
}

// AskSave asks for the name under which to save the agent of a reference.
func (c *Controller) AskSave(ref, name string) tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	return c.askName("save "+canvas.SanitizeLine(name), name, func(name string) tea.Cmd { return c.saveRef(ref, name) })
}

// askRename asks for the new name of a saved agent.
func (c *Controller) askRename(name string) tea.Cmd {
	return c.askName("rename "+name, name, func(to string) tea.Cmd { return c.rename(name, to) })
}

// askName asks for a name, suggests one, and calls do with the answer.
func (c *Controller) askName(title, name string, do func(name string) tea.Cmd) tea.Cmd {
	take := func(string) (string, bool) { return "uses the name", true }
	c.host.Find(palette.List{Title: title, Hint: "name", Text: name, Else: take, Value: do})
	return nil
}
