package records

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/menu"
)

// openStream returns the stream for faults: that of the record under the cursor, else that of the
// conversation on the screen. It is 0 if none is open, or if the cursor is in another conversation.
func (c *Controller) openStream() a2a.ExchangeID {
	if it := c.requestOf(c.underCursor()); it != nil {
		if c.isOpenStream(it.Record.ID) {
			return it.Record.ID
		}
		if other := c.host.State().Log.Owner(it.Record.ID).Conversation; other != 0 && other != c.host.Place().Conversation {
			return 0
		}
	}
	if conv := c.host.Conversation(); conv != nil && c.isOpenStream(conv.Stream) {
		return conv.Stream
	}
	return 0
}

// isOpenStream reports whether an exchange is a stream that has not ended.
func (c *Controller) isOpenStream(x a2a.ExchangeID) bool {
	s := c.host.State().Log.Stream(x)
	if s == nil || s.End != nil || s.Call == nil {
		return false
	}
	return s.Call.Op == a2a.OpStream || s.Call.Op == a2a.OpSubscribe || s.Events > 0
}

// faultMenu offers the faults that can be injected into the open stream.
func (c *Controller) faultMenu() tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	x := c.openStream()
	if x == 0 {
		return c.host.Say("No stream is open here: fault injection needs an open stream.", true)
	}
	c.host.Menu("fault injection", c.exchangeName(x), c.faultItems(x, c.host.Engine().ReadingPaused(x)))
	return nil
}

// faultItems returns the items of that menu. Each fault leads to a verdict, which comes as a
// note.
func (c *Controller) faultItems(x a2a.ExchangeID, paused bool) []menu.Item {
	inject := func(kind engine.FaultKind, done string) control.NumberAction {
		return func(after int) tea.Cmd { return c.inject(x, engine.Fault{Kind: kind, After: after}, done) }
	}
	const pause = "p"
	read := menu.Item{Key: pause, Name: "pause reading", Note: "the agent's bytes pile up", Value: inject(engine.FaultPause, "reading is paused; "+keys.Name(c.host.Key(InjectFaults))+" "+pause+" resumes it")}
	if paused {
		read = menu.Item{Key: pause, Name: "resume reading", Note: "the piled-up bytes come at once", Value: inject(engine.FaultResume, "reading is resumed")}
	}
	return []menu.Item{
		{Key: "x", Name: "cut now", Note: "as a bad network does", Value: inject(engine.FaultCut, "cut; the verdict follows")},
		{
			Key: "k", Name: "cut after some events", Ask: "after how many more events?", Default: 3,
			Value: inject(engine.FaultCut, "the connection will be cut there; the verdict follows"),
		},
		read,
		{Key: "d", Name: "subscribe twice", Note: "a second stream beside this one", Value: inject(engine.FaultDuplicate, "subscribing a second time; the verdict follows")},
		{Key: "r", Name: "cut and resubscribe", Note: "without waiting", Value: inject(engine.FaultResubscribe, "cut, resubscribing at once; the verdict follows")},
		{Key: "c", Name: "cancel mid-stream", Note: "the stream stays open", Value: inject(engine.FaultCancel, "canceling; the verdict follows")},
	}
}

// inject injects a fault into a stream and reports it with the words of done.
func (c *Controller) inject(x a2a.ExchangeID, f engine.Fault, done string) tea.Cmd {
	if refused := c.host.Engine().InjectFault(x, f); refused != "" {
		return c.host.Say(refused, true)
	}
	return c.host.Say(done, false)
}

// OnItem reports the verdict of a fault.
func (c *Controller) OnItem(it *log.Item) tea.Cmd {
	if n := it.Record.Note; n != nil && n.Type == log.NoteVerdict && c.host.Refusal() == "" {
		return c.host.Say(n.Attrs["sentence"], false)
	}
	return nil
}
