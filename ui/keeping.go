package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/session/model"
	"parley/ui/agents"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/palette"
)

// save keeps an open agent under a name, with what is pinned for it.
func (m *Model) save(id a2a.AgentID, name string) tea.Cmd {
	a := m.state.Agent(id)
	if a == nil {
		return nil
	}
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	name = strings.TrimSpace(name)
	kept := config.Agent{Name: name, Ref: a.Ref, Extension: a.Extensions.Chosen}
	why := m.unsavable(a, name)
	if why == "" {
		why = withPins(&kept, m.opts.Engine.Pins(id), m.opts.Keep.Public)
	}
	if why != "" {
		return m.say(a.Name()+" is not saved: "+why+".", true)
	}
	change := func(c *roster.Content) error {
		kept.Ref = lasting(kept.Ref)
		return roster.Save(kept)(c)
	}
	return m.changeKept(change, "saved as "+name+": /agent "+name+" opens it in any run, /agent forget "+name+" takes it back", name, id)
}

// unsavable says in a clause why an agent cannot be saved under a name, empty if it can.
func (m *Model) unsavable(a *model.Agent, name string) string {
	switch {
	case m.kept.passing[a.ID]:
		return "it ends with Parley, and nothing would be there to open"
	default:
		return m.unnamable(a.Ref, name)
	}
}

// withPins puts what is pinned into an agent that is to be saved; headers may be secret
// and are left out. It says in a clause why that cannot be.
func withPins(kept *config.Agent, p a2a.Pins, public []string) string {
	for _, name := range a2a.Dialects() {
		if d, b, _ := a2a.ParseDialect(string(name)); d == p.Dialect && b == p.Binding && d != a2a.Unknown {
			kept.Dialect = string(name)
		}
	}
	if kept.Dialect == "" && p.Dialect != a2a.Unknown {
		kept.Dialect = string(p.Dialect)
	}
	if p.Binding != "" && !strings.HasSuffix(kept.Dialect, "-rest") {
		kept.Transport = []string{string(p.Binding)}
	}
	kept.Endpoint, kept.Tenant = p.Endpoint, p.Tenant
	if a2a.MaskReference(p.Endpoint, public...) != p.Endpoint {
		return "its endpoint holds a secret, which is written to no file"
	}
	return ""
}

// written returns where in config.toml an agent of that name stands, empty if it does not.
func (m *Model) written(name string) string {
	for _, a := range m.opts.Keep.Written {
		if strings.EqualFold(a.Name, name) {
			return m.homely(a.Place)
		}
	}
	return ""
}

// named asks for a name and does with it what is to be done.
func (m *Model) named(title, name string, do func(name string) tea.Cmd) tea.Cmd {
	m.find(palette.List{Title: title, Hint: "name", Else: elseTaken("enter takes it as the name"), Value: do})
	m.panes.palette.Type(name)
	m.touch()
	return nil
}

// askSave asks for the name under which an agent is to be saved.
func (m *Model) askSave(in agents.Save) tea.Cmd {
	if in.Agent != 0 {
		a := m.state.Agent(in.Agent)
		if a == nil {
			return nil
		}
		return m.named("save "+a.Name(), a.Name(), func(name string) tea.Cmd { return m.save(in.Agent, name) })
	}
	return m.named("save "+in.Kept.Name, in.Kept.Name, func(name string) tea.Cmd { return m.saveRecent(in.Kept.Ref, name) })
}

// unnamable says in a clause why an address cannot be kept under a name, empty if it can.
func (m *Model) unnamable(ref, name string) string {
	switch {
	case config.CheckName(name) != "":
		return config.CheckName(name)
	case m.written(name) != "":
		return "an agent of that name stands in " + m.written(name) + ", which is yours: change it there"
	default:
		return unkeepable(ref, m.opts.Keep.Public)
	}
}

// saveRecent saves an agent that is not open. Those of ids are it, too.
func (m *Model) saveRecent(ref, name string, ids ...a2a.AgentID) tea.Cmd {
	name = strings.TrimSpace(name)
	if why := m.unnamable(ref, name); why != "" {
		return m.say("Nothing was saved: "+why+".", true)
	}
	change := func(c *roster.Content) error { return roster.Save(config.Agent{Name: name, Ref: lasting(ref)})(c) }
	return m.changeKept(change, "saved as "+name+": /agent "+name+" opens it in any run", name, ids...)
}

