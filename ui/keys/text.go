package keys

import "charm.land/bubbles/v2/key"

// Text are the keys that edit text, the same in every input of a screen. Inputs read them when a key is
// pressed, so that a choice of the user works in all of them. An input leaves out those that it has no
// use for.
type Text struct {
	Up, Down, Left, Right, PageUp, PageDown         key.Binding
	LineStart, LineEnd, TextStart, TextEnd          key.Binding
	WordLeft, WordRight                             key.Binding
	Newline, Backspace, Delete                      key.Binding
	DeleteWord, DeleteNextWord, DeleteEnd, DeleteTo key.Binding
	Yank, Undo                                      key.Binding
}

// TextKeys returns the keys that edit text, before the user changes any.
func TextKeys() *Text {
	return &Text{
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

// Sections returns the settings of the keys, in the order of the help: first those of every input, then
// those that the text field does not have.
func (t *Text) Sections() []Section {
	return []Section{
		{Name: "text", Scope: InInputs, Map: named(
			&t.LineStart, &t.LineEnd, &t.WordLeft, &t.WordRight, &t.TextStart, &t.TextEnd,
			&t.DeleteWord, &t.DeleteNextWord, &t.DeleteTo, &t.DeleteEnd, &t.Yank,
			&t.Left, &t.Right, &t.Up, &t.Down, &t.PageUp, &t.PageDown, &t.Backspace, &t.Delete,
		)},
		{Name: "text", Scope: InEditors, Map: named(&t.Newline, &t.Undo)},
	}
}

// Help returns the keys in the order of the help: those of every input, and those that the text field
// does not have.
func (t *Text) Help() (groups [][]key.Binding) {
	for _, s := range t.Sections() {
		var group []key.Binding
		for _, b := range s.Map {
			group = append(group, *b.Binding)
		}
		groups = append(groups, group)
	}
	return groups
}

// Moved says for [Section.Gone] that an action that edits text has its keys here, by the names that
// it had in another section.
func (t *Text) Moved(except ...string) map[string]string {
	gone := map[string]string{}
	for _, s := range t.Sections() {
		for _, b := range s.Map {
			gone[b.Name] = "use keys.text." + b.Name
		}
	}
	for _, name := range except {
		delete(gone, name)
	}
	return gone
}
