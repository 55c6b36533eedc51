package push

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
)

// fields are the inputs for a webhook at another URL.
var fields = [...]struct {
	label  string
	hint   string
	secret bool
}{
	{"url", "https://…", false},
	{"token", "repeated in X-A2A-Notification-Token; may be empty", true},
	{"scheme", "of the Authorization header, such as Bearer; may be empty", false},
	{"credentials", "of the Authorization header; may be empty", true},
}

// labelWidth is the width of the widest label with the space behind it.
const labelWidth = 13

// focus moves the focus to input i of the form, around the ends.
func (p *Pane) focus(i int) {
	p.at = (i + len(fields)) % len(fields)
	p.Focus(&p.inputs[p.at])
}

// config returns the webhook that the user typed.
func (p *Pane) config() a2a.PushConfig {
	value := func(i int) string { return strings.TrimSpace(p.inputs[i].Value()) }
	c := a2a.PushConfig{URL: value(0), Token: value(1), Credentials: value(3)}
	if scheme := value(2); scheme != "" {
		c.Schemes = []string{scheme}
	}
	return c
}

// Paste inserts the pasted text into the focused input.
func (p *Pane) Paste(msg tea.PasteMsg) {
	switch {
	case p.typing:
		p.inputs[p.at].Paste(msg.Content)
	case p.filter.Typing():
		p.filter.Paste(msg)
	}
}

// formLines renders the form.
func (p *Pane) formLines() []string {
	out := []string{p.St.Bold.S("register webhook")}
	for i := range p.inputs {
		label := p.St.Faint
		if i == p.at {
			label = p.St.Accent
		}
		out = append(out, label.S(canvas.Fit(fields[i].label, labelWidth))+p.Well(&p.inputs[i], p.W-labelWidth))
	}
	return out
}

// Cursor returns the terminal's cursor relative to the pane while the form is open, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing {
		return p.FilterCursor()
	}
	at := p.parts()
	return p.inputs[p.at].Cursor(labelWidth, at.Head+at.List+min(at.Foot, footRows)-len(fields)+p.at, p.W, p.H)
}

// Masked reports whether what is typed is masked.
func (p *Pane) Masked() bool { return p.typing && p.inputs[p.at].Masked() }
