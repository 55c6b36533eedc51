package list

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

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

// SetEnabled enables or disables all bindings.
func (k *Keys) SetEnabled(on bool) {
	for _, b := range []*key.Binding{&k.Up, &k.Down, &k.PageUp, &k.PageDown, &k.First, &k.Last} {
		b.SetEnabled(on)
	}
}

// All returns the bindings in the order of the help.
func (k *Keys) All() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last}
}

// end is a distance greater than the length of any list.
const end = 1 << 30

// Distance returns how many rows a key moves in a window of h rows, and whether it is one of
// these keys. A page is one row shorter than the window, so that one row stays visible. The
// first and the last row are farther away than any list is long.
func (k *Keys) Distance(msg tea.KeyPressMsg, h int) (n int, ok bool) {
	page := max(1, h-1)
	switch {
	case key.Matches(msg, k.Up):
		return -1, true
	case key.Matches(msg, k.Down):
		return 1, true
	case key.Matches(msg, k.PageUp):
		return -page, true
	case key.Matches(msg, k.PageDown):
		return page, true
	case key.Matches(msg, k.First):
		return -end, true
	case key.Matches(msg, k.Last):
		return end, true
	default:
		return 0, false
	}
}
