package ui

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session"
	"parley/ui/composer"
	"parley/ui/control"
)

// writing is what the user wrote and writes, beyond what the composer shows.
type writing struct {
	// drafts are what was being written in places that are not on the screen.
	drafts map[control.Place]composer.Draft
	// sent are the messages of the turns that are under way, as they were written.
	sent   map[a2a.TurnID]sent
	queues map[control.Place]*queue
	busy   underway
	past   map[a2a.AgentID]*composer.History
	// earlier is what was written in earlier runs, by agent; nil before it was read.
	earlier   map[string][]string
	recalled  map[a2a.AgentID]bool // the agents that have it in their history
	inherited map[a2a.AgentID]bool // those that have what was written to them before they were closed
	unkept    bool                 // the user knows that nothing is kept
	// hooked are the conversations whose every message brings a webhook of Parley's along.
	hooked    map[control.Place]bool
	attaching attaching
	options   map[a2a.AgentID]session.SendOptions // how messages are sent
	// annotations are the metadata of requests about tasks.
	annotations map[a2a.AgentID]json.RawMessage
	hand        a2a.TurnID // of a request written by hand, until its conversation is shown
	// retries are where messages went that came back, until they are sent again or cleared.
	retries map[control.Place]session.Target
}

// sent is a message on its way.
type sent struct {
	draft composer.Draft
	to    session.Target
	at    control.Place
	// queued is set if it waited, and again when nothing of it was accepted and it has to
	// wait once more.
	queued, again bool
}

func newWriting() writing {
	return writing{
		drafts: map[control.Place]composer.Draft{}, sent: map[a2a.TurnID]sent{}, queues: map[control.Place]*queue{}, past: map[a2a.AgentID]*composer.History{},
		recalled: map[a2a.AgentID]bool{}, inherited: map[a2a.AgentID]bool{},
		hooked: map[control.Place]bool{}, retries: map[control.Place]session.Target{}, options: map[a2a.AgentID]session.SendOptions{},
		annotations: map[a2a.AgentID]json.RawMessage{},
	}
}

// history returns what was written to an agent.
func (w *writing) history(id a2a.AgentID) *composer.History {
	h := w.past[id]
	if h == nil {
		h = composer.NewHistory()
		w.past[id] = h
	}
	return h
}

// keep keeps the draft of a place until that is shown again.
func (w *writing) keep(at control.Place, d composer.Draft) {
	if d.Empty() && d.Metadata == nil && d.TextMetadata == nil && d.Names == nil {
		delete(w.drafts, at)
		return
	}
	w.drafts[at] = d
}

// send hands a message to the engine. A target without a conversation begins
// one.
func (m *Model) send(d composer.Draft, to session.Target) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	if to.Conversation == 0 {
		delete(m.attention.origin, control.Place{Agent: to.Agent})
		to.Conversation = m.opts.Engine.NewConversation(to.Agent)
	}
	at := control.Place{Agent: to.Agent, Conversation: to.Conversation}
	cmd := m.deliver(d, to, false)
	delete(m.writing.drafts, at)
	if at != m.cur {
		delete(m.writing.drafts, m.cur)
		m.goTo(at)
	}
	m.aimed = false
	m.panes.chat.End()
	return cmd
}

// deliver hands a message to the engine, one that was queued whatever is on the screen.
func (m *Model) deliver(d composer.Draft, to session.Target, queued bool) tea.Cmd {
	at, options := control.Place{Agent: to.Agent, Conversation: to.Conversation}, d.Options
	from := m.cur
	if queued {
		from = at
	}
	options.Secret, options.Secrets = d.Secret, d.Secrets
	options.Webhook = options.Webhook || m.writing.hooks(from, at)
	turn := m.opts.Engine.Send(to, &a2a.Message{Role: a2a.RoleUser, Parts: d.Message(), Metadata: d.Metadata, Extensions: d.Names}, options)
	m.writing.sent[turn] = sent{draft: d, to: to, at: at, queued: queued}
	if !queued { // else it was written before others
		m.writing.history(to.Agent).Add(composer.Written(d))
	}
	return m.keepForLater(d, to)
}

// refused brings a message that was not accepted back into the composer, and says
// which key sends it again: nothing else does.
func (m *Model) refused(t *session.Turn) tea.Cmd {
	if t == nil || t.Message == nil {
		return nil
	}
	was, ok := m.writing.sent[t.ID]
	d := was.draft
	if !ok {
		d, was.to = composer.DraftOf(t.Message), t.Target
	}
	at := control.Place{Agent: t.Target.Agent, Conversation: t.Target.Conversation}
	switch {
	case was.queued: // it keeps its place before those that wait
		was.again = true
		m.writing.sent[t.ID] = was
	case at == m.cur:
		if m.panes.composer.Restore(d) && !m.readOnly() {
			m.retryAt(at, was.to)
			return m.say("the message is back: enter sends it again", false)
		}
	default:
		if _, other := m.writing.drafts[at]; !other {
			m.writing.keep(at, d)
			m.retryAt(at, was.to)
		}
	}
	return nil
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
		m.panes.json.Edited(msg.Text)
	case msg.At == m.cur:
		m.panes.composer.SetValue(msg.Text)
	default:
		d := m.writing.drafts[msg.At]
		d.Text = msg.Text
		m.writing.keep(msg.At, d)
		return m.say("what the editor saved is the draft where it was begun, at "+m.agentName(msg.At.Agent), false)
	}
	return nil
}
