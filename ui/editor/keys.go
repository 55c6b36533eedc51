package editor

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the keys that move the cursor and delete.
type KeyMap struct {
	Up, Down, Left, Right, PageUp, PageDown         key.Binding
	LineStart, LineEnd, TextStart, TextEnd          key.Binding
	WordLeft, WordRight                             key.Binding
	Newline, Backspace, Delete                      key.Binding
	DeleteWord, DeleteNextWord, DeleteEnd, DeleteTo key.Binding
	Yank, Undo                                      key.Binding
}

// DefaultKeyMap returns the default keys.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up: keys.Bind("up", "up", "up"), Down: keys.Bind("down", "down", "down"),
		Left: keys.Bind("left", "left", "left", "ctrl+b"), Right: keys.Bind("right", "right", "right", "ctrl+f"),
		PageUp: keys.Bind("pgup", "page up", "pgup"), PageDown: keys.Bind("pgdown", "page down", "pgdown"),
		LineStart: keys.Bind("home", "line start", "home", "ctrl+a"), LineEnd: keys.Bind("end", "line end", "end", "ctrl+e"),
		TextStart: keys.Bind("alt+<", "text start", "alt+<", "ctrl+home"), TextEnd: keys.Bind("alt+>", "text end", "alt+>", "ctrl+end"),
		WordLeft:       keys.Bind("alt+left", "previous word", "alt+left", "alt+b", "ctrl+left"),
		WordRight:      keys.Bind("alt+right", "next word", "alt+right", "alt+f", "ctrl+right"),
		Newline:        keys.Bind("enter", "new line", "enter", "ctrl+j", "ctrl+m"),
		Backspace:      keys.Bind("backspace", "delete character before", "backspace", "ctrl+h", "shift+backspace"),
		Delete:         keys.Bind("delete", "delete", "delete", "ctrl+d"),
		DeleteWord:     keys.Bind("alt+backspace", "delete word before", "alt+backspace", "ctrl+w"),
		DeleteNextWord: keys.Bind("alt+d", "delete word", "alt+d", "alt+delete"),
		DeleteEnd:      keys.Bind("ctrl+k", "delete to line end", "ctrl+k"), DeleteTo: keys.Bind("ctrl+u", "delete to line start", "ctrl+u"),
		Yank: keys.Yank(),
		Undo: keys.Bind("alt+u", "undo", "alt+u", "ctrl+_", "ctrl+z"),
	}
}

// Help returns the keys for the full help.
func (k *KeyMap) Help() []key.Binding {
	return []key.Binding{
		k.LineStart, k.LineEnd, k.TextStart, k.TextEnd, k.WordLeft, k.WordRight, k.DeleteWord, k.DeleteNextWord, k.DeleteEnd, k.DeleteTo, k.Yank, k.Undo,
	}
}

// Key moves the cursor or edits the text, and reports whether the key does that.
func (e *Editor) Key(msg tea.KeyPressMsg, k KeyMap) bool {
	return e.moveKey(msg, &k) || e.deleteKey(msg, &k)
}

// moveKey moves the cursor and reports whether the key does that.
func (e *Editor) moveKey(msg tea.KeyPressMsg, k *KeyMap) bool {
	page := max(1, e.h-1)
	switch {
	case key.Matches(msg, k.Up):
		e.Vertical(-1)
	case key.Matches(msg, k.Down):
		e.Vertical(1)
	case key.Matches(msg, k.PageUp):
		e.Vertical(-page)
	case key.Matches(msg, k.PageDown):
		e.Vertical(page)
	case key.Matches(msg, k.Left):
		e.leftward()
	case key.Matches(msg, k.Right):
		e.right()
	case key.Matches(msg, k.LineStart):
		e.GoTo(e.Row, 0)
	case key.Matches(msg, k.LineEnd):
		e.GoTo(e.Row, len(e.Line()))
	case key.Matches(msg, k.TextStart):
		e.GoTo(0, 0)
	case key.Matches(msg, k.TextEnd):
		e.GoTo(len(e.Lines), 0)
		e.GoTo(e.Row, len(e.Line()))
	case key.Matches(msg, k.WordLeft):
		e.GoTo(e.Row, e.wordLeft())
	case key.Matches(msg, k.WordRight):
		e.GoTo(e.Row, e.wordRight())
	default:
		return false
	}
	return true
}

// deleteKey deletes or inserts text and reports whether the key does that.
func (e *Editor) deleteKey(msg tea.KeyPressMsg, k *KeyMap) bool {
	switch {
	case key.Matches(msg, k.Newline):
		e.newline()
	case key.Matches(msg, k.Backspace):
		e.backspace()
	case key.Matches(msg, k.Delete):
		e.remove()
	case key.Matches(msg, k.DeleteWord):
		e.cutOut(e.wordLeft())
	case key.Matches(msg, k.DeleteNextWord):
		e.cutOut(e.wordRight())
	case key.Matches(msg, k.DeleteEnd):
		e.cutOut(len(e.Line()))
	case key.Matches(msg, k.Yank):
		e.Insert(e.cutText)
	case key.Matches(msg, k.Undo):
		e.TakeBack()
	case key.Matches(msg, k.DeleteTo):
		e.cutOut(0)
	default:
		return false
	}
	return true
}
