package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/wire"
)

// onComposerIntent carries out the intents of the composer.
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

// onEdited takes over what the user's editor saved, where the text was being written.
func (m *Model) onEdited(msg control.EditedMsg) tea.Cmd {
	m.touch()
	switch {
	case msg.Err != nil:
		return m.say("The editor failed; the draft is unchanged. Check $EDITOR.", true)
	case msg.Request:
		m.records.SetRequest(msg.Text)
	case msg.JSON:
		m.json.OnEdited(msg.Text)
	default:
		return m.outbox.OnEdited(msg)
	}
	return nil
}

// onChatIntent carries out the intents of the conversation. The wire pane follows the cursor; it
// gets the focus only if the user asks.
func (m *Model) onChatIntent(in chat.Intent) tea.Cmd {
	switch in := in.(type) {
	case chat.RevealRecord:
		if at, _ := m.state.Anchor(in.Record); in.Named && at.Conversation != 0 {
			return m.reveal(in.Record)
		}
		if in.Named && m.state.Log.At(in.Record) == nil {
			return m.say(log.NoRecord(in.Record, m.state.Log.Len()), true)
		}
		m.panes.wire.Select(in.Record)
		if in.Open {
			m.setFocus(control.OnWire)
			m.presses.chosen = true
			m.panes.chat.ShowCursor()
		}
	case chat.Copy:
		return m.copy(in.Text, "the text under the cursor")
	case chat.Files:
		return m.files.OnFilesIntent(in)
	case chat.OpenLinks:
		return m.links.Choose(in.Links)
	case chat.StopPolling:
		return m.tasks.StopPoll(in.Turn)
	case chat.SetAuthPoll:
		return m.tasks.CheckAuth(in.Agent, in.Task, in.On)
	case chat.MergeArtifacts:
		return m.files.Merge(in)
	case chat.UsePrompt:
		if in.Answers != nil {
			m.outbox.ResetTarget()
			m.outbox.AimAt(in.Answers)
		}
		return m.prompts.Write(in.Example)
	case chat.OpenOffer:
		return m.agents.OpenStart(in.Index)
	case chat.OpenDemo:
		return m.agents.OpenDemo()
	case chat.BrowseSessions:
		return m.sessions.Open()
	case chat.OpenInterrupted:
		return m.sessions.ShowInterrupted()
	case chat.UseRemedy:
		if in.Remedy == chat.ReviewCard {
			return m.approvals.Open()
		}
		return m.pins.Try(in.Remedy)
	}
	return nil
}

// onWireIntent carries out the intents of the wire pane.
func (m *Model) onWireIntent(in wire.Intent) tea.Cmd {
	switch in := in.(type) {
	case wire.Reveal:
		return m.reveal(in.Record)
	case wire.Copy:
		return m.copy(in.Text, in.What)
	case wire.Save:
		return m.files.Save(in.What, in.Name, in.Data)
	case wire.Say:
		return m.say(in.Text, false)
	case wire.AskComment:
		return m.annotations.Ask(in.Record)
	}
	return nil
}

// reveal shows a record in its conversation, and the focus goes along, as it does the other way round.
func (m *Model) reveal(id a2a.RecordID) tea.Cmd {
	at, ok := m.state.Anchor(id)
	if !ok || at.Conversation == 0 {
		return m.say("This record is not part of a conversation.", false)
	}
	m.goTo(control.Place{Agent: at.Agent, Conversation: at.Conversation})
	m.panes.chat.Show(m.agent(), m.conversation())
	if m.panes.chat.SelectRecord(at) {
		m.setFocus(control.OnChat)
		m.presses.chosen = true
	}
	return nil
}
