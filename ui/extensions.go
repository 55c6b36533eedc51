package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/extensions"
)

const overExtensions control.SheetName = "extensions"

// extensionsSheet is the sheet of the agent's extensions.
func (m *Model) extensionsSheet() control.Sheet {
	p := m.panes.extensions
	return control.Sheet{
		Pane: p, Help: "extensions", Keys: p.FullHelp, Height: p.Height(), Leave: m.leaving(p.Typing()),
		Key:     func(msg tea.KeyPressMsg) tea.Cmd { return m.extended(p.Key(msg)) },
		Mouse:   func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.extended(p.Mouse(msg, x, y)) },
		Paste:   p.Paste,
		Refresh: func() { p.SetAbout(m.extensionsAbout()) },
	}
}

// openExtensions shows the extensions of the agent on the screen.
func (m *Model) openExtensions() tea.Cmd {
	if m.agent() == nil {
		return m.say("No agent is open: ctrl+p and paste the URL of one.", true)
	}
	m.show(overExtensions)
	return nil
}

// extensionsAbout is what the sheet of extensions shows.
func (m *Model) extensionsAbout() extensions.About {
	return extensions.About{Agent: m.agent(), Next: m.panes.composer.Extensions(), Why: m.refusal()}
}

// extended carries out what the sheet of extensions asks for.
func (m *Model) extended(in extensions.Intent) tea.Cmd {
	switch in := in.(type) {
	case extensions.Close:
		m.closeOverlay()
	case extensions.Refused:
		return m.say(in.Why, true)
	case extensions.Copy:
		return m.copy(in.Text)
	case extensions.Choose:
		return m.extend(in.URIs)
	case extensions.Next:
		m.panes.composer.Extend(in.URIs)
		m.touch()
		if in.URIs == nil {
			return m.say("the next message asks for what all requests do", false)
		}
		return m.say("the next message, and what follows from it, asks for "+counted(in.URIs), false)
	}
	return nil
}

// extend has all requests to the agent ask for extensions.
func (m *Model) extend(uris []string) tea.Cmd {
	a := m.agent()
	if a == nil || m.readOnly() {
		return nil
	}
	m.opts.Engine.SetExtensions(a.ID, uris)
	return m.say("requests to "+a.Name()+" ask for "+counted(uris)+" from now on", false)
}

// counted says how many extensions there are.
func counted(uris []string) string {
	if len(uris) == 0 {
		return "no extension"
	}
	return units.Plural(len(uris), "extension")
}

// extending lists what can be done about extensions.
func (m *Model) extending() []control.Command {
	a := m.agent()
	none := ""
	if a == nil {
		none = "no agent is open"
	}
	out := []control.Command{{Slash: "ext", Name: "Choose extensions of the protocol", Why: none, Do: m.openExtensions}}
	if !m.readOnly() && a != nil && len(a.Extensions.Missing) > 0 {
		uris := slices.Concat(a.Extensions.Chosen, a.Extensions.Missing)
		out = append(out, control.Command{Name: "Choose the extensions that the card requires", Note: counted(a.Extensions.Missing), Do: func() tea.Cmd { return m.extend(uris) }})
	}
	return out
}

// requiring warns in every choice that the agent requires an extension for which the next
// message would not ask.
func (m *Model) requiring(choices []composer.TargetChoice) []composer.TargetChoice {
	a, next := m.agent(), m.panes.composer.Extensions()
	if a == nil || len(a.Extensions.Missing) == 0 && next == nil {
		return choices
	}
	lacks := lacking(a, next)
	if len(lacks) == 0 {
		return choices
	}
	warn := "the agent requires " + extensionName(lacks[0]) + ", which is not asked for: /ext"
	if n := len(lacks); n > 1 {
		warn = "the agent requires " + units.Plural(n, "extension") + " that are not asked for: /ext"
	}
	for i := range choices {
		choices[i].Warn = warn
	}
	return choices
}

// lacking returns the extensions that the card requires and a message would not ask for.
func lacking(a *model.Agent, next []string) []string {
	if d, known := a.Profile.Spoken(); !known || d.ExtensionsHeader() == "" {
		return nil
	}
	if next == nil {
		return a.Extensions.Missing
	}
	var out []string
	if a.Card != nil {
		for i := range a.Card.Capabilities.Extensions {
			if x := &a.Card.Capabilities.Extensions[i]; x.Required && !slices.Contains(next, x.URI) && !slices.Contains(out, x.URI) {
				out = append(out, x.URI)
			}
		}
	}
	return out
}

// extensionName is the end of a URI that tells an extension from others, as it can be shown.
func extensionName(uri string) string {
	const most = 32
	uri = canvas.SanitizeLine(uri[max(0, len(uri)-4*most):])
	words := strings.FieldsFunc(uri, func(r rune) bool { return r == '/' || r == ':' })
	if len(words) == 0 {
		return "an extension"
	}
	name := words[len(words)-1]
	if n := len(words); n > 1 && len(name) < 4 { // a version alone names nothing
		name = words[n-2] + "/" + name
	}
	return canvas.Ellipsize(name, most, "…")
}
