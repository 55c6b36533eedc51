// Package chain is the controller of the exchanges that passed through taps: it joins them into trees
// while they arrive, and shows the trees.
package chain

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/chain"
	"parley/session/log"
	"parley/ui/action"
	pane "parley/ui/chain"
	"parley/ui/control"
	"parley/ui/styles"
)

// SheetName is the name of the sheet.
const SheetName control.SheetName = "chain"

// A Wire is the pane of the records.
type Wire interface {
	Select(record a2a.RecordID)
}

// Options say what the controller works with.
type Options struct {
	Now  func() time.Time
	Wire Wire
}

// A Controller joins the exchanges of other clients, and shows them.
type Controller struct {
	host   control.Host
	o      Options
	forest *chain.Forest
	pane   *pane.Pane
	at     time.Time // when the pane got its rows
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, o: o, forest: chain.NewForest(), pane: pane.New(st)}
}

// OnItem takes an item that the state has applied. Items of a session without taps cost nothing.
func (c *Controller) OnItem(it *log.Item) {
	if it.Signal != nil || !chain.Concerns(&it.Record) {
		return
	}
	if at := c.host.State().Log.At(it.Record.ID); at != nil {
		c.forest.Add(&at.Record, &at.Update, at.Findings)
	}
}

// Open shows the sheet.
func (c *Controller) Open() tea.Cmd {
	c.at = time.Time{}
	c.refresh()
	c.host.Open(SheetName)
	return nil
}

// refreshEvery is how long the trees stay as they are, because drawing them costs as much as there
// are exchanges.
const refreshEvery = time.Second / 2

// refresh gives the pane the trees as they are now.
func (c *Controller) refresh() {
	now := c.o.Now()
	if now.Sub(c.at) < refreshEvery {
		return
	}
	c.at = now
	lines := c.forest.Lines(c.host.AgentName, now)
	rows := make([]pane.Row, 0, len(lines))
	for _, l := range lines {
		rows = append(rows, pane.Row{
			Exchange: l.Node.Exchange, Agent: l.Node.Agent, Tag: c.host.AgentTag(l.Node.Agent), Depth: l.Depth, Text: l.Text,
			Findings: l.Node.Worst >= a2a.Warning, Failed: l.Node.Failure != "" || failed(l.Node.State), Open: l.Node.End.IsZero(),
		})
	}
	c.pane.SetRows(rows)
}

func failed(s a2a.State) bool { return s == a2a.StateFailed || s == a2a.StateRejected }

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "chain", Wide: true, Next: c.next, Refresh: c.refresh})
}

// next returns how long the trees stay as they are: in a recording nothing runs.
func (c *Controller) next() time.Duration {
	if c.host.Refusal() != "" {
		return 0
	}
	return time.Second
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Slash: "chain", Name: "Show which exchange led to which", Also: []string{"trace", "mesh", "hops"}, Now: action.Unless(action.If("no exchange has passed through a tap yet", func() bool { return c.forest.Len() == 0 }))},
		Run: c.Open,
	}}
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in pane.Intent) tea.Cmd {
	switch in := in.(type) {
	case pane.Close:
		c.host.Close()
	case pane.Copy:
		return c.host.Copy(in.Text, in.What)
	case pane.Show:
		c.host.Close()
		c.o.Wire.Select(in.Exchange)
		c.host.Focus(control.OnWire)
	}
	return nil
}
