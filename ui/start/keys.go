package start

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings. The letters among them are text while the user types.
type KeyMap struct {
	list.Keys
	Open, Scan, Filter, Help, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.RowKeys(),
		Open:   keys.Bind("enter", "open"),
		Scan:   keys.Bind("p", "look on ports"),
		Filter: keys.Bind("/", "filter"),
		Help:   keys.Bind("?", "show help"),
		Close:  keys.Bind("esc", "close"),
	}
}

// Keys returns the key bindings, for texts of others.
func (p *Pane) Keys() KeyMap { return p.keys }

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.keys
	if p.typing {
		k.Close.SetHelp(k.Close.Help().Key, "clear filter")
		return []key.Binding{k.Open, k.Close}
	}
	k.Scan.SetEnabled(slices.ContainsFunc(p.sections, func(s Section) bool { return s.Key != "" }))
	return []key.Binding{k.Open, k.Scan, k.Filter, k.Down, k.Up, k.Close}
}

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Open, k.Scan, k.Filter}, {k.Up, k.Down, k.Help, k.Close}}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.typing {
		return p.typed(msg)
	}
	k := &p.keys
	switch {
	case key.Matches(msg, k.Up):
		p.move(-1)
	case key.Matches(msg, k.Down):
		p.move(1)
	case key.Matches(msg, k.Open):
		return p.open()
	case key.Matches(msg, k.Scan):
		return Scan{}
	case key.Matches(msg, k.Help):
		return Help{}
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Filter):
		p.write()
	case msg.Text != "" && msg.Text != " ":
		p.write()
		return p.typed(msg)
	}
	return nil
}

// typed handles a key press while the user types.
func (p *Pane) typed(msg tea.KeyPressMsg) Intent {
	k := &p.keys
	switch {
	case msg.Code == tea.KeyUp:
		p.move(-1)
	case msg.Code == tea.KeyDown:
		p.move(1)
	case key.Matches(msg, k.Open):
		return p.open()
	case key.Matches(msg, k.Close):
		p.clear()
	case p.input.Value() == "" && msg.Code == tea.KeyBackspace:
		p.clear()
	case p.input.Key(msg):
		p.edited()
	}
	return nil
}

// wheel returns how many rows a turn of the wheel moves.
func wheel(msg tea.MouseWheelMsg) int { return keys.Wheel(msg) }
