package ui

import "parley/ui/control"

import tea "charm.land/bubbletea/v2"

// openDemo starts the agents that come with the program and opens them.
func (m *Model) openDemo() tea.Cmd {
	start := m.opts.Demo
	if start == nil {
		return m.say("the demo's agents are open already", false)
	}
	m.opts.Demo = nil
	return func() tea.Msg {
		refs, err := start()
		return demoMsg{Refs: refs, Err: err}
	}
}

// demoStarted opens the agents that were started.
func (m *Model) demoStarted(msg demoMsg) tea.Cmd {
	if msg.Err != nil {
		return m.say("The demo's agents could not be started: no port of this machine can be listened on.", true)
	}
	for i, ref := range msg.Refs {
		id := m.opts.Engine.Open(ref)
		m.kept.opened(id, true)
		if i == 0 {
			m.newConversation(id)
		}
	}
	return m.say("four agents run inside Parley; ctrl+p goes from one to another", false)
}

// demoing is the finder's twin of the offer on the empty screen.
func (m *Model) demoing() []control.Command {
	if m.opts.Demo == nil {
		return nil
	}
	return []control.Command{{Name: "Open the four demo agents", Note: "offline", Do: m.openDemo}}
}
