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

// Commands returns the commands about the agent on the screen.
func (c *Controller) Commands() []control.Command {
	a := c.host.Agent()
	if a == nil || control.Refusal(c.host) != "" {
		return nil
	}
	engine := c.host.Engine()
	var out []control.Command
	for i, card := range a.Choices {
		out = append(out, control.Command{Group: "agent", Name: card.Name, Note: "not open yet " + card.Description, Run: func() tea.Cmd {
			engine.OpenChoice(a.ID, i)
			return nil
		}})
	}
	out = append(out, control.Command{Name: "Probe the agent again", Also: []string{"dialect", "protocol", "retry"}, Note: "which dialect it speaks", Run: func() tea.Cmd { return c.probe(a) }})
	if a.Card == nil && a.Phase == model.Failed {
		out = append(out, control.Command{Name: "Search for the card at other addresses too", Run: func() tea.Cmd { engine.SearchCard(a.ID); return nil }})
	}
	out = append(out, c.choices(a, engine.Pins(a.ID))...)
	out = append(out, control.Command{Name: "Pin header NAME: VALUE", Note: keys.Name(c.host.Key(action.SignIn)), Run: func() tea.Cmd { return c.actions.Header("", "") }})
	for _, what := range []string{"endpoint URL", "tenant NAME"} {
		out = append(out, control.Command{Name: "Pin " + what, Note: "type it here", Run: func() tea.Cmd {
			return c.host.Say("Open the finder and type: pin "+what, false)
		}})
	}
	return out
}

// choices returns a command for each pin that is possible for an agent, and the one that
// removes all pins.
func (c *Controller) choices(a *model.Agent, pins a2a.Pins) []control.Command {
	var out []control.Command
	if !pins.Empty() || len(pins.Headers) > 0 || pins.APIKey != "" {
		out = append(out, control.Command{Name: "Unpin everything: detection decides", Run: func() tea.Cmd {
			return c.pin(a.ID, a2a.Pins{Prefer: pins.Prefer}, "nothing")
		}})
	}
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
	a := c.host.Agent()
	if a == nil || control.Refusal(c.host) != "" || len(words) != 3 || !strings.EqualFold(words[0], "pin") {
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
