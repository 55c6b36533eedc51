package ui

import (
	"parley/ui/control"
	"parley/ui/wire"
)

// goLive makes a recording a live session.
func goLive(m *Model, l *Live) {
	m.opts.Engine, m.opts.Name, m.opts.Unrecorded, m.opts.Recorded = l.Engine, "", l.Problem != "", l.Problem == ""
	m.opts.Size = l.Size
	m.sessions.SetOwn(l.File)
	m.annotations.SetFile(l.Annotations)
	m.screen.skim = skimIdle
	m.panes.chat.SetRecording(false)
	m.panes.agents.SetRecording(false)
	m.panes.wire.SetScope(wire.OfConversation)
	l.Engine.SetShownAgent(m.cur.Agent)
	m.setFocus(control.OnComposer)
	m.touch()
}
