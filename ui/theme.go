package ui

import (
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/themes"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/styles"
)

// auto reports whether the terminal's background chooses the theme.
func (m *Model) auto() bool {
	return (m.themeAt == "" || m.themeAt == "auto") && m.opts.Getenv("NO_COLOR") == ""
}

func byBackground(dark bool) themes.Theme {
	if dark {
		return themes.Dark()
	}
	return themes.Light()
}

// nextTheme switches to the next built-in theme.
func (m *Model) nextTheme() tea.Cmd {
	all := themes.All()
	next := all[0]
	for i, t := range all {
		if t.Name == m.st.Theme.Name {
			next = all[(i+1)%len(all)]
		}
	}
	m.themeAt = next.Name
	m.setTheme(next)
	return m.say("theme "+next.Name, false)
}

func (m *Model) setTheme(t themes.Theme) {
	if t.Name == m.st.Theme.Name {
		return
	}
	m.st = styles.New(t, m.st.G)
	m.restyle()
}

// restyle gives the styles to everything that draws.
func (m *Model) restyle() {
	st := m.st
	m.panes.agents.SetStyles(st)
	m.panes.chat.SetStyles(st)
	m.panes.composer.SetStyles(st)
	m.panes.wire.SetStyles(st)
	m.panes.palette.SetStyles(st)
	for i := range m.sheets {
		m.sheets[i].Pane.SetStyles(st)
	}
	m.header.SetStyles(st)
	m.screen.memo = memos{} // their parts have other colours
	m.help.Styles = st.Help()
	m.spin.Spinner = spinner.Spinner{Frames: st.G.Spinner(), FPS: time.Second / 8}
	m.spin.Style = lipgloss.NewStyle()
	m.touch()
}

// themeCommands returns a command for each built-in theme, and one for all of them.
func (m *Model) themeCommands() []control.Command {
	k := m.keys.Theme
	out := []control.Command{{
		Key: k, Slash: "theme", Takes: "[NAME]", Name: "Next theme", Do: m.nextTheme,
		With: m.themeNamed, Offers: func(arg string) []composer.Offer { return control.Matching(arg, themeNames()) },
	}}
	for _, t := range themes.All() {
		out = append(out, control.Command{Key: k, Name: "Theme " + t.Name, Do: m.chooseTheme(t.Name)})
	}
	return out
}

func themeNames() []composer.Offer {
	var out []composer.Offer
	for _, t := range themes.All() {
		out = append(out, composer.Offer{Text: t.Name})
	}
	return out
}

// themeNamed sets the theme with a name, the next one if name is empty.
func (m *Model) themeNamed(name string) tea.Cmd {
	if name == "" {
		return m.nextTheme()
	}
	if _, ok := themes.ByName(name); !ok {
		return m.say("There is no theme "+name+": /theme and tab lists them.", true)
	}
	return m.chooseTheme(name)()
}

// chooseTheme returns the action that sets a built-in theme.
func (m *Model) chooseTheme(name string) control.Action {
	return func() tea.Cmd {
		if t, ok := themes.ByName(name); ok {
			m.themeAt = name
			m.setTheme(t)
		}
		return nil
	}
}
