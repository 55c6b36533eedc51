package agents

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/config"
	"parley/ui/action"
	"parley/ui/agents"
	"parley/ui/control"
	"parley/ui/looks"
)

// verbs returns the words that can follow /agent, with their arguments.
func verbs() []action.Offer {
	return []action.Offer{
		{Text: "add ", Note: "URL [NAME]  open and save an agent"}, {Text: "open ", Note: "NAME  open a saved agent"}, {Text: "save ", Note: "[NAME]  save this agent"},
		{Text: "close ", Note: "[NAME]  close an open agent"},
		{Text: "rename ", Note: "NAME NEW  rename a saved agent"}, {Text: "forget ", Note: "NAME  forget a saved or recent agent"},
		{Text: "undo", Note: "reopen the agent that was closed last"},
	}
}

// cutVerb splits the argument of /agent into its first word and the rest; ok reports whether
// the word is one of the verbs.
func cutVerb(arg string) (word, rest string, ok bool) {
	word, rest, _ = strings.Cut(arg, " ")
	ok = slices.ContainsFunc(verbs(), func(v action.Offer) bool { return strings.TrimSpace(v.Text) == word })
	return word, strings.TrimSpace(rest), ok
}

// run carries out /agent with an argument.
func (c *Controller) run(arg string) tea.Cmd {
	word, rest, ok := cutVerb(arg)
	a := c.host.Agent()
	switch {
	case !ok:
		return c.goTo(arg)
	case word == "save" && a == nil:
		return c.host.Say("No agent is open to save.", true)
	case word == "save" && rest == "":
		return c.saveAgent(a.ID, a.Name())
	case word == "save":
		return c.saveAgent(a.ID, rest)
	case word == "close":
		return c.closeByName(rest)
	case word == "undo":
		return c.restore()
	case rest == "":
		return c.host.Say("/agent "+word+" needs a name: type it and a space to list the agents.", true)
	case word == "add":
		return c.add(rest)
	case word == "rename":
		return c.renameWords(rest)
	case word == "open":
		return c.goTo(rest)
	}
	for _, e := range c.forgettable() {
		if strings.EqualFold(e.Name, rest) || config.Same(e.Ref, rest) {
			return c.forget(e)
		}
	}
	return c.forget(agents.Entry{Name: rest, Saved: true}) // which reports that no agent has this name
}

// renameWords renames the agent whose name begins the words, or else the one on the screen.
func (c *Controller) renameWords(words string) tea.Cmd {
	from := ""
	for _, e := range c.changeable() {
		if n := len(e.Name); len(words) > n && n > len(from) && strings.EqualFold(words[:n], e.Name) && words[n] == ' ' {
			from = e.Name
		}
	}
	if a := c.host.Agent(); from == "" && a != nil && a.Given != "" {
		return c.rename(a.Given, words)
	}
	if from == "" {
		return c.host.Say("No saved agent has this name: type /agent rename and a space to list them.", true)
	}
	return c.rename(from, words[len(from):])
}

// offers returns the completions of /agent: open agents, others, and the verbs.
func (c *Controller) offers(arg string) []action.Offer {
	if word, rest, ok := cutVerb(arg); ok {
		return c.verbOffers(word, rest)
	}
	var all []action.Offer
	for _, a := range c.host.State().Agents {
		all = append(all, action.Offer{Text: a.Name(), Note: looks.Reference(a.Ref)})
	}
	for _, e := range c.list {
		all = append(all, action.Offer{Text: e.Name, Note: "not open  " + looks.Reference(e.Ref)})
	}
	out := control.Matching(arg, all)
	for _, v := range verbs() {
		if strings.HasPrefix(v.Text, arg) {
			out = append(out, v)
		}
	}
	return out
}

// verbOffers returns the completions of a verb behind /agent.
func (c *Controller) verbOffers(word, rest string) []action.Offer {
	var list []agents.Entry
	switch word {
	case "close":
		for _, a := range c.host.State().Agents {
			list = append(list, agents.Entry{Name: a.Name(), Ref: a.Ref})
		}
	case "open":
		list = c.list
	case "rename":
		list = c.changeable()
	case "forget":
		list = c.forgettable()
	}
	var all []action.Offer
	for _, e := range list {
		all = append(all, action.Offer{Text: e.Name, Note: looks.Reference(e.Ref)})
	}
	all = control.Matching(rest, all)
	for i := range all {
		all[i].Text = word + " " + all[i].Text
		if word == "rename" {
			all[i].Text += " "
		}
	}
	return all
}
