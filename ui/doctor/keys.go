package doctor

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Again, Send, Copy, Switch, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.DefaultKeys(),
		Again:  keys.Bind("r", "again"),
		Send:   keys.Bind("s", "send a message too"),
		Copy:   keys.Bind("y", "copy report"),
		Switch: keys.Bind("tab", "this machine", "tab", "m"),
		Close:  keys.Bind("esc", "stop, close", "esc", "q"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, c := p.keys, &p.content
	k.Again.SetEnabled(!c.Running && !c.Reading)
	k.Send.SetEnabled(!c.Running && !c.Machine && c.Name != "")
	k.Copy.SetEnabled(!c.Reading)
	k.Switch.SetEnabled(c.Name != "")
	if c.Machine {
		k.Switch.SetHelp(k.Switch.Help().Key, "way to agent")
		k.Again.SetHelp(k.Again.Help().Key, "read again")
	}
	what := "close"
	if c.Running && !c.Machine {
		what = "stop"
	}
	k.Close.SetHelp(k.Close.Help().Key, what)
	return []key.Binding{k.Again, k.Copy, k.Switch, k.Send, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Again, k.Copy, k.Switch, k.Send},
		{k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last, k.Close},
	}
}

// Cursor returns nil: nothing is typed.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k, c := p.keys, &p.content
	switch {
	case key.Matches(msg, k.Close):
		if c.Running && !c.Machine && msg.Code == tea.KeyEscape {
			return Stop{}
		}
		return Close{}
	case p.List.Key(msg, &k.Keys, len(p.rows()), p.parts().List):
		p.moved = true
	case key.Matches(msg, k.Switch) && c.Name != "":
		return Switch{}
	case key.Matches(msg, k.Copy) && !c.Reading:
		return Copy{}
	case key.Matches(msg, k.Again) && !c.Running && !c.Reading:
		return Again{}
	case key.Matches(msg, k.Send) && !c.Running && !c.Machine && c.Name != "":
		return Again{Send: true}
	}
	return nil
}
