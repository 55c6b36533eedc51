// Package catalog is the pane of an AI catalog: a row for each entry, what the catalog says of the
// selected one, how it is saved, and a filter.
//
// A [Pane] shows what it is given, contacts nobody, and returns what the user asks for as an
// [Intent]. All its texts come from strangers.
package catalog

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/internal/catalogs"
	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Open opens the agent of an entry, by its reference.
	Open struct{ Ref, Name string }
	// Browse reads a catalog in the catalog.
	Browse struct{ URL, Name string }
	// Save saves the agent of an entry.
	Save struct{ Ref, Name string }
	// Copy copies a reference.
	Copy struct{ Text string }
	// Reload reads the catalog again.
	Reload struct{}
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Back shows the catalog before this one, or closes the pane.
	Back struct{}
	// Close closes the pane.
	Close struct{}
)

func (Open) intent()    {}
func (Browse) intent()  {}
func (Save) intent()    {}
func (Copy) intent()    {}
func (Reload) intent()  {}
func (Refused) intent() {}
func (Back) intent()    {}
func (Close) intent()   {}

// A Content is a catalog as the pane shows it.
type Content struct {
	Ref     string // as the user gave it
	Loading bool
	Catalog a2a.Catalog
	Matches []catalogs.Match // how each entry is saved
	Within  int              // how many catalogs are behind this one
}

// A Pane shows a catalog. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	content Content
	filter  sheet.Filter

	shown []int // the entries that pass the filter
	stale bool  // shown must be made again
	named agent // the one that was asked for last
}

// An agent is what the catalog calls the agent of an entry.
type agent struct {
	of        *a2a.CatalogEntry
	ref, name string
	why       string // it has no reference
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{filter: sheet.NewFilter(st)}
	p.Table = p.actions()
	p.Base = sheet.New(st, p.filter.Input())
	p.SetFilter(&p.filter)
	return p
}

// SetContent sets what is shown. The filter and the selected row stay if it is the same catalog.
func (p *Pane) SetContent(c Content) {
	if c.Ref != p.content.Ref {
		p.filter.Clear()
		p.List = list.Cursor{}
	}
	p.content, p.stale, p.named = c, true, agent{}
	p.List.Go(p.List.At, len(p.rows()))
}

// rows returns the indices of the entries that pass the filter, the best first.
func (p *Pane) rows() []int {
	if p.stale {
		p.shown, p.stale = catalogs.Filter(p.content.Catalog.Entries, p.filter.Words()), false
	}
	return p.shown
}

// selected returns the selected entry and how it is saved, nil if there is none.
func (p *Pane) selected() (*a2a.CatalogEntry, catalogs.Match) {
	rows := p.rows()
	if p.List.At >= len(rows) {
		return nil, catalogs.Match{}
	}
	return &p.content.Catalog.Entries[rows[p.List.At]], p.match(rows[p.List.At])
}

// match returns how an entry is saved.
func (p *Pane) match(i int) catalogs.Match {
	if i < len(p.content.Matches) {
		return p.content.Matches[i]
	}
	return catalogs.Match{}
}

// Typing reports whether the user types, so that letters are text.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// Paste inserts the pasted text into the filter.
func (p *Pane) Paste(msg tea.PasteMsg) {
	p.filter.Paste(msg)
	p.stale = true
}

// agent returns the selected agent. It is found once, because that reads the whole catalog.
func (p *Pane) agent() *agent {
	if e, _ := p.selected(); e == nil || p.named.of != e {
		p.named = p.find(e)
	}
	return &p.named
}

// find returns the agent of an entry, or says why it has no reference.
func (p *Pane) find(e *a2a.CatalogEntry) agent {
	switch {
	case e == nil:
		return agent{why: "No entry is selected."}
	case e.Kind != aicatalog.Agent && e.Problem != "":
		return agent{of: e, why: "This entry cannot be opened: " + e.Problem + "."}
	case e.Kind == aicatalog.Catalog:
		return agent{of: e, why: "This is a catalog: its agents stand below it."}
	case e.Kind != aicatalog.Agent:
		return agent{of: e, why: "This is no A2A agent: it has the type " + e.Label() + "."}
	}
	name := p.content.Catalog.Reference(e)
	if name == "" {
		return agent{of: e, why: "Nothing names this entry alone: its identifier and its name occur twice."}
	}
	return agent{of: e, ref: p.content.Catalog.Ref + "@" + name, name: e.Name()}
}

// Cursor returns the terminal's cursor relative to the pane while the user types, else nil.
func (p *Pane) Cursor() *tea.Cursor { return p.FilterCursor() }

// Mouse handles a click or a turn of the wheel at row y: a click selects an entry, one on the
// selected entry opens it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts()
	if p.List.Mouse(msg, y-at.Head, len(p.rows()), at.List) == list.HitSelected {
		return p.Do(open)
	}
	return nil
}
