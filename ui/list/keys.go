package list

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
)

// Keys are the bindings that move through a list. A list leaves those that it does not have
// empty.
type Keys struct{ Up, Down, PageUp, PageDown, First, Last key.Binding }

// DefaultKeys returns the bindings of a list in which letters are not text.
func DefaultKeys() Keys {
	return Keys{
		Up:       keys.Bind("k", "up", "k", "up"),
		Down:     keys.Bind("j", "down", "j", "down"),
		PageUp:   keys.Bind("pgup", "page up", "pgup", "ctrl+u"),
		PageDown: keys.Bind("pgdown", "page down", "pgdown", "ctrl+d", "space"),
		First:    keys.Bind("g", "first", "g", "home"),
		Last:     keys.Bind("G", "last", "G", "end"),
	}
}

// TextKeys returns the bindings of a text that scrolls.
func TextKeys() Keys {
	k := DefaultKeys()
	k.First.SetHelp(k.First.Help().Key, "top")
	k.Last.SetHelp(k.Last.Help().Key, "end")
	return k
}

// ShortKeys returns the bindings of a list that is seldom longer than its window.
func ShortKeys() Keys {
	k := DefaultKeys()
	k.PageUp, k.PageDown = key.Binding{}, key.Binding{}
	return k
}

// RowKeys returns the bindings of a list of few rows.
func RowKeys() Keys {
	k := DefaultKeys()
	return Keys{Up: k.Up, Down: k.Down}
}

// All returns the bindings in the order of the help.
func (k *Keys) All() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last}
}

// end is a distance greater than the length of any list.
const end = 1 << 30
