package keys

import "charm.land/bubbles/v2/key"

// Text are the keys that edit text, the same in every input. An input leaves out those that it has no
// use for.
type Text struct {
	Up, Down, Left, Right, PageUp, PageDown         key.Binding
	LineStart, LineEnd, TextStart, TextEnd          key.Binding
	WordLeft, WordRight                             key.Binding
	Newline, Backspace, Delete                      key.Binding
	DeleteWord, DeleteNextWord, DeleteEnd, DeleteTo key.Binding
	Yank, Undo                                      key.Binding
}

// TextKeys returns the keys that edit text.
func TextKeys() Text {
	return Text{
		Up: Bind("up", "up"), Down: Bind("down", "down"),
		Left: Bind("left", "left", "left", "ctrl+b"), Right: Bind("right", "right", "right", "ctrl+f"),
		PageUp: Bind("pgup", "page up"), PageDown: Bind("pgdown", "page down"),
		LineStart: Bind("home", "line start", "home", "ctrl+a"), LineEnd: Bind("end", "line end", "end", "ctrl+e"),
		TextStart: Bind("alt+<", "text start", "alt+<", "ctrl+home"), TextEnd: Bind("alt+>", "text end", "alt+>", "ctrl+end"),
		WordLeft:       Bind("alt+left", "previous word", "alt+left", "alt+b", "ctrl+left"),
		WordRight:      Bind("alt+right", "next word", "alt+right", "alt+f", "ctrl+right"),
		Newline:        Bind("enter", "new line", "enter", "ctrl+j", "ctrl+m"),
		Backspace:      Bind("backspace", "delete character before", "backspace", "ctrl+h", "shift+backspace"),
		Delete:         Bind("delete", "delete", "delete", "ctrl+d"),
		DeleteWord:     Bind("alt+backspace", "delete word before", "alt+backspace", "ctrl+w"),
		DeleteNextWord: Bind("alt+d", "delete word", "alt+d", "alt+delete"),
		DeleteEnd:      Bind("ctrl+k", "delete to line end"), DeleteTo: Bind("ctrl+u", "delete to line start"),
		Yank: Bind("ctrl+y", "paste cut text"),
		Undo: Bind("alt+u", "undo", "alt+u", "ctrl+_", "ctrl+z"),
	}
}
