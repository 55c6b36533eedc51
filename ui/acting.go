package ui

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/request"
)

// record is the record that the acting keys are about: the one under the cursor.
func (m *Model) record() *log.Item {
	id := m.panes.wire.Selected()
	if m.screen.at == control.OnChat && m.panes.chat.Selected() != 0 {
		id = m.panes.chat.Selected()
	}
	return m.state.Log.At(id)
}

// requestOf returns the request that a record belongs to, nil if it belongs to none.
func (m *Model) requestOf(it *log.Item) *log.Item {
	if it == nil || it.Record.Exchange == 0 {
		return nil
	}
	if first := m.state.Log.At(it.Record.Exchange); first != nil && first.Record.Kind == a2a.KindRequest {
		return first
	}
	return nil
}

// actKey takes the keys that act on the record under the cursor, and reports whether
// msg was one.
func (m *Model) actKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.screen.at != control.OnWire && m.screen.at != control.OnChat {
		return nil, false
	}
	k := &m.keys.Acting
	switch {
	case key.Matches(msg, k.Edit):
		return m.editRequest(), true
	case key.Matches(msg, k.CopyAs):
		return m.copyMenu(m.record()), true
	case key.Matches(msg, k.Bench):
		return m.faultMenu(), true
	}
	return nil, false
}

// actHelp lists the keys that act on the record under the cursor, and the one for what
// was found, for the footer.
func (m *Model) actHelp() []key.Binding {
	k := m.keys.Acting
	k.Edit.SetEnabled(!m.readOnly() && m.requestOf(m.record()) != nil)
	k.CopyAs.SetEnabled(m.requestOf(m.record()) != nil)
	k.Bench.SetEnabled(!m.readOnly() && m.faultable() != 0)
	found := m.keys.Findings
	found.SetEnabled(m.state.Log.Findings().Count(a2a.Error)+m.state.Log.Findings().Count(a2a.Warning) > 0)
	return []key.Binding{k.CopyAs, k.Edit, k.Bench, found}
}

// editRequest opens the request of the record under the cursor, to be changed and sent
// again.
func (m *Model) editRequest() tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	it := m.requestOf(m.record())
	if it == nil {
		return m.say("This record belongs to no request: select one that does.", true)
	}
	call := it.Record.Call
	d := request.Draft{Agent: m.cur.Agent}
	if call != nil {
		d.Agent, d.Conversation = call.Agent, call.Conversation
	}
	d.To = m.agentName(d.Agent)
	d.Request, d.Secrets, d.Missing = request.Captured(&it.Record)
	d.Request.From = it.Record.ID
	m.openRequest(d.Agent)
	m.panes.request.Open(d)
	return nil
}

// writeRequest opens what was being written for the agent on the screen, or the list of
// requests to begin with.
func (m *Model) writeRequest() tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	a := m.agent()
	if a == nil {
		return m.say(control.NoAgent, true)
	}
	m.openRequest(a.ID)
	if !m.panes.request.Unsent(a.ID) {
		m.panes.request.Begin(request.Draft{Agent: a.ID, Conversation: m.cur.Conversation, To: a.Name()})
	}
	return nil
}

func (m *Model) openRequest(agent a2a.AgentID) {
	m.panes.request.SetPresets(m.opts.Engine.Presets(agent))
	m.panes.request.SetNewID(m.opts.Engine.NewID)
	m.show(overRequest)
}

const overRequest control.SheetName = "request"

// requestSheet lies over the panes while a request is written. What was written stays
// when it is put away.
func (m *Model) requestSheet() control.Sheet {
	p := m.panes.request
	return control.Sheet{
		Pane: p, Help: "request", Keys: p.FullHelp, Paste: p.Paste, Leave: m.leaving(false),
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.requested(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.requested(p.Mouse(msg, x, y)) },
	}
}

// requested carries out what the composer of requests asks for.
func (m *Model) requested(in request.Intent) tea.Cmd {
	switch in := in.(type) {
	case request.Send:
		return m.sendRequest(in)
	case request.Refused:
		return m.say(in.Why, true)
	case request.Edit:
		return host{m}.Edit(in.Text, control.EditedMsg{Request: true})
	case request.Close:
		m.closeOverlay()
	}
	return nil
}

// sendRequest sends what was written. The wire pane follows what comes of it.
func (m *Model) sendRequest(in request.Send) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	m.closeOverlay()
	m.writing.hand = m.opts.Engine.SendRaw(in.Agent, in.Conversation, in.Request)
	m.panes.wire.Follow()
	m.setFocus(control.OnWire)
	return m.say("sent to "+m.agentName(in.Agent)+" as it was written; e changes it again", false)
}

// checkRequest says what the rules find in a request that is about to be sent. The rules
// know the agent's tasks, and nothing of the session's other records.
func (m *Model) checkRequest(agent a2a.AgentID, r *a2a.RawRequest) []a2a.Finding {
	call := a2a.Call{Agent: agent}
	if a := m.state.Agent(agent); a != nil {
		call.Dialect, call.Binding = a.Profile.Dialect, a.Profile.Binding
	}
	rec := r.Record(call)
	return lint.New().Check(&rec, &a2a.Update{}, m.state.Known(agent))
}

// acting are the finder's twins of the acting keys.
func (m *Model) acting() []control.Command {
	k := &m.keys.Acting
	none, closed := "", ""
	if m.requestOf(m.record()) == nil {
		none = "no record of a request is selected"
	}
	if m.faultable() == 0 {
		closed = "no stream is open here"
	}
	return []control.Command{
		{Name: "Write a request", Why: m.refusal(), Do: m.writeRequest},
		{Key: k.Edit, Name: "Edit and resend the selected request", Why: cmp.Or(m.refusal(), none), Do: m.editRequest},
		{Key: k.CopyAs, Name: "Copy the selected exchange as curl, JSON-RPC, raw", Why: none, Do: func() tea.Cmd { return m.copyMenu(m.record()) }},
		{Key: k.Bench, Name: "Fault bench for the open stream", Why: cmp.Or(m.refusal(), closed), Do: m.faultMenu},
	}
}
