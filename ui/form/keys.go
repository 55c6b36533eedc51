package form

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Next, Change, Back, None, Add, Remove, Raw, Send, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Next: keys.Bind("enter", "next row", "enter", "ctrl+m"),
		Keys: list.Keys{
			Up:       keys.Bind("up", "up", "up", "shift+tab"),
			Down:     keys.Bind("down", "down", "down", "tab"),
			PageUp:   keys.Bind("pgup", "page up"),
			PageDown: keys.Bind("pgdown", "page down"),
		},
		Change: keys.Bind("space", "change value", "space", "right"),
		Back:   keys.Bind("left", "previous value"),
		None:   keys.Bind("backspace", "clear value", "backspace", "delete"),
		Add:    keys.Bind("alt+a", "add item"),
		Remove: keys.Bind("alt+x", "remove item"),
		Raw:    keys.Bind("alt+r", "edit as JSON"),
		Send:   keys.Bind("ctrl+s", "send form", "ctrl+s", "alt+enter", "ctrl+enter"),
		Close:  keys.Bind("esc", "close, keep draft", "esc", "ctrl+c"),
	}
}

// activeKeys returns the key bindings for the current state: bindings without an effect are disabled,
// and help texts match what the keys do.
func (p *Pane) activeKeys() KeyMap {
	k, f := p.keys, p.current()
	choice := f != nil && f.kind == kindChoice && !p.asJSON
	k.Change.SetEnabled(f != nil && !isTyped(f) && !p.asJSON)
	if f != nil && f.kind != kindChoice {
		k.Change.SetHelp(k.Change.Help().Key, "edit value")
	}
	k.Back.SetEnabled(choice)
	k.None.SetEnabled(choice)
	item := f.item()
	k.Add.SetEnabled(!p.asJSON && (item != nil || f != nil && f.kind == kindList))
	k.Remove.SetEnabled(!p.asJSON && f != nil && (item != nil || f.present() && (f.kind != kindGroup || !f.required)))
	k.Next.SetEnabled(!p.asJSON)
	k.Keys.SetEnabled(!p.asJSON)
	if k.Raw.SetHelp(k.Raw.Help().Key, "edit as JSON"); p.asJSON {
		k.Raw.SetHelp(k.Raw.Help().Key, "edit as form")
		k.Raw.SetEnabled(p.why == "")
	}
	if f == nil {
		k.Next.SetHelp(k.Next.Help().Key, "send form")
	}
	return k
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.activeKeys()
	return []key.Binding{k.Send, k.Next, k.Change, k.Add, k.Remove, k.Raw, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Next, k.Down, k.Up, k.PageDown, k.PageUp, k.Change, k.Back, k.None},
		{k.Add, k.Remove, k.Raw, k.Send, k.Close},
	}
}
