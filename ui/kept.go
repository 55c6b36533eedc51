package ui

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/agents"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/looks"
)

// Keep says which agents are kept between runs. The zero value keeps none.
type Keep struct {
	// File holds those that are saved on the screen and those that were opened last.
	File *roster.File
	// Problem is why File is not used as it is, nil if it is; Options.Warnings say so.
	Problem error
	// Written are those that the user wrote into config.toml, which nobody else changes.
	Written []config.Agent
	// Forgetful remembers nobody who is only opened.
	Forgetful bool
	// Passing says that the agents which are opened at the start end with the program.
	Passing bool
	// Public are names of query parameters whose values the user declared to be no secrets.
	Public []string
}

// kept is what is known of agents that are kept.
type kept struct {
	content roster.Content
	list    []agents.Kept // those that are not open
	stale   bool          // the list is to be made anew
	named   []string      // of the open agents, when the list was made
	// mine are open agents that are to be remembered when their card is there, saving those
	// that are to be saved then under its name; passing ones end with the program.
	mine    map[a2a.AgentID]bool
	saving  map[a2a.AgentID]bool
	passing map[a2a.AgentID]bool
}

func newKept() kept {
	return kept{stale: true, mine: map[a2a.AgentID]bool{}, saving: map[a2a.AgentID]bool{}, passing: map[a2a.AgentID]bool{}}
}

// opened notes that the user opened an agent.
func (k *kept) opened(id a2a.AgentID, passing bool) {
	k.mine[id], k.passing[id] = !passing, passing
}

// loadKept reads the file of kept agents.
func (m *Model) loadKept() tea.Cmd {
	file := m.opts.Keep.File
	if file == nil {
		return nil
	}
	return func() tea.Msg {
		c, err := file.Load()
		return keptAgentsMsg{Content: c, Err: err}
	}
}

// changeKept changes the file and says so. The agents of ids are called name from then on.
func (m *Model) changeKept(change func(*roster.Content) error, said, name string, ids ...a2a.AgentID) tea.Cmd {
	file := m.opts.Keep.File
	if file == nil {
		return m.say("There is no place to keep agents in: neither $XDG_STATE_HOME nor $HOME is set.", true)
	}
	return func() tea.Msg {
		c, err := file.Update(change)
		return keptAgentsMsg{Content: c, Err: err, Changed: true, Said: said, Name: name, Agents: ids}
	}
}

// keptAgents takes what the file of kept agents holds.
func (m *Model) keptAgents(msg keptAgentsMsg) tea.Cmd {
	if msg.Err != nil {
		return m.notKeptAgent(msg)
	}
	m.kept.content, m.kept.stale = msg.Content, true
	m.panes.composer.Reoffer()
	m.touch()
	for _, id := range msg.Agents {
		m.opts.Engine.SetAgentName(id, msg.Name)
	}
	if msg.Said == "" {
		return nil
	}
	return m.say(msg.Said, false)
}

// notKeptAgent says why the file of kept agents was not read or changed.
func (m *Model) notKeptAgent(msg keptAgentsMsg) tea.Cmd {
	place, why := m.homely(m.opts.Keep.File.Path()), reason(msg.Err)
	switch {
	case !msg.Changed && m.opts.Keep.Problem != nil:
		return nil
	case errors.Is(msg.Err, roster.ErrTaken), errors.Is(msg.Err, roster.ErrUnknown):
		return m.say("Nothing was saved: "+msg.Err.Error()+".", true)
	case errors.Is(msg.Err, roster.ErrUnreadable):
		return m.say("The list of saved agents is not used: "+msg.Err.Error()+". It is put aside when something is saved: "+place, true)
	case !msg.Changed:
		return m.say("The saved agents in "+place+" cannot be read: "+why+".", true)
	case msg.Said == "": // who is only remembered is no loss
		return nil
	default:
		return m.say("Nothing could be saved in "+place+": "+why+".", true)
	}
}

