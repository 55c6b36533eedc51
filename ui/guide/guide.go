// Package guide is the help: the keys and commands of the workbench by section, with a
// search. Those of the pane that the user came from stand first, and the help has the full
// width.
package guide

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// A Section is a group of keys under a heading.
type Section struct {
	Name string
	Keys []key.Binding
	// Editing puts the section on the page of the keys that edit text.
	Editing bool
	// Why has the reasons why bindings are not possible now, by what the bindings do. A disabled
	// binding with a reason is listed, dimmed.
	Why map[string]string
}

// An Intent is what the user asks for: [Close], or nil for nothing.
type Intent interface{ intent() }

// Close closes the help.
type Close struct{}

func (Close) intent() {}

// Pane is the pane of the help.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	sections []Section
	editing  bool // the page of the editing keys is shown
	top      int  // the first visible line
	input    field.Field
	typing   bool
	drawn    []string // the lines at drawnAt
	drawnAt  drawnAt
}

// drawnAt is what the lines depend on.
type drawnAt struct {
	w       int
	editing bool
	search  string
	st      *styles.Styles
}

// New returns an empty help.
func New(st *styles.Styles) *Pane {
	p := &Pane{input: field.New(st, field.Options{Prompt: "/ "})}
	p.Table = p.actions()
	p.Base = sheet.New(st, &p.input)
	return p
}

// Open shows sections from the top, without a search.
func (p *Pane) Open(sections []Section) {
	p.sections, p.editing, p.top, p.drawn, p.typing = sections, false, 0, nil, false
	p.Forget()
}

// Typing reports whether the search is being typed.
func (p *Pane) Typing() bool { return p.typing }

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.editing {
		return "help: editing keys"
	}
	return "help"
}

// Note says which page is shown and how to get to the other.
func (p *Pane) Note() string {
	switch {
	case p.input.Value() != "":
		return ""
	case p.editing:
		return "page 2 of 2"
	default:
		return "page 1 of 2"
	}
}

// Cursor returns the position of the terminal's cursor, nil while nothing is typed.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing {
		return nil
	}
	return p.input.Cursor(0, 0, p.W, p.H)
}

// Paste inserts text into the search.
func (p *Pane) Paste(msg tea.PasteMsg) {
	p.input.Paste(msg.Content)
	p.top = 0
}

// Mouse scrolls with the wheel.
func (p *Pane) Mouse(msg tea.MouseMsg, _, _ int) Intent {
	if wheel, turned := msg.(tea.MouseWheelMsg); turned {
		const step = 3
		p.scroll(step * keys.Wheel(wheel))
	}
	return nil
}

// scroll moves the window on the lines.
func (p *Pane) scroll(by int) { p.top = max(0, min(p.top+by, len(p.lines())-p.room())) }
