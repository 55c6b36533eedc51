// Package menu is a short list of actions, each with a key of its own.
//
// The root model gives a [Menu] its [Item] values and carries them out. An item that is not
// possible says why. One that needs a number asks for it on the same line.
package menu

import (
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Item is one action.
type Item struct {
	Key  string // a single character
	Name string
	Note string // drawn behind the name
	Why  string // why it is not possible now, empty if it is
	// Ask is the question for a number, empty if the item needs none. Default is the number if
	// the user types none.
	Ask     string
	Default int
	// Value is returned when the item is chosen.
	Value any
}

// An Intent is what the user asked for: [Choose], [Refused] or [Close].
type Intent interface{ intent() }

// The intents of the menu.
type (
	// Choose is the intent to carry out an item, with the number that it asked for.
	Choose struct {
		Item   Item
		Number int
	}
	// Refused says why the chosen item is not possible.
	Refused struct{ Why string }
	// Close closes the menu.
	Close struct{}
)

func (Choose) intent()  {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Menu shows items. It is not safe for use by several goroutines.
type Menu struct {
	sheet.Base
	*action.Table[Intent]
	title, note string
	items       []Item
	asks        bool   // the number of the selected item is being typed
	number      string // as typed
}

// New returns an empty menu.
func New(st *styles.Styles) *Menu {
	m := &Menu{Base: sheet.New(st)}
	m.Table = m.actions()
	return m
}

// Open shows items. The first possible one is selected.
func (m *Menu) Open(title, note string, items []Item) {
	m.title, m.note, m.items, m.asks = title, note, items, false
	m.List.At = max(0, slices.IndexFunc(items, possible))
}

// Wants returns how many columns the menu wants.
func (m *Menu) Wants() (w int) {
	const least, most = 72, 106
	w = canvas.Width(m.Title()) + canvas.Width(m.Note()) + 5 // with the border between them
	for i := range m.items {
		w = max(w, canvas.Width(m.row(i)))
	}
	return max(least, min(w, most))
}

// Title returns the title of the frame.
func (m *Menu) Title() string { return canvas.SanitizeLine(m.title) }

// Note returns the text at the right of the frame's top edge.
func (m *Menu) Note() string { return canvas.SanitizeLine(m.note) }

// Bindings returns the keys of the possible items.
func (m *Menu) Bindings() []key.Binding {
	var out []key.Binding
	for _, it := range m.items {
		if it.Why == "" {
			out = append(out, action.Label(it.Key, it.Name))
		}
	}
	return out
}

// choose chooses item i, or asks for its number.
func (m *Menu) choose(i int) Intent {
	if i >= len(m.items) {
		return nil
	}
	it := m.items[i]
	switch {
	case it.Why != "":
		return Refused{Why: it.Why}
	case it.Ask != "":
		m.asks, m.number = true, ""
		return nil
	default:
		return Choose{Item: it}
	}
}

// Mouse handles a click on an item.
func (m *Menu) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if m.asks {
		return nil
	}
	switch m.List.Mouse(msg, y, len(m.items), m.H) {
	case list.HitRow, list.HitSelected:
		return m.choose(m.List.At)
	}
	return nil
}

// Cursor returns the position of the terminal's cursor while a number is typed, else nil.
func (m *Menu) Cursor() *tea.Cursor {
	if !m.asks || m.W == 0 {
		return nil
	}
	m.List.Reveal(len(m.items), m.H)
	return tea.NewCursor(min(canvas.Width(m.question()), m.W-1), m.List.At-m.List.Top)
}

// question returns the text before the number.
func (m *Menu) question() string {
	return m.items[m.List.At].Key + "  " + m.items[m.List.At].Ask + " " + m.number
}

// Lines returns the menu as exactly its height of rows of exactly its width.
func (m *Menu) Lines() []string {
	return canvas.Block(m.Listed(0, len(m.items), m.H, m.row), m.W, m.H)
}

func (m *Menu) row(i int) string {
	it, st := m.items[i], m.St
	if m.asks && i == m.List.At {
		line := st.Accent.S(it.Key) + "  " + st.Text.S(it.Ask+" "+m.number)
		if m.number == "" {
			line += st.Faint.S(strconv.Itoa(it.Default))
		}
		return line
	}
	if it.Why != "" {
		return st.Faint.S(it.Key + "  " + it.Name + "  " + canvas.SanitizeLine(it.Why))
	}
	name := canvas.Fit(it.Name, min(m.nameWidth(), max(0, m.W-3)))
	return st.Accent.Bold().S(it.Key) + "  " + st.Text.S(name) + "  " + st.Faint.S(canvas.SanitizeLine(it.Note))
}

// nameWidth returns the width of the column of names.
func (m *Menu) nameWidth() int {
	w := 0
	for _, it := range m.items {
		if it.Why == "" {
			w = max(w, canvas.Width(it.Name))
		}
	}
	return w
}

// Asking reports whether a number is being typed.
func (m *Menu) Asking() bool { return m.asks }
