package approval

import (
	"slices"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/list"
)

// Actions that texts of the pane name.
const (
	showChanges action.ID = "show-what-has-changed"
	approveCard action.ID = "approve-card"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	unless := func(why func() string) func() action.State {
		return func() action.State {
			why := why()
			return action.State{Off: why != "", Why: why}
		}
	}
	return action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: showChanges, Keys: []string{"enter"}, Does: "show what has changed", Foot: 1, Now: func() action.State { return action.State{Off: p.detail || !p.drifts()} }},
				Run: p.openDetail,
			},
			{
				Row: action.Row{ID: approveCard, Keys: []string{"a"}, Does: "approve card", Foot: 2, Now: unless(p.noApproval)},
				Run: func() Intent { return Approve{*p.selected()} },
			},
			{
				Row: action.Row{Keys: []string{"f"}, Does: "forget approved card", Foot: 3, Now: unless(p.noForgetting)},
				Run: func() Intent { return Forget{*p.selected()} },
			},
		},
		list.Actions[Intent](list.DefaultKeys(), list.Foot{}, list.Motion{Rows: p.listed, Height: func() int { return p.parts().List }, Move: p.move}),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy differences", Foot: 4, Now: func() action.State { return action.State{Off: !p.drifts()} }},
				Run: func() Intent { return Copy{p.text(p.selected())} },
			},
			{
				Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 5, Now: p.leaving},
				Run: p.leave,
			},
		},
	)...)
}

// drifts reports whether there are differences to show.
func (p *Pane) drifts() bool {
	e := p.selected()
	return e != nil && len(e.Drift) > 0
}

// noApproval says why the selected card cannot be approved, empty if it can.
func (p *Pane) noApproval() string {
	e := p.selected()
	switch {
	case e == nil:
		return "No agent is open, and no card was approved."
	case e.Card == nil:
		return "Open the agent first: its card is approved as it is then."
	case !e.Approved.IsZero() && len(e.Drift) == 0:
		return "The card is " + e.How.As(units.Date(e.Approved)) + "."
	}
	return ""
}

// noForgetting says why the approval of the selected card cannot be forgotten, empty if it can.
func (p *Pane) noForgetting() string {
	if e := p.selected(); e != nil && !e.Approved.IsZero() {
		return ""
	}
	return "No card of this agent was approved."
}

// listed returns the number of rows that the keys move through.
func (p *Pane) listed() int {
	if e := p.selected(); p.detail && e != nil {
		return len(e.Drift)
	}
	return len(p.entries)
}

// move moves through the differences, or through the entries.
func (p *Pane) move(by int) {
	if p.detail {
		p.changes.Move(by, p.listed())
		return
	}
	p.selected()
	p.List.Move(by, len(p.entries))
	p.selectRow()
}

// leaving says where leaving leads.
func (p *Pane) leaving() (now action.State) {
	if p.detail && len(p.entries) > 1 {
		now.Does = "all agents"
	}
	return now
}

// leave goes back to all entries, or closes the pane.
func (p *Pane) leave() Intent {
	if p.detail && len(p.entries) > 1 {
		p.detail = false
		return nil
	}
	return Close{}
}
