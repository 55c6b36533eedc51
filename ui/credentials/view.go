package credentials

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// labelWidth is the width of the widest label with the space behind it.
const labelWidth = 10

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.about.Agent == "" {
		return "credentials"
	}
	return "credentials for " + canvas.SanitizeLine(p.about.Agent)
}

// Note returns how many were entered, for the right end of the frame's top edge.
func (p *Pane) Note() string { return units.Count(len(p.about.Set)) + " entered" }

// formTop returns the row of the kind. The card's declarations are above it if there is room.
func (p *Pane) formTop() int {
	const enough = 8
	if p.H > 0 && p.H < enough {
		return 0
	}
	return 2
}

// setTop returns the row of the first entry.
func (p *Pane) setTop() int { return p.formTop() + 8 }

// positions returns the row on the pane of everything that can have the focus.
func (p *Pane) positions() map[row]int {
	at := map[row]int{kindRow: p.formTop(), valueRow: p.formTop() + 2}
	if p.hasName() {
		at[nameRow] = p.formTop() + 1
	} else {
		at[valueRow]--
	}
	for i := range p.about.Set {
		at[firstSet+row(i)] = p.setTop() + i
	}
	return at
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	out := []string{p.St.Text.S(p.Cut(p.declaration())), ""}[:p.formTop()]
	kind := p.kind().name
	out = append(out, p.line("kind", kindRow, p.St.G[styles.Earlier]+" "+kind+" "+p.St.G[styles.Later]))
	if p.hasName() {
		label := "header"
		if p.kind().form == basic {
			label = "user"
		}
		out = append(out, p.label(label, nameRow)+p.Well(&p.inputs[nameInput], p.W-labelWidth))
	}
	out = append(out, p.label(p.secretLabel(), valueRow)+p.Well(&p.inputs[secretInput], p.W-labelWidth), "")
	out = append(out, canvas.Paragraph(p.destination(), p.W, p.St.Faint)...)
	out = canvas.Block(out, p.W, p.setTop()-1)
	out = append(out, p.St.Bold.S("in use for this agent"))
	for i, e := range p.about.Set {
		name := canvas.SanitizeLine(e.Name)
		out = append(out, canvas.Entry(p.St, p.St.Text.S(p.Cut(name+": "+strings.ReplaceAll(canvas.SanitizeLine(e.Value), a2a.Mask, p.mask())+"  "+canvas.SanitizeLine(p.about.Origin))), p.W, p.at == firstSet+row(i)))
	}
	if len(p.about.Set) == 0 {
		out = append(out, p.St.Faint.S(p.Cut("nothing was entered here: "+keys.Name(p.Of(accept))+" uses what stands above")))
	}
	return canvas.Block(out, p.W, p.H)
}

func (p *Pane) label(words string, at row) string {
	paint := p.St.Faint
	if p.at == at {
		paint = p.St.Accent
	}
	return paint.S(canvas.Fit(words, labelWidth))
}

func (p *Pane) line(label string, at row, text string) string {
	return p.label(label, at) + p.St.Text.S(p.Ellipsize(text, max(1, p.W-labelWidth)))
}

func (p *Pane) secretLabel() string {
	switch k := p.kind(); {
	case k.form == bearer:
		return "token"
	case k.form == basic:
		return "password"
	case k.as == "":
		return "value"
	default:
		return "key"
	}
}

// declaration describes which credentials the card declares.
func (p *Pane) declaration() string {
	var names []string
	for _, s := range schemesOf(p.about.Card) {
		words := strings.TrimSpace(s.Type + " " + s.Scheme)
		if s.Name != "" {
			words += " " + s.Name
		}
		names = append(names, canvas.SanitizeLine(words))
	}
	switch {
	case p.about.Card == nil:
		return "There is no card that names the required credentials."
	case len(names) == 0:
		return "The card requires no credentials, but the agent may."
	default:
		return "The card declares: " + strings.Join(names, ", ")
	}
}

// destination describes where and how the secret is sent.
func (p *Pane) destination() string {
	origin := cmp.Or(canvas.SanitizeLine(p.about.Origin), "the agent")
	k, mask := p.kind(), p.mask()
	h := k.header(p.inputs[nameInput].Value(), mask)
	as := h.Name + ": " + h.Value
	if k.form == inQuery {
		as = "?" + k.as + "=" + mask
	}
	return "It goes to " + origin + " with every request, as " + canvas.SanitizeLine(as) + ", and replaces any other of that name. It is kept in memory until Parley ends."
}

// mask returns the mask of a secret in the glyphs of the terminal.
func (p *Pane) mask() string { return strings.Repeat(p.St.G[styles.Bullet], 3) }

// Cursor returns the terminal's cursor relative to the pane while an input has the focus, else
// nil.
func (p *Pane) Cursor() *tea.Cursor {
	in := p.input()
	if in == nil {
		return nil
	}
	return in.Cursor(labelWidth, p.positions()[p.at], p.W, p.H)
}

// Masked reports whether what is typed is masked: the name of a header stands beside its value, so
// it counts too.
func (p *Pane) Masked() bool { return p.input() != nil }
