package credentials

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// KeyMap contains the pane's key bindings. All other keys type.
type KeyMap struct{ Accept, Next, Prev, Kind, KindBack, Remove, Close key.Binding }

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Accept:   keys.Bind("enter", "use credentials"),
		Next:     keys.Bind("tab", "next row", "tab", "down"),
		Prev:     keys.Bind("shift+tab", "previous row", "shift+tab", "up"),
		Kind:     keys.Bind("ctrl+t", "next kind"),
		KindBack: keys.Bind("left", "previous kind"),
		Remove:   keys.Bind("d", "remove credentials", "d", "delete", "backspace"),
		Close:    keys.Bind("esc", "close", "esc", "ctrl+c", "f5"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.keys
	_, isEntry := p.entry()
	k.Remove.SetEnabled(isEntry)
	k.Accept.SetEnabled(!isEntry)
	return []key.Binding{k.Accept, k.Remove, k.Kind, k.Next, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Accept, k.Kind, k.KindBack, k.Next, k.Prev, k.Remove, k.Close}}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	entry, isEntry := p.entry()
	switch {
	case key.Matches(msg, k.Close):
		p.Forget()
		return Close{}
	case key.Matches(msg, k.Kind), p.at == kindRow && (msg.String() == "right" || msg.String() == "space"):
		p.turn(1)
	case p.at == kindRow && key.Matches(msg, k.KindBack):
		p.turn(-1)
	case key.Matches(msg, k.Next):
		p.step(1)
	case key.Matches(msg, k.Prev):
		p.step(-1)
	case isEntry && key.Matches(msg, k.Remove):
		return Remove{entry}
	case isEntry:
	case key.Matches(msg, k.Accept):
		return p.submit()
	default:
		if in := p.input(); in != nil {
			in.Key(msg)
		}
	}
	return nil
}

// turn selects another kind. It preserves the typed text, because the secret is the same.
func (p *Pane) turn(by int) {
	if n := len(p.kinds); n > 0 {
		p.kindIndex = (p.kindIndex + by + n) % n
	}
	if p.at == nameRow && !p.hasName() {
		p.move(valueRow)
	}
}

// Mouse handles a click: it moves the focus to a row; a click on the focused kind selects the
// next kind.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok || click.Button != tea.MouseLeft {
		return nil
	}
	for r, at := range p.positions() {
		if at == y {
			if r == kindRow && p.at == kindRow {
				p.turn(1)
			}
			p.move(r)
		}
	}
	return nil
}
