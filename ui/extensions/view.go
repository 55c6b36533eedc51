package extensions

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "extensions" }

// Note returns the agent's name, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if p.about.Agent == nil {
		return ""
	}
	return canvas.Ellipsize(canvas.SanitizeLine(p.about.Agent.Name()), 40, p.st.G[styles.Ellipsis])
}

const (
	headRows = 4 // including the rule below
	footRows = 6 // including the rule above
)

// Height returns the preferred height in rows.
func (p *Pane) Height() int {
	const few, many = 3, 12
	return headRows + max(few, min(len(p.list), many)) + footRows
}

// headHeight returns the number of rows above the list.
func (p *Pane) headHeight() int { return min(headRows, max(0, p.h-1)) }

// footHeight returns the number of rows below the list.
func (p *Pane) footHeight() int {
	if p.types {
		return min(2, max(0, p.h-p.headHeight()))
	}
	return max(0, min(footRows, p.h-p.headHeight()-2))
}

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int { return max(0, p.h-p.headHeight()-p.footHeight()) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	return canvas.Stack(p.st, p.w,
		canvas.Part{Rows: p.head(), H: p.headHeight()},
		canvas.Part{Rows: p.drawn(), H: p.listHeight()},
		canvas.Part{Rows: p.foot(), H: p.footHeight()})
}

// head returns the rows above the list: what requests ask for, what the newest answer named,
// and what the next message asks for.
func (p *Pane) head() []string {
	fit := func(s string) string { return canvas.Ellipsize(s, p.w, p.st.G[styles.Ellipsis]) }
	what, paint := p.sends(), p.st.Text
	if why := p.why(); why != "" {
		what, paint = refused(why).(Refused).Why, p.st.Waiting
	}
	next := p.st.Dim.S(fit("The next message requests the same as all requests"))
	if p.about.Next != nil {
		next = p.st.Accent.S(fit("The next message requests " + count(len(p.about.Next)) + " instead"))
	}
	return []string{paint.S(fit(what)), p.answered(fit), next}
}

// sends describes which extensions all requests ask for, and in which header.
func (p *Pane) sends() string {
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

// answered describes what the card requires and no request asks for, or else what the newest
// answer named.
func (p *Pane) answered(fit func(string) string) string {
	if p.about.Agent == nil {
		return ""
	}
	x := &p.about.Agent.Extensions
	if n := len(x.Missing); n > 0 {
		return p.st.Waiting.S(fit(p.st.G[styles.Waiting] + " The card requires " + count(n) + " that no request asks for: R chooses the required ones"))
	}
	if x.None() {
		return p.st.Dim.S(fit("No answer has named an extension yet"))
	}
	s := "The newest answer (#" + strconv.FormatUint(uint64(x.Record), 10) + ") "
	switch asked := len(x.Asked); {
	case len(x.Active) > 0:
		return p.st.OK.S(fit(s + "uses " + strconv.Itoa(len(x.Active)) + " of the " + strconv.Itoa(asked) + " requested"))
	case p.silent():
		return p.st.Dim.S(fit(s + "does not say which it uses; A2A 1.0 does not require that"))
	default:
		return p.st.Waiting.S(fit(s + "uses none of the " + strconv.Itoa(asked) + " requested"))
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

// drawn renders the list, or the reason why it is empty.
func (p *Pane) drawn() []string {
	if len(p.list) == 0 {
		return canvas.Paragraph(p.none(), p.w, p.st.Faint)
	}
	return p.rows().Rows(p.st, p.w, len(p.list), p.listHeight(), func(i int) string { return p.row(&p.list[i]) })
}

// none returns the reason why the list is empty.
func (p *Pane) none() string {
	switch {
	case p.about.Agent == nil:
		return "No agent is open."
	case p.about.Agent.Card == nil:
		return "There is no card that declares extensions. a adds one by its URI."
	default:
		return "The card declares no extensions. a adds one by its URI anyway."
	}
}

// row renders an extension: whether it is selected, its URI and its state.
func (p *Pane) row(e *entry) string {
	box, paint := "[ ] ", p.st.Text
	if slices.Contains(p.chosen(), e.URI) {
		box, paint = "[x] ", p.st.Accent
	}
	words, bad := p.words(e)
	said := p.st.Faint
	if bad {
		said = p.st.Waiting
	}
	dots := p.st.G[styles.Ellipsis]
	words = canvas.Ellipsize(words, max(8, 3*p.w/5), dots)
	room := max(8, p.w-len(box)-2-canvas.Width(words))
	uri := canvas.Fit(canvas.Ellipsize(canvas.SanitizeLine(e.URI[:min(len(e.URI), 4*room)]), room, dots), room)
	return paint.S(box) + p.st.Text.S(uri) + "  " + said.S(words)
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
		all = append(all, p.st.G[styles.Done]+" in use")
	}
	if !chosen && a2a.CheckExtension(e.URI) != "" {
		all, bad = append(all, "cannot be requested"), true
	}
	return strings.Join(all, " "+p.st.G[styles.Separator]+" "), bad
}

// foot renders the input for a URI, or the details of the selected extension.
func (p *Pane) foot() []string {
	if p.types {
		p.input.SetWidth(p.w - labelWidth)
		return []string{p.st.Accent.S(canvas.Fit("add another", labelWidth)) + p.input.View()}
	}
	e := p.selected()
	if e == nil {
		return nil
	}
	out := p.field("uri", e.URI, 1)
	out = append(out, p.field("about", e.Description, 2)...)
	return append(out, p.field("params", string(e.Params), 2)...)
}

// labelWidth is the width of the widest label with the space behind it.
const labelWidth = 13

// field renders a label and at most n rows of value. It reads no more of value than n rows can
// show.
func (p *Pane) field(label, value string, n int) []string {
	if value == "" {
		return nil
	}
	room := max(8, p.w-labelWidth)
	value = canvas.SanitizeLine(strings.ToValidUTF8(value[:min(len(value), 8*n*room)], ""))
	return canvas.LabeledIn(n, canvas.Label{Text: label, W: labelWidth, Paint: p.st.Faint}, value, p.w, p.st.Text, p.st.G[styles.Ellipsis])
}

// Cursor returns the terminal's cursor relative to the pane while the user types a URI, else
// nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.types {
		return nil
	}
	return p.input.Cursor(labelWidth, p.h-1, p.w, p.h)
}
