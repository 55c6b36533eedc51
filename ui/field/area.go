package field

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/ui/keys"
)

// An Area is a text area of several lines, without limits and without colours.
type Area struct {
	textarea.Model
}

// NewArea returns an empty, focused area. Each row begins with indent spaces.
func NewArea(indent int) Area {
	a := Area{textarea.New()}
	a.ShowLineNumbers = false
	a.MaxHeight, a.MaxWidth = 0, 0 // no limit
	if a.Prompt = ""; indent > 0 {
		a.SetPromptFunc(indent, func(textarea.PromptInfo) string { return strings.Repeat(" ", indent) })
	}
	a.SetVirtualCursor(false)
	k, text := &a.KeyMap, keys.TextKeys()
	k.Paste.Unbind() // it would read the clipboard of this machine
	k.CharacterBackward, k.CharacterForward, k.WordBackward, k.WordForward = text.Left, text.Right, text.WordLeft, text.WordRight
	k.LineStart, k.LineEnd, k.InputBegin, k.InputEnd = text.LineStart, text.LineEnd, text.TextStart, text.TextEnd
	k.DeleteCharacterBackward, k.DeleteCharacterForward = text.Backspace, text.Delete
	k.DeleteWordBackward, k.DeleteWordForward, k.DeleteAfterCursor, k.DeleteBeforeCursor = text.DeleteWord, text.DeleteNextWord, text.DeleteEnd, text.DeleteTo
	plain := textarea.StyleState{Base: lipgloss.NewStyle()}
	a.SetStyles(textarea.Styles{
		Focused: plain, Blurred: plain,
		Cursor: textarea.CursorStyle{Shape: tea.CursorBlock, Blink: true},
	})
	a.Focus() // its command blinks a cursor that is not used
	return a
}

// Key handles a key press. It returns the text that the key cut by the word or to an end of the
// line.
func (a *Area) Key(msg tea.KeyPressMsg) (cut string) {
	before, k := a.Value(), &a.KeyMap
	if key.Matches(msg, k.WordBackward) && !a.wordBefore() {
		a.MoveToBegin() // the text area would search for a word without end
		return ""
	}
	line := strings.Split(before, "\n")[a.Line()]
	for range a.steps(msg, line) {
		a.Model, _ = a.Update(msg)
	}
	if key.Matches(msg, k.DeleteWordBackward, k.DeleteWordForward, k.DeleteBeforeCursor, k.DeleteAfterCursor) {
		return removed(before, a.Value())
	}
	return ""
}

// steps returns how often the text area needs a key so that it passes or deletes one grapheme
// cluster.
func (a *Area) steps(msg tea.KeyPressMsg, line string) int {
	k := &a.KeyMap
	switch before, behind := Cluster(line, a.Column()); {
	case key.Matches(msg, k.CharacterBackward, k.DeleteCharacterBackward):
		return max(1, before)
	case key.Matches(msg, k.CharacterForward, k.DeleteCharacterForward):
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
