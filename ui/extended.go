package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/control"
)

// askExtended asks an agent for its extended card, or has the public one stand again.
func (m *Model) askExtended(id a2a.AgentID, public bool) tea.Cmd {
	a := m.state.Agent(id)
	switch {
	case a == nil:
		return m.say("No agent is open: ctrl+p and paste the URL of one.", true)
	case m.readOnly():
		return m.say(m.refusal(), true)
	case public:
		m.opts.Engine.PublicCard(id)
		return nil
	}
	if why := unready(a); why != "" {
		return m.say(why, true)
	}
	if d, known := a.Profile.Spoken(); known && !d.Supports(a2a.OpExtendedCard) {
		return m.say("A2A "+d.Name().Number()+" has no extended card.", true)
	}
	m.opts.Engine.ExtendedCard(id)
	return m.say("asking "+a.Name()+" for its extended card", false)
}

// otherCard says that another card of an agent stands now.
func (m *Model) otherCard(it *log.Item, id a2a.AgentID) tea.Cmd {
	n, a := it.Record.Note, m.state.Agent(id)
	if m.readOnly() || n == nil || a == nil {
		return nil
	}
	switch {
	case n.Type == log.NotePublicCard:
		return m.say(a.Name()+": "+a.Extended.Why, false)
	case n.Type != log.NoteExtendedCard || !a.Extended.Stands:
		return nil // the end of the turn says why there is none
	}
	said := "which says what the public one says"
	if c := len(a.Extended.Changes); c > 0 {
		said = "which says " + units.Plural(c, "thing") + " otherwise: f2 shows them"
	}
	return m.say(a.Name()+" shows its extended card, "+said, false)
}

// carding lists what can be done about the cards of the agent on the screen.
func (m *Model) carding() []control.Command {
	a := m.agent()
	if a == nil {
		return []control.Command{{Slash: "extended", Name: "Ask for the agent's extended card", Why: "no agent is open"}}
	}
	c := control.Command{Slash: "extended", Name: "Ask for the agent's extended card", Why: m.refusal(), Do: func() tea.Cmd { return m.askExtended(a.ID, false) }}
	if a.Extended.Stands {
		c.Name, c.Do = "Show the agent's public card again", func() tea.Cmd { return m.askExtended(a.ID, true) }
	}
	return []control.Command{c}
}
