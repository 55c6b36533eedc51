package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
)

// mend tries something with the agent on the screen, which nobody knows how to speak
// to.
func (m *Model) mend(r chat.Remedy) tea.Cmd {
	a := m.agent()
	switch {
	case a == nil || m.readOnly():
		return m.say(cmp.Or(m.refusal(), "No agent is open."), true)
	case r == chat.PinDialect:
		m.openPalette()
		m.panes.palette.Type("pin dialect")
	case r == chat.ProbeAgain:
		m.opts.Engine.ProbeDialect(a.ID)
		return m.say("The endpoint of "+a.Name()+" is asked how it speaks; the card shows what comes of it.", false)
	case r == chat.WriteRequest:
		return m.writeRequest()
	}
	return nil
}
