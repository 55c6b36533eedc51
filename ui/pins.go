package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
)

// pinning lists what the user can decide about how the agent on the screen is
// spoken to.
func (m *Model) pinning() []control.Command {
	engine, a := m.opts.Engine, m.agent()
	if a == nil || m.readOnly() {
		return nil
	}
	pins := engine.Pins(a.ID)
	var out []control.Command
	for i, c := range a.Choices {
		out = append(out, control.Command{Group: "agent", Name: c.Name, Note: "not open yet " + c.Description, Do: func() tea.Cmd {
			engine.OpenChoice(a.ID, i)
			return nil
		}})
	}
	add := func(name, note string, do control.Action) {
		out = append(out, control.Command{Name: name, Note: note, Do: do})
	}
	pin := func(name string, on bool, p a2a.Pins) {
		note := ""
		if on {
			note = "pinned"
		}
		add("Pin "+name, note, func() tea.Cmd { return m.pin(a.ID, p, name) })
	}
	add("Probe the agent again", "how it speaks", func() tea.Cmd {
		engine.ProbeDialect(a.ID)
		return m.say("The endpoint of "+a.Name()+" is asked how it speaks; the card shows what comes of it.", false)
	})
	if a.Card == nil && a.Phase == model.Failed {
		add("Look for the card in other places too", "", func() tea.Cmd { engine.SearchCard(a.ID); return nil })
	}
	if !pins.Empty() || len(pins.Headers) > 0 || pins.APIKey != "" {
		add("Unpin everything: the card decides", "", func() tea.Cmd { return m.pin(a.ID, a2a.Pins{Prefer: pins.Prefer}, "nothing") })
	}
	for _, name := range a2a.Dialects() {
		p := pins
		d, b, _ := a2a.ParseDialect(string(name))
		p.Dialect = d
		if b != "" || p.Binding == a2a.BindingREST {
			p.Binding = b
		}
		pin("dialect "+string(name), pins.Dialect == p.Dialect && pins.Binding == p.Binding, p)
	}
	for _, b := range []a2a.Binding{a2a.BindingJSONRPC, a2a.BindingREST} {
		p := pins
		p.Binding = b
		pin("binding "+b.String(), pins.Binding == b, p)
	}
	for _, w := range a.Profile.Alternatives {
		p := pins
		p.Dialect, p.Binding, p.Endpoint, p.Tenant = w.Dialect, w.Binding, w.Endpoint, w.Tenant
		pin("endpoint "+w.Endpoint+" as "+w.Dialect.Number()+" "+w.Binding.String(), pins.Endpoint == w.Endpoint, p)
	}
	add("Pin header NAME: VALUE", m.keys.Credentials.Help().Key, func() tea.Cmd { return m.openHeader("", "") })
	for _, what := range []string{"endpoint URL", "tenant NAME"} {
		add("Pin "+what, "type it here", func() tea.Cmd { return m.say("Open the finder and type: pin "+what, false) })
	}
	return out
}

// pin pins and says so.
func (m *Model) pin(agent a2a.AgentID, p a2a.Pins, name string) tea.Cmd {
	m.opts.Engine.Pin(agent, p)
	return m.say("Pinned for "+m.agentName(agent)+": "+name+".", false)
}

// pinTyped understands "pin endpoint URL", "pin tenant NAME" and "pin header NAME:
// VALUE"; it reports false for anything else.
func (m *Model) pinTyped(text string) (tea.Cmd, bool) {
	words := strings.SplitN(text, " ", 3)
	a := m.agent()
	if a == nil || m.readOnly() || len(words) != 3 || !strings.EqualFold(words[0], "pin") {
		return nil, false
	}
	p, value := m.opts.Engine.Pins(a.ID), strings.TrimSpace(words[2])
	shown := value
	switch strings.ToLower(words[1]) {
	case "endpoint":
		if a2a.Origin(value) == "" {
			return m.say("An endpoint is an http or https URL.", true), true
		}
		p.Endpoint, shown = value, a2a.MaskReference(value)
	case "tenant":
		p.Tenant = value
	case "header":
		name, content, _ := strings.Cut(value, ":")
		return m.openHeader(strings.TrimSpace(name), content), true
	default:
		return nil, false
	}
	return m.pin(a.ID, p, words[1]+" "+shown), true
}
