package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/styles"
)

// A probe is the question how wide the terminal draws characters of ambiguous width.
type probe struct {
	open bool    // it was asked and not answered
	then tea.Cmd // what waits for the answer; nil for nothing
	away bool    // somebody else has the terminal, or is about to have it
}

// The terminal is asked to draw a character of ambiguous width at the left edge
// of the second row and to say where the cursor is then: in the second column,
// or in the third where it draws such characters wide. The first row is avoided,
// because its report looks like a key. The screen is drawn anew afterwards.
const widthProbe = "\x1b7\x1b[2;1H\u25cf\x1b[6n\x1b8"

// probePatience is how long the program waits for an answer that is still to come before
// it hands the terminal over: whoever has it next would read the answer as typed.
const probePatience = 500 * time.Millisecond

func (m *Model) probeWidth() tea.Cmd {
	if m.screen.probe.away || m.out != nil && !m.out.drawn.Load() {
		return soon() // here it would stay for ever
	}
	m.screen.probe.open = true
	return tea.Sequence(tea.Raw(widthProbe), tea.ClearScreen)
}

// widthSeen takes the answer: glyphs of one cell each, or their ASCII twins.
func (m *Model) widthSeen(msg tea.CursorPositionMsg) tea.Cmd {
	if msg.Y == 1 && msg.X == 2 && !m.opts.ASCII {
		m.opts.ASCII = true
		m.st = styles.New(m.st.Theme, styles.ASCII())
		m.restyle()
	}
	return m.probeOver()
}

// probeOver goes on with what waited for the answer.
func (m *Model) probeOver() tea.Cmd {
	p := &m.screen.probe
	then := p.then
	p.open, p.then = false, nil
	return then
}

// handOver does what gives the terminal to somebody else, after the terminal has said
// all that it was asked for.
func (m *Model) handOver(cmd tea.Cmd) tea.Cmd {
	m.screen.probe.away = true
	if !m.screen.probe.open {
		return cmd
	}
	m.screen.probe.then = cmd
	return tea.Tick(probePatience, func(time.Time) tea.Msg { return probeOverMsg{} })
}

// regained notes that the terminal is the program's own again.
func (m *Model) regained() {
	m.screen.probe.away = false
	m.touch()
}
