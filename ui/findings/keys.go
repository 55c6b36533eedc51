package findings

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/session/log"
	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Show, Next, Prev, List, Mute         key.Binding
	Copy, CopyAll, CopyAs, Filter, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:    list.DefaultKeys(),
		Show:    keys.Bind("enter", "show record"),
		Next:    keys.Bind("n", "next record"),
		Prev:    keys.Bind("N", "previous record"),
		List:    keys.Bind("f", "filter wire"),
		Mute:    keys.Bind("m", "mute rule"),
		Copy:    keys.Bind("y", "copy finding"),
		CopyAll: keys.Bind("Y", "copy all findings"),
		CopyAs:  keys.Bind("c", "copy exchange"),
		Filter:  keys.Bind("/", "filter findings"),
		Close:   keys.Bind("esc", "close", "esc", "q", "F"),
	}
}

// activeKeys returns the key bindings for the current state: bindings without an effect are disabled,
// and help texts match what the keys do.
func (p *Pane) activeKeys() KeyMap {
	p.update()
	k, c := p.keys, p.selected()
	k.Keys.SetEnabled(len(p.rules) > 1)
	for _, b := range []*key.Binding{&k.Show, &k.List, &k.Mute, &k.Copy, &k.CopyAs} {
		b.SetEnabled(c != nil)
	}
	k.CopyAll.SetEnabled(slices.ContainsFunc(p.rules, func(c *log.RuleCount) bool { return !c.Muted }))
	k.Next.SetEnabled(c != nil && len(c.Records) > 1)
	k.Prev.SetEnabled(c != nil && len(c.Records) > 1)
	k.Filter.SetEnabled(c != nil || p.filter != "")
	if c != nil && c.Muted {
		k.Mute.SetHelp(k.Mute.Help().Key, "unmute rule")
	}
	if p.filter != "" {
		k.Close.SetHelp(k.Close.Help().Key, "clear filter")
	}
	return k
}

// typingKeys returns the key bindings while the user types a filter.
func (p *Pane) typingKeys() (accept, leave key.Binding) {
	return keys.Bind("enter", "keep filter"), keys.Bind("esc", "clear filter", "esc", "ctrl+c")
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.typing {
		accept, leave := p.typingKeys()
		return []key.Binding{accept, leave}
	}
	k := p.activeKeys()
	return []key.Binding{k.Show, k.Next, k.List, k.Mute, k.Copy, k.CopyAs, k.CopyAll, k.Filter, k.Close}
}

// Keys returns the key bindings, for texts of others.
func (p *Pane) Keys() KeyMap { return p.keys }

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		append(k.Keys.All(), k.Filter),
		{k.Show, k.Next, k.Prev, k.List, k.Mute, k.Copy, k.CopyAll, k.CopyAs, k.Close},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.typing {
		p.typeKey(msg)
		return nil
	}
	k := p.activeKeys()
	switch {
	case key.Matches(msg, k.Close):
		return p.close(msg)
	case key.Matches(msg, k.Show):
		return p.show()
	case key.Matches(msg, k.Next):
		p.walk(1)
	case key.Matches(msg, k.Prev):
		p.walk(-1)
	case key.Matches(msg, k.List):
		return List{Rule: p.rule()}
	case key.Matches(msg, k.Mute):
		p.mute()
	case key.Matches(msg, k.Copy):
		return Copy{Text: p.report(p.selected()), What: "the finding"}
	case key.Matches(msg, k.CopyAll):
		return Copy{Text: p.reportAll(), What: "all findings"}
	case key.Matches(msg, k.CopyAs):
		return CopyAs{Record: p.record()}
	case key.Matches(msg, k.Filter):
		p.typing = true
		p.input.CursorEnd()
		p.input.Focus()
	default:
		p.List.Key(msg, &k.Keys, len(p.rules), p.listHeight())
	}
	return nil
}

// close clears the filter if there is one and the key is esc, else it closes the pane.
func (p *Pane) close(msg tea.KeyPressMsg) Intent {
	if p.filter == "" || msg.Code != tea.KeyEscape {
		return Close{}
	}
	p.input.Reset()
	p.update()
	return nil
}

// typeKey handles a key press while the user types a filter.
func (p *Pane) typeKey(msg tea.KeyPressMsg) {
	accept, leave := p.typingKeys()
	switch {
	case key.Matches(msg, accept), key.Matches(msg, leave):
		p.typing = false
		p.input.Blur()
		if key.Matches(msg, leave) {
			p.input.Reset()
		}
		p.update()
	case msg.Code == tea.KeyUp:
		p.List.Move(-1, len(p.rules))
	case msg.Code == tea.KeyDown:
		p.List.Move(1, len(p.rules))
	default:
		p.input.Key(msg)
		p.update()
	}
}
