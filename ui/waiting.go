package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/inbox"
)

// attention is what the user is told of tasks that wait.
type attention struct {
	silent bool
	// news are tasks that began to wait in the batch that is being applied.
	news []*model.Task
	// downloads are files on their way, by the turns that download them.
	downloads map[a2a.TurnID]download
	keys      int    // that were pressed
	listed    uint64 // up to which of those that wait the inbox was told of them
}

func (a *attention) began(t *model.Task) { a.news = append(a.news, t) }

// ring rings the terminal's bell, once for all tasks that began to wait and still do. What a
// recording shows again waits for nobody.
func (m *Model) ring() tea.Cmd {
	news := m.attention.news
	m.attention.news = news[:0]
	still := func(t *model.Task) bool { return t.Waits() && !t.Conversation.Agent.Closed }
	if m.attention.silent || m.readOnly() || !slices.ContainsFunc(news, still) {
		return nil
	}
	return tea.Raw("\a")
}

// setBell switches the bell on or off.
func (m *Model) setBell(on bool) tea.Cmd {
	m.attention.silent = !on
	if on {
		return tea.Batch(tea.Raw("\a"), m.say("the bell rings when a task begins to wait for you", false))
	}
	return m.say("the bell is off; the header still says what waits for you", false)
}

// waitingElsewhere reports whether a task waits for the user in a conversation
// that is not on the screen.
func (m *Model) waitingElsewhere() bool {
	return slices.ContainsFunc(m.state.Waiting(), func(t *model.Task) bool { return t.Conversation.ID != m.cur.Conversation })
}

// nextWaiting goes to the task that waits for the user, or lists them when there are
// several.
func (m *Model) nextWaiting() tea.Cmd {
	waiting := m.state.Waiting()
	switch {
	case len(waiting) == 0:
		return m.say("Nothing waits for you.", false)
	case len(waiting) > 1:
		return m.openInbox()
	case !m.waitingElsewhere():
		m.focusComposer()
		return m.say("Only what is on the screen waits for you.", false)
	}
	return m.attend(waiting[0])
}

// openInbox lists what waits for the user, on the first that is not on the screen.
func (m *Model) openInbox() tea.Cmd {
	waiting := m.state.Waiting()
	var on *model.Task
	if i := slices.IndexFunc(waiting, func(t *model.Task) bool { return t.Conversation.ID != m.cur.Conversation }); i >= 0 {
		on = waiting[i]
	}
	_, m.attention.listed = m.state.WaitingSince(m.attention.listed)
	m.panes.inbox.Open(waiting, on)
	m.show(overInbox)
	return nil
}

// attend goes to a task and aims at it.
func (m *Model) attend(t *model.Task) tea.Cmd {
	m.closeOverlay()
	c := t.Conversation
	m.goTo(control.Place{Agent: c.Agent.ID, Conversation: c.ID})
	m.focusComposer()
	if m.panes.composer.Empty() { // else it is about something already
		m.outbox.AimAt(t)
	}
	return nil
}

const overInbox control.SheetName = "inbox"

// inboxSheet lies over the panes while the user looks at what waits. The key that
// opened it goes on to the next.
func (m *Model) inboxSheet() control.Sheet {
	p := m.panes.inbox
	return control.Sheet{
		Pane: p, Help: "waiting for you", Keys: p.FullHelp, Height: p.Height(), Leave: m.leaving(false), Ticks: true,
		Key: func(msg tea.KeyPressMsg) tea.Cmd {
			if key.Matches(msg, m.keys.Waiting) {
				p.Step(1)
				return nil
			}
			return m.waited(p.Key(msg))
		},
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.waited(p.Mouse(msg, x, y)) },
		Refresh: func() {
			fresh, last := m.state.WaitingSince(m.attention.listed)
			m.attention.listed = last
			p.Update(fresh, len(m.state.Waiting()), m.opts.Now())
		},
	}
}

// waited carries out what the list of what waits asks for.
func (m *Model) waited(in inbox.Intent) tea.Cmd {
	switch in := in.(type) {
	case inbox.Go:
		return m.attend(in.Task)
	case inbox.Open:
		return m.askLink(in.URL)
	case inbox.Copy:
		return m.copy(in.Text)
	case inbox.Refused:
		return m.say(in.Why, true)
	case inbox.Close:
		m.closeOverlay()
	}
	return nil
}

// attending lists what can be done about what waits.
func (m *Model) attending() []control.Command {
	none := ""
	if len(m.state.Waiting()) == 0 {
		none = "nothing waits for you"
	}
	bell := "Ring the bell when a task begins to wait"
	if !m.attention.silent {
		bell = "Ring no bell when a task begins to wait"
	}
	out := []control.Command{
		{Key: m.keys.Waiting, Name: "Go to what waits for you", Do: m.nextWaiting},
		{Slash: "waiting", Name: "List what waits for you, of every agent", Why: none, Do: m.openInbox},
		{Slash: "bell", Name: bell, Why: m.refusal(), Do: func() tea.Cmd { return m.setBell(m.attention.silent) }},
	}
	return append(append(out, m.looking()...), m.linking()...)
}
