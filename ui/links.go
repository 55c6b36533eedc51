package ui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/menu"
	"parley/ui/styles"
)

// browse opens a link in the user's browser.
type browse struct{ link string }

// askLink asks before a link of an agent's is opened: it shows where that really leads.
func (m *Model) askLink(link string) tea.Cmd {
	m.openMenu("it leads to "+m.hostOf(link), "an agent's link", m.linkItems(link))
	return nil
}

// askLinks asks which of an agent's links is to be opened.
func (m *Model) askLinks(links []string) tea.Cmd {
	if len(links) == 1 {
		return m.askLink(links[0])
	}
	items := make([]menu.Item, 0, len(links))
	for i, link := range links {
		shown := canvas.Ellipsize(canvas.SanitizeLine(link), 44, m.st.G[styles.Ellipsis])
		items = append(items, menu.Item{Key: strconv.Itoa(i + 1), Name: m.hostOf(link), Note: shown, Value: asked{link}})
	}
	m.openMenu("which link", "an agent's links", items)
	return nil
}

// asked is a link of several that was chosen; it is opened when it was seen alone.
type asked struct{ link string }

// maxHost is how many cells the host of a link takes in a menu, a list or a notice: it fits
// beside the other words at 80 columns.
const maxHost = 40

// hostOf returns the host of a link as it is shown: its end if it is long.
func (m *Model) hostOf(link string) string {
	return canvas.HostIn(link, maxHost, m.st.G[styles.Ellipsis])
}

// openLink asks before the link is opened that a task waits with: one of the conversation on
// the screen, else of another one.
func (m *Model) openLink() tea.Cmd {
	here, elsewhere := m.waitingLinks()
	if len(here) == 0 {
		here = elsewhere
	}
	if len(here) == 0 {
		return m.say(noLink, true)
	}
	return m.askLinks(here[:min(len(here), maxLinks)])
}

const (
	noLink   = "Nothing that waits for you names a link."
	maxLinks = 9 // a digit for each
)

// waitingLinks returns the links that tasks wait with, newest first, of the conversation on
// the screen and of others.
func (m *Model) waitingLinks() (here, elsewhere []string) {
	for _, t := range slices.Backward(m.state.Waiting()) {
		if t.Conversation.ID == m.cur.Conversation {
			here = append(here, log.Links(t.Prompt)...)
		} else {
			elsewhere = append(elsewhere, log.Links(t.Prompt)...)
		}
	}
	return here, elsewhere
}

// linkCommand opens the link that a task waits with.
func (m *Model) linkCommand() []control.Command {
	here, elsewhere := m.waitingLinks()
	link := control.Command{Key: m.keys.Link, Slash: "link", Name: "Open the link that a task waits with", Do: m.openLink}
	if len(here)+len(elsewhere) == 0 {
		link.Why = "nothing that waits names one"
	}
	return []control.Command{link}
}

// open has the system open a link.
func (m *Model) open(b browse) tea.Cmd {
	browse := m.opts.Browse
	m.opts.Engine.HurryAuthPolls()
	return tea.Batch(m.say("opening "+m.hostOf(b.link)+" in the browser; the task goes on here by itself", false), func() tea.Msg {
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
func (m *Model) linking() []control.Command {
	conv := m.conversation()
	if conv == nil {
		return nil
	}
	var out []control.Command
	for _, t := range conv.Tasks {
		if !t.Asks() {
			continue
		}
		for _, link := range log.Links(t.Prompt) {
			out = append(out, control.Command{
				Name: "Open the link of task " + looks.ShortID(t.ID) + " at " + m.hostOf(link), Note: t.State.String(),
				Do: func() tea.Cmd { return m.askLink(link) },
			})
		}
	}
	return out
}
