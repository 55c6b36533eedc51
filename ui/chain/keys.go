package chain

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Show, Copy, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:  list.ShortKeys(),
		Show:  keys.Bind("enter", "show record"),
		Copy:  keys.Bind("y", "copy as text"),
		Close: keys.Bind("esc", "close", "esc", "q"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, some := p.keys, p.selected() != 0
	k.Show.SetEnabled(some)
	k.Copy.SetEnabled(some)
	k.Keys.SetEnabled(len(p.rows) > 1)
	return []key.Binding{k.Show, k.Copy, k.Down, k.Up, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Show, k.Copy}, {k.Up, k.Down, k.First, k.Last, k.Close}}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case p.List.Key(msg, &k.Keys, len(p.rows), p.parts().List), p.selected() == 0:
	case key.Matches(msg, k.Show):
		return Show{p.selected()}
	case key.Matches(msg, k.Copy):
		return Copy{p.text(), "the chain"}
	}
	return nil
}
