// Package extensions is the pane of the protocol extensions that an agent's card declares. The
// user selects those that requests activate: all requests to the agent, or the next message
// only.
//
// A [Pane] reads the agent from the session's state and does not know the engine. It returns
// what the user asks for as an [Intent]; a [Refused] says why something is not possible.
package extensions

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// About is the data that the pane shows.
type About struct {
	Agent *model.Agent // nil if no agent is open
	// Next are the URIs that the next message requests; nil if it requests the same as all
	// requests.
	Next []string
	// Why is the reason why no extension can be selected, empty if one can.
	Why string
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Choose makes all requests to the agent request these extensions and no others.
	Choose struct{ URIs []string }
	// Next makes the next message request only these extensions; nil makes it request the same
	// as all requests.
	Next struct{ URIs []string }
	// Copy copies text to the clipboard.
	Copy struct{ Text string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Choose) intent()  {}
func (Next) intent()    {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// An entry is an extension in the list.
type entry struct {
	a2a.Extension
	declared bool // in the card
}

// A Pane shows the extensions of an agent. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about  About
	all    []entry
	list   []entry // those of all that pass the filter
	filter sheet.Filter
	source source
	input  field.Field // the URI of an extension that the card does not declare
	typing bool        // the user types a URI
	sel    string      // URI of the selected entry
}

// source is the data from which the list was built.
type source struct {
	card         *a2a.Card
	chosen, next []string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{input: field.New(st, field.Options{Hint: "the URI of an extension that the card does not declare"})}
	p.filter = sheet.NewFilter(st)
	p.Base = sheet.New(st, &p.input, p.filter.Input())
	p.SetFilter(&p.filter)
	p.Table = p.actions()
	return p
}

// SetAbout sets the data to show. It rebuilds the list only if the data changed.
func (p *Pane) SetAbout(a About) {
	if p.about.Agent != a.Agent {
		p.sel, p.List = "", list.Cursor{}
		p.filter.Clear()
	}
	p.about = a
	now, old := source{next: a.Next}, p.source
	if a.Agent != nil {
		now.card, now.chosen = a.Agent.Card, a.Agent.Extensions.Chosen
	}
	if p.all == nil || now.card != old.card || !slices.Equal(now.chosen, old.chosen) || !slices.Equal(now.next, old.next) {
		p.source, p.all = now, entries(now)
		p.narrow()
	}
}

// narrow lists the entries that pass the filter.
func (p *Pane) narrow() {
	if p.list = p.all; p.filter.Words() == "" {
		return
	}
	p.list = nil
	for _, e := range p.all {
		if p.filter.Matches(e.URI, e.Description) {
			p.list = append(p.list, e)
		}
	}
}

// entries lists the extensions that the card declares, then the requested ones that it does not
// declare.
func entries(of source) []entry {
	list, at := []entry{}, map[string]int{}
	add := func(x a2a.Extension, declared bool) {
		i, known := at[x.URI]
		if known { // a card may declare an extension twice
			list[i].Required = list[i].Required || x.Required
			return
		}
		at[x.URI] = len(list)
		list = append(list, entry{x, declared})
	}
	if of.card != nil {
		for _, x := range of.card.Capabilities.Extensions {
			add(x, true)
		}
	}
	for _, uri := range slices.Concat(of.chosen, of.next) {
		add(a2a.Extension{URI: uri}, false)
	}
	return list
}

// Typing reports whether the user types a URI or a filter, so that letters are text.
func (p *Pane) Typing() bool { return p.typing || p.filter.Typing() }

// chosen returns the URIs that all requests request.
func (p *Pane) chosen() []string { return p.source.chosen }

// next returns the URIs that the next message requests.
func (p *Pane) next() []string {
	if p.about.Next != nil {
		return p.about.Next
	}
	return p.chosen()
}

// selected moves the cursor to the selected entry, or to the first one if that is gone, and
// returns it; nil if there is none.
func (p *Pane) selected() *entry {
	if len(p.list) == 0 {
		return nil
	}
	p.List.At = max(0, slices.IndexFunc(p.list, func(e entry) bool { return e.URI == p.sel }))
	return &p.list[p.List.At]
}

// selectRow selects the entry at the cursor.
func (p *Pane) selectRow() {
	if len(p.list) > 0 {
		p.sel = p.list[p.List.At].URI
	}
}

// dialect returns the agent's dialect, nil if it is unknown.
func (p *Pane) dialect() *a2a.Dialect {
	if p.about.Agent == nil {
		return nil
	}
	d, _ := p.about.Agent.Profile.Spoken()
	return d
}

// why returns the reason, as a clause, why no extension can be selected; empty if one can.
func (p *Pane) why() string {
	switch d := p.dialect(); {
	case p.about.Why != "":
		return p.about.Why
	case d == nil:
		return "the agent's dialect is unknown"
	case d.ExtensionsHeader() == "":
		return "A2A " + d.Name().Number() + " has no extensions"
	default:
		return ""
	}
}

// toggleURI returns a copy of list with uri added, or removed if it was there.
func toggleURI(list []string, uri string) []string {
	if i := slices.Index(list, uri); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return append(slices.Clone(list), uri)
}

// toggle adds the selected extension to all requests, or to the next message only if next is
// set, or removes it from them.
func (p *Pane) toggle(next bool) Intent {
	e := p.selected()
	if !next {
		return Choose{toggleURI(p.chosen(), e.URI)}
	}
	uris := toggleURI(p.next(), e.URI)
	if sameURIs(uris, p.chosen()) {
		return Next{}
	}
	return Next{uris}
}

// refusal returns the reason, as a clause, why an extension cannot be selected; empty if it can.
// A selected extension can always be deselected.
func (p *Pane) refusal(e *entry) string {
	switch why := p.why(); {
	case why != "":
		return why
	case e == nil:
		return "the card declares no extension: " + keys.Name(p.Of(add)) + " adds another one"
	case slices.Contains(p.chosen(), e.URI):
		return ""
	default:
		return cmp.Or(full(p.chosen()), full(p.next()), a2a.CheckExtension(e.URI))
	}
}

// full returns the reason, as a clause, why no extension can be added to a list; empty if one
// can.
func full(uris []string) string {
	if len(uris) < a2a.MaxExtensions {
		return ""
	}
	return "no more than " + units.Count(a2a.MaxExtensions) + " can be requested"
}

// require selects all extensions that the card requires.
func (p *Pane) require() Intent {
	uris := slices.Clone(p.chosen())
	for uri := p.required(uris); uri != ""; uri = p.required(uris) {
		uris = append(uris, uri)
	}
	return Choose{uris}
}

// required returns the first extension that the card requires, that a list lacks and that can be
// added to it; empty if there is none.
func (p *Pane) required(uris []string) string {
	if full(uris) != "" {
		return ""
	}
	for i := range p.all {
		if e := &p.all[i]; e.Required && !slices.Contains(uris, e.URI) && a2a.CheckExtension(e.URI) == "" {
			return e.URI
		}
	}
	return ""
}

// accept selects the extension whose URI the user typed.
func (p *Pane) accept() Intent {
	uri := strings.TrimSpace(p.input.Value())
	if why := cmp.Or(a2a.CheckExtension(uri), full(p.chosen())); why != "" {
		return refuse(why)
	}
	p.typing = false
	p.input.Reset()
	p.input.Blur()
	p.sel = uri
	if slices.Contains(p.chosen(), uri) {
		return refuse("it is already chosen")
	}
	return Choose{append(slices.Clone(p.chosen()), uri)}
}

// sameURIs reports whether two lists contain the same URIs in any order.
func sameURIs(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(uri string) bool { return !slices.Contains(b, uri) })
}

// refuse returns a refusal with the reason as a sentence.
func refuse(why string) Intent { return Refused{sheet.Sentence(why)} }

// Paste inserts the pasted text into the URI.
func (p *Pane) Paste(msg tea.PasteMsg) {
	switch {
	case p.typing:
		p.input.Paste(msg.Content)
	case p.filter.Typing():
		p.filter.Paste(msg)
		p.narrow()
	}
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a row; a click on the
// selected row toggles its extension.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	p.selected()
	at := p.parts()
	switch p.List.Mouse(msg, y-at.Head, len(p.list), at.List) {
	case list.HitSelected:
		return p.Do(choose)
	case list.HitWheel, list.HitRow:
		p.selectRow()
	}
	return nil
}
