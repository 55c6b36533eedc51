package extensions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Toggle, Next, Required, Other key.Binding
	Copy, Filter, Close           key.Binding
	Accept, Leave                 key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:     list.RowKeys(),
		Toggle:   keys.Bind("space", "select extension", "space", "enter"),
		Next:     keys.Bind("m", "use for next message only"),
		Required: keys.Bind("R", "select all required"),
		Other:    keys.Bind("a", "add extension"),
		Copy:     keys.Bind("y", "copy URI"),
		Filter:   sheet.FilterKey("extensions"),
		Close:    keys.Bind("esc", "close", "esc", "q"),
		Accept:   keys.Bind("enter", "select extension"),
		Leave:    keys.Bind("esc", "cancel", "esc", "ctrl+c"),
	}
}

// activeKeys returns the key bindings for the current state: bindings without an effect are disabled,
// and help texts match what the keys do.
func (p *Pane) activeKeys() KeyMap {
	k, e := p.keys, p.selected()
	can := p.refusal(e) == ""
	k.Keys.SetEnabled(len(p.list) > 1)
	k.Toggle.SetEnabled(can)
	k.Next.SetEnabled(can)
	k.Other.SetEnabled(p.why() == "")
	_, none := p.require().(Refused)
	k.Required.SetEnabled(!none)
	k.Copy.SetEnabled(e != nil)
	k.Filter.SetEnabled(len(p.all) > 0)
	if e == nil {
		return k
	}
	if slices.Contains(p.chosen(), e.URI) {
		k.Toggle.SetHelp(k.Toggle.Help().Key, "deselect extension")
	}
	if slices.Contains(p.next(), e.URI) {
		k.Next.SetHelp(k.Next.Help().Key, "omit from next message")
	}
	return k
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.filter.Typing() {
		return p.filter.TypingKeys()
	}
	k := p.activeKeys()
	if p.typing {
		return []key.Binding{k.Accept, k.Leave}
	}
	return []key.Binding{k.Toggle, k.Next, k.Required, k.Other, k.Copy, k.Filter, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Toggle, k.Next, k.Required, k.Other}, {k.Up, k.Down, k.Copy, k.Filter, k.Close}}
}

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	switch {
	case p.typing:
		return p.typeKey(msg, k)
	case p.filter.Typing():
		p.filter.Key(msg)
		p.narrow()
		return nil
	}
	e := p.selected()
	switch {
	case key.Matches(msg, k.Close):
		if msg.Code == tea.KeyEscape && p.filter.Clear() {
			p.narrow()
			return nil
		}
		return Close{}
	case key.Matches(msg, k.Filter) && len(p.all) > 0:
		p.filter.Open()
	case p.List.Key(msg, &k.Keys, len(p.list), p.parts().List):
		p.selectRow()
	case key.Matches(msg, k.Toggle):
		return p.toggle(false)
	case key.Matches(msg, k.Next):
		return p.toggle(true)
	case key.Matches(msg, k.Required):
		return p.require()
	case key.Matches(msg, k.Other):
		if why := p.why(); why != "" {
			return refuse(why)
		}
		p.typing = true
		p.input.Focus()
	case key.Matches(msg, k.Copy) && e != nil:
		return Copy{e.URI}
	}
	return nil
}

// typeKey handles a key press while the user types a URI. Leaving the field preserves its text.
func (p *Pane) typeKey(msg tea.KeyPressMsg, k KeyMap) Intent {
	switch {
	case key.Matches(msg, k.Leave):
		p.typing = false
		p.input.Blur()
	case key.Matches(msg, k.Accept):
		return p.accept()
	default:
		p.input.Key(msg)
	}
	return nil
}
