package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/agents"
	"parley/ui/card"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/wire"
)

// onComposerIntent carries out what the composer asks for.
func (m *Model) onComposerIntent(in composer.Intent) tea.Cmd {
	switch in := in.(type) {
	case composer.Run:
		return m.run(in)
	case composer.Attach:
		return m.attachments.Attach()
	case composer.Change:
		return m.attachments.ChangePart(in.Index)
	case composer.OpenOptions:
		return m.sendOptions.Open()
	default:
		return m.outbox.OnComposerIntent(in)
	}
}

// edited takes over what the user's editor saved, where the text was being written.
func (m *Model) edited(msg control.EditedMsg) tea.Cmd {
	m.touch()
	switch {
	case msg.Err != nil:
		return m.say("The editor could not be used; the draft is unchanged. Is $EDITOR right?", true)
	case msg.Request:
		m.panes.request.Edited(msg.Text)
	case msg.JSON:
		m.json.Edited(msg.Text)
	default:
		return m.outbox.OnEdited(msg)
	}
	return nil
}

// chatted carries out what the conversation asks for. The wire follows the
// cursor; the keys go there only when the user asked.
func (m *Model) chatted(in chat.Intent) tea.Cmd {
	switch in := in.(type) {
	case chat.RevealRecord:
		m.panes.wire.Select(in.Record)
		if in.Open {
			m.setFocus(control.OnWire)
		}
	case chat.Copy:
		return m.copy(in.Text)
	case chat.Files:
		return m.keepOne(in)
	case chat.OpenLinks:
		return m.askLinks(in.Links)
	case chat.Cease:
		return m.tasks.StopPoll(in.Turn)
	case chat.Look:
		return m.tasks.CheckAuth(in.Agent, in.Task, in.On)
	case chat.Merge:
		return m.merge(in)
	case chat.Try:
		return m.outbox.SendFirst(m.cur.Agent, exampleDraft(in.Example))
	case chat.Begin:
		return m.beginKept(in.Index)
	case chat.Demo:
		return m.openDemo()
	case chat.Mend:
		return m.mend(in.Remedy)
	}
	return nil
}

// wired carries out what the wire pane asks for.
func (m *Model) wired(in wire.Intent) tea.Cmd {
	switch in := in.(type) {
	case wire.Reveal:
		return m.reveal(in.Record)
	case wire.Copy:
		return m.copy(in.Text)
	case wire.Save:
		return save(m.opts.Dir, in)
	case wire.Say:
		return m.say(in.Text, false)
	}
	return nil
}

// reveal shows in the conversation what a record built.
func (m *Model) reveal(id a2a.RecordID) tea.Cmd {
	at, ok := m.state.Anchor(id)
	if !ok || at.Conversation == 0 {
		return m.say("This record is not part of a conversation.", false)
	}
	m.goTo(control.Place{Agent: at.Agent, Conversation: at.Conversation})
	m.panes.chat.Show(m.agent(), m.conversation())
	if m.panes.chat.SelectRecord(at) && m.screen.layout.Talk.W == 0 {
		m.setFocus(control.OnChat)
	}
	return nil
}

// chose carries out what the agents pane asks for.
func (m *Model) chose(in agents.Intent) tea.Cmd {
	switch in := in.(type) {
	case agents.Select:
		m.goTo(control.Place{Agent: in.Agent, Conversation: m.newest(in)})
		if in.Enter {
			m.setFocus(control.OnChat) // where there is no composer
			m.focusComposer()
		}
	case agents.OpenCard:
		return m.openCard(in.Agent)
	case agents.Retry:
		return m.retry(in.Agent)
	case agents.Begin:
		return m.outbox.Begin(in.Agent)
	case agents.Add:
		m.openPalette()
	default:
		return m.keeps(in)
	}
	return nil
}

// keeps carries out what the agents pane asks for about agents that are kept.
func (m *Model) keeps(in agents.Intent) tea.Cmd {
	switch in := in.(type) {
	case agents.Open:
		return m.openKept(in.Agent)
	case agents.Save:
		return m.askSave(in)
	case agents.Rename:
		return m.askRename(in.Name)
	case agents.Forget:
		return m.forget(in.Kept)
	case agents.Close:
		return m.dismiss(in.Agent)
	case agents.Undo:
		return m.undismiss()
	}
	return nil
}

// newest is the conversation to show for a selection: the one named, or the
// agent's newest.
func (m *Model) newest(in agents.Select) a2a.ConversationID {
	a := m.state.Agent(in.Agent)
	if in.Conversation != 0 || a == nil || len(a.Conversations) == 0 {
		return in.Conversation
	}
	return a.Conversations[len(a.Conversations)-1].ID
}

// retry asks for an agent's card again.
func (m *Model) retry(id a2a.AgentID) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	m.opts.Engine.Reopen(id)
	return m.say("asking "+m.agentName(id)+" for its card", false)
}

// carded carries out what the card asks for.
func (m *Model) carded(in card.Intent) tea.Cmd {
	switch in := in.(type) {
	case card.SendExample:
		return m.outbox.SendFirst(in.Agent, exampleDraft(in.Example))
	case card.Copy:
		return m.copy(in.Text)
	case card.Retry:
		return m.retry(in.Agent)
	case card.Extended:
		return m.askExtended(in.Agent, false)
	case card.Public:
		return m.askExtended(in.Agent, true)
	case card.Extensions:
		return m.openExtensions()
	case card.Close:
		m.closeOverlay()
	}
	return nil
}

// copy puts text on the clipboard by OSC 52, which works over ssh and in tmux
// where the terminal allows it. Terminals do not say whether they did.
func (m *Model) copy(text string) tea.Cmd {
	size := units.Bytes(int64(len(text)))
	switch {
	case len(text) > maxClipboard:
		return m.say(size+" are too large for a terminal's clipboard: w in the wire pane saves them to a file", true)
	case len(text) > sureClipboard:
		return tea.Batch(tea.SetClipboard(text), m.say(size+" given to the terminal, which may take less: w in the wire pane saves them to a file", false))
	default:
		return tea.Batch(tea.SetClipboard(text), m.say("copied", false))
	}
}
