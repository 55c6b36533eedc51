// Package extensions is the controller of the protocol extensions that requests activate. It
// opens the sheet, gives the choice to the engine or to the next message, and warns of
// extensions that an agent requires.
package extensions

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/extensions"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of an agent's extensions.
const SheetName control.SheetName = "extensions"

// A Draft is the message in the composer.
type Draft interface {
	// Extensions returns those of the message, nil for those of all requests.
	Extensions() []string
	// SetExtensions replaces them.
	SetExtensions(uris []string)
}

// A Controller chooses the extensions of the agent on the screen.
type Controller struct {
	host  control.Host
	draft Draft
	pane  *extensions.Pane
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, draft Draft) *Controller {
	return &Controller{host: host, draft: draft, pane: extensions.New(st)}
}

// Open shows the extensions of the agent on the screen.
func (c *Controller) Open() tea.Cmd {
	if c.host.Agent() == nil {
		return c.host.Say(control.NoAgent(c.host), true)
	}
	c.host.Open(SheetName)
	return nil
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "extensions", Typing: p.Typing, Paste: p.Paste, PasteAlways: true,
		Refresh: func() { p.SetAbout(c.about()) },
	})
}

// about returns what the sheet shows.
func (c *Controller) about() extensions.About {
	return extensions.About{Agent: c.host.Agent(), Next: c.draft.Extensions(), Why: control.Refusal(c.host)}
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in extensions.Intent) tea.Cmd {
	switch in := in.(type) {
	case extensions.Close:
		c.host.Close()
	case extensions.Refused:
		return c.host.Say(in.Why, true)
	case extensions.Copy:
		return c.host.Copy(in.Text, "the URI of the extension")
	case extensions.Choose:
		return c.choose(in.URIs)
	case extensions.Next:
		c.draft.SetExtensions(in.URIs)
		c.host.Touch()
		if in.URIs == nil {
			return c.host.Say("the next message requests the same as all requests", false)
		}
		return c.host.Say("the next message and its follow-ups request "+count(in.URIs), false)
	}
	return nil
}

// choose sets the extensions of all requests to the agent.
func (c *Controller) choose(uris []string) tea.Cmd {
	a := c.host.Agent()
	if a == nil || control.Refusal(c.host) != "" {
		return nil
	}
	c.host.Engine().SetExtensions(a.ID, uris)
	return c.host.Say("messages to "+a.Name()+" request "+count(uris)+" from now on", false)
}

// count says how many extensions there are.
func count(uris []string) string {
	if len(uris) == 0 {
		return "no extension"
	}
	return units.Plural(len(uris), "extension")
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	missing := func() []string {
		if a := c.host.Agent(); a != nil && control.Refusal(c.host) == "" {
			return a.Extensions.Missing
		}
		return nil
	}
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Slash: "ext", Name: "Choose protocol extensions", Now: action.Unless(control.NoneOpen(c.host))}, Run: c.Open},
		{
			Row: action.Row{
				Named: action.If("Choose the extensions that the card requires", func() bool { return len(missing()) > 0 }),
				Now:   func() action.State { return action.State{Note: count(missing())} },
			},
			Run: func() tea.Cmd {
				if uris := missing(); len(uris) > 0 {
					return c.choose(slices.Concat(c.host.Agent().Extensions.Chosen, uris))
				}
				return nil
			},
		},
	}
}
