package ui

import (
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/themes"
	"parley/ui/composer"
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

// nextTheme steps through the built-in themes.
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

// restyle hands the styles down.
func (m *Model) restyle() {
	st := m.st
	m.panes.agents.SetStyles(st)
	m.panes.chat.SetStyles(st)
	m.panes.composer.SetStyles(st)
	m.panes.wire.SetStyles(st)
	m.panes.card.SetStyles(st)
	m.panes.palette.SetStyles(st)
	m.panes.findings.SetStyles(st)
	m.panes.push.SetStyles(st)
	m.panes.credentials.SetStyles(st)
	m.panes.inbox.SetStyles(st)
	m.panes.picker.SetStyles(st)
	m.panes.preview.SetStyles(st)
	m.panes.tasks.SetStyles(st)
	m.panes.extensions.SetStyles(st)
	m.panes.sending.SetStyles(st)
	m.panes.form.SetStyles(st)
	m.panes.json.SetStyles(st)
	m.panes.request.SetStyles(st)
	m.panes.menu.SetStyles(st)
	m.screen.memo = memos{} // what was drawn in other colours
	m.help.Styles = st.Help()
	m.spin.Spinner = spinner.Spinner{Frames: st.G.Spinner(), FPS: time.Second / 8}
	m.spin.Style = lipgloss.NewStyle()
	m.touch()
}

// themes lists the built-in themes, and the one command for all of them.
func (m *Model) themes() []command {
	k := m.keys.Theme
	out := []command{{
		key: k, slash: "theme", takes: "[NAME]", name: "Next theme", do: m.nextTheme,
		with: m.themeNamed, offers: func(arg string) []composer.Offer { return offering(arg, themeNames()) },
	}}
	for _, t := range themes.All() {
		out = append(out, command{key: k, name: "Theme " + t.Name, do: m.chooseTheme(t.Name)})
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

// themeNamed sets the theme of that name, the next one if there is none.
func (m *Model) themeNamed(name string) tea.Cmd {
	if name == "" {
		return m.nextTheme()
	}
	if _, ok := themes.ByName(name); !ok {
		return m.say("There is no theme "+name+": /theme and tab lists them.", true)
	}
	return m.chooseTheme(name)()
}

// chooseTheme is the action that sets a built-in theme.
func (m *Model) chooseTheme(name string) action {
	return func() tea.Cmd {
		if t, ok := themes.ByName(name); ok {
			m.themeAt = name
			m.setTheme(t)
		}
		return nil
	}
}