// offerKept brings the lists of what can be opened up to date, if anything changed.
func (m *Model) offerKept() {
	k := &m.kept
	same := !k.stale && len(k.named) == len(m.state.Agents)
	for i := 0; same && i < len(k.named); i++ {
		same = k.named[i] == m.state.Agents[i].Given
	}
	if same {
		return
	}
	k.stale, k.named, k.list = false, k.named[:0], nil
	for _, a := range m.state.Agents {
		k.named = append(k.named, a.Given)
	}
	for _, all := range [][]config.Agent{m.opts.Keep.Written, k.content.Agents} {
		for _, a := range all {
			known := func(o agents.Kept) bool { return strings.EqualFold(o.Name, a.Name) }
			if m.openAs(a.Name) == nil && !slices.ContainsFunc(k.list, known) {
				k.list = append(k.list, agents.Kept{Name: a.Name, Ref: a.Ref, Saved: true})
			}
		}
	}
	const mostRecent = 5
	for n, r := range k.content.Recents {
		open := func(a *model.Agent) bool { return config.Same(a.Ref, r.Ref) }
		if n >= mostRecent {
			break
		}
		if !slices.ContainsFunc(m.state.Agents, open) {
			k.list = append(k.list, agents.Kept{Name: r.Name, Ref: r.Ref})
		}
	}
	if m.readOnly() || m.opts.Keep.Passing {
		return // who shows a recording or the demo shows that alone
	}
	m.panes.agents.SetKept(k.list)
	starts := make([]chat.Start, len(k.list))
	for i, a := range k.list {
		starts[i] = chat.Start{Name: a.Name, Note: looks.Reference(a.Ref), Saved: a.Saved}
	}
	m.panes.chat.SetStarts(starts)
}

// openAs returns the open agent that the user calls so, nil if there is none.
func (m *Model) openAs(name string) *model.Agent {
	for _, a := range m.state.Agents {
		if a.Given != "" && strings.EqualFold(a.Given, name) {
			return a
		}
	}
	return nil
}

// beginKept opens one of the agents that are offered where none is open.
func (m *Model) beginKept(i int) tea.Cmd {
	if i >= len(m.kept.list) {
		return nil
	}
	return m.openKept(m.kept.list[i])
}

// openKept opens an agent that is kept, or goes to it.
func (m *Model) openKept(k agents.Kept) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	ref := k.Ref
	if k.Saved {
		if a := m.openAs(k.Name); a != nil {
			return m.toPlace(m.newestOf(a))()
		}
		ref = k.Name
	}
	return m.openRef(ref)
}

// discovered remembers an agent whose card is there, and saves it if the user wants that.
func (m *Model) discovered(s *log.Signal) tea.Cmd {
	if s == nil || s.Kind != log.SignalOpened || s.Profile == nil {
		return nil
	}
	k, a := &m.kept, m.state.Agent(s.Agent)
	if a == nil || a.Card == nil || !k.mine[s.Agent] && !k.saving[s.Agent] {
		return nil
	}
	mine, saving := k.mine[s.Agent], k.saving[s.Agent]
	delete(k.mine, s.Agent)
	delete(k.saving, s.Agent)
	ref := a.Ref
	switch {
	case saving && a.Given == "":
		return m.save(s.Agent, a.CardName())
	case !mine || a.Given != "" || m.opts.Keep.Forgetful || m.opts.Keep.File == nil || unkeepable(ref, m.opts.Keep.Public) != "":
		return nil
	}
	now, name := m.opts.Now(), a.CardName()
	file := m.opts.Keep.File
	return func() tea.Msg {
		c, err := file.Update(roster.Opened(roster.Recent{Ref: lasting(ref), Name: canvas.SanitizeLine(name), Time: now}))
		return keptAgentsMsg{Content: c, Err: err, Changed: true}
	}
}

// unkeepable says why a reference cannot be written to a file, empty if it can. Public are
// names of parameters whose values are no secrets.
func unkeepable(ref string, public []string) string {
	switch {
	case ref == "-":
		return "its card came from standard input, which is over"
	case a2a.MaskReference(ref, public...) != ref:
		return "its address holds a secret, which is written to no file (--public NAME says that a value is none)"
	default:
		return ""
	}
}

// lasting returns a reference as it leads to the agent from everywhere: a file's whole path.
func lasting(ref string) string {
	if strings.Contains(ref, "://") {
		return ref
	}
	if info, err := os.Stat(ref); err == nil && info.Mode().IsRegular() {
		if whole, err := filepath.Abs(ref); err == nil {
			return whole
		}
	}
	return ref
}
