package list

import "parley/ui/action"

// Keys are the rows of the actions that move through a list. A list leaves those that it does not
// have empty.
type Keys struct{ Up, Down, PageUp, PageDown, First, Last action.Row }

// DefaultKeys returns the keys of a list in which letters are not text.
func DefaultKeys() Keys {
	return Keys{
		Up:       action.Row{Keys: []string{"k", "up"}, Does: "up"},
		Down:     action.Row{Keys: []string{"j", "down"}, Does: "down"},
		PageUp:   action.Row{Keys: []string{"pgup", "ctrl+u"}, Does: "page up"},
		PageDown: action.Row{Keys: []string{"pgdown", "ctrl+d", "space"}, Does: "page down"},
		First:    action.Row{Keys: []string{"g", "home"}, Does: "first"},
		Last:     action.Row{Keys: []string{"G", "end"}, Does: "last"},
	}
}

// TextKeys returns the keys of a text that scrolls.
func TextKeys() Keys {
	k := DefaultKeys()
	k.First.Does, k.Last.Does = "top", "end"
	return k
}

// ShortKeys returns the keys of a list that is seldom longer than its window.
func ShortKeys() Keys {
	k := DefaultKeys()
	k.PageUp, k.PageDown = action.Row{}, action.Row{}
	return k
}

// RowKeys returns the keys of a list of few rows.
func RowKeys() Keys {
	k := DefaultKeys()
	return Keys{Up: k.Up, Down: k.Down}
}

// end is a distance greater than the length of any list.
const end = 1 << 30
