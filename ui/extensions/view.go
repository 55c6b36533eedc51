package extensions

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.about.Agent == nil {
		return "extensions"
	}
	return "extensions of " + canvas.SanitizeLine(p.about.Agent.Name())
}

// Note returns how many are listed, for the right end of the frame's top edge.
func (p *Pane) Note() string { return units.Plural(len(p.all), "extension") }

const (
	headRows = 4 // including the rule below
	footRows = 6 // including the rule above
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts {
	if p.typing {
		return p.SplitFor(max(1, len(p.list)), headRows, 2, 0)
	}
	return p.SplitFor(len(p.list), headRows, footRows, 2)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	p.selected()
	at := p.parts()
	return p.Stack(at, p.head(), p.Rows(len(p.list), at.List, p.row, p.empty), p.foot())
}

// head returns the rows above the list: what requests ask for, what the newest answer named,
// and what the next message asks for.
func (p *Pane) head() []string {
	what, paint := p.requestRow(), p.St.Text
	if why := p.why(); why != "" {
		what, paint = sheet.Sentence(why), p.St.Waiting
	}
	next := p.St.Dim.S(p.Cut("The next message requests the same as all requests"))
	if p.about.Next != nil {
		next = p.St.Accent.S(p.Cut("The next message requests " + count(len(p.about.Next)) + " instead"))
	}
	return []string{paint.S(p.Cut(what)), p.answerRow(), next}
}

// requestRow describes which extensions all requests ask for, and in which header.
func (p *Pane) requestRow() string {
	n := len(p.chosen())
	if n == 0 {
		return "No request asks for an extension"
	}
	s := "All requests ask for " + count(n)
	if d := p.dialect(); d != nil {
		s += ", in " + d.ExtensionsHeader()
	}
	return s
}

// answerRow describes what the card requires and no request asks for, or else what the newest
// answer named.
func (p *Pane) answerRow() string {
	if p.about.Agent == nil {
		return ""
	}
	x := &p.about.Agent.Extensions
	if n := len(x.Missing); n > 0 {
		return p.St.Waiting.S(p.Cut(p.St.G[styles.Waiting] + " The card requires " + count(n) + " that no request asks for: " + keys.Name(p.Of(chooseRequired)) + " chooses the required ones"))
	}
	if x.None() {
		return p.St.Dim.S(p.Cut("No answer has named an extension yet"))
	}
	s := "The newest answer (#" + strconv.FormatUint(uint64(x.Record), 10) + ") "
	switch asked := len(x.Requested); {
	case len(x.Active) > 0:
		return p.St.OK.S(p.Cut(s + "uses " + strconv.Itoa(len(x.Active)) + " of the " + strconv.Itoa(asked) + " requested"))
	case p.silent():
		return p.St.Dim.S(p.Cut(s + "does not say which it uses; A2A 1.0 does not require that"))
	default:
		return p.St.Waiting.S(p.Cut(s + "uses none of the " + strconv.Itoa(asked) + " requested"))
	}
}

// silent reports whether the agent's dialect lets an answer omit the extensions that it uses.
func (p *Pane) silent() bool {
	d := p.dialect()
	return d != nil && d.Name().Number() == a2a.V10.Number()
}

func count(n int) string {
	if n == 0 {
		return "no extension"
	}
	return units.Plural(n, "extension")
}

// empty returns the reason why the list is empty.
func (p *Pane) empty() string {
	switch {
	case len(p.all) > 0:
		return "No extension contains this."
	case p.about.Agent == nil:
		return "No agent is open."
	case p.about.Agent.Card == nil:
		return "There is no card that declares extensions. a adds one by its URI."
	default:
		return "The card declares no extensions. a adds one by its URI anyway."
	}
}

// row renders entry i: whether it is selected, its URI and its state.
func (p *Pane) row(i int) string {
	e := &p.list[i]
	box, paint := "[ ] ", p.St.Text
	if slices.Contains(p.chosen(), e.URI) {
		box, paint = "[x] ", p.St.Accent
	}
	words, bad := p.words(e)
	said := p.St.Faint
	if bad {
		said = p.St.Waiting
	}
	words = p.Ellipsize(words, max(8, 3*p.W/5))
	room := max(8, p.W-len(box)-2-canvas.Width(words))
	uri := p.Cell(canvas.SanitizeLine(e.URI[:min(len(e.URI), 4*room)]), room)
	return paint.S(box) + p.St.Text.S(uri) + "  " + said.S(words)
}

// words describes the state of an extension beside its check box, and reports whether that is a
// problem.
func (p *Pane) words(e *entry) (words string, bad bool) {
	var all []string
	chosen := slices.Contains(p.chosen(), e.URI)
	if e.Required {
		all, bad = append(all, "required"), !chosen
	}
	if !e.declared {
		all = append(all, "not in the card")
	}
	switch next := slices.Contains(p.next(), e.URI); {
	case next && !chosen:
		all = append(all, "next message only")
	case chosen && !next:
		all = append(all, "not with the next message")
	}
	if a := p.about.Agent; a != nil && slices.Contains(a.Extensions.Active, e.URI) {
		all = append(all, p.St.G[styles.Done]+" in use")
	}
	if !chosen && a2a.CheckExtension(e.URI) != "" {
		all, bad = append(all, "cannot be requested"), true
	}
	return p.Join(all...), bad
}

// foot renders the input for a URI, or the details of the selected extension.
func (p *Pane) foot() []string {
	if p.typing {
		return []string{p.St.Accent.S(canvas.Fit("add another", labelWidth)) + p.Well(&p.input, p.W-labelWidth)}
	}
	e := p.selected()
	if e == nil {
		return nil
	}
	rows := max(2, (p.parts().Foot-2)/2) // of the description and of the parameters
	return slices.Concat(p.Detail("uri", labelWidth, e.URI, 1), p.Detail("about", labelWidth, e.Description, rows), p.Detail("params", labelWidth, string(e.Params), rows))
}

// labelWidth is the width of the widest label with the space behind it.
const labelWidth = 13

// Cursor returns the terminal's cursor relative to the pane while the user types a URI, else
// nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing {
		return p.FilterCursor()
	}
	at := p.parts()
	return p.input.Cursor(labelWidth, at.Head+at.List+min(at.Foot, 2)-1, p.W, p.H)
}
