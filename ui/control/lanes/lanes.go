// Package lanes is the controller of the lanes of the session: it opens their sheet and connects it
// with the wire.
package lanes

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/lanes"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of lanes.
const SheetName control.SheetName = "lanes"

// Wire is the pane of records.
type Wire interface {
	lanes.Wire
	Selected() a2a.RecordID
	Select(record a2a.RecordID)
	Mark(record a2a.RecordID)
	Marked(record a2a.RecordID) bool
	FilterText() string
}

// Options are what the controller needs from outside.
type Options struct {
	Now    func() time.Time
	Wire   Wire
	Filter func(text string) tea.Cmd // filters the wire and shows it
}

// A Controller shows the lanes of the session.
type Controller struct {
	host control.Host
	opts Options
	pane *lanes.Pane
	// span and rest are the filter that came from here: the span of time, and what the user had
	// filtered by.
	span, rest string
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	c := &Controller{host: host, opts: o}
	c.pane = lanes.New(st, o.Wire, lanes.Names{Agent: host.AgentName, Tag: host.AgentTag, Conversation: c.conversationName})
	c.pane.SetLog(host.State().Log)
	return c
}

// Open shows the lanes, with the cursor on the record that is selected in the wire. Where that is in no lane, as a
// note, the newest stream of the conversation is selected.
func (c *Controller) Open() tea.Cmd {
	c.refresh()
	c.host.Open(SheetName)
	if conv := c.host.Conversation(); !c.pane.Select(c.opts.Wire.Selected()) && conv != nil {
		c.pane.Select(a2a.RecordID(conv.Stream))
	}
	return nil
}

// Sheet describes the sheet of lanes.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{
		Name: SheetName, Help: "lanes", Page: true, Refresh: c.refresh, Drags: true, Next: c.pane.Next,
	})
}

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{ID: action.ShowLanes, Keys: []string{"f6"}, Does: "show lanes", Slash: "lanes", Name: "Show the lanes of the session", Also: []string{"timeline", "latency", "waterfall"}},
		Run: c.Open,
	}}
}

// refresh sets the time, which does not pass in a recording.
func (c *Controller) refresh() { c.pane.SetNow(c.opts.Now(), c.host.Refusal() != "") }

// conversationName returns the name of a conversation.
func (c *Controller) conversationName(id a2a.ConversationID) string {
	if conv := c.host.State().Conversation(id); conv != nil {
		return cmp.Or(conv.Name(), "new conversation")
	}
	return "conversation"
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in lanes.Intent) tea.Cmd {
	switch in := in.(type) {
	case lanes.Show:
		c.host.Close()
		c.host.Focus(control.OnWire)
		c.opts.Wire.Select(in.Record)
	case lanes.Filter:
		c.host.Close()
		return c.filter(in.Text)
	case lanes.Mark:
		c.opts.Wire.Mark(in.Record)
		words := "marked #" + log.IDText(in.Record)
		if !c.opts.Wire.Marked(in.Record) {
			words = "unmarked #" + log.IDText(in.Record)
		}
		return c.host.Say(words, false)
	case lanes.Copy:
		return c.host.Copy(in.Text, in.What)
	case lanes.Close:
		c.host.Close()
	}
	return nil
}

// filter adds a span of time to the filter of the wire, in place of an earlier one. As the lanes do,
// the wire then lists the whole session, until the filter is cleared.
func (c *Controller) filter(span string) tea.Cmd {
	text := strings.TrimSpace(c.opts.Wire.FilterText())
	if text == both(c.span, c.rest) {
		text = c.rest
	}
	c.span, c.rest = span, text
	return c.opts.Filter(both(span, text))
}

// both returns a filter that lists what a span and another filter list.
func both(span, rest string) string {
	if rest == "" {
		return span
	}
	return span + " (" + rest + ")"
}
