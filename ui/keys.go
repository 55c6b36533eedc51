package ui

import "charm.land/bubbles/v2/key"

// keyMap holds the keys that work everywhere. They are chords or function keys,
// so that they never type a character; z, <, > and ? work outside text fields
// only.
type keyMap struct {
	Next, Prev                 key.Binding
	Find, Waiting, New, Cancel key.Binding
	Card, Theme, Mouse, Help   key.Binding
	Quit, Suspend, Back        key.Binding
	Zoom, ZoomAny, Left, Right key.Binding
	HelpAny                    key.Binding
}

func bind(help, desc string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, desc))
}

func defaultKeys() keyMap {
	return keyMap{
		Next:    bind("tab", "pane", "tab"),
		Prev:    bind("shift+tab", "pane back", "shift+tab"),
		Find:    bind("ctrl+p", "find", "ctrl+p"),
		Waiting: bind("ctrl+g", "waiting", "ctrl+g"),
		New:     bind("ctrl+n", "new", "ctrl+n"),
		Cancel:  bind("ctrl+x", "cancel task", "ctrl+x"),
		Card:    bind("f2", "card", "f2"),
		Theme:   bind("alt+t", "theme", "alt+t"),
		Mouse:   bind("alt+m", "mouse on/off", "alt+m"),
		Help:    bind("f1", "help", "f1"),
		HelpAny: bind("?", "help", "?"),
		Quit:    bind("ctrl+c", "clear, again quits", "ctrl+c"),
		Suspend: bind("ctrl+z", "suspend", "ctrl+z"),
		Back:    bind("esc", "back", "esc"),
		Zoom:    bind("z", "zoom", "z"),
		ZoomAny: bind("alt+z", "zoom", "alt+z"),
		Left:    bind("<", "border left", "<"),
		Right:   bind(">", "border right", ">"),
	}
}

// everywhere lists the keys that work wherever the focus is, for the help.
func (k keyMap) everywhere() [][]key.Binding {
	return [][]key.Binding{
		{k.Next, k.Prev, k.Find, k.Waiting, k.New, k.Cancel, k.Card},
		{k.Help, k.ZoomAny, k.Theme, k.Mouse, k.Suspend, k.Quit},
	}
}

// outside lists those that work where nothing is typed.
func (k keyMap) outside() [][]key.Binding {
	return [][]key.Binding{{k.Back, k.HelpAny, k.Zoom}, {k.Left, k.Right}}
}
