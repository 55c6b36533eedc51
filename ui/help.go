package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
)

func (m *Model) openHelp() {
	m.screen.over, m.screen.helpTop = overHelp, 0
	m.touch()
}

// helpBox draws the visible lines of the help in a box.
func (m *Model) helpBox(box canvas.Rect) []string {
	w, h := canvas.Inner(box.W, box.H)
	lines := m.helpLines(w)
	m.screen.helpTop = max(0, min(m.screen.helpTop, len(lines)-h))
	note := ""
	if len(lines) > h {
		note = "j k scroll"
	}
	return canvas.Box(m.st, canvas.Frame{Title: "help", Note: m.st.Faint.S(note), Focused: true}, box.W, box.H, lines[m.screen.helpTop:])
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

// helpSection draws groups of keys as columns under a heading. A column without room beside the
// one before it goes below.
func (m *Model) helpSection(name string, groups [][]key.Binding, w int) []string {
	const gap = 4
	out := []string{m.st.Accent.Bold().S(name)}
	var beside [][]string
	used := 0
	for _, group := range groups {
		column := m.helpColumn(group, w)
		if len(column) == 0 {
			continue
		}
		switch width := canvas.Width(column[0]); {
		case used == 0:
			beside, used = [][]string{column}, width
		case used+gap+width > w:
			out = append(out, canvas.Columns(beside...)...)
			beside, used = [][]string{column}, width
		default:
			beside, used = append(beside, canvas.Blank(gap, 1), column), used+gap+width
		}
	}
	return append(append(out, canvas.Columns(beside...)...), "")
}

// helpColumn draws the enabled keys of a group in rows of equal width, at most w cells. Long
// descriptions are wrapped.
func (m *Model) helpColumn(group []key.Binding, w int) (rows []string) {
	keyWidth, aboutWidth := 0, 0
	for _, k := range group {
		if k.Enabled() {
			keyWidth, aboutWidth = max(keyWidth, canvas.Width(k.Help().Key)), max(aboutWidth, canvas.Width(k.Help().Desc))
		}
	}
	keyWidth = min(keyWidth, w*2/3)
	aboutWidth = min(aboutWidth, max(1, w-keyWidth-1))
	for _, k := range group {
		if !k.Enabled() {
			continue
		}
		name := k.Help().Key
		for _, line := range canvas.Wrap(k.Help().Desc, aboutWidth) {
			rows = append(rows, canvas.Fit(m.help.Styles.FullKey.Render(name), keyWidth)+" "+canvas.Fit(m.help.Styles.FullDesc.Render(line), aboutWidth))
			name = ""
		}
	}
	return rows
}
