package catalog

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a/aicatalog"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Open, Filter, Save, Copy, Reload, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.DefaultKeys(),
		Open:   keys.Bind("enter", "open agent"),
		Filter: sheet.FilterKey("entries"),
		Save:   keys.Bind("s", "save agent"),
		Copy:   keys.Bind("y", "copy reference"),
		Reload: keys.Bind("r", "read again"),
		Close:  keys.Bind("esc", "close", "esc", "q"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.filter.Typing() {
		return p.filter.TypingKeys()
	}
	k := p.keys
	e, m := p.selected()
	agent := e != nil && e.Kind == aicatalog.Agent
	if e != nil && e.Kind == aicatalog.Catalog {
		k.Open.SetHelp(k.Open.Help().Key, "read catalog")
		k.Open.SetEnabled(!e.Read && e.URL != "")
	} else {
		k.Open.SetEnabled(agent)
	}
	k.Save.SetEnabled(agent && m.Name == "")
	k.Copy.SetEnabled(agent)
	k.Filter.SetEnabled(len(p.content.Catalog.Entries) > 1)
	k.Reload.SetEnabled(!p.content.Loading)
	if p.content.Within > 0 {
		k.Close.SetHelp(k.Close.Help().Key, "catalog before")
	}
	return []key.Binding{k.Open, k.Filter, k.Save, k.Copy, k.Reload, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Open, k.Filter, k.Save, k.Copy, k.Reload},
		{k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last, k.Close},
	}
}

// Cursor returns the terminal's cursor relative to the pane while the user types, else nil.
func (p *Pane) Cursor() *tea.Cursor { return p.FilterCursor() }

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	if p.filter.Typing() {
		p.filter.Key(msg)
		p.List = list.Cursor{}
		return nil
	}
	switch {
	case key.Matches(msg, k.Close):
		if msg.Code == tea.KeyEscape && p.filter.Clear() {
			return nil
		}
		if msg.Code == tea.KeyEscape {
			return Back{}
		}
		return Close{}
	case key.Matches(msg, k.Filter) && len(p.content.Catalog.Entries) > 1:
		p.filter.Open()
	case key.Matches(msg, k.Reload) && !p.content.Loading:
		return Reload{}
	case p.List.Key(msg, &k.Keys, len(p.rows()), p.parts().List):
	case key.Matches(msg, k.Open):
		return p.open()
	case key.Matches(msg, k.Save):
		return p.save()
	case key.Matches(msg, k.Copy):
		ref, _, why := p.reference()
		if why != "" {
			return Refused{why}
		}
		return Copy{ref}
	}
	return nil
}
