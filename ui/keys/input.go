package keys

import (
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Yank is the key that inserts what was deleted last by the word or to an end of the line.
func Yank() key.Binding { return Bind("ctrl+y", "insert what was cut", "ctrl+y") }

// An Input is the text input of Bubbles that moves and deletes by what stands in one
// place on the screen, and can insert again what was cut last.
type Input struct {
	textinput.Model
	cut string
}

// NewInput returns an empty input without the keys that do harm.
func NewInput() Input {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.KeyMap.Paste.Unbind()             // would read the clipboard of this machine
	in.KeyMap.DeleteWordForward.Unbind() // panics on the last character
	return Input{Model: in}
}

// Update takes a message. What is cut from a masked input is not kept.
func (in Input) Update(msg tea.Msg) (Input, tea.Cmd) {
	k := &in.KeyMap
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return in.update(msg, 1)
	}
	switch {
	case key.Matches(press, Yank()):
		return in.update(tea.PasteMsg{Content: in.cut}, 1)
	case key.Matches(press, k.DeleteWordBackward, k.DeleteBeforeCursor, k.DeleteAfterCursor):
		before := in.Value()
		next, cmd := in.update(msg, 1)
		if cut := Removed(before, next.Value()); cut != "" && in.EchoMode == textinput.EchoNormal {
			next.cut = cut
		}
		return next, cmd
	case key.Matches(press, k.CharacterBackward, k.DeleteCharacterBackward):
		before, _ := Cluster(in.Value(), in.Position())
		return in.update(msg, before)
	case key.Matches(press, k.CharacterForward, k.DeleteCharacterForward):
		_, behind := Cluster(in.Value(), in.Position())
		return in.update(msg, behind)
	default:
		return in.update(msg, 1)
	}
}

// update gives the input below a message n times, and once at least.
func (in Input) update(msg tea.Msg, n int) (Input, tea.Cmd) {
	var cmd tea.Cmd
	for range max(1, n) {
		in.Model, cmd = in.Model.Update(msg)
	}
	return in, cmd
}

// AreaSteps is how often a text area of Bubbles must be given a key so that it moves over
// or deletes all that stands in one place. line is the cursor's line, col its character.
func AreaSteps(msg tea.KeyPressMsg, k textarea.KeyMap, line string, col int) int {
	switch before, behind := Cluster(line, col); {
	case key.Matches(msg, k.CharacterBackward, k.DeleteCharacterBackward):
		return max(1, before)
	case key.Matches(msg, k.CharacterForward, k.DeleteCharacterForward):
		return max(1, behind)
	default:
		return 1
	}
}

// Cluster returns how many characters before and behind the cursor stand in one place on
// the screen: those of an emoji that is joined of several, or of a letter with its marks.
// The cursor is before character col of the line.
func Cluster(line string, col int) (before, behind int) {
	for at := 0; line != ""; {
		c, _ := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
		if c == "" {
			_, size := utf8.DecodeRuneInString(line)
			c = line[:size]
		}
		end := at + utf8.RuneCountInString(c)
		if at < col {
			before = col - at
		}
		if end > col {
			return before, end - col
		}
		at, line = end, line[len(c):]
	}
	return min(before, col), 0
}

// Removed returns what a deletion took out of a text.
func Removed(before, after string) string {
	b, a := []rune(before), []rune(after)
	if len(a) >= len(b) {
		return ""
	}
	start := 0
	for start < len(a) && a[start] == b[start] {
		start++
	}
	return string(b[start : start+len(b)-len(a)])
}
