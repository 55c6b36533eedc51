package ui

import (
	"cmp"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/agents"
	"parley/ui/chat"
	"parley/ui/looks"
	"parley/ui/styles"
)

// motion is what moves on the screen: the sign of what works, and the ground of what came just now.
type motion struct {
	off   bool // nothing moves
	spin  spinner.Model
	sign  string           // the frame of the spinner
	ticks bool             // a tick of the spinner is pending
	now   func() time.Time // the clock of the session
	log   *log.Log
	st    *styles.Styles
}

// spinnerPace is how long a frame of the spinner stands.
const spinnerPace = time.Second / 8

// setStyles changes the styles.
func (m *motion) setStyles(st *styles.Styles) {
	m.st = st
	m.spin.Spinner = spinner.Spinner{Frames: st.G.Spinner(), FPS: spinnerPace}
	m.spin.Style = lipgloss.NewStyle()
	m.sign = m.spin.View()
}

// start makes the spinner turn while something works.
func (m *motion) start() tea.Cmd {
	if m.ticks || m.off {
		return nil
	}
	m.ticks = true
	return m.spin.Tick
}

// tick goes to the next frame of the spinner, which stops unless something works.
func (m *motion) tick(msg spinner.TickMsg, works bool) (cmd tea.Cmd) {
	if works {
		m.spin, cmd = m.spin.Update(msg)
		m.sign = m.spin.View()
	}
	m.ticks = cmd != nil
	return cmd
}

// spinner returns the frame of the spinner, empty if nothing moves.
func (m *motion) spinner() string {
	if m.off {
		return ""
	}
	return m.sign
}

// show gives panes the sign of what works. A silent stream stops it in its conversation.
func (m *motion) show(list *agents.Pane, chats []*chat.Pane, now time.Time) {
	list.SetSpinner(cmp.Or(m.spinner(), m.st.G[styles.Online]))
	for _, p := range chats {
		sign, conv := m.spinner(), p.Conversation()
		if conv != nil {
			if stands, _ := looks.StandsOf(conv.Agent, conv, m.log.Stream(conv.Stream), now); stands.Quiet != "" {
				sign = m.st.G[styles.Pause]
			}
		}
		p.SetSpinner(sign)
	}
}

// isNewChunk reports whether a record brought the newest chunk of an open stream just now.
func (m *motion) isNewChunk(id a2a.RecordID) bool {
	chunk, _ := m.newChunk(id)
	return chunk != 0 && chunk == id
}

// newChunk returns the newest chunk of the stream of a record if it came just now, and how long it is still new
// unless more comes. That holds in every theme, so that the clock of the screen is the same in all.
func (m *motion) newChunk(of a2a.RecordID) (id a2a.RecordID, left time.Duration) {
	if m.off {
		return 0, 0
	}
	return looks.NewChunk(m.log.Stream(m.log.ExchangeOf(of)), m.now())
}