// askRename asks for another name of a saved agent.
func (m *Model) askRename(name string) tea.Cmd {
	return m.named("rename "+name, name, func(to string) tea.Cmd { return m.rename(name, to) })
}

// rename gives a saved agent another name.
func (m *Model) rename(from, to string) tea.Cmd {
	to = strings.TrimSpace(to)
	why := config.CheckName(to)
	for _, name := range []string{from, to} {
		if at := m.written(name); at != "" {
			why = name + " stands in " + at + ", which is yours: change it there"
		}
	}
	if why != "" {
		return m.say("Nothing was renamed: "+why+".", true)
	}
	var ids []a2a.AgentID
	if a := m.openAs(from); a != nil {
		ids = append(ids, a.ID)
	}
	return m.changeKept(roster.Rename(from, to), from+" is called "+to+" now", to, ids...)
}

// forget takes an agent off the list of those that are kept.
func (m *Model) forget(k agents.Kept) tea.Cmd {
	if !k.Saved {
		return m.changeKept(roster.ForgetRecent(k.Ref), "forgot "+k.Name, "")
	}
	if at := m.written(k.Name); at != "" {
		return m.say(k.Name+" stands in "+at+", which is yours: take it out there.", true)
	}
	var ids []a2a.AgentID
	if a := m.openAs(k.Name); a != nil {
		ids = append(ids, a.ID)
	}
	return m.changeKept(roster.Forget(k.Name, m.opts.Now()), "forgot "+k.Name+"; it stands among the recent ones until others do", "", ids...)
}

// add opens an agent and saves it: under the name behind the address, or under that of its
// card when it is there.
func (m *Model) add(arg string) tea.Cmd {
	ref, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	why := unkeepable(ref, m.opts.Keep.Public)
	if name != "" {
		why = m.unnamable(ref, name)
	}
	if why == "" && !isReference(ref) {
		why = canvas.SanitizeLine(ref) + " is no address"
	}
	if why != "" {
		return m.say("Nothing was saved: "+why+".", true)
	}
	cmd := m.openRef(ref)
	if m.readOnly() {
		return cmd
	}
	if name == "" {
		m.kept.saving[m.cur.Agent] = true
		return cmd
	}
	return tea.Batch(cmd, m.saveRecent(ref, name, m.cur.Agent))
}

// savedNames lists the agents that are saved on the screen, and so can be renamed and
// forgotten.
func (m *Model) savedNames() (out []agents.Kept) {
	for _, a := range m.kept.content.Agents {
		if m.written(a.Name) == "" {
			out = append(out, agents.Kept{Name: a.Name, Ref: a.Ref, Saved: true})
		}
	}
	return out
}

// forgettable lists all that can be forgotten.
func (m *Model) forgettable() []agents.Kept {
	out := m.savedNames()
	for _, r := range m.kept.content.Recents {
		out = append(out, agents.Kept{Name: r.Name, Ref: r.Ref})
	}
	return out
}

// keeping are the finder's commands about agents that are kept; in the composer they are
// words behind /agent.
func (m *Model) keeping() []control.Command {
	refusal := m.refusal()
	save, rename, forget := refusal, refusal, refusal
	a := m.agent()
	if a == nil && save == "" {
		save = "no agent is open"
	}
	if len(m.savedNames()) == 0 && rename == "" {
		rename = "no agent was saved here"
	}
	if len(m.forgettable()) == 0 && forget == "" {
		forget = "no agent is kept"
	}
	undo := refusal
	if len(m.closed) == 0 && undo == "" {
		undo = "no agent was closed"
	}
	out := []control.Command{
		{Slash: "reconnect", Name: "Ask the agent for its card again, now", Why: save, Do: func() tea.Cmd { return m.retry(a.ID) }},
		{Name: "Close this agent", Note: "/agent close", Why: save, Do: func() tea.Cmd { return m.dismiss(a.ID) }},
		{Name: "Bring back the agent that was closed last", Note: "/agent undo", Why: undo, Do: m.undismiss},
		{Name: "Save this agent under a name", Note: "/agent save", Why: save, Do: func() tea.Cmd { return m.askSave(agents.Save{Agent: a.ID}) }},
		{Name: "Rename a saved agent", Note: "/agent rename", Why: rename, Do: m.choosing("rename", m.savedNames, func(k agents.Kept) tea.Cmd { return m.askRename(k.Name) })},
		{Name: "Forget a saved or recent agent", Note: "/agent forget", Why: forget, Do: m.choosing("forget", m.forgettable, m.forget)},
	}
	for _, k := range m.kept.list {
		group := "recent"
		if k.Saved {
			group = "saved"
		}
		out = append(out, control.Command{Group: group, Name: k.Name, Note: looks.Reference(k.Ref), Why: refusal, Do: func() tea.Cmd { return m.openKept(k) }})
	}
	return out
}

