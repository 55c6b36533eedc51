// Package taps is the controller of the taps: it lists them, starts and stops them, and sets the
// faults that they inject.
package taps

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/palette"
	"parley/ui/styles"
	"parley/ui/taps"
)

// SheetName is the name of the sheet of the taps.
const SheetName control.SheetName = "taps"

// A Tap is a tap as the sheet shows it.
type Tap = taps.Tap

// A Set is the taps of a session. Its methods return at once.
type Set interface {
	// Taps returns the taps in the order in which they were started.
	Taps() []Tap
	// Begin starts a tap in front of the agent at a URL. The error is a sentence without an end.
	Begin(target string) (Tap, error)
	// Stop stops a tap: clients that are connected to it lose their connections.
	Stop(agent a2a.AgentID)
	// SetFault sets the fault that a tap injects, as --fault of parley tap writes it; empty ends it. The
	// error is a sentence without an end.
	SetFault(agent a2a.AgentID, fault string) error
}

// Options say what the controller works with.
type Options struct {
	Set       Set            // nil if there can be no taps
	ShowChain func() tea.Cmd // shows which exchange led to which
}

// A Controller shows and changes the taps.
type Controller struct {
	host control.Host
	o    Options
	pane *taps.Pane
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, o: o, pane: taps.New(st)}
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "taps", Next: control.EverySecond, Refresh: c.refresh})
}

func (c *Controller) refresh() { c.pane.SetAbout(c.about()) }

// about returns what the sheet shows.
func (c *Controller) about() taps.About {
	about := taps.About{Why: c.why()}
	if c.o.Set == nil {
		return about
	}
	about.Taps = c.o.Set.Taps()
	for i := range about.Taps {
		if a := c.host.State().Agent(about.Taps[i].Agent); a != nil && a.Pulse.Health == model.Unhealthy {
			about.Taps[i].Problem = "the agent " + a.Pulse.Why
		}
	}
	return about
}

// why says why no tap can be started, empty if one can.
func (c *Controller) why() string {
	if why := c.host.Refusal(); why != "" {
		return why
	}
	if c.o.Set == nil {
		return "No tap can be started in a resumed session: run parley tap, which begins a new one."
	}
	return ""
}

// Open shows the sheet.
func (c *Controller) Open() tea.Cmd {
	c.refresh()
	c.host.Open(SheetName)
	return nil
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Slash: "tap", Takes: "[URL]", Name: "Show the taps, start one in front of an agent", Also: []string{"proxy", "intercept", "mitm"}},
		Run: c.Open, With: c.begin,
	}}
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in taps.Intent) tea.Cmd {
	switch in := in.(type) {
	case taps.Close:
		c.host.Close()
	case taps.Refused:
		return c.host.Say(in.Why, true)
	case taps.Copy:
		return c.host.Copy(in.Text, in.What)
	case taps.Begin:
		return c.Ask()
	case taps.Faults:
		c.faultMenu(in.Tap)
	case taps.Stop:
		return c.stop(in.Tap)
	case taps.Show:
		c.host.Close()
		if a := c.host.State().Agent(in.Tap.Agent); a != nil {
			c.host.GoTo(c.host.LastPlace(a))
		}
	case taps.Chain:
		c.host.Close()
		return c.o.ShowChain()
	}
	return nil
}

// Ask asks for the agent of a new tap. The one on the screen is suggested.
func (c *Controller) Ask() tea.Cmd {
	suggested := ""
	if a := c.host.Agent(); a != nil && a.Tap == "" {
		suggested = a2a.TypedOrigin(a.Ref)
	}
	take := func(string) (string, bool) { return "starts a tap in front of this agent", true }
	c.host.Find(palette.List{Title: "start a tap", Hint: "URL of an agent", Text: suggested, Else: take, Value: c.begin})
	return nil
}

// begin starts a tap in front of an agent and shows the sheet.
func (c *Controller) begin(target string) tea.Cmd {
	target = strings.TrimSpace(target)
	if target == "" {
		return c.Open()
	}
	if why := c.why(); why != "" {
		return c.host.Say(why, true)
	}
	t, err := c.o.Set.Begin(target)
	if err != nil {
		return c.host.Say("No tap was started: "+canvas.SanitizeLine(err.Error())+".", true)
	}
	cmd := c.Open()
	c.pane.Select(t.Name)
	return tea.Batch(cmd, c.host.Say("tap "+canvas.SanitizeLine(t.Name)+" is open: give clients "+t.URL, false))
}

// stop stops a tap, after a question if something passes through it.
func (c *Controller) stop(t taps.Tap) tea.Cmd {
	end := func() tea.Cmd {
		c.o.Set.Stop(t.Agent)
		c.refresh()
		return c.host.Say("stopped tap "+canvas.SanitizeLine(t.Name)+"; what passed through it stays here", false)
	}
	if t.Open == 0 {
		return end()
	}
	c.host.Menu("stop tap "+canvas.SanitizeLine(t.Name)+"?", "its clients lose their connections", []menu.Item{
		{Key: "y", Name: "stop it", Value: control.Action(func() tea.Cmd { return tea.Batch(end(), c.Open()) })},
		{Key: "n", Name: "leave it open", Value: control.Action(c.Open)},
	})
	return nil
}
