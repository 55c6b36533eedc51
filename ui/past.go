package ui

import (
	"net"
	"net/url"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/history"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// loadHistory reads what was written in earlier runs.
func loadHistory(f *history.File) tea.Cmd {
	return func() tea.Msg {
		entries, err := f.Load()
		return earlierMsg{Entries: entries, Err: err}
	}
}

// remember takes what was written in earlier runs.
func (m *Model) remember(msg earlierMsg) tea.Cmd {
	m.writing.earlier = map[string][]string{}
	for _, e := range msg.Entries {
		m.writing.earlier[e.Agent] = append(m.writing.earlier[e.Agent], e.Text)
	}
	m.touch()
	if msg.Err != nil && m.opts.HistoryProblem == nil {
		return m.say("What was written in earlier runs cannot be read: "+reason(msg.Err)+".", true)
	}
	return nil
}

// recall puts what was written to an agent in earlier runs before what was written to it
// in this one, as soon as it is known who the agent is.
func (m *Model) recall(a *model.Agent) {
	w := &m.writing
	if a == nil || a.Card == nil || w.recalled[a.ID] {
		return
	}
	m.inherit(a)
	if w.earlier == nil || w.recalled[a.ID] {
		return
	}
	w.recalled[a.ID] = true
	if earlier := w.earlier[writtenTo(a)]; len(earlier) > 0 {
		w.history(a.ID).Precede(earlier)
	}
}

// inherit gives an agent that is opened anew what was written to it before it was closed.
func (m *Model) inherit(a *model.Agent) {
	w := &m.writing
	for _, was := range slices.Backward(m.closed) {
		old := m.state.Agent(was.at.Agent)
		if old == nil || old == a || old.Card == nil || !old.Closed || writtenTo(old) != writtenTo(a) || w.inherited[a.ID] {
			continue
		}
		w.inherited[a.ID] = true
		w.history(a.ID).Follow(w.history(old.ID))
		w.recalled[a.ID] = w.recalled[old.ID]
		return
	}
}

// keepForLater keeps what was sent for later runs, if it is no secret: nothing that was
// said to be one, and no answer to who asks for credentials. In the place of credentials
// and tokens in a text a mask is kept.
func (m *Model) keepForLater(d composer.Draft, to model.Target) tea.Cmd {
	a, file := m.state.Agent(to.Agent), m.opts.History
	if file == nil || d.Confidential() || a == nil || a.Card == nil {
		return nil
	}
	if t := m.state.Task(to.Agent, to.TaskID); t.AsksSecret() {
		return nil
	}
	e := history.Entry{Time: m.opts.Now(), Agent: writtenTo(a), Text: m.opts.Engine.Mask(d.Text)}
	return func() tea.Msg {
		if err := file.Add(e); err != nil {
			return keptMsg{Err: err}
		}
		return nil
	}
}

// notKept says once that nothing is kept for later runs.
func (m *Model) notKept(err error) tea.Cmd {
	if m.writing.unkept || m.opts.HistoryProblem != nil {
		return nil
	}
	m.writing.unkept = true
	return m.say("What is written cannot be kept for later runs: "+reason(err)+".", true)
}

// writtenTo names an agent as later runs will know it: by its name and its host. A port
// of this machine is another one in every run.
func writtenTo(a *model.Agent) string {
	u, err := url.Parse(a.Profile.Endpoint)
	if err != nil || u.Host == "" {
		return a.CardName()
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return a.CardName() + " " + u.Hostname()
	}
	return a.CardName() + " " + u.Host
}

// searchWritten begins to look for words in what was written to the agent.
func (m *Model) searchWritten(words string) control.Action {
	return func() tea.Cmd {
		m.focusComposer()
		m.panes.composer.Search(words)
		return nil
	}
}