// choosing has the finder ask for one of the agents that are kept.
func (m *Model) choosing(title string, list func() []agents.Kept, do func(agents.Kept) tea.Cmd) control.Action {
	return func() tea.Cmd {
		l := palette.List{Title: title, Hint: "which one", Else: func(string) (string, bool) { return "no agent is called so", false }}
		for _, k := range list() {
			l.Entries = append(l.Entries, palette.Entry{Group: title, Name: k.Name, Note: looks.Reference(k.Ref), Value: control.Action(func() tea.Cmd { return do(k) })})
		}
		m.find(l)
		m.touch()
		return nil
	}
}

// agentVerbs are the words behind /agent, with what follows them.
var agentVerbs = []composer.Offer{
	{Text: "add ", Note: "URL [NAME]  open and save an agent"}, {Text: "open ", Note: "NAME  open a saved agent"}, {Text: "save ", Note: "[NAME]  save this agent"},
	{Text: "close ", Note: "[NAME]  close an open agent"},
	{Text: "rename ", Note: "NAME NEW  rename a saved agent"}, {Text: "forget ", Note: "NAME  forget a saved or recent agent"},
	{Text: "undo", Note: "bring back the agent that was closed last"},
}

// verb returns the word behind /agent and what follows it, if it is one of those.
func verb(arg string) (word, rest string, ok bool) {
	word, rest, _ = strings.Cut(arg, " ")
	ok = slices.ContainsFunc(agentVerbs, func(v composer.Offer) bool { return strings.TrimSpace(v.Text) == word })
	return word, strings.TrimSpace(rest), ok
}

// agentCommand does what /agent asks for.
func (m *Model) agentCommand(arg string) tea.Cmd {
	word, rest, ok := verb(arg)
	a := m.agent()
	switch {
	case !ok:
		return m.toAgent(arg)
	case word == "save" && a == nil:
		return m.say("No agent is open that could be saved.", true)
	case word == "save" && rest == "":
		return m.save(a.ID, a.Name())
	case word == "save":
		return m.save(a.ID, rest)
	case word == "close":
		return m.dismissNamed(rest)
	case word == "undo":
		return m.undismiss()
	case rest == "":
		return m.say("/agent "+word+" wants more: /agent and tab lists what there is.", true)
	case word == "add":
		return m.add(rest)
	case word == "rename":
		return m.renameWords(rest)
	case word == "open":
		return m.toAgent(rest)
	}
	for _, k := range m.forgettable() {
		if strings.EqualFold(k.Name, rest) || config.Same(k.Ref, rest) {
			return m.forget(k)
		}
	}
	return m.forget(agents.Kept{Name: rest, Saved: true}) // which says that there is none
}

// renameWords renames the agent whose name begins the words, or else the one on the screen.
func (m *Model) renameWords(words string) tea.Cmd {
	from := ""
	for _, k := range m.savedNames() {
		if n := len(k.Name); len(words) > n && n > len(from) && strings.EqualFold(words[:n], k.Name) && words[n] == ' ' {
			from = k.Name
		}
	}
	if a := m.agent(); from == "" && a != nil && a.Given != "" {
		return m.rename(a.Given, words)
	}
	if from == "" {
		return m.say("No saved agent is called so: /agent rename and tab lists them.", true)
	}
	return m.rename(from, words[len(from):])
}

// verbOffers returns what can follow a word behind /agent.
func (m *Model) verbOffers(word, rest string) []composer.Offer {
	var list []agents.Kept
	switch word {
	case "close":
		for _, a := range m.state.Agents {
			list = append(list, agents.Kept{Name: a.Name(), Ref: a.Ref})
		}
	case "open":
		list = m.kept.list
	case "rename":
		list = m.savedNames()
	case "forget":
		list = m.forgettable()
	}
	var all []composer.Offer
	for _, k := range list {
		all = append(all, composer.Offer{Text: k.Name, Note: looks.Reference(k.Ref)})
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
