package ui

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/control/outbox"
	"parley/ui/control/records"
	"parley/ui/keys"
)

// keyMap has the keys that work everywhere. They are chords or function keys, so that they
// never type a character; z, <, > and ? work outside text fields only.
type keyMap struct {
	Next, Prev                 key.Binding
	Find, New, Cancel          key.Binding
	Write, WriteAny, Prefix    key.Binding
	Theme, Mouse, Help         key.Binding
	Quit, Suspend, Back        key.Binding
	Zoom, ZoomAny, Left, Right key.Binding
	HelpAny                    key.Binding
	sheetKeys
	attendKeys
	Acting records.Keys
	Turn   outbox.TurnKeys
}

// attendKeys are the keys for waiting tasks.
type attendKeys struct{ Waiting, Link, Form key.Binding }

// sheetKeys open sheets.
type sheetKeys struct{ Card, Tasks, Push, Credentials, Lanes, Findings key.Binding }

func defaultKeys() keyMap {
	return keyMap{
		Next: keys.Bind("tab", "next pane"),
		Prev: keys.Bind("shift+tab", "previous pane"),
		Find: keys.Bind("ctrl+p", "find anything", "ctrl+p", "f7"),
		// WriteAny works outside text fields, where it has no other meaning.
		Write:    keys.Bind("ctrl+l", "write message"),
		WriteAny: keys.Bind("i", "write message"),
		// Prefix is for terminals that send no alt.
		Prefix:  keys.Bind("ctrl+o", "press next key with alt"),
		New:     keys.Bind("ctrl+n", "new conversation"),
		Cancel:  keys.Bind("ctrl+x", "cancel task"),
		Theme:   keys.Bind("alt+t", "next theme"),
		Mouse:   keys.Bind("alt+m", "toggle mouse"),
		Help:    keys.Bind("f1", "show help"),
		HelpAny: keys.Bind("?", "show help"),
		sheetKeys: sheetKeys{
			Card:        keys.Bind("f2", "show card"),
			Tasks:       keys.Bind("f3", "list tasks"),
			Push:        keys.Bind("f4", "show webhooks"),
			Credentials: keys.Bind("f5", "enter credentials"),
			Lanes:       keys.Bind("f6", "show lanes"),
			Findings:    keys.Bind("F", "show findings"),
		},
		attendKeys: attendKeys{
			Waiting: keys.Bind("ctrl+g", "go to waiting task"),
			Link:    keys.Bind("alt+o", "open link"),
			Form:    keys.Bind("alt+i", "fill in form"),
		},
		Acting: records.Keys{
			Edit:   keys.Bind("e", "edit and resend request"),
			CopyAs: keys.Bind("c", "copy exchange"),
			Faults: keys.Bind("!", "inject faults"),
			Stream: keys.Bind("s", "show stream"),
		},
		Turn: outbox.TurnKeys{
			Quote: keys.Bind("Q", "quote text"),
			Again: keys.Bind("E", "edit and resend message"),
			Fork:  keys.Bind("B", "fork turn"),
		},
		Quit:    keys.Bind("ctrl+c", "clear text, then quit"),
		Suspend: keys.Bind("ctrl+z", "suspend Parley"),
		Back:    keys.Bind("esc", "go back"),
		Zoom:    keys.Bind("z", "zoom pane"),
		ZoomAny: keys.Bind("alt+z", "zoom pane"),
		Left:    keys.Bind("<", "move border left"),
		Right:   keys.Bind(">", "move border right"),
	}
}

// everywhere returns the keys that work wherever the focus is, for the help.
func (k keyMap) everywhere() [][]key.Binding {
	return [][]key.Binding{
		{k.Write, k.Next, k.Prev, k.Find, k.Waiting, k.Link, k.Form, k.New, k.Cancel, k.Card, k.Tasks, k.Push, k.Credentials, k.Lanes},
		{k.Help, k.ZoomAny, k.Theme, k.Mouse, k.Prefix, k.Suspend, k.Quit},
	}
}

// turns returns the keys for the turn under the cursor.
func (k keyMap) turns() [][]key.Binding {
	return [][]key.Binding{{k.Turn.Quote, k.Turn.Again, k.Turn.Fork}}
}

// outside returns the keys that work outside text fields.
func (k keyMap) outside() [][]key.Binding {
	return [][]key.Binding{{k.WriteAny, k.Back, k.HelpAny, k.Findings, k.Zoom}, {k.Left, k.Right}}
}
