package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/palette"
	"parley/ui/styles"
)

// openPalette shows everything that can be gone to or done.
func (m *Model) openPalette() {
	m.screen.over = overPalette
	m.panes.palette.Open(palette.List{
		Title: "find", Entries: m.entries(),
		Hint: "agent, conversation, prompt or command; or paste a URL", Else: "enter opens it as an agent",
	})
	m.touch()
}

// ask has the finder ask for what a command takes.
func (m *Model) ask(c command) tea.Cmd {
	l := palette.List{Title: c.name, Hint: c.takes, Else: "enter takes it as it is", Value: c.with}
	if c.offers != nil {
		for _, o := range c.offers("") {
			l.Entries = append(l.Entries, palette.Entry{
				Group: slashed(c.slash), Name: o.Text, Note: o.Note, Value: action(func() tea.Cmd { return c.with(o.Text) }),
			})
		}
	}
	m.screen.over = overPalette
	m.panes.palette.Open(l)
	m.touch()
	return nil
}

// slashed is a command's word as it is written, empty if it has none.
func slashed(word string) string {
	if word == "" {
		return ""
	}
	return "/" + word
}

// found carries out what the palette asks for.
func (m *Model) found(in palette.Intent) tea.Cmd {
	switch in := in.(type) {
	case palette.Close:
		m.closeOverlay()
	case palette.Typed:
		m.closeOverlay()
		if with, ok := in.Value.(func(string) tea.Cmd); ok {
			return with(in.Text)
		}
		if cmd, ok := m.pinTyped(in.Text); ok {
			return cmd
		}
		return m.openRef(in.Text)
	case palette.Choose:
		m.closeOverlay()
		return in.Entry.Value.(action)()
	}
	return nil
}

// places lists where one can go: conversations that wait first.
func (m *Model) places() []command {
	var out []command
	sep := " " + m.st.G[styles.Separator] + " "
	for _, t := range m.state.Waiting() {
		c := t.Conversation
		out = append(out, command{
			group: "waiting", name: c.Name(), note: c.Agent.Name() + sep + t.State.String(),
			do: m.toPlace(place{c.Agent.ID, c.ID}),
		})
	}
	for _, a := range m.state.Agents {
		out = append(out, command{group: "agent", name: a.Name(), note: a.Ref, do: m.toPlace(place{agent: a.ID})})
	}
	for _, a := range m.state.Agents {
		for _, c := range a.Conversations {
			out = append(out, command{
				group: "conversation", name: c.Name(), note: a.Name() + sep + units.Plural(len(c.Turns), "turn"),
				do: m.toPlace(place{a.ID, c.ID}),
			})
		}
	}
	return out
}

func (m *Model) toPlace(p place) action {
	return func() tea.Cmd {
		m.goTo(p)
		m.focusComposer()
		return nil
	}
}
