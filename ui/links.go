package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/canvas"
	"parley/ui/menu"
	"parley/ui/styles"
)

// browse opens a link in the person's browser.
type browse struct{ link string }

// askLink asks before a link of an agent's is opened: it shows where that really leads.
func (m *Model) askLink(link string) tea.Cmd {
	host := canvas.SanitizeLine(session.Host(link))
	shown := canvas.Ellipsize(canvas.SanitizeLine(link), 44, m.st.G[styles.Ellipsis])
	open := menu.Item{Key: "o", Name: "open in the browser", Note: shown, Value: browse{link}}
	switch {
	case m.opts.Browse == nil:
		open.Why = "nothing here opens links: copy it"
	case m.remote():
		open.Why = "this is another machine's terminal: copy it"
	}
	m.openMenu("it leads to "+host, "an agent's link", []menu.Item{
		open,
		{Key: "y", Name: "copy it", Note: shown, Value: copied(func() string { return link })},
	})
	return nil
}

// open has the system open a link.
func (m *Model) open(b browse) tea.Cmd {
	browse := m.opts.Browse
	return tea.Batch(m.say("opening "+session.Host(b.link)+" in the browser; the task goes on here by itself", false), func() tea.Msg {
		return browsedMsg{browse(b.link)}
	})
}

// browsed says that a link could not be opened.
func (m *Model) browsed(msg browsedMsg) tea.Cmd {
	if msg.Err == nil {
		return nil
	}
	return m.say("The link could not be opened: no program that opens links was found. Copy it with y.", true)
}

// linking lists the links that the tasks of the conversation wait with.
func (m *Model) linking() []command {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	var out []command
	for _, t := range conv.Tasks {
		if !t.State.Interrupted() {
			continue
		}
		for _, link := range session.Links(t.Prompt) {
			out = append(out, command{
				name: "Open the link of task " + shortID(t.ID) + " at " + session.Host(link), note: t.State.String(),
				do: func() tea.Cmd { return m.askLink(link) },
			})
		}
	}
	return out
}
