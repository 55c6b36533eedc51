// Package records is the controller of the commands about the record under the cursor, in
// the conversation or the wire pane. They edit and resend its request, copy its exchange,
// inject faults into its stream, and filter the wire by it.
package records

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/menu"
	"parley/ui/request"
	"parley/ui/styles"
	"parley/ui/wire"
)

// Keys are the keys for the record under the cursor.
type Keys struct{ Edit, CopyAs, Faults, Stream key.Binding }

// Panes are those that show records.
type Panes struct {
	Wire *wire.Pane
	// Chat returns the record under its cursor, 0 if there is none.
	Chat interface{ Selected() a2a.RecordID }
	// Arrange gives the panes their sizes after the focus has changed.
	Arrange func()
}

// A Controller copies, resends and disturbs exchanges.
type Controller struct {
	host    control.Host
	keys    Keys
	panes   Panes
	request *request.Pane
	// sent is the turn of a request that was sent by hand, until its conversation is shown.
	sent a2a.TurnID
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, keys Keys, panes Panes) *Controller {
	c := &Controller{host: host, keys: keys, panes: panes}
	c.request = request.New(st, c.check)
	panes.Wire.SetNames(c.agentName, host.AgentTag)
	return c
}

// agentName returns the name of an agent, empty if it has none yet.
func (c *Controller) agentName(id a2a.AgentID) string {
	if a := c.host.State().Agent(id); a != nil {
		return a.Name()
	}
	return ""
}

// selected returns the record that commands act on: the one under the cursor, else that of the
// wire pane. It is nil if there is none.
func (c *Controller) selected() *log.Item {
	if it := c.underCursor(); it != nil {
		return it
	}
	return c.host.State().Log.At(c.panes.Wire.Selected())
}

// underCursor returns the record under the cursor of the focused pane, nil if there is none.
func (c *Controller) underCursor() *log.Item {
	var id a2a.RecordID
	switch c.host.Focused() {
	case control.OnWire:
		id = c.panes.Wire.Selected()
	case control.OnChat:
		id = c.panes.Chat.Selected()
	}
	return c.host.State().Log.At(id)
}

// requestOf returns the request of a record's exchange, nil if there is none.
func (c *Controller) requestOf(it *log.Item) *log.Item {
	if it == nil || it.Record.Exchange == 0 {
		return nil
	}
	if first := c.host.State().Log.At(it.Record.Exchange); first != nil && first.Record.Kind == a2a.KindRequest {
		return first
	}
	return nil
}

// Key handles the keys for the record under the cursor, and reports whether msg was one.
func (c *Controller) Key(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if at := c.host.Focused(); at != control.OnWire && at != control.OnChat {
		return nil, false
	}
	switch {
	case key.Matches(msg, c.keys.Edit):
		return c.editRequest(), true
	case key.Matches(msg, c.keys.CopyAs):
		return c.CopyMenu(c.selected()), true
	case key.Matches(msg, c.keys.Faults):
		return c.faultMenu(), true
	case c.host.Focused() == control.OnChat && key.Matches(msg, c.keys.Stream): // the wire pane has its own
		return c.showStream(), true
	}
	return nil, false
}

// ShortHelp returns the keys for the record under the cursor, for the footer.
func (c *Controller) ShortHelp() []key.Binding {
	k, live := c.keys, control.Refusal(c.host) == ""
	belongs := c.requestOf(c.selected()) != nil
	k.Edit.SetEnabled(live && belongs)
	k.CopyAs.SetEnabled(belongs)
	k.Faults.SetEnabled(live && c.openStream() != 0)
	return []key.Binding{k.CopyAs, k.Edit, k.Faults}
}

// FullHelp returns the same keys for the help, all enabled.
func (c *Controller) FullHelp() [][]key.Binding {
	return [][]key.Binding{{c.keys.CopyAs, c.keys.Edit, c.keys.Faults, c.keys.Stream}}
}

// CopyKeys returns the keys of the menu of copies, for the help.
func (c *Controller) CopyKeys() [][]key.Binding {
	r := a2a.Record{Call: &a2a.Call{Binding: a2a.BindingJSONRPC}, Raw: []byte("{}")}
	return itemKeys(c.copyItems(&log.Item{Record: r}))
}

// FaultKeys returns the keys of the menu of faults, for the help.
func (c *Controller) FaultKeys() [][]key.Binding { return itemKeys(c.faultItems(0, false)) }

func itemKeys(items []menu.Item) [][]key.Binding {
	out := make([]key.Binding, 0, len(items))
	for _, it := range items {
		out = append(out, keys.Bind(it.Key, it.Name))
	}
	return [][]key.Binding{out[:(len(out)+1)/2], out[(len(out)+1)/2:]}
}

// Commands returns the commands about records, and the filters of the wire.
func (c *Controller) Commands() []control.Command {
	k, refusal := &c.keys, control.Refusal(c.host)
	none, closed := "", ""
	if c.requestOf(c.selected()) == nil {
		none = "no record of a request is selected"
	}
	if c.openStream() == 0 {
		closed = "no stream is open here"
	}
	return append([]control.Command{
		{Name: "Write a request", Why: refusal, Do: c.WriteRequest},
		{Key: k.Edit, Name: "Edit and resend the selected request", Also: []string{"retry", "repeat", "replay", "send again"}, Why: cmp.Or(refusal, none), Do: c.editRequest},
		{Key: k.CopyAs, Name: "Copy the selected exchange as curl, JSON-RPC, raw", Also: []string{"copy as"}, Why: none, Do: func() tea.Cmd { return c.CopyMenu(c.selected()) }},
		{Key: k.Faults, Name: "Inject faults into the open stream", Also: []string{"cut", "pause", "break", "chaos", "disconnect", "stream"}, Why: cmp.Or(refusal, closed), Do: c.faultMenu},
	}, c.filterCommands()...)
}
