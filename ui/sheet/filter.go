package sheet

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A Filter narrows the list of a pane to the rows that contain some words. Its line is the last
// row of the pane.
type Filter struct {
	input  field.Field
	typing bool
}

// NewFilter returns a filter without words.
func NewFilter(st *styles.Styles) Filter {
	return Filter{input: field.New(st, field.Options{Prompt: "/ "})}
}

// Input returns the input, for [New].
func (f *Filter) Input() *field.Field { return &f.input }

// FilterKey returns the key that opens a filter of things.
func FilterKey(things string) key.Binding { return keys.Bind("/", "filter "+things) }

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

// TypingKeys returns the keys while the user types.
func (f *Filter) TypingKeys() []key.Binding {
	return []key.Binding{keys.Bind("enter", "keep filter"), keys.Bind("esc", "clear filter", "esc", "ctrl+c")}
}

// Key handles a key press while the user types.
func (f *Filter) Key(msg tea.KeyPressMsg) {
	k := f.TypingKeys()
	switch {
	case key.Matches(msg, k[1]):
		f.input.Reset()
		fallthrough
	case key.Matches(msg, k[0]):
		f.typing = false
		f.input.Blur()
	default:
		f.input.Key(msg)
	}
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

// Room returns the height of the pane without the line of the filter.
func (b *Base) Room() int { return b.H - b.filterHeight() }

// filterRow draws the line of the filter.
func (b *Base) filterRow() string {
	if b.filter.typing {
		return canvas.Fit(b.filter.input.View(), b.W)
	}
	return canvas.Fit(b.St.Accent.S("/ ")+b.St.Text.S(canvas.SanitizeLine(b.filter.input.Value()))+b.St.Faint.S("  "+keys.Name(b.filter.TypingKeys()[1])+" clears"), b.W)
}

// FilterCursor returns the terminal's cursor relative to the pane while the user types a filter,
// else nil.
func (b *Base) FilterCursor() *tea.Cursor {
	if b.filter == nil || !b.filter.typing || b.filterHeight() == 0 {
		return nil
	}
	return b.filter.input.Cursor(0, b.H-1, b.W, b.H)
}
