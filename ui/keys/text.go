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
		Up: bind("up", "up"), Down: bind("down", "down"),
		Left: bind("left", "left", "left", "ctrl+b"), Right: bind("right", "right", "right", "ctrl+f"),
		PageUp: bind("pgup", "page up"), PageDown: bind("pgdown", "page down"),
		LineStart: bind("home", "line start", "home", "ctrl+a"), LineEnd: bind("end", "line end", "end", "ctrl+e"),
		TextStart: bind("alt+<", "text start", "alt+<", "ctrl+home"), TextEnd: bind("alt+>", "text end", "alt+>", "ctrl+end"),
		WordLeft:       bind("alt+left", "previous word", "alt+left", "alt+b", "ctrl+left"),
		WordRight:      bind("alt+right", "next word", "alt+right", "alt+f", "ctrl+right"),
		Newline:        bind("enter", "new line", "enter", "ctrl+j", "ctrl+m"),
		Backspace:      bind("backspace", "delete character before", "backspace", "ctrl+h", "shift+backspace"),
		Delete:         bind("delete", "delete", "delete", "ctrl+d"),
		DeleteWord:     bind("alt+backspace", "delete word before", "alt+backspace", "ctrl+w"),
		DeleteNextWord: bind("alt+d", "delete word", "alt+d", "alt+delete"),
		DeleteEnd:      bind("ctrl+k", "delete to line end"), DeleteTo: bind("ctrl+u", "delete to line start"),
		Yank: bind("ctrl+y", "paste cut text"),
		Undo: bind("alt+u", "undo", "alt+u", "ctrl+_", "ctrl+z"),
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

// bind returns a binding that the help shows as shown, with the words does, and that the given keys
// press; without keys, shown itself is the key.
func bind(shown, does string, press ...string) key.Binding {
	if len(press) == 0 {
		press = []string{shown}
	}
	return key.NewBinding(key.WithKeys(press...), key.WithHelp(shown, does))
}
