package catalog

import (
	"slices"

	"parley/a2a/aicatalog"
	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
)

// Actions that the mouse and texts of the pane name.
const (
	open      action.ID = "open-agent"
	closePane action.ID = "close"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	t := action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: open, Keys: []string{"enter"}, Does: "open agent", Foot: 1, Now: p.opening},
				Run: p.opened,
			},
		},
		sheet.FilterActions[Intent](&p.filter, "entries", 2, func() bool { return len(p.content.Catalog.Entries) > 1 }),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"s"}, Does: "save agent", Foot: 3, Now: p.saving},
				Run: func() Intent { a := p.agent(); return Save{a.ref, a.name} },
			},
			{
				Row: action.Row{Keys: []string{"y"}, Does: "copy reference", Foot: 4, Now: p.onAgent},
				Run: func() Intent { return Copy{p.agent().ref} },
			},
			{
				Row: action.Row{Keys: []string{"r"}, Does: "read again", Foot: 5, Now: func() action.State { return action.State{Off: p.content.Loading} }},
				Run: func() Intent { return Reload{} },
			},
		},
		list.Actions[Intent](list.DefaultKeys(), list.Foot{}, p.List.Motion(func() int { return len(p.rows()) }, func() int { return p.parts().List })),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"esc"}, Does: "catalog before", Fixed: true, Passing: true, Now: func() action.State { return action.State{Off: p.content.Within == 0} }},
				Run: func() Intent { return Back{} },
			},
			{
				Row: action.Row{ID: closePane, Keys: []string{"esc", "q"}, Does: "close", Foot: 6, Now: func() (now action.State) {
					if p.content.Within > 0 {
						now.Does = "catalog before"
					}
					return now
				}},
				Run: func() Intent { return Close{} },
			},
		},
	)...)
	return sheet.Filtered(t, &p.filter, func() { p.List, p.stale = list.Cursor{}, true })
}

// onAgent says how an action about the selected agent stands.
func (p *Pane) onAgent() action.State {
	why := p.agent().why
	return action.State{Off: why != "", Why: why}
}

// unread reports whether the selected entry is a catalog that can be read.
func (p *Pane) unread() bool {
	e, _ := p.selected()
	return e != nil && e.Kind == aicatalog.Catalog && !e.Read && e.URL != ""
}

// opening says how opening the selected entry stands: its agent is opened, a catalog is read.
func (p *Pane) opening() action.State {
	if p.unread() {
		return action.State{Does: "read catalog"}
	}
	return p.onAgent()
}

func (p *Pane) opened() Intent {
	if e, _ := p.selected(); p.unread() {
		return Browse{e.URL, e.Name()}
	}
	a := p.agent()
	return Open{a.ref, a.name}
}

// saving says how saving the selected agent stands.
func (p *Pane) saving() action.State {
	now := p.onAgent()
	if _, m := p.selected(); !now.Off && m.Name != "" {
		return action.State{Off: true, Why: "This agent is saved as " + m.Name + "."}
	}
	return now
}
