package ui

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/control/outbox"
	"parley/ui/control/records"
	"parley/ui/keys"
)

// keyMap holds the keys that work everywhere. They are chords or function keys,
// so that they never type a character; z, <, > and ? work outside text fields
// only.
type keyMap struct {
	Next, Prev                 key.Binding
	Find, New, Cancel          key.Binding
	Theme, Mouse, Help         key.Binding
	Quit, Suspend, Back        key.Binding
	Zoom, ZoomAny, Left, Right key.Binding
	HelpAny                    key.Binding
	sheetKeys
	attendKeys
	Acting records.Keys
	Turn   outbox.TurnKeys
}

// attendKeys are about what waits for the user.
type attendKeys struct{ Waiting, Link, Form key.Binding }

// sheetKeys show what lies over the panes.
type sheetKeys struct{ Card, Tasks, Push, Credentials, Findings key.Binding }

func defaultKeys() keyMap {
	return keyMap{
		Next:    keys.Bind("tab", "pane"),
		Prev:    keys.Bind("shift+tab", "pane back"),
		Find:    keys.Bind("ctrl+p", "find"),
		New:     keys.Bind("ctrl+n", "new"),
		Cancel:  keys.Bind("ctrl+x", "cancel task"),
		Theme:   keys.Bind("alt+t", "theme"),
		Mouse:   keys.Bind("alt+m", "mouse on/off"),
		Help:    keys.Bind("f1", "help"),
		HelpAny: keys.Bind("?", "help"),
		sheetKeys: sheetKeys{
			Card:        keys.Bind("f2", "card"),
			Tasks:       keys.Bind("f3", "tasks"),
			Push:        keys.Bind("f4", "webhooks"),
			Credentials: keys.Bind("f5", "credentials"),
			Findings:    keys.Bind("F", "findings"),
		},
		attendKeys: attendKeys{
			Waiting: keys.Bind("ctrl+g", "waiting"),
			Link:    keys.Bind("alt+o", "open link"),
			Form:    keys.Bind("alt+i", "form"),
		},
		Acting: records.Keys{
			Edit:   keys.Bind("e", "edit & resend"),
			CopyAs: keys.Bind("c", "copy as"),
			Faults: keys.Bind("!", "fault bench"),
		},
		Turn: outbox.TurnKeys{
			Quote: keys.Bind("Q", "quote"),
			Again: keys.Bind("E", "edit message & resend"),
			Fork:  keys.Bind("B", "fork (branch) from here"),
		},
		Quit:    keys.Bind("ctrl+c", "clear, again quits"),
		Suspend: keys.Bind("ctrl+z", "suspend"),
		Back:    keys.Bind("esc", "back"),
		Zoom:    keys.Bind("z", "zoom"),
		ZoomAny: keys.Bind("alt+z", "zoom"),
		Left:    keys.Bind("<", "border left"),
		Right:   keys.Bind(">", "border right"),
	}
}

// everywhere lists the keys that work wherever the focus is, for the help.
func (k keyMap) everywhere() [][]key.Binding {
	return [][]key.Binding{
		{k.Next, k.Prev, k.Find, k.Waiting, k.Link, k.Form, k.New, k.Cancel, k.Card, k.Tasks, k.Push, k.Credentials},
		{k.Help, k.ZoomAny, k.Theme, k.Mouse, k.Suspend, k.Quit},
	}
}

// turns lists those that act on the turn under the cursor.
func (k keyMap) turns() [][]key.Binding {
	return [][]key.Binding{{k.Turn.Quote, k.Turn.Again, k.Turn.Fork}}
}

// outside lists those that work where nothing is typed.
func (k keyMap) outside() [][]key.Binding {
	return [][]key.Binding{{k.Back, k.HelpAny, k.Findings, k.Zoom}, {k.Left, k.Right}}
}
