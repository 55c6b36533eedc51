package sheet

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A Filter narrows the list of a pane to the rows that contain some words. Its line is the last
// row of the pane.
type Filter struct {
	input   field.Field
	typing  bool
	changed func()             // runs after a key that changes the words
	clear   func() key.Binding // clears the words that it kept
}

const clearFilter action.ID = "clear-filter"

// NewFilter returns a filter without words.
func NewFilter(st *styles.Styles) Filter {
	return Filter{input: field.New(st, field.Options{Prompt: "/ "}), changed: func() {}}
}

// Input returns the input, for [New].
func (f *Filter) Input() *field.Field { return &f.input }

// FilterActions returns the key that opens a filter of things, and the one that clears the words
// that it kept. Foot is the place of the first in the footer, and some reports whether there is
// something to filter. R is what the pane returns for a key press: nothing, for these.
func FilterActions[R any](f *Filter, things string, foot int, some func() bool) []action.Action[R] {
	return []action.Action[R]{
		{
			Row: action.Row{Keys: []string{"/"}, Does: "filter " + things, Foot: foot, Now: func() action.State { return action.State{Off: !some()} }},
			Run: func() (none R) { f.Open(); return none },
		},
		{
			Row: action.Row{ID: clearFilter, Keys: []string{"esc"}, Does: "clear filter", Fixed: true, Passing: true, Now: func() action.State { return action.State{Off: f.input.Value() == ""} }},
			Run: func() (none R) { f.Clear(); f.changed(); return none },
		},
	}
}

// Filtered lets a filter have the keys of a table while the user types its words, and returns the
// table. Changed runs after each key that may change the words, also after the one that clears them.
func Filtered[R any](t *action.Table[R], f *Filter, changed func()) *action.Table[R] {
	f.changed, f.clear = changed, func() key.Binding { return t.Of(clearFilter) }
	leave := func(clear bool) func() R {
		return func() (none R) {
			f.leave(clear)
			changed()
			return none
		}
	}
	typed := action.New(
		func(string) (none R) { return none },
		action.Action[R]{Row: action.Row{Keys: []string{"enter"}, Does: "keep filter", Foot: 1, Fixed: true}, Run: leave(false)},
		action.Action[R]{Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "clear filter", Foot: 2, Fixed: true}, Run: leave(true)},
	)
	return t.While(f.Typing, typed, func(msg tea.KeyPressMsg) (none R) {
		f.input.Key(msg)
		changed()
		return none
	})
}

// leave ends the typing, without the words if clear is set.
func (f *Filter) leave(clear bool) {
	if clear {
		f.input.Reset()
	}
	f.typing = false
	f.input.Blur()
}

// Open lets the user type.
func (f *Filter) Open() {
	f.typing = true
	f.input.CursorEnd()
	f.input.Focus()
}

// Typing reports whether the user types, so that letters are text.
func (f *Filter) Typing() bool { return f.typing }

// Words returns what the user typed, in lower case; empty if every row passes.
func (f *Filter) Words() string { return strings.ToLower(strings.TrimSpace(f.input.Value())) }

// maxMatched is how many bytes of a text a filter reads.
const maxMatched = 4 << 10

// Matches reports whether one of the texts contains each word.
func (f *Filter) Matches(texts ...string) bool {
	words := strings.Fields(f.Words())
	if len(words) == 0 {
		return true
	}
	for i, s := range texts {
		texts[i] = strings.ToLower(s[:min(len(s), maxMatched)])
	}
	all := strings.Join(texts, "\n")
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// Clear removes the words and reports whether there were any.
func (f *Filter) Clear() bool {
	had := f.input.Value() != ""
	f.input.Reset()
	return had
}

// Paste inserts the pasted text.
func (f *Filter) Paste(msg tea.PasteMsg) { f.input.Paste(msg.Content) }

// SetFilter gives the pane a filter, whose line is shown while it is open or has words.
func (b *Base) SetFilter(f *Filter) { b.filter = f }

// filterHeight returns the number of rows of the filter's line, 0 or 1.
func (b *Base) filterHeight() int {
	if f := b.filter; f != nil && b.H > 1 && (f.typing || f.input.Value() != "") {
		return 1
	}
	return 0
}

// Pinned returns how many rows stay at the end of the pane: the line of the filter.
func (b *Base) Pinned() int { return b.filterHeight() }

// Room returns the height of the pane without the line of the filter.
func (b *Base) Room() int { return b.H - b.filterHeight() }

// filterRow draws the line of the filter.
func (b *Base) filterRow() string {
	if b.filter.typing {
		return canvas.Fit(b.filter.input.View(), b.W)
	}
	return canvas.Fit(b.St.Accent.S("/ ")+b.St.Text.S(canvas.SanitizeLine(b.filter.input.Value()))+b.St.Faint.S("  "+keys.Name(b.filter.clear())+" clears"), b.W)
}

// FilterCursor returns the terminal's cursor relative to the pane while the user types a filter,
// else nil.
func (b *Base) FilterCursor() *tea.Cursor {
	if b.filter == nil || !b.filter.typing || b.filterHeight() == 0 {
		return nil
	}
	return b.filter.input.Cursor(0, b.H-1, b.W, b.H)
}
