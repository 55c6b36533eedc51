package ui

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/credentials"
)

// openCredentials takes credentials for the agent on the screen.
func (m *Model) openCredentials() tea.Cmd {
	if m.agent() == nil {
		return m.say("No agent is open: ctrl+p and paste the URL of one.", true)
	}
	m.panes.credentials.Open(m.credentialsAbout(), m.challenged(m.cur.Agent))
	m.show(overCredentials)
	return nil
}

// openHeader takes the value of a header, of which either may be known already.
func (m *Model) openHeader(name, value string) tea.Cmd {
	cmd := m.openCredentials()
	if m.screen.over == overCredentials {
		m.panes.credentials.Header(name, value)
	}
	return cmd
}

// headerTyped opens the field for the value of a header as soon as the finder has its name:
// nothing of the value is to stand there in clear.
func (m *Model) headerTyped() tea.Cmd {
	words := strings.SplitN(strings.TrimLeft(m.panes.palette.Text(), " "), " ", 3)
	if m.screen.over != overPalette || len(words) < 3 || !strings.EqualFold(words[0], "pin") || !strings.EqualFold(words[1], "header") {
		return nil
	}
	name, value, found := strings.Cut(words[2], ":")
	if !found || strings.TrimSpace(name) == "" {
		return nil
	}
	m.closeOverlay()
	return m.openHeader(strings.TrimSpace(name), value)
}

const overCredentials control.SheetName = "credentials"

// credentialsSheet lies over the panes while credentials are entered. The pane itself takes
// the keys that leave it, since it has a secret to forget.
func (m *Model) credentialsSheet() control.Sheet {
	p := m.panes.credentials
	s := control.Sheet{
		Pane: p, Help: "credentials", Keys: p.FullHelp, Height: p.Height(),
		Key:     func(msg tea.KeyPressMsg) tea.Cmd { return m.identified(p.Key(msg)) },
		Mouse:   func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.identified(p.Mouse(msg, x, y)) },
		Refresh: func() { p.SetAbout(m.credentialsAbout()) },
	}
	if p.Typing() {
		s.Paste = p.Paste
	}
	return s
}

// credentialsAbout is what the sheet of credentials shows.
func (m *Model) credentialsAbout() credentials.About {
	a := m.agent()
	if a == nil {
		return credentials.About{Why: "No agent is open."}
	}
	about := credentials.About{Agent: a.Name(), Card: a.Card, Origin: originOf(a)}
	if about.Why = m.refusal(); about.Why != "" {
		return about
	}
	pins := m.opts.Engine.Pins(a.ID)
	for _, h := range pins.Headers {
		about.Set = append(about.Set, credentials.Entry{Name: h.Name, Value: maskedValue(h)})
	}
	if pins.APIKey != "" {
		about.Set = append(about.Set, credentials.Entry{Name: "API key", Value: a2a.Mask})
	}
	return about
}

// challenged returns the schemes that the newest 401 of an agent names, nil if none of its
// newest records is one.
func (m *Model) challenged(agent a2a.AgentID) []string {
	const newest = 200 // records that are looked at
	log := m.state.Log
	for id := a2a.RecordID(log.Len()); id > 0 && int(id) > log.Len()-newest; id-- {
		it := log.At(id)
		if it == nil {
			continue
		}
		r := &it.Record
		if r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status == http.StatusUnauthorized && r.Call != nil && r.Call.Agent == agent {
			return a2a.ChallengeSchemes(r.Head.Header)
		}
	}
	return nil
}

// maskedValue is the value of a header as it may be shown: with the scheme before a
// credential, as long as that is one that everybody knows.
func maskedValue(h a2a.HeaderPair) string {
	if a2a.PublicNames(nil).Has(h.Name) || h.Public {
		return h.Value
	}
	if scheme, _, ok := strings.Cut(h.Value, " "); ok && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic")) {
		return scheme + " " + a2a.Mask
	}
	return a2a.Mask
}

// originOf is where an agent's requests go, empty while that is not known.
func originOf(a *model.Agent) string {
	if origin := a2a.Origin(a.Profile.Endpoint); origin != "" {
		return origin
	}
	return a2a.Origin(a.Ref)
}

