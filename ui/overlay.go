package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
)

// overlayBox returns the frame of the overlay.
func (m *Model) overlayBox() canvas.Rect {
	w, h := m.screen.w, m.screen.h
	box := canvas.Rect{W: min(w, 84), H: max(0, h-2), Y: min(1, h)}
	if h < 10 { // no rows to spare
		box.H, box.Y = h, 0
	}
	if s := m.sheet(); s != nil {
		return m.sheetBox(s, box)
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

// helpLines generates the help from the key maps, the section of the focus first.
func (m *Model) helpLines(w int) []string {
	type section struct {
		name string
		keys [][]key.Binding
		at   bool
	}
	sections := []section{
		{"writing", m.panes.composer.FullHelp(), m.screen.at == control.OnComposer},
		{"commands, in the text field", m.slashKeys(), m.screen.at == control.OnComposer},
		{"conversation", m.panes.chat.FullHelp(), m.screen.at == control.OnChat},
		{"wire", m.panes.wire.FullHelp(), m.screen.at == control.OnWire},
		{"agents", m.panes.agents.FullHelp(), m.screen.at == control.OnAgents},
		{"on a record, in the conversation or the wire", m.records.FullHelp(), m.screen.at == control.OnChat || m.screen.at == control.OnWire},
		{"on a turn, in the conversation", m.keys.turns(), m.screen.at == control.OnChat},
		{"copy as", m.records.CopyKeys(), m.screen.at == control.OnWire},
		{"fault injection", m.records.FaultKeys(), m.screen.at == control.OnWire},
	}
	for _, s := range m.sheets {
		if s.Help != "" {
			sections = append(sections, section{s.Help, s.Keys(), m.screen.over == s.Name})
		}
	}
	sections = append(sections, section{"find", m.panes.palette.FullHelp(), false})
	out := m.helpSection("everywhere", m.keysNow().everywhere(), w)
	out = append(out, m.helpSection("outside text fields", m.keys.outside(), w)...)
	for _, first := range []bool{true, false} {
		for _, s := range sections {
			if s.at == first {
				out = append(out, m.helpSection(s.name, s.keys, w)...)
			}
		}
	}
	return append(out, m.legend(w)...)
}

// legend lists the signs of task states.
func (m *Model) legend(w int) []string {
	const column = 18
	out := []string{m.st.Accent.Bold().S("signs of tasks")}
	line, n := "", 0
	for _, s := range looks.States() {
		if n > 0 && (n+1)*column > w {
			out, line, n = append(out, line), "", 0
		}
		sign, paint := looks.State(m.st, s)
		line += paint.S(m.st.G[sign]) + canvas.Fit(" "+s.String(), column-1)
		n++
	}
	return append(out, line)
}

func (m *Model) helpSection(name string, groups [][]key.Binding, w int) []string {
	m.help.SetWidth(w)
	out := []string{m.st.Accent.Bold().S(name)}
	out = append(out, strings.Split(m.help.FullHelpView(groups), "\n")...)
	return append(out, "")
}
