package approval

import (
	"strings"

	"parley/internal/units"
	"parley/session/card"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if e := p.selected(); p.detail && e != nil {
		return "trust " + p.St.G[styles.Separator] + " " + canvas.SanitizeLine(e.Name)
	}
	return "trust"
}

// Note returns how many entries or differences are listed, for the right end of the frame's top
// edge.
func (p *Pane) Note() string {
	if e := p.selected(); p.detail && e != nil {
		return units.Plural(len(e.Drift), "difference")
	}
	return units.Plural(len(p.entries), "agent")
}

const (
	headRows = 3 // including the rule below
	footRows = 8 // including the rule above
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts {
	return p.SplitFor(p.listed(), headRows, footRows, 2)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	e, at := p.selected(), p.parts()
	if p.detail && e != nil {
		rows := p.changes.Rows(p.St, p.W, len(e.Drift), at.List, func(i int) string { return p.changeRow(&e.Drift[i]) })
		return p.Stack(at, p.detailHead(e), rows, p.change(&e.Drift[min(p.changes.At, len(e.Drift)-1)]))
	}
	return p.Stack(at, p.head(), p.Rows(len(p.entries), at.List, p.row, empty), p.foot(e))
}

// empty is what an empty list says.
func empty() string {
	return "The card of an agent that you open for the first time appears here: it is approved, and later cards are compared with it."
}

// head returns the rows above the list.
func (p *Pane) head() []string {
	held := 0
	for i := range p.entries {
		if p.entries[i].Held() {
			held++
		}
	}
	said := p.St.Dim.S(p.Cut("No agent waits for an approval"))
	if held > 0 {
		said = p.St.Waiting.S(p.Cut(p.St.G[styles.Waiting] + " " + units.Plural(held, "agent") + " held: nothing is sent to an agent whose card has changed in security or addresses"))
	}
	rows := []string{said, p.St.Dim.S(p.Cut("The first card of an agent is its baseline; other changes are only listed"))}
	if p.problem != "" {
		rows[1] = p.St.Failed.S(p.Cut(canvas.SanitizeLine(p.problem)))
	}
	return rows
}

// row renders entry i: its name, its address and its state.
func (p *Pane) row(i int) string {
	e := &p.entries[i]
	sign, paint := "  ", p.St.Dim
	switch {
	case e.Held():
		sign, paint = p.St.G[styles.Waiting]+" ", p.St.Waiting
	case e.Signature == broken:
		sign, paint = p.St.G[styles.Failed]+" ", p.St.Failed
	}
	words := p.Ellipsize(p.words(e), max(12, p.W/2))
	room := max(8, p.W-len("  ")-2-canvas.Width(words))
	name := canvas.SanitizeLine(e.Name)
	text := p.Cell(p.St.Text.S(p.Ellipsize(name, max(8, room/2)))+"  "+p.St.Faint.S(canvas.SanitizeLine(e.Ref)), room)
	return paint.S(canvas.Fit(sign, 2)) + text + "  " + paint.S(words)
}

// words describes the state of an entry.
func (p *Pane) words(e *Entry) string {
	var all []string
	n := card.Asking(e.Drift)
	switch {
	case e.Approved.IsZero():
		all = append(all, "not approved")
	case e.Card == nil:
		all = append(all, "not open")
	case n > 0:
		all = append(all, "held: "+units.Plural(n, "change")+" to approve")
	case len(e.Drift) > 0:
		all = append(all, units.Plural(len(e.Drift), "other change"))
	default:
		all = append(all, "as approved")
	}
	if e.Signature != "" {
		all = append(all, canvas.SanitizeLine(e.Signature))
	}
	return p.Join(all...)
}

// broken is what an entry says of a card whose signature is broken.
const broken = "signature broken"

// Signatures are what an entry can say of the signature of a card.
const (
	Unsigned = "unsigned"
	Verified = "signature verified"
	Broken   = broken
	Unknown  = "signature not verified"
)

// labelWidth is the width of the widest label with the space behind it.
const labelWidth = 11

// foot renders the selected entry.
func (p *Pane) foot(e *Entry) []string {
	if e == nil {
		return nil
	}
	rows := p.Detail("agent", labelWidth, e.Ref, 1)
	if !e.Approved.IsZero() {
		rows = append(rows, p.Detail(e.How.Label(), labelWidth, units.Date(e.Approved), 1)...)
	}
	for i := range e.Drift {
		if len(rows) >= p.parts().Foot-2 {
			rows = append(rows, p.St.Faint.S(p.Cut(strings.Repeat(" ", labelWidth)+keys.Name(p.Of(showChanges))+" shows "+units.Plural(len(e.Drift), "difference"))))
			break
		}
		rows = append(rows, p.changeRow(&e.Drift[i]))
	}
	return rows
}

// detailHead returns the rows above the differences of an entry.
func (p *Pane) detailHead(e *Entry) []string {
	since := e.How.Since(units.Date(e.Approved))
	said := p.St.Dim.S(p.Cut("These members of the card have changed " + since))
	next := "None of this has to be approved; " + keys.Name(p.Of(approveCard)) + " makes the card as it is now the baseline"
	if e.Held() {
		said = p.St.Waiting.S(p.Cut(p.St.G[styles.Waiting] + " Nothing is sent to the agent: its card has changed " + since))
		next = keys.Name(p.Of(approveCard)) + " approves the card as it is now; until then the agent is kept out"
	}
	return []string{said, p.St.Text.S(p.Cut(next))}
}

// severityWidth is the width of the column of severities.
const severityWidth = 10

// changeRow renders a difference on one row: severity, member and new value.
func (p *Pane) changeRow(d *card.Difference) string {
	paint := p.St.Faint
	switch d.Severity {
	case card.Security:
		paint = p.St.Failed
	case card.Address:
		paint = p.St.Waiting
	}
	text := canvas.SanitizeLine(member(d))
	if d.New != "" {
		text += "  " + canvas.SanitizeLine(d.New)
	} else {
		text += "  is gone"
	}
	return paint.S(canvas.Fit(d.Severity.String(), severityWidth)) + " " + p.St.Text.S(p.Ellipsize(text, max(8, p.W-severityWidth-1)))
}

// member names what differs.
func member(d *card.Difference) string {
	if d.Pointer == "" {
		return "origin of the card"
	}
	return d.Pointer
}

// change renders one difference with both values.
func (p *Pane) change(d *card.Difference) []string {
	n := max(1, (p.parts().Foot-2)/2)
	rows := p.Detail("member", labelWidth, member(d), 1)
	was, is := d.Old, d.New
	if was == "" {
		was = "(none)"
	}
	if is == "" {
		is = "(none)"
	}
	rows = append(rows, p.Detail("approved", labelWidth, was, n)...)
	return append(rows, p.Detail("now", labelWidth, is, n)...)
}

// text returns the differences of an entry, for the clipboard.
func (p *Pane) text(e *Entry) string {
	var b strings.Builder
	for i := range e.Drift {
		b.WriteString(e.Drift[i].Severity.String() + ": " + e.Drift[i].Sentence() + "\n")
	}
	return canvas.Sanitize(b.String())
}