// identified carries out what the sheet of credentials asks for.
func (m *Model) identified(in credentials.Intent) tea.Cmd {
	switch in := in.(type) {
	case credentials.Close:
		m.closeOverlay()
	case credentials.Refused:
		return m.say(in.Why, true)
	case credentials.Enter:
		return m.identify(in.Header.Name, func(p *a2a.Pins) {
			p.Headers = append(without(p.Headers, in.Header.Name), in.Header)
		})
	case credentials.EnterKey:
		return m.identify("the API key", func(p *a2a.Pins) { p.APIKey = in.Key })
	case credentials.Remove:
		return m.unpin(in.Entry)
	}
	return nil
}

// without returns headers without those of a name.
func without(headers []a2a.HeaderPair, name string) []a2a.HeaderPair {
	return slices.DeleteFunc(slices.Clone(headers), func(h a2a.HeaderPair) bool { return strings.EqualFold(h.Name, name) })
}

// unpin takes a credential away.
func (m *Model) unpin(entry credentials.Entry) tea.Cmd {
	a := m.agent()
	if a == nil || m.readOnly() {
		return m.say(cmp.Or(m.refusal(), "No agent is open."), true)
	}
	pins := m.opts.Engine.Pins(a.ID)
	if kept := without(pins.Headers, entry.Name); len(kept) < len(pins.Headers) {
		pins.Headers = kept
	} else {
		pins.APIKey = ""
	}
	m.opts.Engine.Pin(a.ID, pins)
	return m.say(canvas.SanitizeLine(entry.Name)+" does not go to "+a.Name()+" any more.", false)
}

// identify changes the credentials of the agent on the screen, and brings back what it had
// refused without them.
func (m *Model) identify(name string, change func(*a2a.Pins)) tea.Cmd {
	a := m.agent()
	if a == nil || m.readOnly() {
		return m.say(cmp.Or(m.refusal(), "No agent is open."), true)
	}
	pins := m.opts.Engine.Pins(a.ID)
	change(&pins)
	m.opts.Engine.Pin(a.ID, pins)
	m.closeOverlay()
	said := canvas.SanitizeLine(name) + " goes to " + a.Name() + " from now on"
	if a.Card == nil {
		m.opts.Engine.Reopen(a.ID)
		return m.say(said+"; it is asked for its card again.", false)
	}
	t := m.refusedTurn()
	back := m.outbox.Returned() // the refused message is in the composer
	switch {
	case t == nil:
		return m.say(said+".", false)
	case !back && m.panes.composer.Empty():
		m.outbox.EditAgain()
	}
	if m.panes.composer.Empty() { // it held a secret, which is not kept
		return m.say(said+"; the message that was refused has to be written anew.", false)
	}
	if m.focusComposer(); !back && !m.outbox.Returned() {
		return m.say(said+"; "+m.keys.Turn.Again.Help().Key+" on the turn brings the refused message back.", false)
	}
	return m.say(said+"; enter sends the message again.", false)
}

// refusedTurn is the newest turn of the conversation on the screen if the agent refused it
// because of credentials, else nil.
func (m *Model) refusedTurn() *model.Turn {
	conv := m.conversation()
	if conv == nil || len(conv.Turns) == 0 {
		return nil
	}
	t := conv.Turns[len(conv.Turns)-1]
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if p := b.Entries[i].Problem; p != nil && (p.Class == a2a.ClassNoCredentials || p.Class == a2a.ClassAuth) {
				return t
			}
		}
	}
	return nil
}

// identifying lists what can be done about credentials.
func (m *Model) identifying() []control.Command {
	why := m.refusal()
	if why == "" && m.agent() == nil {
		why = "no agent is open"
	}
	out := []control.Command{{
		Key: m.keys.Credentials, Slash: "credentials", Name: "Enter credentials for the agent, or take them back", Why: why,
		Do: func() tea.Cmd { return m.openCredentials() },
	}}
	if why != "" {
		return out
	}
	for _, e := range m.credentialsAbout().Set {
		out = append(out, control.Command{Name: "Unpin " + canvas.SanitizeLine(e.Name) + ": " + e.Value, Note: originOf(m.agent()), Do: func() tea.Cmd { return m.unpin(e) }})
	}
	return out
}
