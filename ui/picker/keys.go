package picker

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings. All other keys type.
type KeyMap struct {
	list.Keys
	Accept, Into, Above, Mark key.Binding
	Hidden, Close             key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys: list.Keys{
			Up:       keys.Bind("up", "up", "up", "ctrl+k"),
			Down:     keys.Bind("down", "down", "down", "ctrl+j"),
			PageUp:   keys.Bind("pgup", "page up"),
			PageDown: keys.Bind("pgdown", "page down"),
			First:    keys.Bind("ctrl+home", "first"),
			Last:     keys.Bind("ctrl+end", "last"),
		},
		Accept: keys.Bind("enter", "attach file"),
		Into:   keys.Bind("right", "open folder"),
		Above:  keys.Bind("left", "parent folder", "left", "backspace"),
		Mark:   keys.Bind("tab", "mark file"),
		Hidden: keys.Bind("alt+.", "show hidden files"),
		Close:  keys.Bind("esc", "close", "esc", "ctrl+c"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, e := p.keys, p.selected()
	folder := e == nil || e.Folder
	if folder && len(p.rows) > 0 {
		k.Accept.SetHelp(k.Accept.Help().Key, "open folder")
	}
	if p.hidden {
		k.Hidden.SetHelp(k.Hidden.Help().Key, "hide hidden files")
	}
	k.Mark.SetEnabled(!folder)
	k.Above.SetEnabled(p.input.Value() == "")
	return []key.Binding{k.Accept, k.Mark, k.Above, k.Hidden, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Accept, k.Into, k.Above, k.Mark, k.Hidden, k.Close},
		k.Keys.All(),
	}
}

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k, blank := p.keys, p.input.Value() == ""
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Accept):
		return p.accept()
	case key.Matches(msg, k.Mark):
		return p.mark()
	case blank && key.Matches(msg, k.Above):
		return p.up()
	case key.Matches(msg, k.Into) && (blank || p.input.Position() == len([]rune(p.input.Value()))):
		if e := p.selected(); e != nil && e.Folder {
			return p.enter(p.path(e))
		}
	case key.Matches(msg, k.Hidden):
		p.hidden = !p.hidden
		p.find()
	case p.List.Key(msg, &k.Keys, len(p.rows), p.listHeight()):
	default:
		p.narrow(p.input.Key(msg))
	}
	return nil
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a row; a click on the
// selected row accepts it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.List.Mouse(msg, y-headRows, len(p.rows), p.listHeight()) == list.HitSelected {
		return p.accept()
	}
	return nil
}
