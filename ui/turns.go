package ui

import (
	"bytes"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session"
	"parley/ui/composer"
	"parley/ui/control"
)

// maxQuote is how much of a text is quoted.
const maxQuote = 64 << 10

// turnKey takes the keys that act on the turn under the cursor, and reports whether msg
// was one.
func (m *Model) turnKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.screen.at != control.OnChat {
		return nil, false
	}
	k := &m.keys.Turn
	switch {
	case key.Matches(msg, k.Quote):
		return m.quote(), true
	case key.Matches(msg, k.Again):
		return m.again(), true
	case key.Matches(msg, k.Fork):
		return m.forkTurn(), true
	}
	return nil, false
}

// turnAt is the turn under the cursor of the conversation, the newest where there is no
// cursor, and nil where there is no turn.
func (m *Model) turnAt() *session.Turn {
	conv := m.conversation()
	if conv == nil || len(conv.Turns) == 0 {
		return nil
	}
	if at, ok := m.state.Anchor(m.panes.chat.Selected()); ok && at.Conversation == conv.ID {
		return m.state.Turn(at.Turn)
	}
	return conv.Turns[len(conv.Turns)-1]
}

// unturned says why nothing can be done with the turn under the cursor, empty if it can.
func (m *Model) unturned() string {
	switch {
	case m.readOnly():
		return m.refusal()
	case m.turnAt() == nil:
		return "There is no turn here yet."
	}
	return ""
}

// quote puts what the cursor stands on into the composer, as a quotation.
func (m *Model) quote() tea.Cmd {
	if why := m.unturned(); why != "" {
		return m.say(why, true)
	}
	text := m.panes.chat.Under()
	if t := m.turnAt(); text == "" && t.Message != nil {
		text = t.Message.Text()
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), maxQuote)], ""))
	if text == "" {
		return m.say("There is no text under the cursor to quote.", true)
	}
	m.focusComposer()
	m.panes.composer.Paste("> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n")
	return nil
}

// again brings the message of a turn back into the composer, to be changed and sent as a
// new one: where it went, if that is still open.
func (m *Model) again() tea.Cmd {
	if why := m.unturned(); why != "" {
		return m.say(why, true)
	}
	t := m.turnAt()
	switch {
	case t.Message == nil:
		return m.say("This turn began without a message: there is nothing to edit.", true)
	case m.masked(t):
		return m.say("There was a secret in this message, which is not kept: write it anew.", true)
	}
	words := "enter sends it as a new message"
	if m.panes.composer.Clear() {
		words += "; what was being written is in the history"
	}
	d := composer.DraftOf(t.Message)
	d.Options = m.writing.options[m.cur.Agent]
	m.panes.composer.SetDraft(composer.Written(d))
	m.choices, m.aimed = nil, false
	m.attention.chosen = m.state.Task(t.Target.Agent, t.Target.TaskID)
	m.retryAt(m.cur, t.Target)
	m.focusComposer()
	return m.say(words, false)
}

// masked reports whether a secret was taken out of a turn's message, and not only out of
// what went with it.
func (m *Model) masked(t *session.Turn) bool {
	it := m.state.Log.At(t.Record)
	if it == nil {
		return false
	}
	from := bytes.Index(it.Record.Raw, t.Message.Raw)
	return slices.ContainsFunc(it.Record.Redactions, func(r a2a.Redaction) bool {
		return r.Length > 0 && r.Offset >= from && r.Offset < from+len(t.Message.Raw)
	})
}

// forkTurn begins a conversation that refers to what the turn under the cursor made.
func (m *Model) forkTurn() tea.Cmd {
	if why := m.unturned(); why != "" {
		return m.say(why, true)
	}
	t := m.turnAt()
	return m.fork(t.Conversation.Agent, taskOf(t))
}

// taskOf is the newest task of a turn, nil if it has none.
func taskOf(t *session.Turn) *session.Task {
	for i := len(t.Blocks) - 1; i >= 0; i-- {
		if t.Blocks[i].Task != nil {
			return t.Blocks[i].Task
		}
	}
	return nil
}

// turning lists what can be done with the turn under the cursor, and where messages go.
func (m *Model) turning() []control.Command {
	k, why := &m.keys.Turn, m.unturned()
	return []control.Command{
		{Slash: "target", Name: "Choose where the message goes", Note: "ctrl+t goes round", Why: m.refusal(), Do: m.chooseTarget},
		{Key: k.Quote, Slash: "quote", Name: "Quote what is under the cursor", Why: why, Do: m.quote},
		{Key: k.Again, Slash: "resend", Name: "Edit the message of this turn and send it anew", Why: why, Do: m.again},
		{Key: k.Fork, Slash: "fork", Name: "Fork from this turn: a new conversation that refers to it", Why: why, Do: m.forkTurn},
	}
}
