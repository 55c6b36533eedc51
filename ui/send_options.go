package ui

import (
	"bytes"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/sending"
)

// openSending shows how messages to the agent on the screen are sent.
func (m *Model) openSending() tea.Cmd {
	switch {
	case m.readOnly():
		return m.say(m.refusal(), true)
	case m.agent() == nil:
		return m.say("No agent is open: ctrl+p and paste the URL of one.", true)
	}
	m.show(overSending)
	m.panes.sending.Open()
	m.touch()
	return nil
}

const overSending control.SheetName = "send options"

// sendingSheet lies over the panes while it is set how messages are sent.
func (m *Model) sendingSheet() control.Sheet {
	p := m.panes.sending
	s := control.Sheet{
		Pane: p, Help: "how messages are sent", Keys: p.FullHelp, Height: p.Height(),
		Leave:   m.leaving(p.Typing(), m.panes.composer.OptionsKey()),
		Key:     func(msg tea.KeyPressMsg) tea.Cmd { return m.onSendingIntent(p.Key(msg)) },
		Mouse:   func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.onSendingIntent(p.Mouse(msg, x, y)) },
		Refresh: func() { p.SetAbout(m.sendingAbout()) },
	}
	if p.Typing() {
		s.Paste = p.Paste
	}
	return s
}

// sendingAbout is what that sheet shows.
func (m *Model) sendingAbout() sending.About {
	d := m.panes.composer.Draft()
	about := sending.About{Settings: sending.Settings{
		Options: d.Options, Message: d.Metadata, Text: d.TextMetadata, Names: d.Names, Tasks: m.writing.annotations[m.cur.Agent],
	}}
	if a := m.agent(); a != nil {
		about.Agent, about.NoCard, about.Streams = a.Name(), a.Card == nil, a.Profile.Streaming
		about.Gives = m.modes(a).gives
		if spoken, ok := a.Profile.Spoken(); ok {
			about.Dialect = spoken
		}
	}
	return about
}

// onSendingIntent carries out what the sheet asks for.
func (m *Model) onSendingIntent(in sending.Intent) tea.Cmd {
	switch in := in.(type) {
	case sending.Set:
		m.setSendOptions(in.Options)
		m.panes.composer.SetMetadata(in.Message)
		m.panes.composer.SetTextMetadata(in.Text)
		m.panes.composer.SetNames(in.Names)
		m.annotate(in.Tasks)
	case sending.Write:
		return m.writeSettings(in)
	case sending.Refused:
		return m.say(in.Why, true)
	case sending.Close:
		m.closeOverlay()
	}
	return nil
}

// setSendOptions sets how messages to the agent on the screen are sent, until it is set anew.
func (m *Model) setSendOptions(o model.SendOptions) {
	m.writing.options[m.cur.Agent] = o
	m.panes.composer.SetOptions(o)
	m.touch()
}

// annotate sets the metadata of requests about tasks to the agent on the screen.
func (m *Model) annotate(metadata json.RawMessage) {
	if m.readOnly() || bytes.Equal(metadata, m.writing.annotations[m.cur.Agent]) {
		return
	}
	m.writing.annotations[m.cur.Agent] = metadata
	m.opts.Engine.SetTaskMetadata(m.cur.Agent, metadata)
}

// unsaid says what of the way messages are sent the dialect of an agent has no member for,
// empty if it has for all.
func unsaid(a *model.Agent, o *model.SendOptions, names []string) string {
	if a == nil {
		return ""
	}
	d, ok := a.Profile.Spoken()
	if !ok {
		return ""
	}
	var words []string
	if o.Config.Wait && d.SendMember(a2a.MemberWait) == "" {
		words = append(words, "blocking")
	}
	if len(o.Config.AcceptedOutputModes) > 0 && d.SendMember(a2a.MemberOutputModes) == "" {
		words = append(words, "output modes")
	}
	if o.Config.HistoryLength != nil && d.SendMember(a2a.MemberHistoryLength) == "" {
		words = append(words, "history")
	}
	if len(names) > 0 && d.ExtensionsHeader() == "" {
		words = append(words, "extensions")
	}
	if words == nil {
		return ""
	}
	return "not in A2A " + d.Name().Number() + ": " + strings.Join(words, ", ")
}

// sendings are the ways in which an answer may come, as commands.
func (m *Model) sendings() []control.Command {
	why := m.refusal()
	if why == "" && m.agent() == nil {
		why = "no agent is open"
	}
	way := func(name, says string, stream a2a.Tri, wait bool) control.Command {
		return control.Command{Name: name, Why: why, Do: func() tea.Cmd {
			o := m.panes.composer.Draft().Options
			o.Stream, o.Config.Wait = stream, wait
			m.setSendOptions(o)
			return m.say(says, false)
		}}
	}
	return []control.Command{
		{Key: m.panes.composer.OptionsKey(), Slash: "options", Name: "Choose how messages are sent: answer, output modes, history, metadata, extensions", Why: why, Do: m.openSending},
		{Slash: "metadata", Takes: "[JSON]", Name: "Set the metadata of the message", Why: why, Do: m.openSending, With: m.setMetadata},
		way("Send blocking: the answer comes at the end, in one piece", "messages wait for the end now (blocking)", a2a.False, true),
		way("Send non-blocking: the answer comes at once, then Parley asks again", "messages are answered at once now, and the task is asked for", a2a.False, false),
		way("Send streamed, whatever the card says", "messages are streamed now, whatever the card says", a2a.True, false),
		way("Send as the card says", "messages are sent as the card says", a2a.Absent, false),
	}
}

// setMetadata sets the metadata of the message, or none.
func (m *Model) setMetadata(text string) tea.Cmd {
	object, why := sending.Object([]byte(text))
	if why != "" {
		return m.say(why, true)
	}
	m.panes.composer.SetMetadata(json.RawMessage(object))
	m.focusComposer()
	if object == nil {
		return m.say("the message has no metadata", false)
	}
	return m.say("it goes with the message that is being written, and with no other", false)
}
