package taps

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Show, Begin, Copy, Faults, Chain, Stop, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.ShortKeys(),
		Show:   keys.Bind("enter", "show conversations"),
		Begin:  keys.Bind("n", "start a tap"),
		Copy:   keys.Bind("y", "copy address"),
		Faults: keys.Bind("!", "inject faults"),
		Chain:  keys.Bind("c", "show chain"),
		Stop:   keys.Bind("x", "stop tap"),
		Close:  keys.Bind("esc", "close", "esc", "q"),
	}
}

// enabled returns the keys that do something now.
func (p *Pane) enabled() KeyMap {
	k, some := p.keys, p.selected() != nil
	k.Begin.SetEnabled(p.about.Why == "")
	for _, b := range []*key.Binding{&k.Show, &k.Copy, &k.Faults, &k.Chain, &k.Stop} {
		b.SetEnabled(some)
	}
	k.Keys.SetEnabled(len(p.about.Taps) > 1)
	return k
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.enabled()
	return []key.Binding{k.Show, k.Copy, k.Faults, k.Chain, k.Begin, k.Stop, k.Down, k.Up, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Show, k.Copy, k.Faults, k.Chain, k.Begin, k.Stop}, {k.Up, k.Down, k.First, k.Last, k.Close}}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k, t := p.keys, p.selected()
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Begin) && p.about.Why != "":
		return Refused{p.about.Why}
	case key.Matches(msg, k.Begin):
		return Begin{}
	case p.List.Key(msg, &k.Keys, len(p.about.Taps), p.parts().List), t == nil:
	case key.Matches(msg, k.Show):
		return Show{*t}
	case key.Matches(msg, k.Copy):
		return Copy{t.URL, "the address of the tap"}
	case key.Matches(msg, k.Faults):
		return Faults{*t}
	case key.Matches(msg, k.Chain):
		return Chain{}
	case key.Matches(msg, k.Stop):
		return Stop{*t}
	}
	return nil
}
