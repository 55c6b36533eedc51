package records

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/control"
)

// maxNameCells is the longest name of an agent or a conversation in the title of a menu.
const maxNameCells = 32

// exchangeName names an exchange by its agent, its prompt and the number of its request.
func (c *Controller) exchangeName(x a2a.ExchangeID) string {
	state := c.host.State()
	o := state.Log.Owner(x)
	name := ""
	if o.Agent != 0 {
		name = short(c.host.AgentName(o.Agent)) + ", "
	}
	if conv := state.Conversation(o.Conversation); conv != nil && conv.Name() != "" {
		name += short(conv.Name()) + ", "
	}
	return name + "#" + strconv.FormatUint(uint64(x), 10)
}

func short(name string) string {
	return canvas.Ellipsize(canvas.SanitizeLine(name), maxNameCells, "...")
}

// showStream shows the timeline of the stream of the record under the cursor, else of the newest
// stream of the conversation.
func (c *Controller) showStream() tea.Cmd {
	state := c.host.State()
	x := a2a.ExchangeID(0)
	if it := c.underCursor(); it != nil {
		if s := state.Log.Stream(it.Record.Exchange); s != nil && s.Events > 0 {
			x = s.Exchange
		}
	}
	if conv := c.host.Conversation(); x == 0 && conv != nil {
		x = conv.Stream
	}
	ids := state.Log.Exchange(x)
	if len(ids) == 0 {
		return c.host.Say("There is no stream in this conversation yet.", true)
	}
	c.panes.Wire.Select(ids[len(ids)-1])
	c.host.Focus(control.OnWire)
	c.panes.Arrange()
	c.panes.Wire.ShowStream()
	return nil
}
