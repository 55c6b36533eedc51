package jsonedit

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/editor"
	"parley/ui/keys"
)

// A KeyMap binds the pane's keys. Edit has the keys that move the cursor and delete.
type KeyMap struct {
	Done, Mistake, Layout, Editor, Close key.Binding
	Edit                                 editor.KeyMap
}

// DefaultKeyMap returns the keys of the pane.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Done:    keys.Bind("alt+enter", "accept", "alt+enter", "ctrl+enter", "ctrl+s"),
		Mistake: keys.Bind("tab", "go to mistake"),
		Layout:  keys.Bind("alt+l", "format JSON"),
		Editor:  keys.Bind("alt+e", "editor"),
		Close:   keys.Bind("esc", "close, keep draft", "esc", "ctrl+c"),
		Edit:    editor.DefaultKeyMap(),
	}
}

// ShortHelp returns the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	p.read()
	k := p.keys
	k.Done.SetEnabled(p.wrong == nil)
	k.Layout.SetEnabled(p.wrong == nil)
	k.Mistake.SetEnabled(p.wrong != nil)
	return []key.Binding{k.Done, k.Mistake, k.Layout, k.Editor, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all keys in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Done, k.Mistake, k.Layout, k.Editor, k.Close, k.Edit.Newline}, k.Edit.Help()}
}

// Key handles a key press. It explains why an action is not possible.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Done):
		return p.done()
	case key.Matches(msg, k.Editor):
		return Edit{p.edit.Text()}
	case key.Matches(msg, k.Layout):
		return p.layOut()
	case key.Matches(msg, k.Mistake):
		if p.check(); p.wrong != nil {
			p.toMistake()
		} else {
			p.edit.Insert("  ")
		}
	case p.edit.Key(msg, k.Edit):
	case msg.Text != "":
		p.edit.Insert(msg.Text)
	}
	return nil
}

// Mouse handles a mouse event at column x, row y.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	p.edit.Mouse(msg, x, y-headRows, p.W)
	return nil
}
