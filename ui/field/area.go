package field

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/ui/keys"
	"parley/ui/styles"
)

// An Area is a text area of several lines, without limits and without colours.
type Area struct {
	textarea.Model
	keys *keys.Text
}

// NewArea returns an empty, focused area with the keys of the styles. Each row begins with indent
// spaces.
func NewArea(st *styles.Styles, indent int) Area {
	a := Area{textarea.New(), st.Editing}
	a.ShowLineNumbers = false
	a.MaxHeight, a.MaxWidth = 0, 0 // no limit
	if a.Prompt = ""; indent > 0 {
		a.SetPromptFunc(indent, func(textarea.PromptInfo) string { return strings.Repeat(" ", indent) })
	}
	a.SetVirtualCursor(false)
	plain := textarea.StyleState{Base: lipgloss.NewStyle()}
	a.SetStyles(textarea.Styles{
		Focused: plain, Blurred: plain,
		Cursor: textarea.CursorStyle{Shape: tea.CursorBlock, Blink: true},
	})
	a.Focus() // its command blinks a cursor that is not used
	return a
}

// bind takes the keys as the user has chosen them. The others of Bubbles have none: one reads the
// clipboard of this machine, and whether a key breaks the line depends on the pane.
func (a *Area) bind() {
	k := a.keys
	a.KeyMap = textarea.KeyMap{
		CharacterBackward: k.Left, CharacterForward: k.Right, WordBackward: k.WordLeft, WordForward: k.WordRight,
		LinePrevious: k.Up, LineNext: k.Down, PageUp: k.PageUp, PageDown: k.PageDown,
		LineStart: k.LineStart, LineEnd: k.LineEnd, InputBegin: k.TextStart, InputEnd: k.TextEnd,
		DeleteCharacterBackward: k.Backspace, DeleteCharacterForward: k.Delete,
		DeleteWordBackward: k.DeleteWord, DeleteWordForward: k.DeleteNextWord, DeleteAfterCursor: k.DeleteEnd, DeleteBeforeCursor: k.DeleteTo,
	}
}

// Key handles a key press. It returns the text that the key cut by the word or to an end of the
// line.
func (a *Area) Key(msg tea.KeyPressMsg) (cut string) {
	a.bind()
	before, k := a.Value(), a.keys
	if key.Matches(msg, k.WordLeft) && !a.wordBefore() {
		a.MoveToBegin() // the text area would search for a word without end
		return ""
	}
	line := strings.Split(before, "\n")[a.Line()]
	for range a.steps(msg, line) {
		a.Model, _ = a.Update(msg)
	}
	if key.Matches(msg, k.DeleteWord, k.DeleteNextWord, k.DeleteTo, k.DeleteEnd) {
		return removed(before, a.Value())
	}
	return ""
}

// steps returns how often the text area needs a key so that it passes or deletes one grapheme
// cluster.
func (a *Area) steps(msg tea.KeyPressMsg, line string) int {
	k := a.keys
	switch before, behind := Cluster(line, a.Column()); {
	case key.Matches(msg, k.Left, k.Backspace):
		return max(1, before)
	case key.Matches(msg, k.Right, k.Delete):
		return max(1, behind)
	default:
		return 1
	}
}

// wordBefore reports whether there is anything but space before the cursor.
func (a *Area) wordBefore() bool {
	lines := strings.SplitAfter(a.Value(), "\n")
	row := min(a.Line(), len(lines)-1)
	line := []rune(lines[row])
	before := strings.Join(lines[:row], "") + string(line[:min(a.Column(), len(line))])
	return strings.TrimSpace(before) != ""
}
