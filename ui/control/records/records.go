// Package records is the controller of the commands about the record under the cursor, in
// the conversation or the wire pane. They edit and resend its request, copy its exchange,
// inject faults into its stream, and filter the wire by it.
package records

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/request"
	"parley/ui/styles"
	"parley/ui/wire"
)

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
	panes   Panes
	request *request.Pane
	// sent is the turn of a request that was sent by hand, until its conversation is shown.
	sent a2a.TurnID
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, panes Panes) *Controller {
	c := &Controller{host: host, panes: panes}
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
		out = append(out, action.Label(it.Key, it.Name))
	}
	return [][]key.Binding{out[:(len(out)+1)/2], out[(len(out)+1)/2:]}
}

// InjectFaults is the action that disturbs the open stream. It is possible while there is one.
const InjectFaults action.ID = "inject-faults"

// editRequest is an action that texts name.
const editRequest action.ID = "edit-and-resend-request"

// Actions returns the actions on the record under the cursor, in the conversation and in the wire. Those
// that open an editor or disturb a stream ask, because the letter may be meant as text.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	refusal := control.Refused(c.host)
	belongs := action.If("no record of a request is selected", func() bool { return c.requestOf(c.selected()) == nil })
	open := action.If("no stream is open here", func() bool { return c.openStream() == 0 })
	inChat := func(words string, now func() action.State) func() action.State { // what is said there matters more
		return func() action.State {
			s := now()
			if c.host.Focused() == control.OnChat {
				s.Rank, s.Short = 14, words
			}
			return s
		}
	}
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Name: "Write a request", Now: action.Unless(refusal)}, Run: c.WriteRequest},
		{
			Row: action.Row{Keys: []string{"c"}, Does: "copy exchange", Foot: 61, Rank: 5, Short: "copy", Wide: "copy as", Now: inChat("copy as", action.Unless(belongs)), Name: "Copy the selected exchange as curl, JSON-RPC, raw", Also: []string{"copy as"}},
			Run: func() tea.Cmd { return c.CopyMenu(c.selected()) },
		},
		{
			Row: action.Row{
				ID: editRequest, Keys: []string{"e"}, Does: "edit and resend request", Foot: 62, Rank: 7, Short: "resend", Wide: "edit, resend", Asks: true, Now: inChat("edit request", action.Unless(refusal, belongs)),
				Name: "Edit and resend the selected request", Also: []string{"retry", "repeat", "replay", "send again"},
			},
			Run: c.editRequest,
		},
		{
			Row: action.Row{
				ID: InjectFaults, Keys: []string{"!"}, Does: "inject faults", Foot: 1, Rank: 1, Short: "faults", Asks: true, Now: action.Unless(refusal, open),
				Name: "Inject faults into the open stream", Also: []string{"cut", "pause", "break", "chaos", "disconnect", "stream"},
			},
			Run: c.faultMenu,
		},
		{
			Row: action.Row{Keys: []string{"s"}, Does: "show stream", Now: func() action.State { // the wire pane has its own
				return action.State{Off: c.host.Focused() != control.OnChat}
			}},
			Run: c.showStream,
		},
	}
}
