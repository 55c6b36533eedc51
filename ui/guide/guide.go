// Package guide is the help: the keys and commands of the workbench by topic, with a
// search. Its first page has what one begins with, and what can be done where the user came from.
package guide

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
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
	// Why has the reasons why bindings are not possible now, by what the bindings do. A disabled
	// binding with a reason is listed, dimmed.
	Why map[string]string
}

// A Topic is a part of the help that a digit leads to.
type Topic struct {
	Name     string
	Sections []Section
}

// Help is what the pane shows: on its first page what one begins with and what is possible now, below
// that all keys and commands by topic.
type Help struct {
	Begin            []key.Binding // what one begins with
	Place            string        // where the user is, such as "in the wire"
	Here, Everywhere []key.Binding // what is possible now, there and everywhere, the most useful first
	Topics           []Topic       // at most six, the digits that lead to them
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
	help    Help
	top     int // the first visible line
	input   field.Field
	typing  bool
	drawn   []string // the lines at drawnAt
	topics  []int    // the line of each topic in them
	drawnAt drawnAt
}

// drawnAt is what the lines depend on.
type drawnAt struct {
	w      int
	search string
	st     *styles.Styles
}

// New returns an empty help.
func New(st *styles.Styles) *Pane {
	p := &Pane{input: field.New(st, field.Options{Prompt: "/ "})}
	p.Table = p.actions()
	p.Base = sheet.New(st, &p.input)
	return p
}

// Open shows the help from the top, without a search.
func (p *Pane) Open(h Help) {
	p.help, p.top, p.drawn, p.typing = h, 0, nil, false
	p.Forget()
}

// Typing reports whether the search is being typed.
func (p *Pane) Typing() bool { return p.typing }

// Title returns the title of the frame.
func (p *Pane) Title() string { return "help" }

// Note says which lines are visible if there are more.
func (p *Pane) Note() string {
	n, room := len(p.lines()), p.room()
	if n <= room {
		return ""
	}
	return "lines " + units.Count(p.top+1) + " to " + units.Count(min(n, p.top+room)) + " of " + units.Count(n)
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
