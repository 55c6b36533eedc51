package lanes

import (
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/axis"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Wire is what the lanes show of the wire: its filter and its marks.
type Wire interface {
	// Filtered reports whether a filter is in effect.
	Filtered() bool
	// CountHits returns how many of the records of an exchange pass the filter, of those with an
	// index from one to before another.
	CountHits(x a2a.ExchangeID, from, to int) int
	// HitsVersion changes when the first record of an exchange passes the filter, and with the
	// filter.
	HitsVersion() uint64
	// Marks returns the records that the user marked, in ascending order.
	Marks() iter.Seq[a2a.RecordID]
	// MarksVersion changes with the marks.
	MarksVersion() uint64
}

// Names are the names of agents and conversations.
type Names struct {
	Agent        func(a2a.AgentID) string
	Tag          func(a2a.AgentID) string
	Conversation func(a2a.ConversationID) string
}

// An Intent is what the user asked for: [Show], [Filter], [Mark], [Copy] or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Show shows a record in the wire.
	Show struct{ Record a2a.RecordID }
	// Filter filters the wire by a span of time: Text is the filter.
	Filter struct{ Text string }
	// Mark marks a record, or unmarks it.
	Mark struct{ Record a2a.RecordID }
	// Copy copies Text. What names it.
	Copy struct{ Text, What string }
	// Close closes the pane.
	Close struct{}
)

func (Show) intent()   {}
func (Filter) intent() {}
func (Mark) intent()   {}
func (Copy) intent()   {}
func (Close) intent()  {}

// A Pane shows the exchanges of a session. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	log   *log.Log
	wire  Wire
	names Names
	now   time.Time // zero in a recording
	zone  *time.Location

	session  session
	rows     []row
	entries  []int                  // the first row of each lane and of each line of a fold
	index    map[a2a.ExchangeID]int // the entry of an exchange
	shown    int                    // exchanges in the list
	selected int                    // entry
	line     *fold                  // whose line is selected, nil for a lane
	listed   listing
	silent   silent
	twins    map[a2a.AgentID]bool // agents whose name another one has, too
	marks    marks

	window window
	span   span
	sel    a2a.ExchangeID // the selected exchange, 0 for none
	at     time.Duration  // the time under the cursor
	record a2a.RecordID   // the record that the cursor was put on, 0 if only its time counts

	drag drag
	top  axis.Row // the rows of the lane that is being drawn
	low  axis.Row
	work work
}

// work counts what was done, for tests.
type work struct{ probes, steps, lanes, rows int }

// New returns a pane without a session.
func New(st *styles.Styles, w Wire, names Names) *Pane {
	p := &Pane{Base: sheet.New(st), wire: w, names: names}
	p.Table = p.actions()
	p.SetLog(log.New())
	return p
}

// SetLog shows another session as a whole.
func (p *Pane) SetLog(l *log.Log) {
	p.log, p.session, p.rows, p.entries, p.index, p.line, p.listed = l, newSession(), nil, nil, nil, nil, listing{}
	p.window, p.span, p.marks, p.silent = window{whole: true}, span{}, marks{}, silent{}
	p.sel, p.at, p.record = 0, 0, 0
}

// SetNow sets the time and its zone. An open exchange lasts until then, in a recording until its
// newest record.
func (p *Pane) SetNow(now time.Time, recording bool) {
	p.now, p.zone = now, now.Location()
	if recording {
		p.now = time.Time{}
	}
}

// Next returns how long the lanes stay as they are: an open exchange grows.
func (p *Pane) Next() time.Duration {
	if p.update(); len(p.session.open) == 0 || p.now.IsZero() {
		return 0
	}
	return time.Second
}

// Select puts the cursor on a record if that is in a lane, and reports whether it is.
func (p *Pane) Select(id a2a.RecordID) bool {
	p.update()
	it := p.log.At(id)
	if it == nil {
		return false
	}
	x := p.session.byID[it.Exchange()]
	if x == nil {
		return false
	}
	i, listed := p.index[x.s.Exchange]
	if !listed {
		return false
	}
	p.put(i)
	p.sel = x.s.Exchange
	p.at, p.record = p.session.bound(p.offset(x, id)), id
	p.reveal()
	return true
}

// Title returns the title of the frame.
func (p *Pane) Title() string { return "lanes" }

// Note counts the lanes for the right end of the frame's top edge.
func (p *Pane) Note() string {
	p.update()
	shown, all := p.shown, len(p.session.byID)
	words := []string{units.Plural(all, "exchange")}
	if shown < all {
		words[0] = units.Count(shown) + " of " + words[0]
		words = append(words, "filtered")
	}
	switch {
	case p.window.whole:
		words = append(words, "whole session")
	case p.window.follow:
		words = append(words, "follow")
	}
	return p.Join(words...)
}

// update takes over what is new in the session.
func (p *Pane) update() {
	p.takeStreams()
	p.session.extend(p.now)
	p.sortSilent()
	p.list()
	p.takeMarks()
	p.arrange()
}

// Cursor returns nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }
