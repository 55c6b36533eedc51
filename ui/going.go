package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/config"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/looks"
)

// going are the commands that lead to an agent by its name.
func (m *Model) going() []control.Command {
	return []control.Command{
		{Slash: "agent", Takes: "NAME", Name: "Go to an agent, or open a saved one", With: m.agentCommand, Offers: m.agentOffers},
		{Slash: "open", Takes: "URL", Name: "Open an agent", Why: m.refusal(), With: m.openTyped},
	}
}

func (m *Model) agentOffers(arg string) []composer.Offer {
	if word, rest, ok := verb(arg); ok {
		return m.verbOffers(word, rest)
	}
	var all []composer.Offer
	for _, a := range m.state.Agents {
		all = append(all, composer.Offer{Text: a.Name(), Note: looks.Reference(a.Ref)})
	}
	for _, k := range m.kept.list {
		all = append(all, composer.Offer{Text: k.Name, Note: "not open  " + looks.Reference(k.Ref)})
	}
	return append(control.Matching(arg, all), beginning(arg, agentVerbs)...)
}

// beginning returns the offers that begin with what was written.
func beginning(arg string, all []composer.Offer) (out []composer.Offer) {
	for _, o := range all {
		if strings.HasPrefix(o.Text, arg) {
			out = append(out, o)
		}
	}
	return out
}

// toAgent goes to the agent of that name, or that was opened by it, and opens one that is
// kept.
func (m *Model) toAgent(name string) tea.Cmd {
	var found []*model.Agent
	for _, a := range m.state.Agents {
		if a.Name() == name || a.Ref == name {
			found = append([]*model.Agent{a}, found...)
		} else if strings.HasPrefix(strings.ToLower(a.Name()), strings.ToLower(name)) {
			found = append(found, a)
		}
	}
	exact := len(found) > 0 && (strings.EqualFold(found[0].Name(), name) || found[0].Ref == name)
	begins := -1
	for i, k := range m.kept.list {
		if begins < 0 && strings.HasPrefix(strings.ToLower(k.Name), strings.ToLower(name)) {
			begins = i
		}
		if !exact && (strings.EqualFold(k.Name, name) || config.Same(k.Ref, name)) {
			return m.openKept(k)
		}
	}
	switch {
	case len(found) > 0:
		return m.toPlace(m.newestOf(found[0]))()
	case begins >= 0:
		return m.openKept(m.kept.list[begins])
	case strings.Contains(name, "://"):
		return m.openRef(name)
	default:
		return m.say("No agent is called "+name+": /open URL opens another.", true)
	}
}

// newestOf is the place of an agent's newest conversation.
func (m *Model) newestOf(a *model.Agent) control.Place {
	p := control.Place{Agent: a.ID}
	if n := len(a.Conversations); n > 0 {
		p.Conversation = a.Conversations[n-1].ID
	}
	return p
}
