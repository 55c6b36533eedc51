package keys

import "charm.land/bubbles/v2/key"

// Chords are the keys that work wherever the focus is. Panes and controllers name them in texts.
type Chords struct {
	Write, Next, Prev, Find, Waiting, Link, Form, New, Cancel key.Binding
	Card, Tasks, Push, Credentials, Lanes                     key.Binding
	Help, ZoomAny, Theme, Mouse, Prefix, Suspend, Quit        key.Binding
}

// DefaultChords returns the default keys. They never type a character.
func DefaultChords() Chords {
	return Chords{
		Write:       Bind("ctrl+l", "write message"),
		Next:        Bind("tab", "next pane"),
		Prev:        Bind("shift+tab", "previous pane"),
		Find:        Bind("ctrl+p", "find anything", "ctrl+p", "f7"),
		Waiting:     Bind("ctrl+g", "go to waiting task"),
		Link:        Bind("alt+o", "open link"),
		Form:        Bind("alt+i", "fill in form"),
		New:         Bind("ctrl+n", "new conversation"),
		Cancel:      Bind("ctrl+x", "cancel task"),
		Card:        Bind("f2", "show card"),
		Tasks:       Bind("f3", "list tasks"),
		Push:        Bind("f4", "show webhooks"),
		Credentials: Bind("f5", "sign in"),
		Lanes:       Bind("f6", "show lanes"),
		Help:        Bind("f1", "show help"),
		ZoomAny:     Bind("alt+z", "zoom pane"),
		Theme:       Bind("alt+t", "choose theme"),
		Mouse:       Bind("alt+m", "toggle mouse"),
		Prefix:      Bind("ctrl+o", "press next key with alt"), // for terminals that send no alt
		Suspend:     Bind("ctrl+z", "suspend Parley"),
		Quit:        Bind("ctrl+c", "clear text, then quit"),
	}
}

// All returns the keys as the help groups them.
func (c Chords) All() [][]key.Binding {
	return [][]key.Binding{
		{c.Write, c.Next, c.Prev, c.Find, c.Waiting, c.Link, c.Form, c.New, c.Cancel, c.Card, c.Tasks, c.Push, c.Credentials, c.Lanes},
		{c.Help, c.ZoomAny, c.Theme, c.Mouse, c.Prefix, c.Suspend, c.Quit},
	}
}

// Name returns the key of a binding, for a text: texts name keys by this function alone, because
// the user's settings can change them.
func Name(b key.Binding) string { return b.Help().Key }
