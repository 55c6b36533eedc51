// Package approval is the pane of the cards that the user has approved, and of what the
// cards say otherwise now. It shows which agents have one, and which agents are not used
// before the user approves.
package approval

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/card"
	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Entry is one agent, or one approved card of an agent that is not open.
type Entry struct {
	Ref, Name string
	Index     int         // of its card among those at Ref
	Agent     a2a.AgentID // 0 if it is not open
	Card      *a2a.Card   // as it is now, nil if it is not known
	// Approved is when the card with which the present one is compared was approved, the zero time if
	// there is none, and How says by whom.
	Approved time.Time
	How      card.Approval
	Drift    []card.Difference // those that have to be approved first
	// Signature says what is known about who signed the card; empty for a card that is not known.
	Signature string
}

// Held reports whether the agent is not used before the user approves its card.
func (e *Entry) Held() bool { return !e.Approved.IsZero() && card.Asking(e.Drift) > 0 }

// same reports whether two entries are about the same card.
func (e *Entry) same(o *Entry) bool { return e.Ref == o.Ref && e.Index == o.Index }

// An Intent is what the user asked for: [Approve], [Forget], [Copy], [Refused] or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Approve asks whether the card of an agent is approved as it is now.
	Approve struct{ Entry Entry }
	// Forget asks whether the approved card of an agent is forgotten.
	Forget struct{ Entry Entry }
	// Copy copies text to the clipboard.
	Copy struct{ Text string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Approve) intent() {}
func (Forget) intent()  {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane lists the entries, or the differences of one of them.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	entries []Entry
	problem string // with the file of approved cards, as a sentence
	sel     Entry  // the selected one
	detail  bool   // its differences are shown
	changes list.Cursor
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// SetEntries replaces the list. problem says in a sentence what of it could not be read.
func (p *Pane) SetEntries(entries []Entry, problem string) {
	p.entries, p.problem = entries, problem
	if e := p.selected(); e == nil || len(e.Drift) == 0 {
		p.detail = false
	}
}

// Select selects the entry of an agent and shows its differences.
func (p *Pane) Select(agent a2a.AgentID) {
	if i := slices.IndexFunc(p.entries, func(e Entry) bool { return e.Agent == agent }); i >= 0 {
		p.sel, p.detail, p.changes = p.entries[i], len(p.entries[i].Drift) > 0, list.Cursor{}
	}
}

// Cursor is nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// ShowAll shows the list.
func (p *Pane) ShowAll() { p.detail = false }

// selected returns the selected entry, nil if there is none.
func (p *Pane) selected() *Entry {
	if len(p.entries) == 0 {
		return nil
	}
	p.List.At = max(0, slices.IndexFunc(p.entries, func(e Entry) bool { return e.same(&p.sel) }))
	return &p.entries[p.List.At]
}

func (p *Pane) selectRow() {
	if len(p.entries) > 0 {
		p.sel = p.entries[p.List.At]
	}
}

// Mouse handles a click or a turn of the wheel at column x, row y.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	e := p.selected()
	at := p.parts()
	if p.detail {
		p.changes.Mouse(msg, y-at.Head, len(e.Drift), at.List)
		return nil
	}
	switch p.List.Mouse(msg, y-at.Head, len(p.entries), at.List) {
	case list.HitSelected:
		return p.Do(showChanges)
	case list.HitWheel, list.HitRow:
		p.selectRow()
	}
	return nil
}

// openDetail shows the differences of the selected entry.
func (p *Pane) openDetail() Intent {
	p.sel, p.detail, p.changes = *p.selected(), true, list.Cursor{}
	return nil
}
