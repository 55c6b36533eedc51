package ui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/palette"
	"parley/ui/styles"
)

// overlayBox is the frame of what lies over the panes.
func (m *Model) overlayBox() canvas.Rect {
	w, h := m.screen.w, m.screen.h
	box := canvas.Rect{W: min(w, 84), H: max(0, h-2), Y: min(1, h)}
	if h < 10 { // no row to spare
		box.H, box.Y = h, 0
	}
	if m.sheet() != nil {
		return m.sheetBox(box)
	}
	if m.screen.over == overPalette {
		box.W, box.H = min(w, 76), min(box.H, 20)
	}
	if w > box.W {
		box.X = (w - box.W) / 2
	}
	if h > 30 && m.screen.over == overPalette {
		box.Y = h / 6
	}
	return box
}

func (m *Model) overlayLines(box canvas.Rect) []string {
	if s := m.sheet(); s != nil {
		return m.sheetLines(s, box)
	}
	switch m.screen.over {
	case overPalette:
		return canvas.Box(m.st, canvas.Frame{Title: m.panes.palette.Title(), Focused: true}, box.W, box.H, m.panes.palette.Lines())
	case overCard:
		f := canvas.Frame{Title: m.panes.card.Title(), Note: m.st.Faint.S(m.panes.card.Note()), Focused: true}
		return canvas.Box(m.st, f, box.W, box.H, m.panes.card.Lines())
	default:
		w, h := canvas.Inner(box.W, box.H)
		lines := m.helpLines(w)
		m.screen.helpTop = max(0, min(m.screen.helpTop, len(lines)-h))
		note := ""
		if len(lines) > h {
			note = "j k scroll"
		}
		return canvas.Box(m.st, canvas.Frame{Title: "help", Note: m.st.Faint.S(note), Focused: true}, box.W, box.H, lines[m.screen.helpTop:])
	}
}

func (m *Model) openHelp() {
	m.screen.over, m.screen.helpTop = overHelp, 0
	m.touch()
}

// helpKey scrolls or closes the help.
func (m *Model) helpKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "j", "down":
		m.screen.helpTop++
	case "k", "up":
		m.screen.helpTop = max(0, m.screen.helpTop-1)
	case "pgdown", "space":
		m.screen.helpTop += m.screen.h / 2
	case "pgup":
		m.screen.helpTop = max(0, m.screen.helpTop-m.screen.h/2)
	default:
		m.closeOverlay()
	}
}

// helpLines generates the help from the key maps: where the focus is first.
func (m *Model) helpLines(w int) []string {
	sections := []struct {
		name string
		keys [][]key.Binding
		at   bool
	}{
		{"writing", m.panes.composer.FullHelp(), m.screen.at == onComposer},
		{"conversation", m.panes.chat.FullHelp(), m.screen.at == onChat},
		{"wire", m.panes.wire.FullHelp(), m.screen.at == onWire},
		{"agents", m.panes.agents.FullHelp(), m.screen.at == onAgents},
		{"on a record, in the conversation or the wire", m.keys.acting(), m.screen.at == onChat || m.screen.at == onWire},
		{"copy as", m.copyKeys(), m.screen.at == onWire},
		{"fault bench", faultKeys(), m.screen.at == onWire},
		{"request", m.panes.request.FullHelp(), m.screen.over == overRequest},
		{"findings", m.panes.findings.FullHelp(), m.screen.over == overFindings},
		{"card", m.panes.card.FullHelp(), false},
		{"find", m.panes.palette.FullHelp(), false},
	}
	out := m.helpSection("everywhere", m.keysNow().everywhere(), w)
	out = append(out, m.helpSection("where nothing is typed", m.keys.outside(), w)...)
	for _, first := range []bool{true, false} {
		for _, s := range sections {
			if s.at == first {
				out = append(out, m.helpSection(s.name, s.keys, w)...)
			}
		}
	}
	return out
}

func (m *Model) helpSection(name string, groups [][]key.Binding, w int) []string {
	m.help.SetWidth(w)
	out := []string{m.st.Accent.Bold().S(name)}
	out = append(out, strings.Split(m.help.FullHelpView(groups), "\n")...)
	return append(out, "")
}

// openPalette shows everything that can be gone to or done.
func (m *Model) openPalette() {
	m.screen.over = overPalette
	m.panes.palette.Open(m.entries(), "agent, conversation, prompt or command; or paste a URL")
	m.touch()
}

// entries lists what the palette finds: conversations that wait first.
func (m *Model) entries() []palette.Entry {
	var out []palette.Entry
	sep := " " + m.st.G[styles.Separator] + " "
	for _, t := range m.state.Waiting() {
		c := t.Conversation
		out = append(out, palette.Entry{
			Group: "waiting", Name: c.Title, Note: c.Agent.Name() + sep + t.State.String(),
			Value: m.going(place{c.Agent.ID, c.ID}),
		})
	}
	for _, a := range m.state.Agents {
		out = append(out, palette.Entry{Group: "agent", Name: a.Name(), Note: a.Ref, Value: m.going(place{agent: a.ID})})
	}
	for _, a := range m.state.Agents {
		for _, c := range a.Conversations {
			out = append(out, palette.Entry{
				Group: "conversation", Name: c.Title, Note: a.Name() + sep + units.Plural(len(c.Turns), "turn"),
				Value: m.going(place{a.ID, c.ID}),
			})
		}
	}
	out = append(out, m.demoing()...)
	out = append(out, m.fetching()...)
	out = append(out, m.commands()...)
	out = append(out, m.actions()...)
	out = append(out, m.filtering()...)
	out = append(out, m.wiring()...)
	out = append(out, m.merging()...)
	out = append(out, m.pinning()...)
	for _, a := range m.state.Agents {
		out = append(out, m.prompts(a)...)
	}
	return append(out, m.ruling()...)
}

func (m *Model) going(p place) action {
	return func() tea.Cmd {
		m.goTo(p)
		m.focusComposer()
		return nil
	}
}

// prompts are the examples of an agent's skills.
func (m *Model) prompts(a *session.Agent) []palette.Entry {
	if a.Card == nil || m.opts.Engine == nil {
		return nil
	}
	var out []palette.Entry
	for _, s := range a.Card.Skills {
		for _, e := range s.Examples {
			name := e.Text
			if name == "" {
				name = string(e.Data)
			}
			out = append(out, palette.Entry{
				Group: "prompt", Name: name, Note: a.Name() + " " + m.st.G[styles.Separator] + " " + s.Name, Why: unready(a),
				Value: action(func() tea.Cmd { return m.sendExample(a.ID, e) }),
			})
		}
	}
	return out
}

// commands are the palette's twins of the keys.
func (m *Model) commands() []palette.Entry {
	command := func(k key.Binding, name, why string, do action) palette.Entry {
		return palette.Entry{Group: "command", Name: name, Note: k.Help().Key, Why: why, Value: do}
	}
	recording := ""
	if m.opts.Engine == nil {
		recording = "this is a recording"
	}
	none := ""
	if m.agent() == nil {
		none = "no agent is open"
	}
	out := []palette.Entry{
		command(m.keys.New, "New conversation", recording, func() tea.Cmd { return m.begin(m.cur.agent) }),
		command(m.keys.Card, "Show the agent's card", none, func() tea.Cmd { return m.openCard(m.cur.agent) }),
		command(m.keys.Findings, "Show all findings", "", m.openFindings),
		command(m.keys.Cancel, "Cancel the running task", recording, m.cancelTask),
		command(m.keys.Waiting, "Go to what waits for you", "", m.nextWaiting),
		command(m.keys.ZoomAny, "Zoom the pane", "", func() tea.Cmd { m.screen.zoom = !m.screen.zoom; return nil }),
		command(m.keys.Mouse, "Hand the mouse to the terminal, or take it back", "", m.toggleMouse),
		command(m.keys.Help, "Help", "", func() tea.Cmd { m.openHelp(); return nil }),
		command(m.keys.Quit, "Quit", "", m.leave),
	}
	for _, name := range []string{"dark", "light", "mono"} {
		out = append(out, command(m.keys.Theme, fmt.Sprintf("Theme %s", name), "", m.chooseTheme(name)))
	}
	return out
}
