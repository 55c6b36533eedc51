package push

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
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

// A form edits a webhook at another URL. Its text stays while it is hidden.
type form struct {
	open   bool
	at     int
	inputs [len(fields)]field.Field
}

func newForm(st *styles.Styles) form {
	var f form
	for i := range f.inputs {
		f.inputs[i] = field.New(st, field.Options{Hint: fields[i].hint, Masked: fields[i].secret})
	}
	return f
}

func (f *form) setStyles(st *styles.Styles) {
	for i := range f.inputs {
		f.inputs[i].SetStyles(st)
	}
}

func (f *form) show() {
	f.open = true
	f.to(0)
}

// close hides the form and clears its inputs, so that no secret stays longer than needed.
func (f *form) close() {
	f.open = false
	for i := range f.inputs {
		f.inputs[i].Reset()
		f.inputs[i].Blur()
	}
}

// to moves the focus to input i, around the ends.
func (f *form) to(i int) {
	f.at = (i + len(fields)) % len(fields)
	for k := range f.inputs {
		f.inputs[k].Blur()
	}
	f.inputs[f.at].Focus()
}

// config returns the webhook that the user typed.
func (f *form) config() a2a.PushConfig {
	value := func(i int) string { return strings.TrimSpace(f.inputs[i].Value()) }
	c := a2a.PushConfig{URL: value(0), Token: value(1), Credentials: value(3)}
	if scheme := value(2); scheme != "" {
		c.Schemes = []string{scheme}
	}
	return c
}

// formKey handles a key press while the form is open.
func (p *Pane) formKey(msg tea.KeyPressMsg, k KeyMap) Intent {
	f := &p.form
	switch {
	case key.Matches(msg, k.Leave):
		f.open = false
	case key.Matches(msg, k.Accept):
		if p.about.Task == nil {
			return refused(p.why(a2a.OpPushSet))
		}
		return p.set()
	case key.Matches(msg, k.NextField):
		f.to(f.at + 1)
	case key.Matches(msg, k.PrevField):
		f.to(f.at - 1)
	default:
		f.inputs[f.at].Key(msg)
	}
	return nil
}

// Paste inserts the pasted text into the focused input.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.form.open {
		p.form.inputs[p.form.at].Paste(msg.Content)
	}
}

// lines renders the form.
func (f *form) lines(st *styles.Styles, w int) []string {
	out := []string{st.Bold.S("register webhook")}
	for i := range f.inputs {
		f.inputs[i].SetWidth(w - labelWidth)
		label := st.Faint
		if i == f.at {
			label = st.Accent
		}
		out = append(out, label.S(canvas.Fit(fields[i].label, labelWidth))+f.inputs[i].View())
	}
	return out
}

// Cursor returns the terminal's cursor relative to the pane while the form is open, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	f := &p.form
	if !f.open {
		return nil
	}
	return f.inputs[f.at].Cursor(labelWidth, p.h-len(fields)+f.at, p.w, p.h)
}
