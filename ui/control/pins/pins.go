// Package pins is the controller of pins: the user's choice of an agent's dialect, binding,
// endpoint and tenant. It also carries out the remedies for an agent whose dialect is unknown.
package pins

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/keys"
)

// Actions are functions of other topics that the controller calls.
type Actions struct {
	Header       func(name, value string) tea.Cmd // opens the sheet for the value of a header
	Find         func(text string) tea.Cmd        // opens the finder with a text
	WriteRequest func() tea.Cmd
}

// A Controller pins how the agent on the screen is spoken to.
type Controller struct {
	host    control.Host
	actions Actions
}

// New returns a controller.
func New(host control.Host, actions Actions) *Controller {
	return &Controller{host: host, actions: actions}
}

// on returns the agent on the screen, nil if there is none that can be asked anything.
func (c *Controller) on() *model.Agent {
	if control.Refusal(c.host) != "" {
		return nil
	}
	return c.host.Agent()
}

// Actions returns the actions that find out how the agent on the screen is spoken to, none without one.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	a, engine := c.on(), c.host.Engine()
	if a == nil {
		return nil
	}
	unknown := func() bool { return a.Card == nil && a.Phase == model.Failed }
	pinned := func() bool {
		pins := engine.Pins(a.ID)
		return !pins.Empty() || len(pins.Headers) > 0 || pins.APIKey != ""
	}
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Name: "Probe the agent again", Also: []string{"dialect", "protocol", "retry"}, Note: "which dialect it speaks"}, Run: func() tea.Cmd { return c.probe(a) }},
		{Row: action.Row{Named: action.If("Search for the card at other addresses too", unknown)}, Run: action.Do[tea.Cmd](func() { engine.SearchCard(a.ID) })},
		{
			Row: action.Row{Named: action.If("Unpin everything: detection decides", pinned)},
			Run: func() tea.Cmd { return c.pin(a.ID, a2a.Pins{Prefer: engine.Pins(a.ID).Prefer}, "nothing") },
		},
	}
}

// TypedActions returns the pins that need a text, none without an agent.
func (c *Controller) TypedActions() []action.Action[tea.Cmd] {
	if c.on() == nil {
		return nil
	}
	typed := func(what string) action.Action[tea.Cmd] {
		return action.Action[tea.Cmd]{Row: action.Row{Name: "Pin " + what, Note: "type it here"}, Run: func() tea.Cmd { return c.host.Say("Open the finder and type: pin "+what, false) }}
	}
	header := action.Row{Name: "Pin header NAME: VALUE", Note: keys.Name(c.host.Key(action.SignIn))}
	return []action.Action[tea.Cmd]{{Row: header, Run: func() tea.Cmd { return c.actions.Header("", "") }}, typed("endpoint URL"), typed("tenant NAME")}
}

// Cards returns a command for each other card of the address of the agent on the screen: it opens the
// agent of the card.
func (c *Controller) Cards() (out []control.Command) {
	a := c.on()
	if a == nil {
		return nil
	}
	for i, card := range a.Choices {
		out = append(out, control.Command{Group: "agent", Name: card.Name, Note: "not open yet " + card.Description, Run: action.Do[tea.Cmd](func() { c.host.Engine().OpenChoice(a.ID, i) })})
	}
	return out
}

// Entries returns a command for each pin that is possible for the agent on the screen.
func (c *Controller) Entries() (out []control.Command) {
	a := c.on()
	if a == nil {
		return nil
	}
	pins := c.host.Engine().Pins(a.ID)
	add := func(name string, on bool, p a2a.Pins) {
		note := ""
		if on {
			note = "pinned"
		}
		var also []string
		if p.Dialect == a2a.SAMBroker {
			also = []string{"mqtt", "mesh"}
		}
		out = append(out, control.Command{Name: "Pin " + name, Note: note, Also: also, Run: func() tea.Cmd { return c.pin(a.ID, p, name) }})
	}
	for _, name := range a2a.Dialects() {
		p := pins
		d, b, _ := a2a.ParseDialect(string(name))
		p.Dialect = d
		if b != "" || p.Binding == a2a.BindingREST || p.Binding == a2a.BindingGRPC {
			p.Binding = b
		}
		add("dialect "+string(name), pins.Dialect == p.Dialect && pins.Binding == p.Binding, p)
	}
	for _, b := range []a2a.Binding{a2a.BindingJSONRPC, a2a.BindingREST, a2a.BindingGRPC} {
		p := pins
		p.Binding = b
		add("binding "+b.String(), pins.Binding == b, p)
	}
	for _, w := range a.Profile.Alternatives {
		p := pins
		p.Dialect, p.Binding, p.Endpoint, p.Tenant = w.Dialect, w.Binding, w.Endpoint, w.Tenant
		add("endpoint "+w.Endpoint+" as "+w.Dialect.Number()+" "+w.Binding.String(), pins.Endpoint == w.Endpoint, p)
	}
	return out
}

// pin replaces the pins of an agent and reports it.
func (c *Controller) pin(agent a2a.AgentID, p a2a.Pins, name string) tea.Cmd {
	c.host.Engine().Pin(agent, p)
	return c.host.Say("Pinned for "+c.host.AgentName(agent)+": "+name+".", false)
}

// probe probes an agent's dialect again.
func (c *Controller) probe(a *model.Agent) tea.Cmd {
	c.host.Engine().ProbeDialect(a.ID)
	known := len(a.Profile.Evidence)
	return c.host.SayUntil("Probing the endpoint of "+a.Name()+"; the card shows the result.", false, func() bool { return len(a.Profile.Evidence) > known })
}

// Typed returns the command for "pin endpoint URL", "pin tenant NAME" or "pin header NAME: VALUE"
// as typed into the finder; it reports false for anything else.
func (c *Controller) Typed(text string) (pin control.Command, ok bool) {
	words := strings.SplitN(text, " ", 3)
	a := c.on()
	if a == nil || len(words) != 3 || !strings.EqualFold(words[0], "pin") {
		return control.Command{}, false
	}
	p, value := c.host.Engine().Pins(a.ID), strings.TrimSpace(words[2])
	shown, what := value, strings.ToLower(words[1])
	pin = control.Command{Group: "pin"}
	switch what {
	case "endpoint":
		if a2a.Origin(value) == "" {
			pin.Why = "an endpoint is an http or https URL"
		}
		p.Endpoint, shown = value, a2a.MaskReference(value)
	case "tenant":
		p.Tenant = value
	case "header":
		name, content, _ := strings.Cut(value, ":")
		name = strings.TrimSpace(name)
		pin.Name, pin.Run = "Pin header "+canvas.SanitizeLine(name), func() tea.Cmd { return c.actions.Header(name, content) }
		return pin, true
	default:
		return control.Command{}, false
	}
	pin.Name = "Pin " + what + " " + canvas.SanitizeLine(shown)
	pin.Run = func() tea.Cmd { return c.pin(a.ID, p, what+" "+shown) }
	return pin, true
}

// Try carries out a remedy for the agent on the screen, whose dialect is unknown.
func (c *Controller) Try(r chat.Remedy) tea.Cmd {
	a, refusal := c.host.Agent(), control.Refusal(c.host)
	if a == nil || refusal != "" {
		return c.host.Say(cmp.Or(refusal, "No agent is open."), true)
	}
	switch r {
	case chat.PinDialect:
		return c.actions.Find("pin dialect")
	case chat.ProbeAgain:
		return c.probe(a)
	case chat.WriteRequest:
		return c.actions.WriteRequest()
	}
	return nil
}
