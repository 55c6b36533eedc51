// Package field has the text inputs of the panes: a [Field] of one line and an [Area] of
// several.
//
// Both use the inputs of Bubbles. They move and delete by grapheme cluster, can insert again
// what was cut last, and disable the keys that read the clipboard of this machine, panic or
// loop.
package field

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// Options are the differences between fields.
type Options struct {
	Prompt string // before the text
	Glyph  bool   // the prompt is the glyph of the styles
	Hint   string // shown while there is no text
	Limit  int    // of characters, 0 for none
	Masked bool   // each character is shown as a bullet
}

// A Field is a text input of one line. Typed and pasted text loses line ends, control
// characters and escape sequences.
type Field struct {
	in    textinput.Model
	keys  *keys.Text
	glyph bool
	cut   string // inserted again
}

// New returns an empty field.
func New(st *styles.Styles, o Options) Field {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.Prompt, in.CharLimit = o.Prompt, o.Limit
	f := Field{in: in, glyph: o.Glyph, keys: st.Editing}
	f.SetHint(o.Hint)
	f.SetMasked(o.Masked)
	f.SetStyles(st)
	return f
}

// bind takes the keys as the user has chosen them. The others of Bubbles have none: one reads the
// clipboard of this machine, one panics on the last character, and there are no suggestions.
func (f *Field) bind() {
	f.in.KeyMap = textinput.KeyMap{
		CharacterBackward: f.keys.Left, CharacterForward: f.keys.Right, WordBackward: f.keys.WordLeft, WordForward: f.keys.WordRight,
		LineStart: f.keys.LineStart, LineEnd: f.keys.LineEnd,
		DeleteCharacterBackward: f.keys.Backspace, DeleteCharacterForward: f.keys.Delete,
		DeleteWordBackward: f.keys.DeleteWord, DeleteAfterCursor: f.keys.DeleteEnd, DeleteBeforeCursor: f.keys.DeleteTo,
	}
}

// SetStyles changes the styles.
func (f *Field) SetStyles(st *styles.Styles) {
	f.in.SetStyles(st.Input())
	f.in.EchoCharacter = []rune(st.G[styles.Bullet])[0]
	if f.glyph {
		f.in.Prompt = st.G[styles.Prompt] + " "
	}
}

// SetPrompt changes the prompt.
func (f *Field) SetPrompt(prompt string) { f.in.Prompt = prompt }

// SetHint changes the text that is shown while there is none.
func (f *Field) SetHint(hint string) { f.in.Placeholder = hint }

// SetMasked hides or shows the text. Text that is cut from a masked field cannot be inserted
// again.
func (f *Field) SetMasked(on bool) {
	f.in.EchoMode = textinput.EchoNormal
	if on {
		f.in.EchoMode = textinput.EchoPassword
	}
}

// Masked reports whether the text is hidden.
func (f *Field) Masked() bool { return f.in.EchoMode == textinput.EchoPassword }

// SetWidth sets the width to w cells, including the prompt and one cell for the cursor behind
// the text.
func (f *Field) SetWidth(w int) { f.in.SetWidth(max(1, w-canvas.Width(f.in.Prompt)-1)) }

// Focus makes the field take keys and show the cursor.
func (f *Field) Focus() { f.in.Focus() } // its command blinks a cursor that is not used

// Blur makes the field ignore keys and hide the cursor.
func (f *Field) Blur() { f.in.Blur() }

// Value returns the text.
func (f *Field) Value() string { return f.in.Value() }

// SetValue replaces the text and puts the cursor behind it.
func (f *Field) SetValue(text string) {
	f.in.SetValue(text)
	f.in.CursorEnd()
}

// Reset empties the field.
func (f *Field) Reset() { f.in.Reset() }

// Position returns the number of characters before the cursor.
func (f *Field) Position() int { return f.in.Position() }

// SetCursor puts the cursor behind n characters.
func (f *Field) SetCursor(n int) { f.in.SetCursor(n) }

// CursorEnd puts the cursor behind the text.
func (f *Field) CursorEnd() { f.in.CursorEnd() }

// Key handles a key press, and reports whether the text changed.
func (f *Field) Key(msg tea.KeyPressMsg) (changed bool) {
	f.bind()
	before, k := f.Value(), f.keys
	switch {
	case key.Matches(msg, k.Yank):
		return f.Paste(f.cut)
	case key.Matches(msg, k.DeleteWord, k.DeleteTo, k.DeleteEnd):
		f.update(msg, 1)
		if cut := removed(before, f.Value()); cut != "" && f.in.EchoMode == textinput.EchoNormal {
			f.cut = cut
		}
	case key.Matches(msg, k.Left, k.Backspace):
		n, _ := Cluster(before, f.Position())
		f.update(msg, n)
	case key.Matches(msg, k.Right, k.Delete):
		_, n := Cluster(before, f.Position())
		f.update(msg, n)
	default:
		msg.Text = canvas.SanitizeTyped(msg.Text)
		f.update(msg, 1)
	}
	return f.Value() != before
}

// Paste inserts text at the cursor, and reports whether the text changed. Line ends become
// spaces.
func (f *Field) Paste(text string) (changed bool) {
	before := f.Value()
	f.update(tea.PasteMsg{Content: canvas.SanitizeTyped(text)}, 1)
	return f.Value() != before
}

// update passes a message n times to the input, at least once.
func (f *Field) update(msg tea.Msg, n int) {
	for range max(1, n) {
		f.in, _ = f.in.Update(msg)
	}
}

// View returns the field as one row.
func (f *Field) View() string { return f.in.View() }

// Cursor returns the terminal's cursor in a pane of w columns and h rows in which the field
// begins at x, y; nil if the field has no focus or the pane no room.
func (f *Field) Cursor(x, y, w, h int) *tea.Cursor {
	cur := f.in.Cursor()
	if cur == nil || w <= 0 || h <= 0 {
		return nil
	}
	// Bubbles counts characters, not cells, and does not tell how far a long text is scrolled.
	if text := []rune(f.Value()); canvas.Width(string(text)) <= f.in.Width() {
		cur.X = canvas.Width(f.in.Prompt) + canvas.Width(string(text[:f.Position()]))
	}
	cur.X = max(0, min(x+cur.X, w-1))
	cur.Y = max(0, min(y, h-1))
	return cur
}
