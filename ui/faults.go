package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/log"
	"parley/ui/menu"
)

// A fault is what an item of the fault bench stands for.
type fault struct {
	exchange a2a.ExchangeID
	kind     engine.FaultKind
	done     string // what is said when it is done
}

// faultable is the open stream that the fault bench is about: that of the record under
// the cursor, or the conversation's. 0 is none.
func (m *Model) faultable() a2a.ExchangeID {
	if it := m.requestOf(m.record()); it != nil && m.streams(it.Record.ID) {
		return it.Record.ID
	}
	if conv := m.conversation(); conv != nil && conv.Stats.Open && m.streams(conv.Stats.Exchange) {
		return conv.Stats.Exchange
	}
	return 0
}

// streams reports whether an exchange is a stream that has not ended.
func (m *Model) streams(x a2a.ExchangeID) bool {
	s := m.state.Log.Stream(x)
	if s == nil || s.End != nil || s.Call == nil {
		return false
	}
	return s.Call.Op == a2a.OpStream || s.Call.Op == a2a.OpSubscribe || s.Events > 0
}

// faultMenu offers what can be done to the open stream.
func (m *Model) faultMenu() tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	x := m.faultable()
	if x == 0 {
		return m.say("No stream is open here: the fault bench is for one that is.", true)
	}
	m.openMenu("fault bench", "stream #"+strconv.FormatUint(uint64(x), 10), faults(x, m.opts.Engine.ReadingPaused(x)))
	return nil
}

// faults are the items of the fault bench. Each ends in a verdict, which comes as a note.
func faults(x a2a.ExchangeID, unread bool) []menu.Item {
	read := menu.Item{Key: "p", Name: "stop reading", Note: "the agent's bytes pile up", Value: fault{x, engine.FaultPause, "nothing more is read; ! p reads on"}}
	if unread {
		read = menu.Item{Key: "p", Name: "read on", Note: "what has piled up comes at once", Value: fault{x, engine.FaultResume, "reading on"}}
	}
	return []menu.Item{
		{Key: "x", Name: "cut now", Note: "as a bad network does", Value: fault{x, engine.FaultCut, "cut; the verdict follows"}},
		{
			Key: "k", Name: "cut after some events", Ask: "after how many more events?", Default: 3,
			Value: fault{x, engine.FaultCut, "the connection will be cut there; the verdict follows"},
		},
		read,
		{Key: "d", Name: "subscribe twice", Note: "a second stream beside this one", Value: fault{x, engine.FaultDuplicate, "subscribing a second time; the verdict follows"}},
		{Key: "r", Name: "cut and re-attach", Note: "without waiting", Value: fault{x, engine.FaultResubscribe, "cut, to subscribe again at once; the verdict follows"}},
		{Key: "c", Name: "cancel mid-stream", Note: "the stream stays open", Value: fault{x, engine.FaultCancel, "asking to cancel; the verdict follows"}},
	}
}

// disturb does one of the things that the fault bench offers.
func (m *Model) disturb(f fault, after int) tea.Cmd {
	if refused := m.opts.Engine.InjectFault(f.exchange, engine.Fault{Kind: f.kind, After: after}); refused != "" {
		return m.say(refused, true)
	}
	return m.say(f.done, false)
}

// verdict says what an agent made of a fault, when that is known.
func (m *Model) verdict(it *log.Item) tea.Cmd {
	if n := it.Record.Note; !m.readOnly() && n != nil && n.Type == log.NoteVerdict {
		return m.say(n.Attrs["sentence"], false)
	}
	return nil
}
