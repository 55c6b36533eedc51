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
	keys    KeyMap
	content Content
	filter  sheet.Filter

	shown   []int  // the entries that pass the filter
	shownBy string // its words when shown was made
	stale   bool   // shown must be made again
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{keys: DefaultKeyMap(), filter: sheet.NewFilter(st)}
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
	p.content, p.stale = c, true
	p.List.Go(p.List.At, len(p.rows()))
}

// rows returns the indices of the entries that pass the filter, the best first.
func (p *Pane) rows() []int {
	if words := p.filter.Words(); p.stale || p.shownBy != words {
		p.shown, p.shownBy, p.stale = catalogs.Filter(p.content.Catalog.Entries, words), words, false
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
func (p *Pane) Paste(msg tea.PasteMsg) { p.filter.Paste(msg) }

// reference returns the reference of the selected agent, or says why it has none.
func (p *Pane) reference() (ref, name, why string) {
	e, _ := p.selected()
	switch {
	case e == nil:
		return "", "", "No entry is selected."
	case e.Kind != aicatalog.Agent && e.Problem != "":
		return "", "", "This entry cannot be opened: " + e.Problem + "."
	case e.Kind == aicatalog.Catalog:
		return "", "", "This is a catalog: its agents stand below it."
	case e.Kind != aicatalog.Agent:
		return "", "", "This is no A2A agent: it has the type " + e.Label() + "."
	}
	if name = p.content.Catalog.Reference(e); name == "" {
		return "", "", "Nothing names this entry alone: its identifier and its name occur twice."
	}
	return p.content.Catalog.Ref + "@" + name, e.Name(), ""
}

// open opens the selected entry.
func (p *Pane) open() Intent {
	if e, _ := p.selected(); e != nil && e.Kind == aicatalog.Catalog && !e.Read && e.URL != "" {
		return Browse{e.URL, e.Name()}
	}
	ref, name, why := p.reference()
	if why != "" {
		return Refused{why}
	}
	return Open{ref, name}
}

// save saves the selected agent.
func (p *Pane) save() Intent {
	ref, name, why := p.reference()
	if why != "" {
		return Refused{why}
	}
	if _, m := p.selected(); m.Name != "" {
		return Refused{"This agent is saved as " + m.Name + "."}
	}
	return Save{ref, name}
}

// Mouse handles a click or a turn of the wheel at row y: a click selects an entry, one on the
// selected entry opens it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts()
	if p.List.Mouse(msg, y-at.Head, len(p.rows()), at.List) == list.HitSelected {
		return p.open()
	}
	return nil
}
