package ui

import "parley/themes"

// depthAtStart returns how many colours are used before the terminal has been asked.
func depthAtStart(getenv func(string) string) themes.Depth {
	if getenv("NO_COLOR") != "" {
		return themes.NoColours
	}
	return themes.Full
}

// setTheme draws everything in another theme.
func (m *Model) setTheme(t themes.Theme) {
	m.st = m.st.In(t, m.st.G)
	m.restyle()
}

// restyle gives the styles to everything that draws.
func (m *Model) restyle() {
	st := m.st
	m.panes.agents.SetStyles(st)
	m.panes.chat.SetStyles(st)
	m.pair.Pane().SetStyles(st)
	m.panes.composer.SetStyles(st)
	m.panes.wire.SetStyles(st)
	m.panes.palette.SetStyles(st)
	m.panes.player.SetStyles(st)
	for i := range m.sheets {
		m.sheets[i].Pane.SetStyles(st)
	}
	m.header.SetStyles(st)
	m.play.SetStyles(st)
	m.present.SetStyles(st)
	m.screen.memo = memos{} // their parts have other colours
	m.help.Styles = st.Help()
	m.motion.setStyles(st)
	m.touch()
}
