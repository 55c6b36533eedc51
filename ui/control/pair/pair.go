// Package pair is the controller of the second conversation, which takes the place of the wire on a
// wide screen. The user acts on one of the two, as if it were alone: its messages are written, its
// records are listed. The other is shown beside it, until the focus goes there.
package pair

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/layout"
)

// Screen is what the controller has to know of the screen, and can change.
type Screen interface {
	// Columns returns the width of the screen.
	Columns() int
	// Unzoom shows all panes again.
	Unzoom()
	// Both reports whether both conversations have their place on the screen, which a pane with
	// the focus may cover.
	Both() bool
}

// A Controller shows a second conversation.
type Controller struct {
	host   control.Host
	screen Screen
	panes  [2]*chat.Pane // of the conversation that the user acts on, and of the other
	on     bool
	other  control.Place // the place beside the one on which the user acts
	right  bool          // the user acts on the one at the right
	home   bool          // whether tab began at the right one
	// recent are the conversations on which the user acted earlier, the last one at the end.
	recent []control.Place
}

// New returns a controller. The pane is that of the conversation on which the user acts.
func New(host control.Host, pane *chat.Pane, screen Screen) *Controller {
	return &Controller{host: host, screen: screen, panes: [...]*chat.Pane{pane, pane.Beside()}}
}

// Pane returns the pane of the other conversation.
func (c *Controller) Pane() *chat.Pane { return c.panes[1] }

// Shown returns the panes of the conversations on the screen.
func (c *Controller) Shown() []*chat.Pane {
	if c.screen.Both() {
		return c.panes[:]
	}
	return c.panes[:1]
}

// Tick passes the clock on to the conversations on screen.
func (c *Controller) Tick() {
	for _, p := range c.Shown() {
		p.Tick()
	}
}

// Wanted returns the pair that the user wants, whether or not there is room for it.
func (c *Controller) Wanted() layout.Pair {
	switch {
	case !c.on:
		return layout.NoPair
	case c.right:
		return layout.AtRight
	default:
		return layout.AtLeft
	}
}

// Other returns the other conversation if it is on the screen, else 0.
func (c *Controller) Other() a2a.ConversationID {
	if !c.screen.Both() {
		return 0
	}
	return c.other.Conversation
}

// OnPlace notes that the user went from a place to another. If that is the other one, the two
// change their roles and stay where they are.
func (c *Controller) OnPlace(from, to control.Place) {
	if from.Conversation != 0 {
		const most = 32
		c.recent = append(slices.DeleteFunc(c.recent, func(p control.Place) bool { return p == from }), from)
		c.recent = c.recent[max(0, len(c.recent)-most):]
	}
	if c.on && to == c.other {
		c.other, c.right = from, !c.right
	}
}

// Refresh shows both conversations. The wire has its place again when the other one is gone.
func (c *Controller) Refresh() {
	c.panes[0].Show(c.host.Agent(), c.host.Conversation())
	if c.on && (!c.open(c.other) || c.other == c.host.Place()) {
		c.close()
	}
	c.panes[0].SetNamed(c.screen.Both())
	if c.on {
		state := c.host.State()
		c.panes[1].SetNamed(true)
		c.panes[1].Show(state.Agent(c.other.Agent), state.Conversation(c.other.Conversation))
	}
}

// open reports whether a place is one of an agent that is open.
func (c *Controller) open(p control.Place) bool {
	a := c.host.State().Agent(p.Agent)
	return a != nil && !a.Closed
}

func (c *Controller) close() { c.on, c.right, c.home = false, false, false }

// toggle shows the second conversation, or the wire again.
func (c *Controller) toggle() tea.Cmd {
	switch {
	case c.screen.Columns() < layout.SecondWidth:
		return c.host.Say(c.narrow(), true)
	case c.screen.Both():
		c.close()
		return nil
	case c.on: // zoomed
		c.screen.Unzoom()
		return nil
	}
	p, ok := c.choose()
	if !ok {
		return c.host.Say(c.none(), true)
	}
	return c.Show(p)
}

// narrow says which width two conversations need.
func (c *Controller) narrow() string {
	return "two conversations side by side need " + strconv.Itoa(layout.SecondWidth) + " columns, the screen has " + strconv.Itoa(c.screen.Columns()) + "; " +
		keys.Name(c.host.Key(GoToOther)) + " goes to the other one"
}

func (c *Controller) none() string {
	return "there is no other conversation yet: " + keys.Name(c.host.Key(action.NewConversation)) + " begins one"
}

// Show shows a place beside the one on which the user acts. The focus stays where it is, unless
// it was in the wire, whose place the conversation takes.
func (c *Controller) Show(p control.Place) tea.Cmd {
	if p == c.host.Place() {
		return c.host.Say("this conversation is on the screen already: choose another one", true)
	}
	if !c.on {
		c.close()
	}
	c.on, c.other = true, p
	c.screen.Unzoom()
	c.Refresh()
	if c.screen.Columns() < layout.SecondWidth {
		return c.host.Say(c.narrow(), true)
	}
	if c.host.Focused() == control.OnWire {
		c.host.Focus(control.OnChat)
		c.GoOther()
	}
	return nil
}

// swap goes to the other conversation: the one beside, else the one on which the user acted last.
// The focus stays in the text field if it is there.
func (c *Controller) swap() tea.Cmd {
	if !c.on {
		p, ok := c.choose()
		if !ok {
			return c.host.Say(c.none(), true)
		}
		c.host.GoTo(p)
		c.Refresh()
		return nil
	}
	if at := c.host.Focused(); at == control.OnWire || at == control.OnAgents {
		c.host.Focus(control.OnChat)
	}
	c.GoOther()
	return nil
}

// GoOther lets the user act on the other conversation.
func (c *Controller) GoOther() {
	c.host.GoTo(c.other)
	c.Refresh()
	if c.host.Focused() == control.OnChat {
		c.host.Focus(control.OnChat) // its cursor is in this conversation now
	}
}

// Step moves the focus by n panes while two conversations are on the screen: from the text field to
// the conversation above it, then to the other one, then to the agents.
func (c *Controller) Step(n int) {
	const text, own, other, agents, all = 0, 1, 2, 3, 4
	at := own
	switch c.host.Focused() {
	case control.OnComposer:
		at, c.home = text, c.right
	case control.OnAgents:
		at, c.home = agents, !c.right
	case control.OnWire:
		at, c.home = other, c.right
	case control.OnChat:
		if c.right != c.home {
			at = other
		}
	}
	to := (at + n + all) % all
	if to == text && c.host.Refusal() != "" { // a recording has no text field
		to = (to + n + all) % all
	}
	switch to {
	case text:
		c.host.Focus(control.OnComposer)
	case agents:
		c.host.Focus(control.OnAgents)
	default:
		c.host.Focus(control.OnChat)
		if (to == own) != (c.right == c.home) {
			c.GoOther()
		}
	}
}

// A Choice is what the user chose to see beside each other.
type Choice struct {
	on, right, home bool
	other           control.Place
}

// Choice returns what the user has chosen.
func (c *Controller) Choice() Choice { return Choice{c.on, c.right, c.home, c.other} }

// Choose shows again what the user had chosen, where it can be shown.
func (c *Controller) Choose(of Choice) {
	if of.on && c.open(of.other) && of.other != c.host.Place() {
		c.on, c.right, c.home, c.other = true, of.right, of.home, of.other
		c.Refresh()
	}
}
