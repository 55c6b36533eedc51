package fanout

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Next, Prev, Compare, Open, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:    list.TextKeys(),
		Next:    keys.Bind("right", "next agent", "right", "l", "tab"),
		Prev:    keys.Bind("left", "previous agent", "left", "h", "shift+tab"),
		Compare: keys.Bind("d", "show the differences"),
		Open:    keys.Bind("enter", "go to the conversation"),
		Close:   keys.Bind("esc", "close", "esc", "q"),
	}
}

// activeKeys returns the keys that have an effect now.
func (p *Pane) activeKeys() KeyMap {
	k := p.keys
	k.Next.SetEnabled(len(p.columns) > 1)
	k.Prev.SetEnabled(len(p.columns) > 1)
	k.Compare.SetEnabled(len(p.columns) > 1)
	k.Open.SetEnabled(len(p.columns) > 0)
	k.Keys.SetEnabled(len(p.columns) > 0)
	return k
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.activeKeys()
	return []key.Binding{k.Compare, k.Open, k.Next, k.Prev, k.Down, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Compare, k.Open, k.Next, k.Prev, k.Close}, k.Keys.All()}
}
