package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/control"
	"parley/ui/palette"
	"parley/ui/styles"
)

// openPalette opens the finder.
func (m *Model) openPalette() tea.Cmd { return m.openPaletteWith("") }

// openPaletteWith opens the finder with a text.
func (m *Model) openPaletteWith(text string) tea.Cmd {
	m.find(palette.List{
		Title: "find", Entries: m.entries(),
		Hint: "agent, conversation, prompt, #record, command or URL", Typed: finder{m}.typed, Else: noMatch, Text: text, Value: mainList{},
	})
	m.touch()
	return finder{m}.sessions()
}

// find opens the finder on a list.
func (m *Model) find(l palette.List) {
	m.panes.palette.Open(l)
	m.show(overPalette)
}

// ask asks for the argument of a command in the finder.
func (m *Model) ask(c control.Command) tea.Cmd {
	l := palette.List{Title: c.Name, Hint: c.Takes, Else: acceptAny("uses the text"), Value: c.With}
	if c.Offers != nil {
		for _, o := range c.Offers("") {
			l.Entries = append(l.Entries, palette.Entry{
				Group: withSlash(c.Slash), Name: o.Text, Note: o.Note, Value: control.Action(func() tea.Cmd { return c.With(o.Text) }),
			})
		}
	}
	m.find(l)
	m.touch()
	return nil
}

// acceptAny makes the finder accept any text; words say what becomes of it.
func acceptAny(words string) func(string) (string, bool) {
	return func(string) (string, bool) { return words, true }
}

// withSlash returns a slash word with its slash, empty if there is none.
func withSlash(word string) string {
	if word == "" {
		return ""
	}
	return "/" + word
}

// onFinderIntent carries out the intents of the finder.
func (m *Model) onFinderIntent(in palette.Intent) tea.Cmd {
	switch in := in.(type) {
	case palette.Close:
		m.closeOverlay()
	case palette.Typed:
		m.closeOverlay()
		if with, ok := in.Value.(func(string) tea.Cmd); ok {
			return with(in.Text)
		}
	case palette.Choose:
		m.closeOverlay()
		if c, ok := in.Entry.Value.(control.Command); ok {
			return m.carryOut(c, in.Arg)
		}
		return in.Entry.Value.(control.Action)()
	}
	return nil
}

// carryOut runs a command with the argument behind its word, or asks for the argument.
func (m *Model) carryOut(c control.Command, arg string) tea.Cmd {
	switch {
	case arg != "" && c.With != nil:
		return c.With(arg)
	case c.Run == nil:
		return m.ask(c)
	default:
		return c.Run()
	}
}

// noMatch says what can be typed into the finder.
func noMatch(text string) (words string, ok bool) {
	if strings.HasPrefix(text, "/") {
		return "there is no such command", false
	}
	return "an agent is opened by its URL, host:port or card file", false
}

// waitingGroup is the group of the conversations that wait for the user.
const waitingGroup = "waiting"

// agentGroup is the group of the open agents.
const agentGroup = "agent"

// places returns a command for each place: waiting conversations first.
func (m *Model) places() []control.Command {
	var out []control.Command
	sep := " " + m.st.G[styles.Separator] + " "
	for _, t := range m.state.Waiting() {
		c := t.Conversation
		out = append(out, control.Command{
			Group: waitingGroup, Name: c.Name(), Note: c.Agent.Name() + sep + t.State.String(),
			Run: m.toPlace(control.Place{Agent: c.Agent.ID, Conversation: c.ID}),
		})
	}
	for _, a := range m.state.Agents {
		out = append(out, control.Command{Group: agentGroup, Name: a.Name(), Note: a.Ref, Also: []string{a.Ref}, Run: m.toPlace(m.visits.last(a, m.outbox.Drafted))})
	}
	for _, a := range m.state.Agents {
		for _, c := range a.Conversations {
			out = append(out, control.Command{
				Group: "conversation", Name: c.Name(), Note: a.Name() + sep + units.Plural(len(c.Turns), "turn"),
				Run: m.toPlace(control.Place{Agent: a.ID, Conversation: c.ID}),
			})
		}
	}
	return out
}

func (m *Model) toPlace(p control.Place) control.Action {
	return func() tea.Cmd {
		m.goTo(p)
		m.focusComposer()
		return nil
	}
}
