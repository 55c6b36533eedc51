package approval

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Detail, Approve, Forget, Copy, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:    list.DefaultKeys(),
		Detail:  keys.Bind("enter", "show what has changed"),
		Approve: keys.Bind("a", "approve card"),
		Forget:  keys.Bind("f", "forget approved card"),
		Copy:    keys.Bind("y", "copy differences"),
		Close:   keys.Bind("esc", "close", "esc", "q"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, e := p.keys, p.selected()
	_, none := p.approve().(Refused)
	k.Approve.SetEnabled(!none)
	_, none = p.forget().(Refused)
	k.Forget.SetEnabled(!none)
	k.Detail.SetEnabled(!p.detail && e != nil && len(e.Drift) > 0)
	k.Copy.SetEnabled(e != nil && len(e.Drift) > 0)
	if p.detail && len(p.entries) > 1 {
		k.Close.SetHelp(k.Close.Help().Key, "all agents")
	}
	return []key.Binding{k.Detail, k.Approve, k.Forget, k.Copy, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Detail, k.Approve, k.Forget}, {k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last, k.Copy, k.Close}}
}

// Cursor is nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k, e := &p.keys, p.selected()
	switch {
	case key.Matches(msg, k.Close):
		if p.detail && len(p.entries) > 1 {
			p.detail = false
			return nil
		}
		return Close{}
	case key.Matches(msg, k.Approve):
		return p.approve()
	case key.Matches(msg, k.Forget):
		return p.forget()
	case key.Matches(msg, k.Copy):
		if e != nil && len(e.Drift) > 0 {
			return Copy{p.text(e)}
		}
	case p.detail:
		p.changes.Key(msg, &k.Keys, len(e.Drift), p.parts().List)
	case p.List.Key(msg, &k.Keys, len(p.entries), p.parts().List):
		p.selectRow()
	case key.Matches(msg, k.Detail):
		p.openDetail()
	}
	return nil
}
