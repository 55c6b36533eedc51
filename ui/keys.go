package ui

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/control/outbox"
	"parley/ui/control/pair"
	"parley/ui/control/present"
	"parley/ui/control/records"
	"parley/ui/keys"
)

// keyMap has the keys of the root model: those that work everywhere, and letters that work
// outside text fields only.
type keyMap struct {
	keys.Chords
	WriteAny, Back, HelpAny, Findings, Zoom, Left, Right, Leave key.Binding

	Acting records.Keys
	Turn   outbox.TurnKeys
	Pair   pair.Keys

	Present present.Keys
}

func defaultKeys() keyMap {
	return keyMap{
		Chords:   keys.DefaultChords(),
		WriteAny: keys.Bind("i", "write message"), // where it has no other meaning
		Back:     keys.Bind("esc", "go back"),
		HelpAny:  keys.Bind("?", "show help"),
		Findings: keys.Bind("F", "show findings"),
		Zoom:     keys.Bind("z", "zoom pane"),
		Left:     keys.Bind("<", "move border left"),
		Right:    keys.Bind(">", "move border right"),
		Leave:    keys.Bind("q", "quit"),
		Acting: records.Keys{
			Edit:   keys.Bind("e", "edit and resend request"),
			CopyAs: keys.Bind("c", "copy exchange"),
			Faults: keys.Bind("!", "inject faults"),
			Stream: keys.Bind("s", "show stream"),
		},
		Pair: pair.Keys{
			Second: keys.Bind("f8", "show second conversation"),
			Other:  keys.Bind("f9", "go to other conversation"),
		},
		Present: present.DefaultKeys(),
		Turn: outbox.TurnKeys{
			Quote: keys.Bind("Q", "quote text"),
			Again: keys.Bind("E", "edit and resend message"),
			Fork:  keys.Bind("B", "fork turn"),
		},
	}
}

// All returns the keys that work wherever the focus is, for the help.
func (k keyMap) All() [][]key.Binding {
	all := k.Chords.All()
	all[0] = append(all[0], k.Pair.Second, k.Pair.Other)
	return append(all, k.Present.All())
}

// turns returns the keys for the turn under the cursor.
func (k keyMap) turns() [][]key.Binding {
	return [][]key.Binding{{k.Turn.Quote, k.Turn.Again, k.Turn.Fork}}
}

// outside returns the keys that work outside text fields.
func (k keyMap) outside() [][]key.Binding {
	return [][]key.Binding{{k.WriteAny, k.Back, k.HelpAny, k.Findings, k.Zoom}, {k.Left, k.Right, k.Leave}}
}
