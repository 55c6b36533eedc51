// Package extensions shows the protocol extensions that an agent's card declares, and lets
// them be chosen: for all requests to the agent, or for the next message alone.
//
// A [Pane] knows the agent as the session does, and nothing of engines: what the user
// asks for comes back as an [Intent]. What cannot be asked for says why.
package extensions

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/styles"
)

// About is what the pane shows.
type About struct {
	Agent *model.Agent // nil while none is open
	// Next are those that the next message asks for, nil if it asks for what all requests do.
	Next []string
	// Why says why nothing can be chosen; empty if it can.
	Why string
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Choose has all requests to the agent ask for these, and for no others.
	Choose struct{ URIs []string }
	// Next has the next message ask for these alone; nil has it ask for what all do.
	Next struct{ URIs []string }
	// Copy puts text on the clipboard.
	Copy struct{ Text string }
	// Refused says why something cannot be done.
	Refused struct{ Why string }
	// Close puts the pane away.
	Close struct{}
)

func (Choose) intent()  {}
func (Next) intent()    {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// An entry is one extension.
type entry struct {
	a2a.Extension
	declared bool // by the card
}

// A Pane shows the extensions of an agent. It is not safe for use by several goroutines.
type Pane struct {
	st     *styles.Styles
	keys   KeyMap
	about  About
	list   []entry
	made   made
	input  field.Field // of a URI that the card does not declare
	types  bool        // it is being written
	sel    string      // URI of the entry selected
	cursor list.Cursor
	w, h   int
}

// made is what the list was made from.
type made struct {
	card         *a2a.Card
	chosen, next []string
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	in := field.New(st, field.Options{Hint: "the URI of an extension that the card does not declare"})
	return &Pane{st: st, keys: DefaultKeyMap(), input: in}
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.input.SetStyles(st)
}

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// SetAbout says what is to be shown. The list is made again only when it is another one.
func (p *Pane) SetAbout(a About) {
	if p.about.Agent != a.Agent {
		p.sel, p.cursor = "", list.Cursor{}
	}
	p.about = a
	now := made{next: a.Next}
	if a.Agent != nil {
		now.card, now.chosen = a.Agent.Card, a.Agent.Extensions.Chosen
	}
	if p.list == nil || now.card != p.made.card || !slices.Equal(now.chosen, p.made.chosen) || !slices.Equal(now.next, p.made.next) {
		p.made, p.list = now, entries(now)
	}
}

// entries lists what the card declares, and then what is asked for besides.
func entries(of made) []entry {
	list, at := []entry{}, map[string]int{}
	add := func(x a2a.Extension, declared bool) {
		i, known := at[x.URI]
		if known { // a card may declare one twice
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

// Typing reports whether a URI is being written, so that letters are text.
func (p *Pane) Typing() bool { return p.types }

// chosen are those that all requests ask for.
func (p *Pane) chosen() []string { return p.made.chosen }

// next are those that the next message asks for.
func (p *Pane) next() []string {
	if p.about.Next != nil {
		return p.about.Next
	}
	return p.chosen()
}

// rows returns the cursor, on the selected entry wherever that stands now, on the first if
// it is gone.
func (p *Pane) rows() *list.Cursor {
	p.cursor.At = max(0, slices.IndexFunc(p.list, func(e entry) bool { return e.URI == p.sel }))
	return &p.cursor
}

// hold selects the entry under the cursor.
func (p *Pane) hold() {
	if len(p.list) > 0 {
		p.sel = p.list[p.cursor.At].URI
	}
}

// selected returns the selected entry, nil if there is none.
func (p *Pane) selected() *entry {
	if len(p.list) == 0 {
		return nil
	}
	return &p.list[p.rows().At]
}

// dialect returns the dialect in which the agent is spoken to, nil if that is not known.
func (p *Pane) dialect() *a2a.Dialect {
	if p.about.Agent == nil {
		return nil
	}
	d, ok := p.about.Agent.Profile.Spoken()
	if !ok {
		return nil
	}
	return d
}

// why says why nothing can be chosen, a clause, empty if it can.
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

// toggled returns a list with a URI in it that was not, or without one that was.
func toggled(list []string, uri string) []string {
	if i := slices.Index(list, uri); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return append(slices.Clone(list), uri)
}

// toggle chooses the selected extension for all requests, or no longer.
func (p *Pane) toggle() Intent {
	e := p.selected()
	if why := p.cannot(e); why != "" {
		return refused(why)
	}
	return Choose{toggled(p.chosen(), e.URI)}
}

// toggleNext chooses the selected extension for the next message alone, or leaves it out
// of that alone.
func (p *Pane) toggleNext() Intent {
	e := p.selected()
	if why := p.cannot(e); why != "" {
		return refused(why)
	}
	uris := toggled(p.next(), e.URI)
	if same(uris, p.chosen()) {
		return Next{}
	}
	return Next{uris}
}

// cannot says why an extension cannot be chosen, a clause, empty if it can. Whatever is
// chosen can be taken back.
func (p *Pane) cannot(e *entry) string {
	switch why := p.why(); {
	case why != "":
		return why
	case e == nil:
		return "the card declares no extension: a adds another one"
	case slices.Contains(p.chosen(), e.URI):
		return ""
	case len(p.chosen()) >= a2a.MaxExtensions || len(p.next()) >= a2a.MaxExtensions:
		return "no more than " + units.Count(a2a.MaxExtensions) + " can be requested"
	default:
		return a2a.CheckExtension(e.URI)
	}
}

// require chooses all that the card requires.
func (p *Pane) require() Intent {
	if why := p.why(); why != "" {
		return refused(why)
	}
	uris := slices.Clone(p.chosen())
	for _, e := range p.list {
		if len(uris) < a2a.MaxExtensions && e.Required && a2a.CheckExtension(e.URI) == "" && !slices.Contains(uris, e.URI) {
			uris = append(uris, e.URI)
		}
	}
	if len(uris) == len(p.chosen()) {
		return refused("every required extension that can be chosen is chosen")
	}
	return Choose{uris}
}

// accept chooses the URI that was written.
func (p *Pane) accept() Intent {
	uri := strings.TrimSpace(p.input.Value())
	if why := a2a.CheckExtension(uri); why != "" {
		return refused(why)
	}
	if len(p.chosen()) >= a2a.MaxExtensions {
		return refused("no more than " + units.Count(a2a.MaxExtensions) + " can be requested")
	}
	p.types = false
	p.input.Reset()
	p.input.Blur()
	p.sel = uri
	if slices.Contains(p.chosen(), uri) {
		return refused("it is already chosen")
	}
	return Choose{append(slices.Clone(p.chosen()), uri)}
}

// same reports whether two lists hold the same URIs, in any order.
func same(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(uri string) bool { return !slices.Contains(b, uri) })
}

// refused is a reason as a sentence.
func refused(why string) Intent {
	return Refused{strings.ToUpper(why[:1]) + strings.TrimSuffix(why[1:], ".") + "."}
}

// Paste types into the URI that is written.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.types {
		p.input.Paste(msg.Content)
	}
}

// Mouse handles a click or a turn of the wheel at row y. A click selects an extension, a
// second one chooses it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch p.rows().Mouse(msg, y-p.headHeight(), len(p.list), p.listHeight()) {
	case list.Again:
		return p.toggle()
	case list.Turned, list.Selected:
		p.hold()
	}
	return nil
}
